"""How a selector declares its parameters; `mlfs.parameters` says what a declaration is."""

from mlfs.parameters import Parameter, choice, integer, number

__all__ = ["Parameter", "choice", "integer", "number"]
