"""Which sum of odds ratios Lee & Kim 2016 call BR-OR."""
