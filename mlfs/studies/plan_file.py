"""Plans in TOML and JSON files."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mlfs.errors import StudyError


def read_plan(path: Path) -> dict[str, Any]:
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


def write_plan(content: Mapping[str, Any], path: Path) -> Path:
    """Write a plan by the suffix of the path."""
    text = to_toml(content) if _is_toml(path) else json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise StudyError(f"The plan cannot be written to {path}: {_reason(problem)}.") from None
    return path


def _is_toml(path: Path) -> bool:
    if path.suffix.lower() not in (".toml", ".json"):
        raise StudyError(f"A plan is a .toml or .json file, and {path.name} is neither: give it one of these suffixes.")
    return path.suffix.lower() == ".toml"


def _reason(problem: OSError) -> str:
    return (problem.strerror or type(problem).__name__).lower()


def to_toml(content: Mapping[str, Any]) -> str:
    """A plan as the text of a TOML file."""
    lines = [f"{name} = {_value(value)}" for name, value in content.items() if name not in ("methods", "settings")]
    lines += _table("settings", content["settings"])
    for method in content["methods"]:
        lines += ["", "[[methods]]", f"method = {_value(method['method'])}"]
        lines += _table("methods.parameters", method["parameters"]) + _table("methods.grid", method["grid"])
    return "\n".join(lines) + "\n"


def _table(name: str, table: Mapping[str, Any]) -> list[str]:
    return ["", f"[{name}]", *(f"{key} = {_value(value)}" for key, value in table.items())] if table else []


def _value(value: Any) -> str:
    # TOML has no null; "none" is read back as None where a parameter allows it.
    if value is None:
        return '"none"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key} = {_value(inner)}' for key, inner in value.items())}}}"
    # JSON's words and numbers are TOML's too, but for one control character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
