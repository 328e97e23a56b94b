"""M(f; f') of very many pairs of variables that are seldom in any but their commonest state, by a compiled loop.

`Tables` goes over all cells of all contingency tables several times, table by table. Here the counts of one variable
with all others are made in the cache and turned into information at once. The sums are made in the same order, so the
numbers are the same to the last bit.
"""

from __future__ import annotations

import numpy as np

from mlfs.blocks import each, ranges
from mlfs.compiled import compiled
from mlfs.information.counting import xlogx_table
from mlfs.information.states import States, entropy

# The tables take a second for so many cells, as long as it takes to fetch the compiled loop.
LARGE = 1 << 26
# NumPy sums more than eight numbers in another order than one after the other.
MOST_STATES = 8
# Linear algebra counts a cell in 0.08 of the time that the loop takes for an observation in it.
DENSE = 0.08
# Variables that are counted together: their counts stay in the cache.
TOGETHER = 1024


def suits(first: States, second: States) -> bool:
    """Whether `information` is the quicker way, and gives the same bits."""
    rows, columns = first.indicators.shape[0], second.indicators.shape[0]
    if first.n == 0 or rows * columns < LARGE:
        return False
    # Of n² pairs of observations for each cell, those with both in their state.
    share = (first.indicators.nnz / (rows * first.n)) * (second.indicators.nnz / (columns * second.n))
    return share < DENSE and all(map(_few_states, (first, second)))


def _few_states(states: States) -> bool:
    widths = np.diff(states.start, append=states.indicators.shape[0])
    # A state that no observation is in, beside others, would be summed by one and left out by the other.
    return bool(widths.max() <= MOST_STATES and (states.sizes[np.repeat(widths, widths) > 1] > 0).all())


def information(first: States, second: States, *, n_jobs: int | None = None) -> np.ndarray:
    """(d, e) M(D_i; E_j) in bits, as `mutual_information` has them."""
    n, xlogx = first.n, xlogx_table(first.n)
    result = np.zeros((first.d, second.d))
    rows = np.append(first.start, first.indicators.shape[0])
    left = (first.indicators.indptr, first.indicators.indices, rows, first.sizes, first.cells)

    def fill(work: tuple[tuple[int, int], States, tuple[int, int]]) -> None:
        columns, piece, span = work
        ends = np.append(piece.start, piece.indicators.shape[0])
        right = (piece.transposed.indptr, piece.transposed.indices, piece.owner, ends)
        _fill(left, right, (piece.sizes, piece.background, xlogx[n] - piece.cells), xlogx, span, columns[0], result)

    pieces = [(columns, second.block(*columns)) for columns in ranges(second.d, TOGETHER)]
    each(fill, [(*piece, span) for piece in pieces for span in ranges(first.d, TOGETHER)], n_jobs)
    np.minimum(result, entropy(first)[:, None], out=result)
    return np.minimum(result, entropy(second)[None, :], out=result)


@compiled
def _fill(first, second, totals, xlogx, span, shift, result):
    """Each sum over states is its first number plus the sum of the others, as `np.add.reduceat` makes it."""
    pointer, observations, rows, sizes, cells = first
    of_pointer, of_states, of_owner, columns = second
    of_sizes, of_background, of_cells = totals
    n, variables, widest = len(xlogx) - 1, len(columns) - 1, 0
    for i in range(span[0], span[1]):
        widest = max(widest, rows[i + 1] - rows[i])
    counts = np.zeros(widest * len(of_sizes), np.int32)  # by state of the second variable, then of the first
    met = np.zeros(variables, np.int32)
    for i in range(span[0], span[1]):
        low, width = rows[i], rows[i + 1] - rows[i]
        counts[: width * len(of_sizes)] = 0
        met[:] = 0
        for a in range(width):
            for place in range(pointer[low + a], pointer[low + a + 1]):
                observation = observations[place]
                for other in range(of_pointer[observation], of_pointer[observation + 1]):
                    state = of_states[other]
                    counts[state * width + a] += 1
                    met[of_owner[state]] += 1
        more, kept = 0.0, sizes[low]
        for a in range(1, width):
            more += xlogx[sizes[low + a]]
            kept += sizes[low + a]
        apart = xlogx[sizes[low]] + more
        for j in range(variables):
            begin, end = columns[j], columns[j + 1]
            if of_sizes[begin] == 0:  # always in its background: it tells nothing
                continue
            head = tail = 0.0
            for b in range(begin, end):
                place, left, value = b * width, of_sizes[b], 0.0
                if met[j]:
                    more = 0.0
                    for a in range(1, width):
                        more += xlogx[counts[place + a]]
                        left -= counts[place + a]
                    left -= counts[place]
                    value = xlogx[counts[place]] + more
                value += xlogx[left]
                if b == begin:
                    head = value
                else:
                    tail += value
            total = head + tail
            if met[j]:
                head = tail = 0.0
                for a in range(width):
                    left = sizes[low + a]
                    for place in range(begin * width + a, end * width, width):
                        left -= counts[place]
                    if a == 0:
                        head = xlogx[left]
                    else:
                        tail += xlogx[left]
                total += head + tail
            else:
                total += apart
            total += xlogx[of_background[j] - (kept - met[j])]
            total = total - cells[i] + of_cells[j]
            result[i, shift + j] = max(total, 0.0) / n
