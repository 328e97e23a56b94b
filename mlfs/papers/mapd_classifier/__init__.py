"""Which classifier, on which columns, gives the losses that Zhou & Guo 2023 print."""
