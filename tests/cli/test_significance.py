"""``mlfs significance`` prints what `mlfs.statistics` finds."""

from pathlib import Path

import pandas as pd
import pytest

from mlfs.errors import ExportError
from mlfs.statistics import bonferroni_dunn, friedman, nemenyi, wilcoxon_holm

TABLE = pd.DataFrame(
    {"els": [1, 1, 1, 1, 1, 2], "fimf": [2, 2, 3, 2, 2, 1], "mfs": [3, 3, 2, 3, 3, 3]},
    index=[f"set {place}" for place in range(6)],
)


@pytest.fixture
def file():
    TABLE.to_csv("table.csv")
    return "table.csv"


def test_friedman_and_nemenyi(terminal, file):
    document = terminal.json(f"significance {file}")
    ranked = friedman(TABLE)
    after = nemenyi(ranked)
    assert document["friedman"]["F"] == ranked.F
    assert document["friedman"]["p_value"] == ranked.p_value
    assert document["average_ranks"] == ranked.average_ranks.to_dict()
    assert document["critical_difference"] == after.critical_difference
    assert [pair for pair in document["pairs"] if pair["differs"]] == [
        {"method": "els", "against": "mfs", "p_value": after.p_values.loc["els", "mfs"], "differs": True}
    ]


def test_control(terminal, file):
    document = terminal.json(f"significance {file} --control els --alpha 0.1")
    expected = bonferroni_dunn(friedman(TABLE), "els", 0.1)
    assert document["test"] == "bonferroni_dunn"
    assert document["critical_difference"] == expected.critical_difference
    assert {pair["against"]: pair["p_value"] for pair in document["pairs"]} == expected.p_values.to_dict()


def test_wilcoxon_holm(terminal, file):
    document = terminal.json(f"significance {file} --test wilcoxon_holm")
    expected = wilcoxon_holm(TABLE)
    assert document["critical_difference"] is None
    assert len(document["pairs"]) == 3
    for pair in document["pairs"]:
        assert pair["p_value"] == expected.adjusted_p_values.loc[pair["method"], pair["against"]]


def test_two_methods_are_enough_for_wilcoxon(terminal):
    TABLE[["els", "mfs"]].to_csv("two.csv")
    assert terminal.json("significance two.csv --test wilcoxon_holm")["friedman"] is None
    assert terminal.complaint("significance two.csv", code=1).startswith("Friedman's test needs at least 3 methods")


def test_which_way_is_better(terminal, file):
    ranks = {
        flags: terminal.json(f"significance {file} {flags}")["average_ranks"]["els"]
        for flags in ("", "--higher-is-better", "--metric macro_f1", "--metric hamming_loss")
    }
    best, worst = 7 / 6, 17 / 6
    assert ranks == pytest.approx(
        {"": best, "--higher-is-better": worst, "--metric macro_f1": worst, "--metric hamming_loss": best}
    )


def test_text(terminal, file):
    printed = terminal.run(f"significance {file}")
    assert "The values of 3 methods on 6 data sets; lower is better." in printed
    assert "Critical difference (Nemenyi, alpha = 0.05): 1.3531" in printed
    p_value = nemenyi(friedman(TABLE)).p_values.loc["els", "mfs"]
    assert ["els", "mfs", f"{p_value:.4g}", "yes"] in [line.split() for line in printed.splitlines()]


def test_html_needs_no_browser_and_svg_says_that_it_does(terminal, file, monkeypatch):
    def no_browser(*a, **k):
        raise ExportError("SVG needs Chrome or Chromium: take the figure as HTML.")

    monkeypatch.setattr("mlfs.plots.to_image", no_browser)
    printed = terminal.run(f"significance {file} --control els --html diagram.html")
    assert "Wrote diagram.html." in printed
    assert "<html" in Path("diagram.html").read_text(encoding="utf-8")
    assert terminal.complaint(f"significance {file} --svg diagram.svg", code=1).endswith("take the figure as HTML.")


@pytest.mark.parametrize(
    ("command", "code", "sentence"),
    [
        (
            "table.csv --test bonferroni_dunn",
            2,
            "bonferroni_dunn, and it alone, compares with one method: name it with --control.",
        ),
        ("table.csv --control elz", 2, "The control 'elz' is not a method of the table: did you mean 'els'?"),
        ("nowhere.csv", 1, "nowhere.csv: No such file or directory; check the path and your permissions."),
        (
            "table.csv --alpha 5",
            2,
            "alpha=5.0 must be a number between 0 and 1, both excluded; 0.05 is usual.",
        ),
        ("1 --store nowhere", 1, "There is no store nowhere: run a study first, or name another with --store."),
    ],
)
def test_sentences(terminal, file, command, code, sentence):
    assert terminal.complaint(f"significance {command}", code) == sentence
