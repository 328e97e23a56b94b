"""Every classifier gives every metric wherever one can be chosen: in explorations, in studies and by command."""

import numpy as np
import pytest

from mlfs import load_dataset
from mlfs.classifiers import CLASSIFIERS
from mlfs.evaluation import explore, get_protocol
from mlfs.metrics import METRICS
from mlfs.studies import Plan
from mlfs.studies.cell_runner import CellRunner
from tests.cli.commands import Terminal

SETTINGS = {"sizes": (2,), "metrics": tuple(METRICS), "test_share": 0.8, "scaling": "unit"}


@pytest.fixture(scope="module")
def ds():
    return load_dataset("emotions")


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_every_metric_everywhere(ds, classifier, capsys):
    protocol = get_protocol("quick", **SETTINGS, classifier=classifier)
    curve = explore(ds, "br_cc", protocol).curve.set_index("size").loc[2, list(METRICS)]
    assert np.isfinite(curve.to_numpy(dtype=float)).all()
    plan = Plan("one", ("emotions",), ("br_cc",), settings={**SETTINGS, "classifier": classifier})
    (cell,) = plan.cells({"emotions": ds})
    result = CellRunner().compute(cell, ds)
    assert not result.error
    assert dict(zip(result.metrics, result.values[0].tolist(), strict=True)) == curve.to_dict()
    command = f"curve emotions br_cc --sizes 2 --test-share 0.8 --scaling unit --classifier {classifier}"
    document = Terminal(capsys).json(f"{command} --metrics {','.join(METRICS)}")
    assert {name: document["curve"][0][name] for name in METRICS} == curve.to_dict()
