"""What is made of a method's declarations: constructor, signature, docstring."""

import doctest
import inspect
import pydoc
import re
import sys

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.parameters import number
from mlfs.selectors import SELECTORS, ScoreSelector, make_selector
from mlfs.selectors.declaration import SECTIONS
from mlfs.selectors.evidence import Evidence

every_method = pytest.mark.parametrize("method", SELECTORS)


def sections(text):
    """Name → content, in the order in which they stand."""
    _, *pieces = re.split(r"^([A-Z][A-Za-z ]+)\n-+\n", text, flags=re.MULTILINE)
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def entries(section):
    """Name → what is said of it."""
    return {entry.partition(" : ")[0]: entry for entry in re.split(r"\n(?=\S)", section.strip())}


def test_constructors_are_made_from_declarations():
    assert str(inspect.signature(SELECTORS["fimf"])) == (
        "(*, n_labels: int = 10, n_candidates: int | None = None, n_bins: int = 5, "
        "discretization: str = 'equal_width', n_features_to_select: int | None = None, "
        "categorical_features: collections.abc.Sequence[int] = (), n_jobs: int | None = None) -> None"
    )
    with pytest.raises(TypeError, match="n_label"):
        SELECTORS["fimf"](n_label=3)
    assert make_selector("fimf").get_params()["n_labels"] == 10


@every_method
def test_a_docstring_has_what_tools_look_for(method):
    selector = SELECTORS[method]
    found = sections(selector.__doc__)
    wanted = {"Parameters", "Attributes", "Notes", "Examples"}
    wanted |= {"Variants"} if selector.variants else set()
    wanted |= {"References"} if selector.paper != "–" else set()
    assert list(found) == [name for name in SECTIONS if name in wanted]
    assert selector.summary.split() == re.split(r"\n\n", selector.__doc__)[1].split()
    assert selector.cost in " ".join(found["Notes"].split())
    assert selector.slips in " ".join(found["Notes"].split())
    if "References" in wanted:
        assert " ".join(found["References"].split()) == f"{selector.paper}."
    for name, meaning in selector.variants.items():
        assert meaning[1:] in " ".join(found["Variants"].partition(f"{name!r}\n")[2].split())


@every_method
def test_every_parameter_is_documented_as_it_is_declared(method):
    selector = SELECTORS[method]
    documented = entries(sections(selector.__doc__)["Parameters"])
    assert list(documented) == list(selector.parameters)
    for name, parameter in selector.parameters.items():
        words = " ".join(documented[name].split())
        assert f"default={parameter.default!r} " in words
        assert parameter.meaning[1:] in words
        assert ("The evidence depends on it." in words) == parameter.prepares
        if parameter.kind == "choice":
            assert all(repr(choice) in words for choice in parameter.choices)
        else:
            assert parameter.describe_range()[1:] in words


@every_method
@pytest.mark.filterwarnings("ignore:No labelset occurs", "ignore:.*stopped at the limit")
def test_every_fitted_attribute_is_documented(method):
    documented = entries(sections(SELECTORS[method].__doc__)["Attributes"])
    rng = np.random.default_rng(0)
    fitted = make_selector(method).fit(rng.random((30, 6)), rng.integers(0, 2, (30, 3)))
    public = {name for name in vars(fitted) if name.endswith("_") and name not in fitted.parameters}
    assert public <= set(documented)
    assert {"scores_", "ranking_", "n_selected_"} <= public


@every_method
def test_the_examples_run(method):
    selector = SELECTORS[method]
    [test] = doctest.DocTestFinder(recurse=False).find(selector, globs=dict(vars(sys.modules[selector.__module__])))
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_help_shows_signature_and_parameters():
    text = pydoc.plain(pydoc.render_doc(SELECTORS["grro"]))
    assert "GRRO(*, alpha: float = 1.0, beta: float = 0.1," in text
    assert "alpha : float, default=1.0" in text


def test_a_method_of_ones_own():
    class Widest(ScoreSelector):
        """Range of the feature to a power.

        Attributes
        ----------
        widths_ : (d,) float array
            The ranges.
        """

        power: float = number(1.0, 0, 10, "how much width counts")

        def _evidence(self, X, Y):
            return Evidence(X, Y)

        def _score(self, evidence):
            self.widths_ = np.ptp(evidence.X, axis=0)
            return self.widths_**self.power

    X, Y = np.array([[0.0, 5, 1], [1, 9, 1]]), np.array([[0], [1]])
    assert Widest(power=2).fit(X, Y).scores_.tolist() == [1, 16, 0]
    assert Widest not in SELECTORS.values()
    with pytest.raises(ParameterError, match="power must be a number from 0 to 10, not 11"):
        Widest(power=11).fit(X, Y)
    assert list(entries(sections(Widest.__doc__)["Attributes"]))[:2] == ["widths_", "scores_"]
    assert "How much width counts. A number from 0 to 10." in Widest.__doc__
