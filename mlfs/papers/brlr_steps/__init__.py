"""Which logistic regression gives the losses that Lee & Kim 2016 print."""
