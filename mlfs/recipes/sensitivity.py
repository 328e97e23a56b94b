"""Sensitivity again: a sweep as a plan, run as a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mlfs.checks import checked
from mlfs.parameters import value_text
from mlfs.recipes.writing import UPLOADED, Labels, Recipe, command, data_word, load_call, with_labels_written
from mlfs.studies import MethodGrid, Plan

PLAN, STORE = "sweep.toml", "studies.sqlite"


@checked
def sensitivity(
    plan: Plan,
    names: Sequence[str],
    metric: str,
    sizes: Sequence[int | str | None],
    held: Mapping[str, Any] | None = None,
    *,
    dataset: str | None = None,
    uploaded: bool = False,
    labels: Labels = None,
) -> Recipe:
    """The table of the sweep: mean and standard deviation of a metric for each value of the parameters.

    Parameters
    ----------
    names : the parameters that the table goes through
    sizes : as `mlfs.studies.sweep.numbers` takes them
    held : the values of other varied parameters
    dataset : the one of the plan that the table is about; the first where None
    uploaded, labels : whether it is a file of the person, and the labels that they had to say
    """
    word = data_word(plan.datasets[0] if dataset is None else dataset, uploaded)
    before, (written,) = with_labels_written([word], [labels])
    held = held or {}
    settings = {name: list(value) if isinstance(value, tuple) else value for name, value in plan.settings.items()}
    rows = f"held_at(results, {dict(held)!r})" if held else "results"
    first, given, data = "", "", ""
    if labels is not None:  # a plan names its data, and a name does not tell labels
        first, given = "from mlfs import load_dataset\n", ", datasets=datasets"
        data = f"datasets = {{{word!r}: {load_call(word, labels)}}}  {UPLOADED}\n"
    python = f"""\
{first}from mlfs.studies import MethodGrid, Plan, Store, run
from mlfs.studies.sweep import {"held_at, " if held else ""}numbers

plan = Plan(
    {plan.name!r},
    {[word]!r},
    [{", ".join(map(_method, plan.methods))}],
    protocol={plan.protocol!r},
    settings={settings!r},
    seeds={list(plan.seeds)!r},
)
{data}with Store({STORE!r}) as store:
    run(plan, store{given})
    results = store.results(plan)
print(numbers({rows}, {list(names)!r}, {metric!r}, {list(sizes)!r}).to_string(index=False))
"""
    command_line = _command(replace(plan, datasets=(written,)), metric, sizes, held)
    return Recipe(python, "\n".join([*before, command_line]))


def _method(grid: MethodGrid) -> str:
    varied = {name: list(values) for name, values in grid.grid.items()}
    return f"MethodGrid({grid.method!r}, {dict(grid.parameters)!r}, {varied!r})"


def _command(plan: Plan, metric: str, sizes: Sequence[int | str | None], held: Mapping[str, Any]) -> str:
    at = ",".join("last" if size is None else str(size) for size in sizes)
    hold = [f"{name}={value_text(value)}" for name, value in held.items()]
    show = ["study", "show", plan.name, "--metric", metric, "--at", at, *(["--hold", *hold] if hold else [])]
    run = command("study", "run", PLAN)
    return "\n".join([f"cat > {PLAN} <<'END'", plan.to_toml().rstrip("\n"), "END", run, command(*show)])
