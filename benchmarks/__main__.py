"""Run the named parts, or all of them."""

import importlib
import pkgutil
import sys

import benchmarks

HELPERS = {"__main__", "measure"}


def main(names: list[str]) -> int:
    parts = sorted(module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name not in HELPERS)
    unknown = [name for name in names if name not in parts]
    if unknown:
        print(f"There is no benchmark {unknown[0]!r}: choose from {', '.join(parts)}.", file=sys.stderr)
        return 2
    for name in names or parts:
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"\n== {name}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
        module.report()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
