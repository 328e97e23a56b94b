"""What Zhang et al. 2020 computed as MICO, by elimination."""
