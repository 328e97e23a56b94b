"""Compare's recipe prints the page's numbers, as Python and as a command."""

from dataclasses import replace

import pandas as pd

from mlfs.datasets import make_synthetic
from mlfs.evaluation import compare, get_protocol
from mlfs.recipes import comparison
from mlfs.tables import summary, to_text
from mlfs.tables.answer import best_method
from tests.recipes.running import put_csv, run_command, run_python

METHODS = [("els", {"label_order": "min_entropy"}), ("grro", {"alpha": 10.0}), ("all_features", {})]


def test_both_print_the_tables_of_the_page(tmp_path):
    protocol = get_protocol("quick", repeats=2, sizes=(1, 5), metrics=("hamming_loss", "macro_f1"))
    results = compare(["synthetic"], METHODS, protocol, seed=3)
    expected = "\n".join(to_text(summary(results, metric, 5)) for metric in protocol.metrics)
    recipe = comparison(["synthetic"], METHODS, protocol, (3,), 5)
    assert run_python(recipe.python, tmp_path).strip() == expected.strip()
    # A command begins with the answer.
    best = best_method(summary(results, "hamming_loss", 5))
    assert run_command(recipe.command, tmp_path).strip() == f"{best}\n\n{expected}".strip()


def test_an_uploads_place_is_left_to_the_reader():
    recipe = comparison(["upload-1", "yeast"], METHODS, get_protocol("lee_kim_2016"), (0,), None, uploaded={"upload-1"})
    assert "datasets = ['path/to/your-file', 'yeast']" in recipe.python
    assert recipe.command.startswith("mlfs compare path/to/your-file yeast --methods els:label_order=min_entropy grro")
    assert "--protocol lee_kim_2016 --summary" in recipe.command
    assert "--at" not in recipe.command


def test_all_seeds_of_a_study_count(tmp_path):
    protocol, methods = get_protocol("quick", repeats=2, sizes=(1, 5)), [("mim_br", {}), ("random", {})]
    each = [compare(["synthetic"], methods, protocol, seed=seed).assign(seed=seed) for seed in (0, 4)]
    tables = [to_text(summary(pd.concat(each), metric)) for metric in protocol.metrics]
    recipe = comparison(["synthetic"], methods, protocol, (0, 4), None)
    assert run_python(recipe.python, tmp_path).strip() == "\n".join(tables).strip()
    printed = run_command(recipe.command, tmp_path)
    assert all(table.strip() in printed for table in tables)


def test_uploads_whose_labels_had_to_be_told(tmp_path):
    protocol, methods = get_protocol("quick", sizes=(2,), metrics=("hamming_loss",)), [("mim_br", {})]
    mine = [replace(make_synthetic(seed=seed, n_labels=3), name=f"your-file-{seed}") for seed in (1, 2)]
    for ds in mine:
        put_csv(ds, tmp_path, ds.name)
    expected = to_text(summary(compare([*mine, "synthetic"], methods, protocol), "hamming_loss")).strip()
    names = ["upload-a", "upload-b", "synthetic"]
    label_columns = {"upload-a": -3, "upload-b": list(mine[1].label_names)}
    recipe = comparison(names, methods, protocol, (0,), None, uploaded=set(names[:2]), labels=label_columns)
    assert run_python(recipe.python, tmp_path).strip() == expected
    assert run_command(recipe.command, tmp_path).split("Wrote")[-1].partition("\n")[2].strip().endswith(expected)
    alone = comparison(names[:1], methods, protocol, (0,), None, uploaded=set(names), labels=label_columns)
    assert alone.command == (
        "mlfs compare path/to/your-file --methods mim_br --labels -3 --sizes 2 --metrics hamming_loss --summary"
    )
