"""Compare's recipe prints the page's numbers, as Python and as a command."""

from mlfs.evaluation import compare, get_protocol
from mlfs.recipes import comparison
from mlfs.tables import summary, to_text
from tests.recipes.running import run_command, run_python

METHODS = [("els", {"label_order": "min_entropy"}), ("grro", {"alpha": 10.0}), ("all_features", {})]


def test_both_print_the_tables_of_the_page(tmp_path):
    protocol = get_protocol("quick", repeats=2, sizes=(1, 5), metrics=("hamming_loss", "macro_f1"))
    results = compare(["synthetic"], METHODS, protocol, seed=3)
    expected = "\n".join(to_text(summary(results, metric, 5)) for metric in protocol.metrics)
    recipe = comparison(["synthetic"], METHODS, protocol, (3,), 5)
    assert run_python(recipe.python, tmp_path).strip() == expected.strip()
    assert run_command(recipe.command, tmp_path).strip() == expected.strip()


def test_an_uploads_place_is_left_to_the_reader():
    recipe = comparison(["upload-1", "yeast"], METHODS, get_protocol("lee_kim_2016"), (0,), None, uploaded={"upload-1"})
    assert "datasets = ['path/to/your-file', 'yeast']" in recipe.python
    assert recipe.command.startswith("mlfs compare path/to/your-file yeast --methods els:label_order=min_entropy grro")
    assert "--protocol lee_kim_2016 --summary" in recipe.command
    assert "--at" not in recipe.command
