"""Ann's uploads and studies, and Bob: no page, link, download or list shows or changes what is hers."""

from __future__ import annotations

import pytest

from fuzz import links
from mlfs.datasets import make_synthetic
from mlfs.errors import StudyError
from mlfs.evaluation import Explorer
from pages.parts import exports, owners, studies
from pages.parts.data import upload_name
from tests.app.figures import figures
from tests.app.hostile import rendered
from tests.app.job_queue import finished, labels, press, said, until
from tests.app.owned_uploads import give_upload

SECRET = "secret-of-ann"
DS = make_synthetic(n_instances=60, n_relevant=3, n_redundant=2, n_irrelevant=3, n_labels=3, seed=9)
object.__setattr__(DS, "name", SECRET)
object.__setattr__(DS, "feature_names", tuple(f"{SECRET}-feature-{j}" for j in range(DS.X.shape[1])))
EXPLORER = Explorer(DS)
NAME = upload_name(DS)
#: Words of an address that name data or a study. Each is tried on every page there is, so that a new page, or one
#: that learns a word, takes part by itself.
OF_DATA, OF_STUDIES = ("data", "sets"), ("study", "beside")
#: By which words Ann's own are shown on a page.
SHOWN = {
    ("data", "data"),
    ("explore", "data"),
    ("noise", "data"),
    ("pareto", "data"),
    ("sensitivity", "data"),
    ("methods", "data"),
    ("compare", "sets"),
    ("compare", "study"),
    ("pareto", "study"),
}


def addresses(number: int):
    """Page, word and query of each address that could show what is hers."""
    for page in links.PAGES:
        yield page, None, {}
        for word in OF_DATA:
            yield page, word, {word: NAME}
        for word in OF_STUDIES:
            yield page, word, {word: str(number), **({"source": "study"} if page in ("significance", "pareto") else {})}


@pytest.fixture
def hers(open_page, browser, engine):
    """Ann's session, with an upload and a finished study of it; its number."""
    browser("ann")
    app = open_page("compare", sets="synthetic", methods="els,igmf", most="5")
    give_upload(app, NAME, EXPLORER, -3)
    app.query_params["sets"] = NAME
    until(press(app.run(), "Run"), finished)
    [study] = studies.job_queue().store.studies(app.session_state["viewer"])
    return app, study.id


def everything(app) -> str:
    """All words of a page, its tables, figures, options and programs."""
    parts = [text for _, text in rendered(app)] + [str(figure) for figure in figures(app)]
    parts += [str(frame.value) for frame in (*app.dataframe, *app.table)] + [code.value for code in app.code]
    parts += [str(box.options) for box in (*app.selectbox, *app.multiselect, *app.radio)]
    return "\n".join(parts)


def test_bob_sees_nothing_of_ann_on_any_page(hers, open_page, browser, engine, monkeypatch):
    mine, number = hers
    taken: dict[str, object] = {}
    monkeypatch.setattr(exports, "download", lambda label, make, file, *_: taken.__setitem__(file, make))
    count = len(engine.computed)
    browser("bob")
    for page, word, query in addresses(number):
        app = open_page(page, **query)
        assert not app.exception, (page, word)
        assert SECRET not in everything(app), (page, word)
        assert not [label for label in labels(app) if label.startswith("Delete")], (page, word)
    for file, make in taken.items():
        content = make() if callable(make) else make
        assert SECRET not in (content if isinstance(content, str) else content.decode("utf-8", "ignore")), file
    assert not studies.job_queue().jobs("bob")
    assert len(engine.computed) == count  # none of these links made the server compute on her data
    # And hers is as it was.
    browser("ann")
    assert SECRET in everything(open_page("data", data=NAME))
    assert finished(open_page("compare", study=str(number)))
    assert mine.session_state["viewer"] != "ann"  # a hash, from which nobody makes the cookie again


def test_ann_sees_her_own_wherever_it_is_shown(hers, open_page, browser, engine):
    """So that the test above is none of pages that show nothing to anybody."""
    _, number = hers
    browser("ann")
    tried = [(page, word, query) for page, word, query in addresses(number) if (page, word) in SHOWN]
    assert {(page, word) for page, word, query in tried if SECRET in everything(open_page(page, **query))} == SHOWN


def test_the_store_gives_her_study_to_her_alone(hers):
    app, number = hers
    store = studies.job_queue().store
    assert [study.id for study in store.studies(app.session_state["viewer"])] == [number]
    assert store.studies() == []
    assert store.studies(f"{app.session_state['viewer']}x") == []
    queue = studies.job_queue()
    for number_of_hers in (queue.job, queue.cancel, queue.remove):
        with pytest.raises(StudyError, match=f"no study {number} here|only that browser can delete it"):
            number_of_hers(number, "bob")
    assert queue.job(number, app.session_state["viewer"]).state == "done"
    assert len(store.results(number)) > 0


@pytest.mark.parametrize(("page", "query"), [
    ("compare", {"sets": "synthetic", "methods": "els,igmf", "most": "5"}),
    ("sensitivity", {"data": "synthetic", "method": "els"}),
])  # fmt: skip
def test_a_public_study_is_cancelled_and_deleted_by_who_asked_for_it_alone(open_page, browser, engine, page, query):
    engine.limit = 1
    browser("ann")
    hers = until(press(open_page(page, **query), "Run"), lambda app: "Cancel" in labels(app))
    queue = studies.job_queue()
    [job] = queue.jobs()
    for link in (query, {"study": str(job.id)}):
        browser("bob")
        his = open_page(page, **link)
        assert "Cancel" not in labels(his)
        assert "only they can cancel it" in said(his)
    bob = his.session_state["viewer"]
    for change in (queue.cancel, queue.remove):  # as a page that was open before would ask for it
        with pytest.raises(StudyError, match="only that browser can"):
            change(job.id, bob)
    assert queue.job(job.id).state == "running"
    browser("ann")
    until(press(hers.run(), "Cancel"), lambda app: "Resume" in labels(app))
    # Whoever goes on with it may stop what they began, and it is still hers to delete.
    browser("bob")
    engine.limit = 0
    until(press(his.run(), "Resume"), lambda app: "Cancel" in labels(app))
    with pytest.raises(StudyError, match="only that browser can delete it"):
        queue.remove(job.id, bob)
    until(press(his.run(), "Cancel"), lambda app: "Resume" in labels(app))
    queue.remove(job.id, hers.session_state["viewer"])
    assert queue.jobs() == []


def test_bob_s_upload_of_the_same_file_is_his_own(hers, open_page, browser, engine):
    """The same content has the same name in links; what one of them deletes stays with the other."""
    browser("bob")
    his = open_page("data")
    give_upload(his, NAME, Explorer(DS), -3)
    owners.UPLOADS.remove(his.session_state["viewer"], NAME)
    assert SECRET not in everything(open_page("data", data=NAME))
    browser("ann")
    app = open_page("data", data=NAME)
    assert SECRET in everything(app)
    assert "only its owner has" not in said(app)


def test_what_was_hers_is_gone_from_the_store_at_the_next_start(hers, tmp_path):
    _, number = hers
    queue = studies.job_queue()
    path = queue.store.path
    queue.close()
    from mlfs.studies import JobQueue, Store

    with Store(path) as store:
        JobQueue(store, engine=studies.ENGINE)
        with pytest.raises(Exception, match="no study"):
            store.study(number)
    assert SECRET.encode() not in path.read_bytes()
