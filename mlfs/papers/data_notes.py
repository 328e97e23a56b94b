"""What to know of the data that a result of a paper was measured on: exact numbers of another set mean nothing."""

from __future__ import annotations

from collections.abc import Iterable

from mlfs.datasets import CATALOGUE, Dataset
from mlfs.evaluation.splits import Split
from mlfs.metrics import quantity
from mlfs.papers.characteristics import characteristics


def unlike_catalogue(name: str, ds: Dataset) -> list[str]:
    """In what a data set that was found by its name is not the one that the catalogue lists; a sentence each.

    Some copies rightly differ, so nothing is refused.

    >>> from mlfs.datasets import load_dataset
    >>> unlike_catalogue("yeast", load_dataset("yeast"))
    []
    >>> unlike_catalogue("science", load_dataset("yeast"))[0]
    'science has 2417 × 103 × 14 instances, features and labels here, the catalogue 5000 × 743 × 40: is it another set?'
    """
    entry = CATALOGUE.get(name)
    if entry is None:
        return []
    here = (*ds.X.shape, ds.Y.shape[1])
    listed = (entry.instances, entry.features, entry.labels)
    if here == listed:
        return entry.check(ds, split=False)
    measured, known = (" × ".join(map(str, sizes)) for sizes in (here, listed))
    return [f"{name} has {measured} instances, features and labels here, the catalogue {known}: is it another set?"]


def unlike_printed_split(paper: str, name: str, splits: Iterable[Split]) -> list[str]:
    """A sentence where the rows are not parted in the sizes that the paper prints; none where it prints none.

    Parameters
    ----------
    splits : of which the first is looked at, and only where there is something to compare it with

    >>> from mlfs.datasets import load_dataset
    >>> unlike_printed_split("zhang_2020_grro", "yeast", [load_dataset("yeast").split])
    ['yeast has 1500 training and 917 test rows here, and the paper prints 1499 and 918.']
    """
    printed = characteristics(paper).reindex(columns=["train", "test"]).dropna()
    split = next(iter(splits), None) if name in printed.index else None
    if split is None:
        return []
    here, there = (len(split[0]), len(split[1])), tuple(printed.loc[name].astype(int))
    if here == there:
        return []
    return [
        f"{name} has {here[0]} training and {here[1]} test rows here, and the paper prints {there[0]} and {there[1]}."
    ]


def drawn_at_random(name: str, loaded: Dataset, arranged: Dataset) -> list[str]:
    """A sentence where a data set came without a split, and rows were drawn in the sizes of the paper.

    >>> from dataclasses import replace
    >>> toy = Dataset([[1], [2], [3]], [[1], [0], [1]], ["x"], ["a"], "toy")
    >>> drawn_at_random("toy", toy, replace(toy, split=([2], [0, 1])))
    ['toy came without a split: 1 of its rows was drawn at random to train and 2 to test, so its numbers are another \
draw than the paper had.']
    """
    if loaded.split is not None or arranged.split is None:
        return []
    train, test = map(len, arranged.split)
    return [
        f"{name} came without a split: {train} of its rows {'was' if train == 1 else 'were'} drawn at random to train "
        f"and {test} to test, so its numbers are another draw than the paper had."
    ]


def labels_without_positives(name: str, ds: Dataset, splits: Iterable[Split]) -> list[str]:
    """A sentence on labels that no test row has, for beside macro-F1; none where there are none.

    Macro-F1 gives such a label 1 as long as nothing predicts it, so that a method may win by them.

    >>> ds = Dataset([[1], [2], [3]], [[1, 0, 1], [0, 0, 1], [1, 1, 0]], ["x"], ["a", "b", "c"], "toy", ([2], [0, 1]))
    >>> labels_without_positives("toy", ds, [ds.split])
    ['On toy 1 of 3 labels has no positive among the test rows: Macro-F1 counts it as 1 where it is never predicted.']
    """
    counts = [int((~ds.Y[test].any(axis=0)).sum()) for _, test in splits]
    if not any(counts):
        return []
    most, several = max(counts), len(set(counts)) > 1
    has, it, is_ = ("has", "it", "it is") if most == 1 else ("have", "them", "they are")
    how_many = f"{'up to ' if several else ''}{most} of {ds.Y.shape[1]} labels {has}"
    rule = f"{quantity('macro_f1').title} counts {it} as 1 where {is_} never predicted."
    return [f"On {name} {how_many} no positive among the test rows{' of a split' if several else ''}: {rule}"]
