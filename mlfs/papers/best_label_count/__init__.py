"""How far the best |Y| of Lee & Kim 2016 depends on the rows that were drawn."""
