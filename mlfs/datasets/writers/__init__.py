"""Writers: a data set as CSV, as ARFF with an XML (Mulan, MEKA) or as LibSVM, so that other programs can read it.

`write_dataset` reads back what it wrote before it keeps it: a file that says something else than the data set is never
left behind.
"""

from mlfs.datasets.writers.write import FORMATS, write_dataset

__all__ = ["FORMATS", "write_dataset"]
