"""The mutual information of all pairs of features, GRRO's and MICO's redundancy: as a table, or only as a product.

The table takes 8·d² bytes. The product never has more than one block of it at a time.
"""

from __future__ import annotations

import numpy as np

from mlfs.blocks import ranges
from mlfs.information import mutual_information
from mlfs.selectors.evidence import Information

# Features in a block: 8 MiB a table.
BLOCK = 1024


def feature_information(evidence: Information) -> np.ndarray:
    """(d, d) G_ij = M(f_i; f_j), with H(f_i) on the diagonal. Kept in the evidence and read-only."""

    def compute() -> np.ndarray:
        table = mutual_information(evidence.features, n_jobs=evidence.n_jobs)
        np.fill_diagonal(table, evidence.feature_entropy)
        table.setflags(write=False)
        return table

    return evidence.once("feature_information", compute)


def information_product(evidence: Information, diagonal: np.ndarray, B: np.ndarray) -> np.ndarray:
    """(d, b) G·B for G_ij = M(f_i; f_j) beside the given diagonal, computed anew block by block."""
    d = evidence.sizes["features"]
    product = diagonal[:, None] * B
    blocks = [(slice(*span), evidence.features.block(*span)) for span in ranges(d, BLOCK)]
    for position, (rows, upper) in enumerate(blocks):
        for columns, lower in blocks[position:]:
            table = mutual_information(upper, lower, n_jobs=evidence.n_jobs)
            if rows == columns:
                np.fill_diagonal(table, 0.0)
            else:
                product[columns] += table.T @ B[rows]
            product[rows] += table @ B[columns]
    return product
