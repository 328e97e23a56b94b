"""What a study is: data sets × methods × parameter grids × protocol × seeds, as plain data that a file can hold."""

from __future__ import annotations

import hashlib
import itertools
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from pathlib import Path
from typing import Any

from mlfs.checks import described
from mlfs.datasets import Dataset, load_dataset
from mlfs.errors import StudyError, did_you_mean
from mlfs.evaluation.external_ranking import ExternalRanking
from mlfs.evaluation.protocols import (
    PROTOCOLS,
    SETTINGS,
    Choice,
    Protocol,
    configured_selector,
    get_protocol,
    method_and_parameters,
)
from mlfs.files import write_file
from mlfs.metrics import METRICS
from mlfs.parameters import parse_value
from mlfs.selectors import SELECTORS
from mlfs.selectors.specification import check_parameters, known_name, method_parameters, parse_method
from mlfs.studies.cell import NOT_EFFECTIVE, Cell, addresses

# What a plan may change about its protocol.
SETTING_NAMES = (*SETTINGS, "sizes", "every_size", "natural_size_of", "metrics", "selector_parameters")
FIELDS = ("name", "datasets", "methods", "protocol", "settings", "seeds", "rankings")


@dataclass(frozen=True)
class MethodGrid:
    """A method, the parameters that stay, and those that vary: every combination of the grid's values is a cell.

    `method` is an id, or an id with parameters such as ``grro:alpha=1``; values may be given as text.
    """

    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for part in ("parameters", "grid"):
            if not isinstance(getattr(self, part), Mapping):
                raise StudyError(f"{part} must be a table of names and values, not {described(getattr(self, part))}.")
        if not isinstance(self.method, str):
            raise StudyError(f"A method must be a text such as 'grro:alpha=1', not {described(self.method)}.")
        method, spelled = parse_method(self.method)
        parameters = {**spelled, **{name: _value(method, name, value) for name, value in self.parameters.items()}}
        check_parameters(method, parameters)
        grid = {name: _grid(method, name, values) for name, values in self.grid.items()}
        for name in (*parameters, *grid):
            if name in NOT_EFFECTIVE:
                raise StudyError(f"{name} is not for a plan: the protocol's sizes, the data and the workers decide it.")
            if name in parameters and name in grid:
                raise StudyError(f"{method}: {name} is both fixed and varied; keep it in one place.")
        object.__setattr__(self, "method", method)
        object.__setattr__(self, "parameters", parameters)
        object.__setattr__(self, "grid", grid)

    def __len__(self) -> int:
        size = 1
        for values in self.grid.values():
            size *= len(values)
        return size

    def combinations(self) -> Iterator[dict[str, Any]]:
        """Each combination of the grid with the fixed parameters, the last named parameter varying fastest."""
        for values in itertools.product(*self.grid.values()):
            yield {**self.parameters, **dict(zip(self.grid, values, strict=True))}

    def to_dict(self) -> dict[str, Any]:
        grid = {name: list(values) for name, values in self.grid.items()}
        return {"method": self.method, "parameters": dict(self.parameters), "grid": grid}

    @classmethod
    def of(cls, given: Any) -> MethodGrid:
        """From a MethodGrid, a text, or a table with method, parameters and grid."""
        if isinstance(given, MethodGrid):
            return given
        if isinstance(given, str):
            return cls(given)
        if not isinstance(given, Mapping) or "method" not in given:
            raise StudyError(
                f"A method must be a text such as 'grro:alpha=1' or a table with method, not {described(given)}."
            )
        for name in given:
            if name not in ("method", "parameters", "grid"):
                raise StudyError(
                    f"A method of a plan has no {name!r}: {did_you_mean(str(name), ('method', 'parameters', 'grid'))}"
                )
        tables = {name: given.get(name, {}) for name in ("parameters", "grid")}
        for name, table in tables.items():
            if not isinstance(table, Mapping):
                raise StudyError(
                    f"{name} of {given['method']} must be a table of names and values, not {described(table)}."
                )
        return cls(str(given["method"]), **tables)


