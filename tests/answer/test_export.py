"""What is taken away reads back, runs, and is safe whatever names the data have."""

import csv
import html.parser
import io
import json

import numpy as np
import pytest

from mlfs.answer import SizeRule, answer
from mlfs.answer.export import features_csv, features_json, reduced_dataset
from mlfs.answer.report import report_html
from mlfs.datasets import load_dataset, write_dataset
from mlfs.errors import ParameterError
from mlfs.recipes import pipeline_program
from mlfs.selectors import Constraints
from tests.answer.data import HOSTILE, settings, small


@pytest.fixture(scope="module")
def found():
    return answer(small(), settings(["scls"], rule=SizeRule("number", number=8)), draws=2, permutations=1)


class Tags(html.parser.HTMLParser):
    """Counts the tags of a page outside scripts."""

    def __init__(self, text):
        super().__init__()
        self.seen, self.links = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src")]


def test_lists(found):
    rows = list(csv.DictReader(io.StringIO(features_csv(found))))
    assert [int(row["index"]) for row in rows] == found.selection.indices
    document = json.loads(features_json(found))
    assert [row["name"] for row in document] == found.selection.names
    assert document[0]["information"]["=1+1"] == found.selection.features[0].information[0]


def test_the_reduced_set_is_written_and_read(found, tmp_path):
    reduced = reduced_dataset(found)
    kept = sorted(found.selection.indices)
    np.testing.assert_array_equal(reduced.X, found.ds.X[:, kept])
    assert list(reduced.feature_names) == [found.ds.feature_names[j] for j in kept]
    [file] = write_dataset(reduced, tmp_path / "small.csv")
    assert load_dataset(str(file), labels=-2).feature_names == reduced.feature_names


def test_the_report_is_whole_and_safe(found):
    page = report_html(found, link="https://example.org/?data=a&b=<c>", command="mlfs answer x")
    tags = Tags(page)
    assert tags.links == ["https://example.org/?data=a&b=<c>"]  # nothing is fetched
    assert HOSTILE not in page
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;" in page
    assert "set &lt;b&gt;" in page
    assert "<b>" not in page.partition("<body>")[0].rpartition("</script>")[2]
    # Plotly's program once, and a call for each of five figures.
    assert tags.seen.count("h2") == 5 + 3
    assert page.count("Plotly.newPlot(") >= 5
    assert f"{found.best.choice.mean:.4f}" in page
    assert found.ds.fingerprint in page


def test_a_link_that_is_a_program_is_refused(found):
    with pytest.raises(ParameterError, match="must begin with http"):
        report_html(found, link="javascript:alert(1)")


@pytest.mark.parametrize(
    ("method", "constraints"),
    [
        ("scls", Constraints()),
        ("mapd", Constraints()),
        ("mifs", Constraints()),
        ("els", Constraints(always_keep=(9,), never_use=(1,), groups=((3, 4),))),
    ],
)
def test_the_program_selects_the_same(method, constraints, tmp_path, capsys):
    [file] = write_dataset(small(), tmp_path / "set.csv")
    ds = load_dataset(str(file), labels=-2)
    found = answer(ds, settings([method], rule=SizeRule("number", number=5), constraints=constraints), draws=0)
    namespace: dict = {}
    exec(compile(pipeline_program(found, str(file), labels=-2), "program", "exec"), namespace)
    assert namespace["features"].tolist() == sorted(found.selection.indices)
    assert capsys.readouterr().out.splitlines() == [ds.feature_names[j] for j in sorted(found.selection.indices)]
    assert namespace["pipeline"].predict(ds.X).shape == ds.Y.shape
