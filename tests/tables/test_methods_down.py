"""Methods down, metrics across: the words and marks of each metric's own summary."""

import pandas as pd

from mlfs.tables import summary
from mlfs.tables.methods_down import methods_down

ROWS = [
    ("d", method, "{}", repeat, 5, metric, value, "")
    for metric, values in {"hamming_loss": (0.1, 0.3), "macro_f1": (0.2, 0.6)}.items()
    for method, value in zip(("els", "mfs"), values, strict=True)
    for repeat in (0, 1)
] + [("d", "grro", "{}", 0, None, "", None, "It failed.")]
RESULTS = pd.DataFrame(
    ROWS, columns=["dataset", "method", "parameters", "repeat", "size", "metric", "value", "error"]
).assign(seconds=1.0)


def test_marks_and_words():
    styler = methods_down([summary(RESULTS, metric) for metric in ("hamming_loss", "macro_f1")])
    assert list(styler.data.index) == ["ELS", "MFS", "GRRO"]
    assert list(styler.data.columns) == ["Hamming loss ↓", "Macro-F1 ↑"]
    assert styler.data.loc["MFS"].tolist() == [0.3, 0.6]
    shown = styler.to_html()
    assert "0.1000 ± 0.0000" in shown
    assert "failed" in shown
    # The best of each metric, wherever the better side is.
    styles = styler._compute().ctx
    bold = {cell for cell, style in styles.items() if ("font-weight", "bold") in style}
    assert bold == {(0, 0), (1, 1)}
