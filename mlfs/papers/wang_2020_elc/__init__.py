"""Wang et al. 2020: ELC, the redundancy R(F) and the residual label correlation C(F)."""
