"""Ranking files as other programs write them, and one sentence for each that cannot be one."""

from __future__ import annotations

import contextlib
import io
import random
import zlib

import numpy as np
import pytest
from scipy.io import savemat

from mlfs.datasets import Dataset
from mlfs.errors import RankingError
from mlfs.evaluation import read_ranking
from mlfs.evaluation.ranking_files import as_ranking, entries, name_of, parse_ranking

NAMES = ("energy", "tempo, mean", "Größe", "f 4", "beat")
DS = Dataset(np.arange(40.0).reshape(8, 5), np.tile([[0], [1]], (4, 1)), NAMES, ("y",), "songs")


def orders(text, file="mine.csv", **how):
    content = text if isinstance(text, bytes) else text.encode()
    return [list(order) for order in parse_ranking(file, content, DS, **how).orders]


def mat(**variables):
    file = io.BytesIO()
    savemat(file, variables, do_compression=True)
    return file.getvalue()


def strings(*words):
    return np.array(words, dtype=object)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3\n0\n1\n", [[3, 0, 1]]),
        ("5\n1\n2\n", [[4, 0, 1]]),  # 5 features, and 5 occurs: counted from 1
        ("0 3 1", [[0, 3, 1]]),
        ("0,3,1\n", [[0, 3, 1]]),
        ("% MATLAB\n5;1;2\n", [[4, 0, 1]]),
        ("\ufeffrank\r\n5\r\n1\r\n", [[4, 0]]),
        ("5.0\n1.0e0\n", [[4, 0]]),
        ("beat\nenergy\n", [[4, 0]]),
        ("Größe\ntempo, mean\n", [[2, 1]]),
        ("best first\nbeat\nf 4\n", [[4, 3]]),
        ('"beat","Größe"\n"tempo, mean","beat"\n', [[4, 1], [2, 4]]),
        ("0.1\n0.5\n0.2\n0.4\n0.3\n", [[1, 3, 4, 2, 0]]),
        ("score\n-1\n-5\n-2\n-4\n-3\n", [[0, 2, 4, 3, 1]]),
        ("0,1\n0,5\n".replace(",", ".") + "NaN\n0.4\n\n0.3\n", [[1, 3, 4, 0]]),
        ("0,5;0,1\n0,4;0,2\n0,3;0,3\n0,2;0,4\n0,1;0,5\n", [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]]),
        ("feature;score\nbeat;0,5\nenergy;0,9\n", [[0, 4]]),
        ("feature\tsplit 1\tsplit 2\nbeat\t1\t2\nenergy\t2\t1\n", [[0, 4], [4, 0]]),
        ('"","x"\n"1",5\n"2",1\n"3",2\n', [[4, 0, 1]]),  # write.csv of R
        (",0\n0,0.1\n1,0.5\n2,0.2\n3,0.4\n4,0.3\n", [[1, 3, 4, 2, 0]]),  # to_csv of pandas
        ("a,b\n5,1\n2,5\n", [[4, 1], [0, 4]]),
        ("5,1\n2,5\n5,2\n", [[4, 0], [1, 4], [4, 1]]),  # the first column holds 5 twice: rankings go across
        ("0,1,2,3,4\n1,0,2,3,4\n", [[0, 1, 2, 3, 4], [1, 0, 2, 3, 4]]),  # the side with all features
        ("5,1\n2,3\n1,\n", [[4, 1, 0], [0, 2]]),  # one ends early
    ],
)
def test_files_and_what_they_mean(text, expected):
    assert orders(text) == expected


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"rank": np.array([[5, 1, 2]])}, [[4, 0, 1]]),
        ({"rank": np.array([[5.0], [1], [2]])}, [[4, 0, 1]]),
        ({"ranks": np.array([[5, 1], [2, 5], [1, np.nan]])}, [[4, 1, 0], [0, 4]]),
        ({"rank2": [1, 5], "rank10": [2, 5], "rank1": [5, 1]}, [[4, 0], [0, 4], [1, 4]]),
        ({"w": np.array([0.1, 0.5, 0.2, 0.4, 0.3])}, [[1, 3, 4, 2, 0]]),
        ({"names": strings("beat", "energy")}, [[4, 0]]),
        ({"names": np.array(["beat  ", "energy"])}, [[4, 0]]),
        ({"rank": [5, 1], "seed": 3}, [[4, 0]]),  # a single number is no ranking where there is another variable
    ],
)
def test_mat_files(variables, expected):
    assert orders(mat(**variables), "mine.mat") == expected


