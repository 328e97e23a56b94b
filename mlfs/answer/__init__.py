"""Which features to keep, how many, by which method, and whether it is real."""
