"""Lee & Kim 2016: ELS, and what it is compared with."""

from types import MappingProxyType

from mlfs.papers.paper import Paper, PublishedFigure, PublishedTable

_ID = "lee_kim_2016"
_METHODS = ("els", "br_cc", "br_or", "ela_chi", "fimf", "mfs")
_SETS = ("bibtex", "corel5k", "delicious", "enron", "genbase", "llog", "slashdot", "yeast")
_TWO_ORDERS = ("els:label_order=max_entropy", "els:label_order=min_entropy")


def _figure(
    number: str,
    caption: str,
    page: str,
    methods: tuple[str, ...],
    metrics: tuple[str, ...],
    swept: tuple[str, ...] = (),
) -> PublishedFigure:
    return PublishedFigure(_ID, number, caption, page, _SETS, methods, metrics, swept)


PAPER = Paper(
    id=_ID,
    title="Efficient Multi-Label Feature Selection Using Entropy-Based Label Selection",
    authors="Jaesung Lee & Dae-Won Kim",
    year=2016,
    venue="Entropy 18",
    proposes="ELS adds up the mutual information of a feature with the labels of highest entropy, and for the other "
    "labels takes the bound that the entropies of feature and label set.",
    protocol=_ID,
    methods=_METHODS,
    slips=(
        "Table 1 prints a label density of 0.001 for llog; the data have 0.016.",
        "Genbase has 1185 features; the printed 1186 count the row identifier.",
        "F_F in Table 7 was taken before rounding: from Tables 5 and 6 as printed it is 5.735 (Hamming loss) and 4.378 "
        "(ranking loss). Three decimals tie many methods; what is significant stays the same.",
    ),
    tables=(
        PublishedTable(
            _ID,
            "2",
            "How many of the highest-entropy labels ELS treats exactly, as the paper chose it for each data set.",
            ("promising_labels",),
        ),
        PublishedTable(
            _ID,
            "3",
            "Seconds that each method takes to rank the features.",
            ("selection_seconds",),
            note="Matlab on a processor of 3.2 GHz.",
        ),
        PublishedTable(
            _ID,
            "4",
            "Seconds that the classifier takes with all features, and with 50.",
            ("brlr_seconds",),
            note="The same for every method, since it depends on the number of features only.",
        ),
        PublishedTable(
            _ID,
            "5",
            "Hamming loss with 50 features, and with all.",
            ("hamming_loss",),
            "bonferroni_dunn",
            "els",
            note="Mean of ten random splits; the paper prints no standard deviations.",
        ),
        PublishedTable(
            _ID,
            "6",
            "Ranking loss with 50 features, and with all.",
            ("ranking_loss",),
            "bonferroni_dunn",
            "els",
            note="Mean of ten random splits; the paper prints no standard deviations.",
        ),
        PublishedTable(
            _ID,
            "7",
            "Friedman's test of Tables 5 and 6: seven methods on eight data sets.",
            ("friedman_F", "critical_value"),
        ),
    ),
    figures=(
        _figure(
            "2",
            "Hamming loss of ELS against |Y|, with 10, 30 and 50 features.",
            "sensitivity",
            ("els",),
            ("hamming_loss",),
            ("n_labels",),
        ),
        _figure(
            "3",
            "Ranking loss of ELS against |Y|, with 10, 30 and 50 features.",
            "sensitivity",
            ("els",),
            ("ranking_loss",),
            ("n_labels",),
        ),
        _figure(
            "4", "Hamming loss against the number of features, six methods.", "compare", _METHODS, ("hamming_loss",)
        ),
        _figure(
            "5", "Ranking loss against the number of features, six methods.", "compare", _METHODS, ("ranking_loss",)
        ),
        _figure(
            "6",
            "Critical-difference diagrams of Tables 5 and 6, ELS being the control.",
            "significance",
            ("all_features", *_METHODS),
            ("hamming_loss", "ranking_loss"),
        ),
        _figure(
            "7",
            "Hamming loss against |Y| for labels of highest entropy first, and for lowest first.",
            "sensitivity",
            _TWO_ORDERS,
            ("hamming_loss",),
            ("n_labels",),
        ),
        _figure(
            "8",
            "Ranking loss against |Y| for labels of highest entropy first, and for lowest first.",
            "sensitivity",
            _TWO_ORDERS,
            ("ranking_loss",),
            ("n_labels",),
        ),
    ),
    not_methods=MappingProxyType({"n=50": "Not a method: any 50 features, of which only the number matters here."}),
)