def test_a_cell_array_of_rankings_and_a_named_variable():
    cells = np.empty(2, dtype=object)
    cells[:] = [np.array([5, 1]), np.array([2, 3, 4])]
    assert orders(mat(r=cells), "mine.mat") == [[4, 0], [1, 2, 3]]
    both = mat(first=[5, 1, 2], second=[1, 2, 5])
    assert orders(both, "mine.mat", variable="second") == [[0, 1, 4]]
    with pytest.raises(RankingError, match=r"mine\.mat holds the variables first, second: name the one"):
        orders(both, "mine.mat")
    with pytest.raises(RankingError, match="has no variable 'scond': did you mean 'second'"):
        orders(both, "mine.mat", variable="scond")


def test_from_where_features_are_counted():
    assert orders("1\n2\n", base=1) == [[0, 1]]
    assert orders("1\n2\n", base=0) == [[1, 2]]
    with pytest.raises(RankingError, match=r"holds neither 0 nor 5.*\(base 0, as in Python\) or 1 \(base 1"):
        orders("1\n2\n")
    with pytest.raises(RankingError, match="holds both 0 and 5, and there are 5 features"):
        orders("5\n0\n")
    # One split may show it for all.
    assert orders("a,b\n1,5\n2,3\n") == [[0, 1], [4, 2]]


@pytest.mark.parametrize(
    ("text", "how", "sentence"),
    [
        ("", {}, "mine.csv is empty: give feature indices, names or scores"),
        ("0\n7\n", {}, "place 2 is feature 7, and the 5 features go from 0 to 4"),
        ("1\n6\n", {"base": 1}, "place 2 is feature 6, and the 5 features go from 1 to 5"),
        ("0\n1\n1\n", {}, "the feature 1 appears twice in a ranking; keep its first place"),
        ("0\n1\n1\n2\n3\n", {}, "appears twice in a ranking; keep its first place; if these are scores, say so"),
        ("beat\nbeat\n", {}, "the feature beat appears twice"),
        ("beat\nenrgy\n", {}, "songs has no feature 'enrgy': did you mean 'energy'"),
        ("enrgy\nbeat\n", {}, "there is no feature 'enrgy': did you mean 'energy'"),
        ("beat\nwhatever\n", {}, "songs has no feature 'whatever': it has energy, tempo, mean, Größe, f 4 and 1 more"),
        ("0.5\n0.1\n", {}, "holds 2 numbers with fractions or signs in a ranking: scores are one for each of the 5"),
        ("0,1\n,2\n2,3\n", {}, "has a gap at place 2 of a ranking"),
        ("0\n1\n", {"kind": "score"}, "holds indices, names, scores, not 'score': did you mean 'scores'"),
        ("0\n1\n", {"base": 2}, "has the number 0 or 1, not 2"),
        ("0\n1\n", {"rows": "some"}, "rows must be all or train, not 'some'"),
        ("0.5\n1\n", {"kind": "indices", "base": 0}, "place 1 of a ranking is not a feature index but '0.5'"),
        ("a\x00b", {}, "mine.csv is not text"),
    ],
)
def test_a_sentence_for_each_mistake(text, how, sentence):
    with pytest.raises(RankingError, match=sentence):
        orders(text, **how)


def test_whole_numbers_are_scores_where_it_is_said():
    assert orders("3\n1\n3\n0\n2\n", kind="scores") == [[0, 2, 4, 1, 3]]


