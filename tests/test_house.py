"""The rules of the house: what holds for every file, whoever wrote it."""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from mlfs.plots.figure import ACCENT, DARK_ACCENT, DARK_GROUND, FONT, PALETTE

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("app.py", "pages", "mlfs", "tests", "benchmarks", "fuzz")
NOT_OURS = re.compile(r"^(\.git|\.venv|\.\w+_cache|\.hypothesis|__pycache__|build|dist|nohup\.out|.*\.(egg-info|log))$")


@cache
def ours(suffix: str = "") -> list[Path]:
    """The project's files, without what tools leave behind."""
    found = []
    for here, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if not NOT_OURS.match(name)]
        found += [Path(here, name) for name in files if name.endswith(suffix) and not NOT_OURS.match(name)]
    return sorted(path.relative_to(ROOT) for path in found)


@dataclass(frozen=True)
class Source:
    """What the rules ask about a Python file, read once for all of them."""

    says_what_it_is_for: bool
    imports: frozenset[str]  # top-level names from elsewhere
    modules: frozenset[str]  # of mlfs and pages, imported at the top, inside functions or for types only
    classes: tuple[str, ...]
    variables: frozenset[str]  # parameters, and whatever a value is given to


@cache
def read(path: Path) -> Source:
    text = (ROOT / path).read_text(encoding="utf-8")
    tree = ast.parse(text)
    names, modules, classes, variables = set(), set(), [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            classes.append(node.name)
        elif isinstance(node, ast.arg):
            variables.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            variables.add(node.id)
        elif isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.level == 0:
                names.add(node.module.split(".")[0])
            if node.module in ("mlfs", "pages"):
                modules |= {f"{node.module}.{alias.name}" for alias in node.names}
            else:
                modules.add(node.module)
    return Source(
        bool(not text.strip() or ast.get_docstring(tree)),
        frozenset(names),
        frozenset(name for name in modules if name.partition(".")[0] in ("mlfs", "pages")),
        tuple(classes),
        frozenset(variables),
    )


def package_of(module: str) -> str:
    """`pages`, a package of mlfs, or a module of mlfs itself."""
    top, _, below = module.partition(".")
    return top if top == "pages" else below.partition(".")[0]


def requirements(name: str) -> dict[str, str]:
    """Distribution → bounds, as a requirements file lists them, on whatever system."""
    lines = [re.split("[#;]", line)[0].strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
    matches = [re.fullmatch(r"([\w.-]+)(.*)", line) for line in lines if line and not line.startswith("-r ")]
    return {match[1].lower(): match[2] for match in matches if match}


def extras() -> dict[str, str]:
    """Distribution → bounds, of what pyproject.toml offers as optional; mlfs imports it only where it is asked for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = [entry for entries in project.get("optional-dependencies", {}).values() for entry in entries]
    return {
        match[1].lower(): match[2] for match in (re.fullmatch(r"([\w.-]+)(.*)", entry) for entry in listed) if match
    }


def test_library_does_not_import_streamlit():
    inside = [path for path in ours(".py") if path.parts[0] == "mlfs"]
    assert [str(path) for path in inside if "streamlit" in read(path).imports] == []


def test_nothing_in_the_library_brings_streamlit_along():
    script = (
        "import importlib, pkgutil, sys, mlfs\n"
        "for module in pkgutil.walk_packages(mlfs.__path__, 'mlfs.'):\n"
        "    if not module.name.endswith('__main__'):\n"
        "        importlib.import_module(module.name)\n"
        "assert 'streamlit' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


# From the bottom up: a package imports from its own line and from those above it in this list, never from below.
# What is not named, the small modules of mlfs itself, is at the very bottom.
LAYERS = (
    {"datasets", "information"},
    {"selectors"},
    {"classifiers", "metrics"},
    {"results"},
    {"evaluation"},
    {"statistics"},
    {"studies"},
    {"plots", "tables"},
    {"papers", "learn", "answer", "benchmark"},
    {"recipes"},
    {"cli", "__main__"},
    {"pages"},
)


def layer(package: str) -> int:
    return next((number for number, packages in enumerate(LAYERS, 1) if package in packages), 0)


def library() -> list[Path]:
    """The files whose imports have a direction; `mlfs` itself only offers the names of its packages."""
    return [path for path in ours(".py") if path.parts[0] in ("mlfs", "pages") and path != Path("mlfs/__init__.py")]


def packages_imported() -> dict[tuple[str, str], list[str]]:
    """(package, package it imports) → the files that do."""
    pairs: dict[tuple[str, str], list[str]] = {}
    for path in library():
        source = package_of(".".join(path.with_suffix("").parts))
        for module in read(path).modules:
            if package_of(module) != source:
                pairs.setdefault((source, package_of(module)), []).append(str(path))
    return pairs


def test_no_package_imports_from_a_layer_above_its_own():
    modules = ("mlfs.plots.curves", "mlfs.errors", "pages.parts.link")
    assert [package_of(module) for module in modules] == ["plots", "errors", "pages"]
    upward = {pair: files for pair, files in packages_imported().items() if layer(pair[1]) > layer(pair[0])}
    assert upward == {}


def test_packages_of_one_layer_do_not_need_each_other():
    """Of two packages side by side one may use the other, not both each other."""
    pairs = packages_imported()
    assert [pair for pair in pairs if pair[::-1] in pairs] == []


def test_the_library_names_the_module_it_needs():
    """`from mlfs import load_dataset` inside mlfs would hide which package is meant."""
    files = {path.stem if path.is_file() else path.name for path in (ROOT / "mlfs").iterdir()} | {"__version__"}
    for path in library():
        if path.parts[0] == "mlfs":
            assert {package_of(module) for module in read(path).modules} <= files, path


def test_a_class_has_its_name_for_itself():
    """One word, one meaning: a reader who searches for a class finds one."""
    homes: dict[str, list[str]] = {}
    for path in library():
        for name in read(path).classes:
            if not name.startswith("_"):
                homes.setdefault(name, []).append(str(path))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


#: What a name must not be left at: it says that there is something, not what.
SAY_NOTHING = {"found", "told", "own", "one", "some"}


def test_names_say_what_they_hold():
    vague = [f"{path}: {name}" for path in library() for name in sorted(read(path).variables & SAY_NOTHING)]
    assert vague == []


def test_module_says_what_it_is_for():
    without_a_docstring = [str(path) for path in ours(".py") if not read(path).says_what_it_is_for]
    assert without_a_docstring == []


def test_no_file_names_a_machine():
    """Neither anybody's folders nor anybody's package index."""
    machine = re.compile(
        r"(?<![\w.])/(?:work|root|home|Users|opt|mnt)/\w|[A-Z]:\\Users|index-url|find-links|pythonhosted\.org"
    )
    for path in ours():
        if path == Path("tests/test_house.py"):
            continue
        try:
            text = (ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        match = machine.search(text)
        assert match is None, f"{path} names {match[0]!r}"


def test_dependencies_stand_in_one_place():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "dependencies" not in project["project"]
    assert project["tool"]["hatch"]["metadata"]["hooks"]["requirements_txt"]["files"] == ["requirements.txt"]


def test_what_is_optional_is_tested_as_it_is_offered():
    assert extras().items() <= requirements("requirements-dev.txt").items()


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_requirements_are_bounded_on_both_sides(name):
    for distribution, bounds in requirements(name).items():
        assert re.fullmatch(r">=[\d.]+,<[\d.]+", bounds), f"{distribution}{bounds}"


@pytest.mark.parametrize(
    ("folders", "files"),
    [
        (("app.py", "pages", "mlfs"), ["requirements.txt"]),
        (FOLDERS, ["requirements.txt", "requirements-dev.txt"]),
    ],
    ids=["runtime", "development"],
)
def test_every_import_is_required(folders, files):
    owners = importlib.metadata.packages_distributions()
    required = set().union(*map(requirements, files), extras())
    for path in ours(".py"):
        if path.parts[0] not in folders:
            continue
        ours_too = {"mlfs", "pages", "tests", "benchmarks", "fuzz"}
        for name in read(path).imports - set(sys.stdlib_module_names) - ours_too:
            assert required & {owner.lower() for owner in owners.get(name, [])}, f"{path} imports {name}"


def test_readme_python_runs(capsys):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S)
    assert blocks
    namespace: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), namespace)
    assert "els" in capsys.readouterr().out


def test_readme_tree_is_there():
    tree = re.search(r"## What is where\n+```\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S)
    folder = Path()
    for line in tree[1].splitlines():
        name = Path(line.split()[0])
        if not line.startswith(" "):
            folder = name
        assert (ROOT / (folder / name if line.startswith(" ") else name)).exists(), f"README names {name}"


def test_theme_and_figures_agree():
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
    assert theme["chartCategoricalColors"] == list(PALETTE)
    assert theme["light"]["primaryColor"] == ACCENT
    assert theme["dark"]["primaryColor"] == DARK_ACCENT
    assert theme["dark"]["backgroundColor"] == DARK_GROUND
    assert theme["font"] == FONT
