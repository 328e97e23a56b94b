"""Guided tours on the Learn page: every step by its buttons, its link, its recipe; settings that stay in the link."""

import re
from html import escape, unescape
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from mlfs.papers import PAPERS, TOURS
from mlfs.papers.tour import take_step
from pages.parts.data import shared_explorer
from pages.parts.words import literal
from tests.app.addresses import address
from tests.app.figures import figures
from tests.app.job_queue import press, until
from tests.app.programs import printed_by_recipes


@pytest.fixture
def visit(open_page):
    def learn(**settings: object) -> AppTest:
        app = open_page("learn", **{key: str(value) for key, value in settings.items()})
        return until(app, settled)

    return learn


def settled(app: AppTest) -> bool:
    assert not app.exception
    assert not app.error
    return not any(button.label == "Cancel" for button in app.button)


def words(app: AppTest) -> str:
    return "\n".join(part.value for part in app.markdown)


def follow(app: AppTest, title: str) -> None:
    """Click on a card, as the browser does: another address, and the page runs again."""
    [shown] = [part.proto.body for part in app.get("html") if "mlfs-beside" in part.proto.body]
    [query] = re.findall(rf'href="./learn\?([^"]*)"[^>]*><b>{re.escape(escape(title))}</b>', shown)
    app.query_params.clear()
    app.query_params.update(parse_qsl(unescape(query)))
    until(app.run(), settled)


@pytest.mark.parametrize("paper", TOURS)
def test_a_tour_from_its_first_step_to_its_last(visit, paper):
    tour = TOURS[paper]
    app = visit(tour=paper, on="emotions")
    data = {} if tour.data == "emotions" else {"on": "emotions"}
    for number, step in enumerate(tour.steps, 1):
        if number > 1:
            until(press(app, "Next"), settled)
        assert app.subheader[0].value == f"{number}. {step.title}"
        assert address(app) == tour.query(number) | data
        [figure] = figures(app)
        assert figure.alt.endswith(".")
        seen = step.see(shared_explorer("emotions"), {knob.name: knob.parameter.default for knob in step.knobs})
        assert literal(seen.sentence) in words(app)
        assert not app.info
    assert [button.disabled for button in app.button if button.label in ("Previous", "Next")] == [False, True]
    press(app, "Previous")
    assert address(app) == tour.query(len(tour.steps) - 1) | data
    assert PAPERS[paper].citation in app.caption[-1].value


def test_a_link_opens_a_step_as_it_was(visit):
    app = visit(tour="lee_kim_2016", step=3, on="emotions", **{"els.n_labels": 4, "top": 20})
    assert app.selectbox(key="on").value == "emotions"
    assert app.select_slider(key="top").value == 20
    assert literal(take_step("lee_kim_2016", 3, "emotions", n_labels=4, top=20).sentence) in words(app)


def test_settings_of_other_steps_stay_in_the_link(visit):
    app = visit(tour="lee_kim_2016", step=3, on="emotions", **{"els.n_labels": 4, "top": 20})
    before = address(app)
    press(app, "Previous")
    assert address(app) == {**before, "step": "2"}
    until(press(press(app, "Next"), "Next"), settled)
    assert address(app) == {**before, "step": "4"}


def test_a_knob_moves_the_sentence_and_the_link(visit):
    app = visit(tour="sechidis_2014", step=2)
    app.slider(key="copied").set_value(100).run()
    assert take_step("sechidis_2014", 2, copied=100).sentence in words(app)
    assert address(app) == {"tour": "sechidis_2014", "step": "2", "copied": "100"}
    # A toy has no data set to choose.
    assert not app.selectbox


def test_another_tour_begins_at_its_beginning(visit):
    app = visit(tour="lee_kim_2016", step=5, on="scene")
    follow(app, "Zhou & Guo 2023")
    assert address(app) == {"tour": "zhou_2023_mapd"}
    assert app.subheader[0].value.startswith("1. ")
    follow(app, "Information")
    assert address(app) == {}
    assert not app.info


@pytest.mark.parametrize(("paper", "step"), [("sechidis_2014", 2), ("zhou_2023_mapd", 2), ("zhang_2020_grro", 3)])
def test_recipes_print_the_sentence_and_the_figure(visit, paper, step):
    app = visit(tour=paper, step=step)
    for sentence, alt in printed_by_recipes(app, paper):
        assert literal(sentence) in words(app)
        assert alt == figures(app)[0].alt


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"tour": "lee_kim_2061"}, "Tour cannot be 'lee_kim_2061': did you mean 'lee_kim_2016'?"),
        ({"tour": "zhang_2020_grro", "step": "9"}, "Step cannot be '9'"),
        ({"tour": "zhou_2023_mapd", "on": "delicious"}, "Data cannot be 'delicious'"),
        ({"tour": "zhou_2023_mapd", "mapd.alpha": "2"}, "alpha must be a number between 0.5 and 1, not 2"),
    ],
)
def test_what_the_link_cannot_have_gives_way_to_the_default(visit, settings, sentence):
    app = visit(**settings)
    assert sentence in app.info[0].value.replace("\\", "")
    assert figures(app)


def test_presentation_keeps_the_sentence_and_the_picture(visit):
    app = visit(tour="zhou_2023_mapd", step=3, present=1)
    assert figures(app)
    assert literal(take_step("zhou_2023_mapd", 3).sentence) in words(app)
    assert PAPERS["zhou_2023_mapd"].proposes not in words(app)
    assert not app.code
