"""Verdicts by curves that are made up."""

import pytest

from mlfs.papers.agreement import Agreement
from mlfs.papers.findings import MeasuredNumbers
from mlfs.papers.sechidis_2014.findings import LOSSES, PRUNED, alike, nearest_neighbours, others, over_both
from tests.papers.test_findings import curve, stored

SIZES = (5, 50, 100, 200)


def kept(folder, result, std=0.01, **leads):
    """Curves on both data sets: JMI-BR at 0.2, the others so much above it, the same at every size or one by one."""
    rows = []
    for dataset in ("yeast", "scene"):
        for metric in LOSSES:
            values = {"jmi_br": dict.fromkeys(SIZES, 0.2)}
            for name, lead in leads.items():
                each = lead if isinstance(lead, tuple) else (lead,) * len(SIZES)
                setting = PRUNED if name == "pruned" else name
                values[setting] = {size: 0.2 + by for size, by in zip(SIZES, each, strict=True)}
            rows += [row | {"std": std} for row in curve(dataset, metric, values)]
    stored(folder, "sechidis_2014", result, rows, n=1)
    return MeasuredNumbers("sechidis_2014", folder)


@pytest.mark.parametrize(
    ("lead", "verdict"),
    [(0.05, Agreement.AGREES), (-0.05, Agreement.DIFFERS), (0.02, Agreement.OPEN), (-0.02, Agreement.OPEN)],
)
def test_few_splits_decide_only_what_is_beyond_chance(tmp_path, lead, verdict):
    """2 · 0.01 · √(1/30 + 1) = 0.0203."""
    assert nearest_neighbours(kept(tmp_path, "figure5", pruned=lead)).verdict is verdict


@pytest.mark.parametrize(("gap", "verdict"), [(0.02, Agreement.AGREES), (-0.021, Agreement.DIFFERS)])
def test_alike_is_what_chance_allows(tmp_path, gap, verdict):
    assert alike(kept(tmp_path, "figure4", mim_br=gap)).verdict is verdict


def test_the_lead_over_cmi_is_the_larger_one(tmp_path):
    assert over_both(kept(tmp_path, "figure4", cmi_br=0.02, mim_br=0.01)).verdict is Agreement.AGREES
    assert over_both(kept(tmp_path, "figure4", cmi_br=0.01, mim_br=0.02)).verdict is Agreement.DIFFERS
    assert over_both(kept(tmp_path, "figure4", cmi_br=-0.01, mim_br=-0.02)).verdict is Agreement.DIFFERS


def test_pmu_is_ahead_where_the_paper_says(tmp_path):
    finding = others(kept(tmp_path, "figure5", pmu=(0.01, -0.01, -0.01, 0.01)))
    assert "between 50 and 100 features (10 and 130 in the paper); 100% of the sizes are as it says" in finding.evidence
    assert finding.verdict is Agreement.IN_PART  # half of the sizes of the three other curves