@dataclass(frozen=True)
class Plan:
    """A study before it runs.

    Attributes
    ----------
    name : for people
    datasets : names or paths, as `load_dataset` takes them
    methods : texts such as ``"els"``, or `MethodGrid`
    protocol : a name of `PROTOCOLS`
    settings : what is changed about the protocol, as `get_protocol` takes it
    seeds : of the splits and of methods that draw lots
    rankings : from elsewhere, each of one of the data sets; they are part of the plan, so that it needs no files

    >>> plan = Plan("first", ["emotions"], ["els", MethodGrid("grro", grid={"alpha": [0.1, 1], "beta": [0.1, 1]})])
    >>> len(plan)
    5
    """

    name: str
    datasets: tuple[str, ...]
    methods: tuple[MethodGrid, ...]
    protocol: str = "quick"
    settings: Mapping[str, Any] = field(default_factory=dict)
    seeds: tuple[int, ...] = (0,)
    rankings: tuple[ExternalRanking, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise StudyError("A plan needs a name.")
        datasets = _listed("datasets", self.datasets)
        object.__setattr__(self, "rankings", _rankings(self.rankings, datasets))
        methods = () if self.rankings and not self.methods else _listed("methods", self.methods)
        if not all(isinstance(name, str) for name in datasets):
            raise StudyError("datasets must be a list of names or paths; data in memory are given to run(datasets=…).")
        seeds = tuple(self.seeds) if isinstance(self.seeds, list | tuple | range) else (self.seeds,)
        if not seeds or not all(isinstance(s, int) and not isinstance(s, bool) and s >= 0 for s in seeds):
            raise StudyError(f"seeds must be whole numbers from 0, not {described(self.seeds)}.")
        if not isinstance(self.protocol, str) or self.protocol not in PROTOCOLS:
            raise StudyError(
                f"There is no protocol {described(self.protocol)}: {did_you_mean(str(self.protocol), PROTOCOLS)}"
            )
        if not isinstance(self.settings, Mapping):
            raise StudyError(f"settings must be a table of names and values, not {described(self.settings)}.")
        object.__setattr__(self, "datasets", tuple(dict.fromkeys(datasets)))
        object.__setattr__(self, "methods", tuple(MethodGrid.of(method) for method in methods))
        object.__setattr__(self, "settings", _checked_settings(self.settings))
        object.__setattr__(self, "seeds", tuple(dict.fromkeys(seeds)))
        for ranking in self.rankings:
            ranking.check_splits(self.resolved_protocol.n_splits, len(self.seeds))

    def __len__(self) -> int:
        per_split = len(self.datasets) * sum(map(len, self.methods)) + len(self.rankings)
        return len(self.seeds) * self.resolved_protocol.n_splits * per_split

    @property
    def id(self) -> str:
        """A hash of the plan: equal plans are the same study."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Plan:
        for name in content:
            if name not in FIELDS:
                raise StudyError(f"A plan has no {name!r}: {did_you_mean(str(name), FIELDS)}")
        for name in ("name", "datasets", "methods"):
            if name not in content and not (name == "methods" and content.get("rankings")):
                raise StudyError(f"The plan has no {name}: add it, for example {name} = {_EXAMPLES[name]}.")
        return cls(**{"methods": (), **content})

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, words, lists and tables."""
        settings = {name: list(value) if isinstance(value, tuple) else value for name, value in self.settings.items()}
        content = {
            "name": self.name,
            "datasets": list(self.datasets),
            "methods": [method.to_dict() for method in self.methods],
            "protocol": self.protocol,
            "settings": settings,
            "seeds": list(self.seeds),
        }
        # Only where there are some: plans without keep the id that they had before there were rankings.
        return content | ({"rankings": [ranking.to_dict() for ranking in self.rankings]} if self.rankings else {})

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """From a TOML or JSON file; a plan without a name takes the file's."""
        return cls.from_dict({"name": Path(path).stem, **_read(Path(path))})

    def write(self, path: str | Path) -> Path:
        """To a TOML or JSON file, by its suffix."""
        path = Path(path)
        text = self.to_toml() if _is_toml(path) else json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"
        try:
            write_file(path, text)
        except OSError as problem:
            raise StudyError(f"The plan cannot be written to {path}: {_reason(problem)}.") from None
        return path

    def to_toml(self) -> str:
        """As the text of a TOML file."""
        content = self.to_dict()
        methods, settings, rankings = content.pop("methods"), content.pop("settings"), content.pop("rankings", [])
        lines = [f"{name} = {_toml_value(value)}" for name, value in content.items()]
        lines += _toml_table("settings", settings)
        for method in methods:
            lines += ["", "[[methods]]", f"method = {_toml_value(method['method'])}"]
            for name in ("parameters", "grid"):
                lines += _toml_table(f"methods.{name}", method[name])
        for ranking in rankings:
            lines += ["", "[[rankings]]", *(f"{name} = {_toml_value(value)}" for name, value in ranking.items())]
        return "\n".join(lines) + "\n"

    def load(self, datasets: Mapping[str, Dataset] | None = None) -> dict[str, Dataset]:
        """The data sets of the plan by name: those given, the others loaded."""
        given = datasets or {}
        return {name: given[name] if name in given else load_dataset(name) for name in self.datasets}

    @property
    def resolved_protocol(self) -> Protocol:
        """The protocol with the plan's settings."""
        return get_protocol(self.protocol, **self.settings)

    def cells(self, datasets: Mapping[str, Dataset] | None = None) -> list[Cell]:
        """All cells, data set by data set, seed by seed, split by split."""
        protocol = self.resolved_protocol
        choices: list[Choice] = [
            (grid.method, parameters) for grid in self.methods for parameters in grid.combinations()
        ]
        cells = []
        for name, ds in self.load(datasets).items():
            data, splits = ds.fingerprint, range(_splits(protocol, ds))
            here = [ranking for ranking in self.rankings if ranking.dataset == name]
            for ranking in here:
                if ranking.features != ds.X.shape[1]:
                    raise StudyError(
                        f"{ranking.name} ranks {ranking.features} features, and {name} has {ds.X.shape[1]}."
                    )
            for seed, repeat, choice in itertools.product(self.seeds, splits, [*choices, *here]):
                method, parameters = method_and_parameters(choice)
                selector = configured_selector(choice, protocol, ds, seed, repeat)
                key, group = addresses(ds, selector, protocol, seed, repeat)
                about = (name, data, method, parameters, repeat, seed, self.protocol, self.settings)
                cells.append(Cell(key, group, *about, choice if isinstance(choice, ExternalRanking) else None))
        return cells


_EXAMPLES = {"name": '"first"', "datasets": '["emotions"]', "methods": '["els", "grro:alpha=1"]'}


def _splits(protocol: Protocol, ds: Dataset) -> int:
    """How many splits the protocol makes; what it cannot do with these data is said before anything runs."""
    if protocol.split == "given":
        next(protocol.splits(ds))
    return protocol.n_splits


def _listed(name: str, values: Any) -> tuple[Any, ...]:
    if isinstance(values, str | MethodGrid):
        values = (values,)
    if not isinstance(values, list | tuple) or not values:
        raise StudyError(
            f"{name} must be a list with at least one entry, such as {_EXAMPLES[name]}, not {described(values)}."
        )
    return tuple(values)


def _rankings(given: Any, datasets: Sequence[str]) -> tuple[ExternalRanking, ...]:
    """The rankings of a plan, from objects or as a file holds them."""
    if not isinstance(given, list | tuple) or not all(isinstance(each, ExternalRanking | Mapping) for each in given):
        raise StudyError(
            f"rankings must be a list of rankings, such as `mlfs.evaluation.as_ranking` makes: {described(given)}."
        )
    rankings = [each if isinstance(each, ExternalRanking) else ExternalRanking.from_dict(each) for each in given]
    pairs = [(ranking.name, ranking.dataset) for ranking in rankings]
    for name, dataset in pairs:
        if dataset not in datasets:
            raise StudyError(f"{name} ranks the features of {dataset!r}, which is not among the data sets of the plan.")
        if pairs.count((name, dataset)) > 1:
            raise StudyError(f"Two rankings of {dataset} are called {name!r}: rename one.")
    return tuple(rankings)


def _value(method: str, name: str, value: Any) -> Any:
    """A value by the declared type: text is read, numbers become those of the kind."""
    parameter = method_parameters(method)[known_name(method, name)]
    if isinstance(value, str) and parameter.kind != "choice":
        return parse_value(method, parameter, value)
    check_parameters(method, {name: value})
    if value is not None and parameter.kind in ("number", "integer"):
        return float(value) if parameter.kind == "number" else int(value)
    return value


def _grid(method: str, name: str, values: Any) -> tuple[Any, ...]:
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise StudyError(f"{method}: the grid needs a list of values for {name}, not {described(values)}.")
    checked = tuple(dict.fromkeys(_value(method, name, value) for value in values))
    if not checked:
        raise StudyError(f"{method}: the grid's list of values for {name} is empty.")
    return checked


def _checked_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings as `get_protocol` takes them."""
    checked = {}
    for name, value in settings.items():
        if name not in SETTING_NAMES:
            raise StudyError(f"A protocol has no setting {name!r}: {did_you_mean(str(name), SETTING_NAMES)}")
        checked[name] = _checked_setting(name, value)
    return checked


def _checked_setting(name: str, value: Any) -> Any:
    if name in SETTINGS:
        SETTINGS[name].check(value)
        return float(value) if SETTINGS[name].kind == "number" else value
    if name == "sizes":
        if not isinstance(value, list | tuple | range) or not all(_is_size(size) for size in value):
            raise StudyError(
                f"sizes must be a list of whole numbers from 1, or of shares between 0 and 1, not {described(value)}."
            )
        return tuple(int(size) if size >= 1 else float(size) for size in value)
    if name == "metrics":
        wanted = (value,) if isinstance(value, str) else tuple(value)
        for metric in wanted or ("",):
            if metric not in METRICS:
                raise StudyError(f"There is no metric {metric!r}: {did_you_mean(str(metric), METRICS)}")
        return wanted
    if name == "every_size":
        if not isinstance(value, bool):
            raise StudyError(f"every_size must be true or false, not {described(value)}.")
        return value
    if name == "natural_size_of":
        if value not in SELECTORS:
            raise StudyError(f"There is no method {value!r}: {did_you_mean(str(value), SELECTORS)}")
        return value
    if not isinstance(value, Mapping):
        raise StudyError(f"selector_parameters must be a table of names and values, not {described(value)}.")
    return dict(value)


def _is_size(size: Any) -> bool:
    if isinstance(size, bool) or not isinstance(size, Real):
        return False
    number = float(size)
    return 0 < number < 1 or (number >= 1 and number.is_integer())


def _read(path: Path) -> dict[str, Any]:
    """The content of a .toml or .json file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise StudyError(f"The plan {path} cannot be read: {_reason(problem)}.") from None
    except UnicodeDecodeError:
        raise StudyError(f"The plan {path} is not text: give a TOML or JSON file.") from None
    try:
        content = tomllib.loads(text) if _is_toml(path) else json.loads(text)
    except ValueError as problem:
        raise StudyError(f"The plan {path} is not valid {'TOML' if _is_toml(path) else 'JSON'}: {problem}.") from None
    if not isinstance(content, dict):
        raise StudyError(f"The plan {path} must be a table with datasets and methods.")
    return content


def _is_toml(path: Path) -> bool:
    if path.suffix.lower() not in (".toml", ".json"):
        raise StudyError(f"A plan is a .toml or .json file, and {path.name} is neither: give it one of these suffixes.")
    return path.suffix.lower() == ".toml"


def _reason(problem: OSError) -> str:
    return (problem.strerror or type(problem).__name__).lower()


def _toml_table(name: str, table: Mapping[str, Any]) -> list[str]:
    return ["", f"[{name}]", *(f"{key} = {_toml_value(value)}" for key, value in table.items())] if table else []


def _toml_value(value: Any) -> str:
    # TOML has no null; "none" is read back as None where a parameter allows it.
    if value is None:
        return '"none"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key} = {_toml_value(inner)}' for key, inner in value.items())}}}"
    # JSON's words and numbers are TOML's too, but for one control character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
