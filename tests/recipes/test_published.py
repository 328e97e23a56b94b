"""The recipes of Papers: the published table, and the run of a result."""

import re

from mlfs.papers import get_table
from mlfs.recipes import measured_result, published_table
from tests.recipes.running import run_command, run_python


def test_published_table(tmp_path):
    recipe = published_table(get_table("lee_kim_2016", 5))
    for text in (run_python(recipe.python, tmp_path), run_command(recipe.command, tmp_path)):
        assert re.search(r"yeast +0\.216", text)
    assert "5.735" in run_python(recipe.python, tmp_path)


def test_a_measured_table_stands_beside_the_published_one(tmp_path):
    recipe = measured_result("zhou_2023_mapd", "tableIV", ["emotions"], 1)
    assert recipe.command == "mlfs paper run zhou_2023_mapd tableIV --datasets emotions --repeats 1"
    by_python = run_python(recipe.python, tmp_path)
    [line] = [line.split() for line in by_python.splitlines() if " mapd " in line]
    header = by_python.splitlines()[0].split()
    # Behind the number of the row; an empty bound leaves no word.
    measured = dict(zip([name for name in header if name != "bound"], line[1:], strict=True))["measured"]
    rounded = f"{float(measured):.4f}"
    # The cells that Python computed are in the store, where the command finds them.
    assert re.search(rf"emotions +mapd +0\.0057 ± 0\.0007 +{rounded}", run_command(recipe.command, tmp_path))


def test_what_is_not_told_is_left_out():
    recipe = measured_result("zhang_2020_grro", "figure3")
    assert recipe.command == "mlfs paper run zhang_2020_grro figure3"
    assert "run_experiment(experiment, store=store)" in recipe.python
    assert "print(measured.rows.to_string())" in recipe.python
    several = measured_result("zhang_2020_grro", "table2", metric="micro_f1")
    assert "side_by_side('zhang_2020_grro', 'table2', measured.rows, 'micro_f1')" in several.python
