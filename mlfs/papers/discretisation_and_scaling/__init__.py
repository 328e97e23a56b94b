"""A question to several papers: how much their discretisation and scaling decide."""
