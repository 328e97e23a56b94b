"""Sechidis et al. 2014: criteria from composite likelihood; its results are figures only."""

from mlfs.papers.paper import Paper, PublishedFigure

_ID = "sechidis_2014"
_LOSSES = ("hamming_loss", "ranking_loss")


def _figure(number: str, caption: str, datasets: tuple[str, ...], methods: tuple[str, ...]) -> PublishedFigure:
    return PublishedFigure(_ID, number, caption, "compare", datasets, methods, _LOSSES)


PAPER = Paper(
    id=_ID,
    title="Information theoretic feature selection in multi-label data through composite likelihood",
    authors="Konstantinos Sechidis, Nikolaos Nikolaou & Gavin Brown",
    year=2014,
    venue="S+SSPR",
    proposes="Six criteria follow from what one assumes of features (CMI, JMI, MIM) and of labels (label powerset or "
    "binary relevance) when the likelihood of the labels is maximised.",
    protocol=_ID,
    methods=("jmi_br", "cmi_br", "cmi_lp", "jmi_lp", "mim_br", "mim_lp", "ppt_mi", "pmu"),
    slips=(),
    tables=(),
    figures=(
        _figure(
            "3",
            "Losses against the number of features: labels one by one or as one labelset, with no assumption on "
            "features.",
            ("yeast",),
            ("cmi_br", "cmi_lp"),
        ),
        _figure(
            "4",
            "Losses against the number of features: three assumptions on features, labels one by one.",
            ("yeast", "scene"),
            ("cmi_br", "jmi_br", "mim_br"),
        ),
        _figure(
            "5",
            "Losses against the number of features: JMI-BR, the pruned transformation of Doquire & Verleysen, and PMU.",
            ("yeast", "scene"),
            ("jmi_br", "ppt_mi:estimator=knn", "pmu"),
        ),
    ),
)
