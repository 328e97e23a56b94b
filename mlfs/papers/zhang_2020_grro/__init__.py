"""Zhang et al. 2020: GRRO and GRRO-LS."""
