"""A ranking from elsewhere: the features of a data set in the order that another program gave them.

It takes part wherever a method does. Its author's program saw all rows, and with them the test rows, which every table
and figure then says; or it was run on the training rows of each split, and there is one order for each.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mlfs.errors import RankingError
from mlfs.results import ALL_ROWS, RANKED_ON, SAW_TEST_ROWS, TRAINING_ROWS
from mlfs.selectors import SELECTORS
from mlfs.selectors.external import ExternalSelector
from mlfs.wording import count

#: Which rows the author's program saw, and what tables say of it.
ROWS = {"all": ALL_ROWS, "train": TRAINING_ROWS}
LONGEST_NAME = 40
# Of all orders of a ranking together: they travel with each cell of a study.
MOST_ENTRIES = 1_000_000
_FIELDS = ("name", "dataset", "features", "rows", "orders")


@dataclass(frozen=True)
class ExternalRanking:
    """The order of another program.

    Attributes
    ----------
    name : what tables and figures call it
    dataset : the name of the data set whose features are ranked
    features : how many the data set has
    orders : feature indices from 0, best first: one for all splits, or one for each
    rows : "all" where the program saw all rows, "train" where it saw the training rows of each split
    notes : how a file was understood, each a sentence
    """

    name: str
    dataset: str
    features: int
    orders: tuple[tuple[int, ...], ...]
    rows: str = "all"
    notes: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.rows not in ROWS:
            raise RankingError(f"{self.name}: rows must be all or train, not {self.rows!r}.")
        if not self.orders:
            raise RankingError(f"{self.name} holds no ranking: give feature indices, names or scores.")
        if self.rows == "all" and len(self.orders) > 1:
            raise RankingError(
                f"{self.name} holds {len(self.orders)} rankings: several are of the training rows of one split each."
            )
        if sum(map(len, self.orders)) > MOST_ENTRIES:
            raise RankingError(f"{self.name} has more than {MOST_ENTRIES:,} entries: keep the first of each ranking.")
        for number, order in enumerate(self.orders, start=1):
            _check_order(f"{self.name}, ranking {number}", order, self.features)

    @property
    def setting(self) -> str:
        """As figures and tables name it."""
        return self.name + (SAW_TEST_ROWS if self.rows == "all" else "")

    @property
    def parameters(self) -> dict[str, str]:
        """What stands in the column of the parameters."""
        return {RANKED_ON: ROWS[self.rows]}

    @property
    def fingerprint(self) -> str:
        """A hash of the content, whatever it is called and wherever it was."""
        return hashlib.sha256(repr((self.features, self.rows, self.orders)).encode()).hexdigest()

    def check_splits(self, n_splits: int, n_seeds: int = 1) -> None:
        """Raise RankingError where there are more splits than orders for them."""
        if self.rows == "all":
            return
        if n_seeds > 1:
            raise RankingError(f"{self.name} is of the splits of one seed: run one seed at a time.")
        if len(self.orders) < n_splits:
            raise RankingError(
                f"{self.name} has {count(len(self.orders), 'ranking')} of training rows for {n_splits} splits: give "
                "one for each, in their order, or choose fewer repeats."
            )

    def selector(self, repeat: int, n_splits: int) -> ExternalSelector:
        """The selector for one of a protocol's splits."""
        self.check_splits(n_splits)
        return ExternalSelector(order=self.orders[repeat if self.rows == "train" else 0])

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, as a plan keeps them."""
        return {name: getattr(self, name) for name in _FIELDS} | {"orders": [list(order) for order in self.orders]}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> ExternalRanking:
        """The inverse of `to_dict`."""
        if set(content) != set(_FIELDS):
            raise RankingError(f"A ranking of a plan has {', '.join(_FIELDS)}, not {', '.join(map(str, content))}.")
        orders, features = content["orders"], content["features"]
        whole = isinstance(orders, list) and all(
            isinstance(order, list) and all(type(index) is int for index in order) for order in orders
        )
        if not whole or type(features) is not int:
            raise RankingError(f"The orders of the ranking {content['name']!r} must be lists of whole numbers.")
        name, dataset, rows = (str(content[each]) for each in ("name", "dataset", "rows"))
        return cls(name, dataset, features, tuple(map(tuple, orders)), rows)


def check_name(name: Any) -> None:
    """Raise RankingError where tables, links and commands could not hold the name."""
    if not isinstance(name, str) or not re.fullmatch(r"[^\W_][^:;,=@/\n]*", name) or len(name) > LONGEST_NAME:
        raise RankingError(
            f"A ranking's name begins with a letter or digit, has {LONGEST_NAME} letters at most and none of : ; , = @ "
            f"/ in it, unlike {str(name)[:60]!r}: choose another."
        )
    if name in SELECTORS or name.endswith(SAW_TEST_ROWS):
        raise RankingError(f"{name!r} is the name of a method of mlfs: give the ranking another.")


def _check_order(what: str, order: Iterable[int], features: int) -> None:
    seen: set[int] = set()
    for index in order:
        if not 0 <= index < features:
            raise RankingError(f"{what}: the feature {index} is none of the {features}, numbered from 0.")
        if index in seen:
            raise RankingError(f"{what}: the feature {index} appears twice.")
        seen.add(index)
    if not seen:
        raise RankingError(f"{what} is empty.")
