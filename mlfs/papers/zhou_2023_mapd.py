"""Zhou & Guo 2023: MAPD, approximate Pareto dominance."""

from mlfs.papers.paper import Paper, PublishedFigure, PublishedTable

_ID = "zhou_2023_mapd"
_SETS = ("scene", "emotions", "yeast", "birds", "genbase", "medical", "enron", "bibtex", "corel5k")
_FOLDS = "Mean ± standard deviation of five times five folds."
_HONEST = (
    "Losses this low cannot be reached from the features: it looks as if label columns were left among them. The paper "
    "does not name its classifier."
)

PAPER = Paper(
    id=_ID,
    title="A Multi-label Filter Feature Selection Method Based on Approximate Pareto Dominance",
    authors="Jian Zhou & Yinnong Guo",
    year=2023,
    venue="IJACSA 14",
    proposes="MAPD keeps each feature that no other feature beats, by symmetrical uncertainty, in more than the share "
    "α of the labels.",
    protocol=_ID,
    methods=("mapd", "parfs", "scls", "ami"),
    slips=(
        "Equations (4) to (7) sum over m, the features, where l, the labels, is meant, and (5) divides the subset "
        "accuracy by l.",
        "The printed Hamming losses (0.0004 on scene, 0.0067 on yeast with one feature) cannot be reached from the "
        "features; an experiment shows how they may have come about.",
        "The text says that MAPD lowers the Hamming loss of ParFS by up to 20.99 %; by Table IV it is 2.51 points.",
        "Genbase has 1185 features; the printed 1186 count the row identifier.",
    ),
    tables=(
        PublishedTable(_ID, "II", "Hamming loss of MAPD for four values of α.", ("hamming_loss",), note=_HONEST),
        PublishedTable(
            _ID,
            "III",
            "Subset accuracy of MAPD for four values of α; the paper says accuracy.",
            ("subset_accuracy",),
            note=f"{_HONEST} Our copy lacks three standard deviations of scene.",
        ),
        PublishedTable(
            _ID,
            "IV",
            "Hamming loss of MAPD and three other methods.",
            ("hamming_loss",),
            note=f"{_FOLDS} MAPD is that of Table II with α = 0.6. {_HONEST}",
        ),
        PublishedTable(
            _ID,
            "V",
            "Subset accuracy of MAPD and three other methods; the paper says accuracy.",
            ("subset_accuracy",),
            note=f"{_FOLDS} MAPD is that of Table III with α = 0.6. {_HONEST}",
        ),
    ),
    figures=(
        PublishedFigure(
            _ID,
            "1",
            "How many features MAPD selects, for four values of α; the scale is logarithmic.",
            "pareto",
            _SETS,
            ("mapd",),
            ("n_selected",),
            ("alpha",),
        ),
        PublishedFigure(
            _ID,
            "2",
            "How many features MAPD and three other methods select.",
            "pareto",
            _SETS,
            ("mapd", "parfs", "scls", "ami"),
            ("n_selected",),
        ),
    ),
)
