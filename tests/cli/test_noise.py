"""``mlfs noise`` prints R(F) and C(F) of the first features."""

from mlfs import load_dataset, make_selector
from mlfs.metrics import redundancy, residual_label_correlation


def test_values_are_those_of_the_first_features(terminal):
    ds = load_dataset("emotions")
    X, Y = ds.X[ds.split[0]], ds.Y[ds.split[0]]
    document = terminal.json("noise emotions --methods els mim_br:n_bins=3 --split given")
    assert [row["size"] for row in document["rows"]] == 2 * [7, 14, 22, 29, 36, 43, 50, 58, 65]  # tenths of 72
    for row in document["rows"]:
        first = make_selector(row["method"], **row["parameters"]).fit(X, Y).ranking_[: row["size"]]
        assert abs(row["redundancy"] - redundancy(X, Y, first)) < 1e-12
        assert abs(row["residual_label_correlation"] - residual_label_correlation(X, Y, first)) < 1e-12


def test_text_has_a_table_for_each_measure(terminal):
    printed = terminal.run("noise emotions --methods els random --split given")
    assert [line for line in printed.splitlines() if line in ("R(F)", "C(F)")] == ["R(F)", "C(F)"]
    assert printed.count("features  ") == 2
    first = printed.splitlines()[0]
    assert "selects the least redundant features" in first
    assert "label correlation unexplained" in first
    alone = terminal.run("noise emotions --methods els --split given")
    assert alone.splitlines()[0] == "R(F)"
