"""Wang et al. 2020: ELC, the redundancy R(F) and the residual label correlation C(F)."""

from mlfs.papers.paper import Paper, PublishedFigure, PublishedTable

_ID = "wang_2020_elc"
_METHODS = ("elc", "mifs", "cmfs", "llsf")
_NOTE = (
    "Mean ± standard deviation over five folds and, it seems, nine numbers of features. The paper also sets in "
    "bold what a paired t-test at 5 % does not find worse than the best; means alone do not show that, so here "
    "only the best is."
)


def _table(letter: str, caption: str, metric: str, note: str = _NOTE) -> PublishedTable:
    return PublishedTable(_ID, f"2{letter}", caption, (metric,), note=note)


def _figure(
    number: str, caption: str, page: str, datasets: tuple[str, ...], metric: str, swept: tuple[str, ...] = ()
) -> PublishedFigure:
    return PublishedFigure(_ID, number, caption, page, datasets, _METHODS, (metric,), swept)


PAPER = Paper(
    id=_ID,
    title="An Effective Multi-Label Feature Selection Model Towards Eliminating Noisy Features",
    authors="Jun Wang, Yuanyuan Xu, Hengpeng Xu, Zhe Sun, Zhenglu Yang & Jinmao Wei",
    year=2020,
    venue="Applied Sciences 10",
    proposes="ELC looks for the features from which the similarities between labels can be rebuilt, so that features "
    "that are irrelevant or repeat others fall out.",
    protocol=_ID,
    methods=_METHODS,
    slips=(
        "Table 1 prints 539 instances for emotions, which has 593, and calls recreation 'reaction'.",
        "Genbase has 1185 features; the printed 1186 count the row identifier.",
        "The nine Yahoo sets are those with the full vocabulary (20 000 to 50 000 features), not the smaller ones that "
        "are usually distributed.",
        "Equations (7) to (9) have the wrong sign of V for the Lagrangian (5): as printed, the iteration overflows, or "
        "ends with the features least correlated with the labels.",
        "Equation (16) divides by k'(k' − 1), so its sum is meant to run over pairs of different features.",
        "In Tables 2 b to e the printed averages of the last seven data sets are not the means of the printed values: "
        "0.4771 is printed for the one-error of ELC, and the values give 0.4363.",
        "The standard deviation 0.53 of MIFS on emotions in Table 2b is too large for an AUC; 0.05 may be meant.",
    ),
    tables=(
        _table("a", "Average precision; the paper says precision.", "average_precision"),
        _table("b", "Area under the ROC curve.", "macro_auc", f"{_NOTE} Which average over labels is not said."),
        _table("c", "Hamming loss.", "hamming_loss"),
        _table("d", "Ranking loss.", "ranking_loss"),
        _table("e", "One-error.", "one_error"),
    ),
    figures=(
        _figure(
            "1",
            "Redundancy R(F) of the selected features, for a tenth to nine tenths of them.",
            "noise",
            ("emotions", "birds", "enron"),
            "redundancy",
        ),
        _figure(
            "2",
            "Residual label correlation C(F) of the selected features, for a tenth to nine tenths of them.",
            "noise",
            ("emotions", "birds", "enron"),
            "residual_label_correlation",
        ),
        _figure("3", "Seconds to select 100, 300, 500, 700 and 900 features.", "compare", ("enron",), "seconds"),
    ),
)