def test_files_of_other_kinds(tmp_path):
    with pytest.raises(
        RankingError, match=r"mine\.rda is not a ranking that mlfs can read: give a file that ends in .csv"
    ):
        orders("0\n", "mine.rda")
    for content in (b"MATLAB 7.3 MAT-file, Platform", b"\x89HDF\r\n\x1a\n"):
        with pytest.raises(RankingError, match=r"version 7.3: save it with save\(…, '-v7'\)"):
            orders(content, "mine.mat")
    with pytest.raises(RankingError, match=r"mine\.mat is damaged, or not a MAT file"):
        orders(b"not MATLAB at all", "mine.mat")
    with pytest.raises(RankingError, match=r"nowhere\.csv cannot be read: no such file"):
        read_ranking(tmp_path / "nowhere.csv", DS)


def test_a_path_its_name_and_rows(tmp_path):
    path = tmp_path / "my_method.csv"
    path.write_text("0\n4\n")
    ranking = read_ranking(path, DS)
    assert (ranking.name, ranking.dataset, ranking.rows) == ("my_method", "songs", "all")
    assert read_ranking(path, DS, "mine", rows="train").setting == "mine"
    assert as_ranking("other", str(path), DS).orders == ((0, 4),)
    assert as_ranking("other", ranking, DS).name == "other"
    assert name_of("a/b:c=d.csv") == "b c d"


def test_the_content_decides_the_fingerprint_and_nothing_else(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("0\n4\n")
    (tmp_path / "c.csv").write_text("4\n0\n")
    one, same, other = (read_ranking(tmp_path / f"{name}.csv", DS) for name in "abc")
    assert one.fingerprint == same.fingerprint != other.fingerprint


def test_what_is_in_memory():
    assert as_ranking("m", [3, 1], DS).orders == ((3, 1),)  # from 0, as Python counts
    assert as_ranking("m", np.array([4, 1]), DS, base=1).orders == ((3, 0),)
    assert as_ranking("m", [["f 4", "energy"], ["beat"]], DS).orders == ((3, 0), (4,))
    assert as_ranking("m", np.array([0.1, 0.5, 0.2, 0.4, 0.3]), DS).orders == ((1, 3, 4, 2, 0),)
    assert as_ranking("m", [[3, 1]], DS).rows == "train"
    for wrong in (3, [object()], [None], []):
        with pytest.raises(RankingError):
            as_ranking("m", wrong, DS)


def test_limits_come_before_memory(monkeypatch, tmp_path):
    monkeypatch.setattr(entries, "MOST_BYTES", 1000)
    (tmp_path / "long.csv").write_text("0\n" * 600)
    with pytest.raises(RankingError, match=r"long\.csv has more than 0 MB"):
        read_ranking(tmp_path / "long.csv", DS)
    bomb = mat(rank=np.zeros(100_000))
    assert len(bomb) < 1000
    with pytest.raises(RankingError, match=r"mine\.mat has more than 0 MB"):
        orders(bomb, "mine.mat")
    monkeypatch.setattr(entries, "MOST_ENTRIES", 3)
    with pytest.raises(RankingError, match="has more than 3 cells"):
        orders("0,1,2\n1,2,0\n")


def test_damaged_files_end_in_a_sentence():
    """Bytes of good files, changed at random: a ranking or a RankingError, nothing else."""
    rng = random.Random(0)
    good = [
        ("a.csv", b'"feature","s1"\n"beat",0.5\n"energy",0.25\n'),
        ("a.txt", "5 1 2\n1 5 3\n".encode("utf-16")),
        ("a.mat", mat(rank1=[5, 1], rank2=[1, 5])),
        ("a.mat", mat(names=strings("beat", "energy"))),
        (
            "a.mat",
            b"".join([mat(rank=[5, 1])[:128], b"\x0f\0\0\0", (20).to_bytes(4, "little"), zlib.compress(b"x" * 40)]),
        ),
    ]
    read = 0
    for _ in range(600):
        file, content = rng.choice(good)
        damaged = bytearray(content)
        for _ in range(rng.randrange(1, 6)):
            place = rng.randrange(len(damaged))
            if rng.random() < 0.3:
                del damaged[place:]
                break
            damaged[place] = rng.randrange(256)
        if not damaged:
            continue
        with contextlib.suppress(RankingError):
            ranking = parse_ranking(file, bytes(damaged), DS)
            read += 1
            assert all(0 <= index < 5 for order in ranking.orders for index in order)
    assert read  # some changes do no harm
