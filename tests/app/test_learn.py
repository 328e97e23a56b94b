"""The Learn page: every topic by its link, the controls in the link, the numbers, and the recipes run as they stand."""

import re
from collections.abc import Callable
from html import escape, unescape

import pytest
from streamlit.testing.v1 import AppTest

from mlfs.learn import LESSONS, PRESETS, copying, make_bound, tournament
from mlfs.papers import PAPERS, TOURS
from tests.app.figures import figures
from tests.app.programs import printed_by_recipes

FIGURES = {"information": 2, "bound": 1, "redundancy": 2, "dominance": 2, "system": 2}


@pytest.fixture
def visit(open_page) -> Callable[..., AppTest]:
    def learn(settings: dict[str, object] | None = None) -> AppTest:
        app = open_page("learn", **{key: str(value) for key, value in (settings or {}).items()})
        assert not app.exception
        assert not app.error
        return app

    return learn


def board(app: AppTest) -> list[str]:
    """The lines of LaTeX on the page, without the formula."""
    shown = [part.value for part in app.markdown if part.value.startswith("$") and "displaystyle" not in part.value]
    return [line.strip("$") for line in "\n\n".join(shown).split("\n\n") if line]


def address(app: AppTest) -> dict[str, str]:
    return {key: value[0] if isinstance(value, list) else value for key, value in app.query_params.items()}


@pytest.mark.parametrize("topic", LESSONS)
def test_each_topic_by_its_link(visit, topic):
    app = visit({"topic": topic})
    about = LESSONS[topic]
    words = " ".join(part.value for part in app.markdown)
    for part in (about.explanation, about.formula, about.question, about.answer):
        assert part in words
    assert about.source in app.caption[-1].value
    assert len(figures(app)) == FIGURES[topic]
    assert all(figure.alt.endswith(".") for figure in figures(app))
    assert board(app)
    assert not app.info


@pytest.mark.parametrize("topic", LESSONS)
def test_recipes_print_what_stands_on_the_board(visit, topic):
    app = visit({"topic": topic})
    assert printed_by_recipes(app, topic) == [board(app)] * 2


def test_a_slider_moves_the_numbers_and_the_link(visit):
    app = visit({"topic": "redundancy"})
    app.slider(key="copied").set_value(0).run()
    assert board(app) == list(copying(0.0).worked())
    assert address(app) == {"topic": "redundancy", "copied": "0"}
    assert [metric.value for metric in app.metric] == ["0.0648", "0.0000"]


def test_a_link_sets_the_controls(visit):
    app = visit({"topic": "bound", "p_label": 25, "p_feature": 50, "agreement": 100, "labels_of": "emotions"})
    assert app.slider(key="p_label").value == 25
    model = make_bound(0.5, 0.25, 1.0)
    assert board(app) == list(model.worked())
    assert f"**{model.sentence()}**" in [part.value for part in app.markdown]
    assert "amazed-suprised" in figures(app)[0].alt


def test_a_preset_sets_all_counts(visit):
    app = visit()
    app.button(key="preset-identical").click().run()
    assert [slider.value for slider in app.slider] == [50, 0, 0, 50]
    assert board(app) == list(PRESETS["identical"].worked())
    assert address(app) == {"both": "50", "feature_only": "0", "label_only": "0", "neither": "50"}


def test_an_empty_table_gets_a_sentence_and_keeps_its_sliders(visit):
    app = visit({"both": 0, "feature_only": 0, "label_only": 0, "neither": 0})
    assert [info.value for info in app.info] == ["The table is empty: raise at least one of its four counts."]
    assert len(app.slider) == 4
    assert not figures(app)
    assert not app.code


def test_the_circle_has_its_own_labels_and_features(visit):
    app = visit({"topic": "dominance", "toy": "circle", "mapd.alpha": 0.6, "feature": 2})
    assert len(app.selectbox(key="across").options) == 3
    assert "0 are selected" in figures(app)[0].alt
    assert board(app) == list(tournament(0.6, kind="circle").worked(1))


def test_fewer_labels_than_the_axes_ask_for(visit):
    app = visit({"topic": "dominance", "labels": 5, "across": 5})
    app.slider(key="labels").set_value(2).run()
    assert app.selectbox(key="across").value == "1"
    assert "Label across cannot be '5'" in app.info[0].value


def test_a_saddle_point_is_a_warning(visit):
    app = visit({"topic": "system", "grro.beta": 100})
    assert "saddle point" in app.warning[0].value
    assert not visit({"topic": "system"}).warning


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"topic": "entropie"}, "Topic cannot be 'entropie'"),
        ({"topic": "redundancy", "copied": 500}, "copied must be a whole number from 0 to 100, not 500."),
        ({"topic": "dominance", "mapd.alpha": 0.3}, "alpha must be a number between 0.5 and 1, not 0.3."),
    ],
)
def test_what_the_link_cannot_have_gives_way_to_the_default(visit, settings, sentence):
    app = visit(settings)
    assert sentence in app.info[0].value
    assert figures(app)


def test_presentation_keeps_what_a_lesson_is_made_of_and_can_be_ended(visit):
    app = visit({"topic": "dominance", "present": 1})
    assert len(figures(app)) == 2
    assert app.slider(key="labels").value == 5
    assert board(app)
    assert not app.code
    texts = [part.value for part in app.markdown]
    assert LESSONS["dominance"].explanation in texts
    assert LESSONS["dominance"].question in texts
    app.button(key="end-presentation").click().run()
    assert not app.session_state["present"]
    assert "present" not in app.query_params


def shown_html(app: AppTest, style: str) -> str:
    [shown] = [part.proto.body for part in app.get("html") if f'class="{style}"' in part.proto.body]
    return shown


def test_lessons_and_tours_stand_side_by_side(visit):
    shown = shown_html(visit({"topic": "redundancy"}), "mlfs-beside")
    titles = [unescape(title) for title in re.findall(r"<b>(.*?)</b>", shown)]
    assert titles == [lesson.title for lesson in LESSONS.values()] + [PAPERS[name].short for name in TOURS]
    for lesson in LESSONS.values():
        assert lesson.asks.endswith("?")
        assert escape(lesson.asks) in shown
    assert re.findall(r'aria-current="true"><b>(.*?)</b>', shown) == ["Redundancy"]


@pytest.mark.parametrize(
    ("topic", "around"),
    [
        ("information", {"next": "bound"}),
        ("redundancy", {"previous": "bound", "next": "dominance"}),
        ("system", {"previous": "dominance"}),
    ],
)
def test_a_lesson_leads_to_the_one_before_and_the_one_after(visit, topic, around):
    shown = shown_html(visit({"topic": topic, "present": 1}), "mlfs-steps")
    assert dict(re.findall(r'mlfs-(previous|next)" href="./learn\?present=1&amp;topic=(\w+)"', shown)) == around


def test_the_heading_on_a_wall_is_that_of_the_lesson(visit):
    assert visit({"topic": "bound", "present": 1}).main.markdown[0].value == "# The bound"
    assert not [part for part in visit({"present": 1}).get("html") if 'class="mlfs-beside"' in part.proto.body]
