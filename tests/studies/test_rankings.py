"""Rankings from elsewhere in studies: part of the plan, told by their content, the same on any engine."""

from __future__ import annotations

import multiprocessing
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from mlfs.errors import RankingError, StudyError
from mlfs.evaluation import Explorer, as_ranking, get_protocol, read_ranking
from mlfs.studies import Plan, Store, run
from tests.studies.support import DATASETS, QUICK, SMALL, Here, numbers

D = SMALL.X.shape[1]


def ranking(given, name="mine", **how):
    return replace(as_ranking(name, given, SMALL, **how), dataset="small")


def plan(*rankings, methods=("els",), **how):
    return Plan("with rankings", ["small"], list(methods), settings=QUICK, rankings=rankings, **how)


def keys(a_plan):
    return [cell.key for cell in a_plan.cells(DATASETS) if cell.ranking is not None]


def of_els():
    protocol, explorer = get_protocol("quick", **QUICK), Explorer(SMALL)
    return [explorer.fit("els", protocol, repeat=repeat)[0].ranking_ for repeat in range(2)]


def test_a_plan_with_rankings_there_and_back(tmp_path):
    planned = plan(ranking(range(D)), ranking(of_els(), "theirs"))
    assert len(planned) == len(planned.cells(DATASETS)) == 2 * 3
    for suffix in (".toml", ".json"):
        again = Plan.read(planned.write(tmp_path / f"plan{suffix}"))
        assert again == planned
        assert again.id == planned.id
        assert [cell.key for cell in again.cells(DATASETS)] == [cell.key for cell in planned.cells(DATASETS)]
    alone = Plan("p", ["small"], [], rankings=[ranking(range(D))])
    assert Plan.from_dict(alone.to_dict()) == alone
    assert len(alone) == 1


def test_plans_without_rankings_are_as_before():
    """The id and keys that they had when there were no rankings."""
    assert "rankings" not in plan().to_dict()
    before = Plan("x", ["emotions"], ["els", "random"], "lee_kim_2016", {"repeats": 2}, (0, 3))
    assert before.id == "86f2b88d0f26c5cfc29877aa631e3c7db808dc009611433cf77e00c2a62805cc"


def test_the_content_decides_the_key(tmp_path):
    (tmp_path / "a.csv").write_text("\n".join(map(str, range(D))))
    (tmp_path / "b.csv").write_text("\n".join(map(str, range(D))))
    (tmp_path / "c.csv").write_text("\n".join(map(str, reversed(range(D)))))
    one, same, other = (
        keys(plan(replace(read_ranking(tmp_path / f"{name}.csv", SMALL), dataset="small"))) for name in "abc"
    )
    assert one == same
    assert not set(one) & set(other)


def test_a_changed_split_is_computed_anew_and_the_others_are_not(tmp_path):
    first, engine = of_els(), Here()
    with Store(tmp_path / "s.sqlite") as store:
        run(plan(ranking(first), methods=[]), store, engine=engine, datasets=DATASETS)
        assert len(engine.computed) == 2
        changed = [first[0], first[1][::-1]]
        done = run(plan(ranking(changed), methods=[]), store, engine=engine, datasets=DATASETS)
        assert (done.known, done.computed) == (1, 1)


def test_a_methods_own_rankings_give_its_table(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        planned = plan(ranking(of_els()))
        run(planned, store, engine=Here(), datasets=DATASETS)
        table = store.results(planned)
        kept = store.rankings(planned)
    columns = ["repeat", "size", "metric", "value"]
    mine, els = (table[table["method"] == name][columns].to_numpy().tolist() for name in ("mine", "els"))
    assert mine == els
    assert len(mine) > 0
    rows = kept.set_index(["method", "repeat"])["ranking"]
    assert rows["mine", 1].tolist() == rows["els", 1].tolist()


def test_worker_processes_give_the_same(tmp_path):
    planned, tables = plan(ranking(of_els()), ranking(range(D), "whole")), []
    for name, engine in (("here", Here()), ("local", "local")):
        with Store(tmp_path / f"{name}.sqlite") as store:
            run(planned, store, engine=engine, workers=1, datasets=DATASETS)
            tables.append(numbers(store.results(planned)))
    assert tables[0].equals(tables[1])


def _begin(path, told):
    """Run until the first cell is kept, then wait to be killed."""

    def progress(done, *_):
        if done:
            told.send_bytes(b"kept")
            told.recv_bytes()

    run(plan(ranking(of_els())), Store(path), engine=Here(), datasets=DATASETS, progress=progress)


def test_a_killed_study_goes_on_without_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    context = multiprocessing.get_context("forkserver")
    ours, theirs = context.Pipe()
    path = tmp_path / "s.sqlite"
    process = context.Process(target=_begin, args=(path, theirs))
    process.start()
    theirs.close()
    assert ours.recv_bytes() == b"kept"
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    with Store(path) as store:
        (study,) = store.studies()
        assert study.done == 1
        # All that is needed stands in the store: the ranking is part of the plan.
        done = run(study.plan, store, engine=Here(), datasets=DATASETS)
        assert (done.known, done.computed, done.failed) == (1, 3, 0)


def test_what_a_plan_refuses():
    with pytest.raises(StudyError, match="mine ranks the features of 'other', which is not among the data sets"):
        plan(replace(ranking(range(D)), dataset="other"))
    with pytest.raises(StudyError, match="Two rankings of small are called 'mine': rename one"):
        plan(ranking(range(D)), ranking(range(D - 1)))
    with pytest.raises(RankingError, match="mine is of the splits of one seed"):
        plan(ranking(of_els()), seeds=[0, 1])
    with pytest.raises(RankingError, match="mine has 1 ranking of training rows for 2 splits"):
        plan(ranking(range(D), rows="train"))
    with pytest.raises(StudyError, match="mine ranks 5 features, and small has 12"):
        plan(replace(ranking(range(5)), features=5)).cells(DATASETS)
    with pytest.raises(StudyError, match="rankings must be a list of rankings"):
        plan("mine.csv")
    with pytest.raises(RankingError, match="A ranking of a plan has name, dataset, features, rows, orders, not name"):
        plan({"name": "mine"})
    with pytest.raises(RankingError, match="must be lists of whole numbers"):
        plan({**ranking(range(D)).to_dict(), "orders": [[0.5]]})
