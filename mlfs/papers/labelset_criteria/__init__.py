"""The criteria of Sechidis et al. 2014 that take all labels as one labelset."""
