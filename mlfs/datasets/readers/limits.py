"""How large a data set may be, so that a mistake or a bomb meets a sentence before it meets the memory."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Sizes beyond which a file is refused; each is checked before the memory is used.

    Parameters
    ----------
    max_bytes : int
        Of one file, uncompressed; for a zip also of all the data files in it together.
    max_rows, max_features, max_labels : int
    max_cells : int
        Rows × columns of a dense file, stored values of a sparse one, and rows × labels.
    max_line_length : int
        Characters in one line.
    """

    max_bytes: int = 2 * 1024**3
    max_rows: int = 5_000_000
    max_features: int = 1_000_000
    max_labels: int = 100_000
    max_cells: int = 100_000_000
    max_line_length: int = 32 * 1024**2

    @property
    def max_lines(self) -> int:
        """Lines that a file of this size can need, with as many again for comments and blank lines."""
        return 2 * (self.max_rows + self.max_features + self.max_labels)


DEFAULT_LIMITS = Limits()
