"""What the numbers of the methods that Wang et al. 2020 compare ELC with come from."""
