"""What several methods are made of: solvers, tables and graphs that are no methods themselves."""
