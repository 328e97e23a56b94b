"""What a page shows, as text that does it again: Python for a notebook, a command for a terminal.

Both run as they stand and print the numbers on the screen; tests run them. One module per page.
"""

from mlfs.recipes.exploration import exploration
from mlfs.recipes.writing import Recipe

__all__ = ["Recipe", "exploration"]
