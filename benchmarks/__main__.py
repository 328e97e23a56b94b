"""Run the named parts, or all of them but the long ones.

A part that can be run for some of its rows takes their names after a colon: ``methods:els,grro``.
"""

import importlib
import inspect
import pkgutil
import sys

import benchmarks
from mlfs.errors import ParameterError

HELPERS = {"__main__", "measure", "serving", "sessions"}
# Twenty minutes and more: run only by name.
LONG = {"soak"}


def main(names: list[str]) -> int:
    modules = sorted(module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name not in HELPERS)
    # A part may have a name that Python keeps for itself: its module then ends in an underscore.
    parts = {module.removesuffix("_"): module for module in modules}
    unknown = [name for name in names if name.partition(":")[0] not in parts]
    if unknown:
        print(f"There is no benchmark {unknown[0]!r}: choose from {', '.join(parts)}.", file=sys.stderr)
        return 2
    for word in names or [part for part in parts if part not in LONG]:
        name, _, rows = word.partition(":")
        module = importlib.import_module(f"benchmarks.{parts[name]}")
        if rows and not inspect.signature(module.report).parameters:
            print(f"The benchmark {name} is run whole: write {name}, not {word}.", file=sys.stderr)
            return 2
        print(f"\n== {name}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
        try:
            module.report(*filter(None, rows.split(",")))
        except ParameterError as problem:
            print(problem, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
