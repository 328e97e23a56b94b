"""The column of all features of Lee & Kim 2016, by MATLAB's logistic regression."""
