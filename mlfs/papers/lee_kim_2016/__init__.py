"""Lee & Kim 2016: ELS, label selection by entropy."""
