"""The benchmark as it is kept in ``data/benchmark``: read in a moment, shown by the page Methods."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from mlfs.benchmark.study import CLASSIFIERS, DEFAULT, TUNED
from mlfs.checks import checked
from mlfs.classifiers import CLASSIFIERS as ALL_CLASSIFIERS
from mlfs.datasets.bundled import data_folder
from mlfs.errors import StudyError
from mlfs.files import replacing
from mlfs.results import setting_title
from mlfs.selectors import SELECTORS
from mlfs.studies.limits import CellLimits
from mlfs.wording import duration, joined

FOLDER = "benchmark"
VARIABLE = "MLFS_BENCHMARK"
TABLES = ("results", "runs", "rankings", "trials", "scaling", "datasets")
#: In about.json: the table that belongs to it → what its file hashes to.
DIGESTS = "digests"
DONE, EXCEEDED, NOT_JUDGED, FAILED = "done", "limit", "not judged", "failed"
LIBRARIES = ("numpy", "scipy", "scikit-learn", "pandas")


@dataclass(frozen=True, eq=False)
class Benchmark:
    """What is kept.

    Attributes
    ----------
    results : one row per data set, classifier, setting, method and size: the mean of each metric over the splits, and
        its standard deviation (``…_std``)
    runs : one row per data set, classifier, setting and method: state ("done", "limit", "not judged", "failed"),
        reason, splits, seconds of processor time and peak MiB of the selection (medians), how many features it selects
        by itself, and the version of the method
    rankings : one row per data set, setting, method and split: the first features, and the parameters where tuned
    trials : one row per data set, split, method and parameters tried inside the training rows: metrics, mean over sizes
    scaling : one row per method and size of made data: seconds and peak MiB of the selection
    datasets : one row per data set: what `mlfs.benchmark.advice` knows it by
    about : the limits, and the batches in which it was run: date, versions, machine, commands, parts and seconds
    """

    results: pd.DataFrame
    runs: pd.DataFrame
    rankings: pd.DataFrame
    trials: pd.DataFrame
    scaling: pd.DataFrame
    datasets: pd.DataFrame
    about: Mapping[str, Any]

    @cached_property
    def limits(self) -> CellLimits:
        """Of every cell."""
        return CellLimits(**self.about["limits"])

    @cached_property
    def methods(self) -> list[str]:
        return list(dict.fromkeys(self.runs["method"]))

    @cached_property
    def stale(self) -> list[str]:
        """Methods that have been corrected since: some of their rows are of another version."""
        runs = self.runs[self.runs["method"].isin(list(SELECTORS))]
        now = runs["method"].astype(str).map({method: selector.version for method, selector in SELECTORS.items()})
        return list(dict.fromkeys(runs.loc[runs["version"].astype(str) != now, "method"]))

    def notes(self) -> list[str]:
        """What the reader should know of all its numbers, each a sentence."""
        if not self.stale:
            return []
        names = joined(map(setting_title, self.stale))
        return [f"Corrected since, so that their rows are stale: {names}. mlfs benchmark run renews them."]

    @cached_property
    def cells(self) -> dict[str, int]:
        """How many were done, failed, exceeded a limit, and were skipped because another split of the same did not do.

        Trials of settings and timings on made data are not among them.
        """
        runs = self.runs
        splits = runs.groupby(["dataset", "classifier", "setting"], observed=True)["splits"].transform("max")
        without = runs["state"] != DONE
        return {
            "done": int(runs.loc[~without, "splits"].sum()),
            "failed": int((runs["state"] == FAILED).sum()),
            "limit": int(runs["state"].isin([EXCEEDED, NOT_JUDGED]).sum()),
            "skipped": int((splits[without] - 1).clip(lower=0).sum()),
        }

    @property
    def processor_seconds(self) -> float:
        """What all of it took."""
        return float(sum(batch["processor_seconds"] for batch in self.about["batches"]))

    def versions(self, name: str) -> list[str]:
        """With which versions of a library, or on which days or machines, its batches were run."""
        return list(dict.fromkeys(batch[name] for batch in self.about["batches"] if batch[name]))

    def provenance(self) -> str:
        """When, with what and where the numbers were made."""
        cells = self.cells
        libraries = ", ".join(f"{name} {joined(self.versions(name))}" for name in ("mlfs", "python", *LIBRARIES))
        where = "".join(f" on {machine}" for machine in [joined(self.versions("machine"))] if machine)
        skipped = f" and {cells['skipped']:,} were skipped after that" if cells["skipped"] else ""
        return (
            f"Made on {joined(self.versions('date'))}{where}: {sum(cells.values()):,} runs, of which "
            f"{cells['done']:,} were done, {cells['failed']:,} failed{',' if skipped else ' and'} "
            f"{cells['limit']:,} exceeded a limit{skipped}, in {duration(self.processor_seconds)} of processor time "
            f"({len(self.trials):,} trials of settings and {len(self.scaling):,} timings on synthetic data included); "
            f"{libraries}."
        )

    def write(self, folder: Path) -> list[Path]:
        """One Parquet file per table, and ``about.json``: all of them, or none where there is no room."""
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder) as place:
            for name in TABLES:
                getattr(self, name).to_parquet(place / f"{name}.parquet", index=False, compression="zstd")
            # Several files cannot be replaced in one moment: whoever reads them sees whether they belong together.
            about = {**self.about, DIGESTS: _digests(_contents(place))}
            text = json.dumps(about, indent=2, ensure_ascii=False) + "\n"
            (place / "about.json").write_text(text, encoding="utf-8")
        return [*(folder / f"{name}.parquet" for name in TABLES), folder / "about.json"]


def _contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / f"{name}.parquet").read_bytes() for name in TABLES}


def _digests(contents: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}


def kept_folder() -> Path:
    """Where the benchmark is: the folder that the environment variable MLFS_BENCHMARK names, else what ships."""
    return Path(os.environ.get(VARIABLE) or data_folder() / FOLDER)


@checked
def read_benchmark(folder: Path | None = None) -> Benchmark:
    """The benchmark that is kept in a folder; the one that ships with mlfs where None."""
    folder = kept_folder() if folder is None else Path(folder)
    try:
        contents = _contents(folder)
        about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        if about.pop(DIGESTS, digests := _digests(contents)) != digests:
            raise ValueError("its files are not of one writing, as after a kill in the midst of it")
        tables = {name: pd.read_parquet(io.BytesIO(content)) for name, content in contents.items()}
        read = Benchmark(**tables, about=about)
        # Asked for here, so that limits by other names are told as what they are.
        _ = read.limits
    except FileNotFoundError:
        raise StudyError(f"No benchmark is kept in {folder}: make one with mlfs benchmark run and keep.") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise StudyError(f"The benchmark in {folder} cannot be read ({problem}): keep it again.") from None
    return read


def coverage(benchmark: Benchmark) -> pd.DataFrame:
    """One row per data set: what it is like, and on how many methods and splits it was run."""
    runs = benchmark.runs[benchmark.runs["setting"] == DEFAULT]
    rows = []
    for about in benchmark.datasets.to_dict("records"):
        here = runs[runs["dataset"] == about["dataset"]]
        tuned = benchmark.runs[(benchmark.runs["dataset"] == about["dataset"]) & (benchmark.runs["setting"] == TUNED)]
        row = {
            "Data set": about["dataset"],
            "Rows": about["instances"],
            "Features": about["features"],
            "Labels": about["labels"],
        }
        for classifier in CLASSIFIERS:
            judged = here[here["classifier"] == classifier]
            title = ALL_CLASSIFIERS[classifier].title
            splits = int(judged["splits"].max()) if len(judged) else 0
            row[title] = f"{(judged['state'] == DONE).sum()} × {splits}" if splits else "–"
        row["Over a limit"] = int(here.loc[here["state"] == EXCEEDED, "method"].nunique())
        row["Tuned"] = int(tuned["method"].nunique())
        rows.append(row)
    return pd.DataFrame(rows)


def parts_of(runs: pd.DataFrame) -> dict[str, list[str]]:
    """Data set → what was run on it: classifiers, and whether tuned."""
    parts: dict[str, list[str]] = {}
    for row in runs.drop_duplicates(["dataset", "classifier", "setting"]).itertuples():
        tuned = f" {TUNED}" if row.setting == TUNED else ""
        parts.setdefault(str(row.dataset), []).append(f"{row.classifier}{tuned}")
    return parts
