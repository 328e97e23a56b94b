"""The figures of Lee & Kim 2016 show the tables they are given, and say so in words."""

import pandas as pd

from mlfs.papers.lee_kim_2016.figures import two_orders
from tests.plots.checks import check


def test_two_orders_have_a_panel_for_each_size():
    rows = [
        {"order": order, "n_labels": y, "size": size, "value": 0.2 + shift + y / 1000, "std": 0.01}
        for order, shift in (("max_entropy", 0.0), ("min_entropy", 0.1))
        for size in (10, 50)
        for y in (1, 3)
    ]
    figure = check(
        two_orders(pd.DataFrame(rows), "hamming_loss"),
        "Hamming loss against |Y| from 1 to 3",
        "Hamming loss, 10 features: highest entropy first 0.2020, lowest entropy first 0.3020",
    )
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert [trace.name for trace in lines].count("highest entropy first") == 2
    assert list(lines[0].x) == [1, 3]
    assert figure.layout.xaxis.title.text == "|Y|"
