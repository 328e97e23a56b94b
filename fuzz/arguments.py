"""Good arguments of the public functions: those without a default, and those whose default would take long."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.error import URLError

import numpy as np
import pandas as pd
import plotly.graph_objects as go

RNG = np.random.default_rng(0)
N, D, Q = 40, 6, 3
X = RNG.normal(size=(N, D))
Y = (X[:, :Q] + RNG.normal(size=(N, Q)) > 0).astype(int)
FEATURES, LABELS = tuple("abcdef"), tuple("uvw")

Arguments = dict[str, dict[str, Any]]

#: By the name of a parameter, whichever function has it.
BY_NAME: dict[str, Any] = {
    "feature_names": FEATURES,
    "label_names": LABELS,
    "metric": "hamming_loss",
    "method": "els",
    "dataset": "emotions",
    "title": "t",
    "p_feature": 0.5,
    "p_label": 0.4,
    "agreement": 0.8,
    "copied": 0.5,
    "together": 0.5,
    "paper": "zhou_2023_mapd",
    "table": "tableIV",
    "seed": 0,
}


def _result(method: str, dataset: str, value: float) -> dict[str, Any]:
    about = {"dataset": dataset, "method": method, "parameters": "{}", "repeat": 0, "size": 1, "metric": "hamming_loss"}
    return {**about, "value": value, "seconds": 0.1, "error": ""}


@cache
def folder() -> Path:
    """A place of the trials' own, with files that can be read; gone with the process."""
    place = tempfile.TemporaryDirectory(prefix="mlfs-fuzz-")
    _KEPT.append(place)
    path = Path(place.name)
    path.joinpath("toy.csv").write_text("x,a\n1,0\n2,1\n3,0\n", encoding="utf-8")
    path.joinpath("ranking.csv").write_text("\n".join(map(str, range(D))), encoding="utf-8")
    return path


_KEPT: list[Any] = []


def results() -> pd.DataFrame:
    """A small table of results, as `compare` gives it."""
    rows = [_result(m, f"d{k}", v + k / 9) for k in range(6) for m, v in (("els", 0.1), ("igmf", 0.2), ("mfs", 0.4))]
    return pd.DataFrame(rows)


def small_dataset() -> Any:
    from mlfs.datasets import make_synthetic

    return make_synthetic(n_instances=60, n_relevant=3, n_redundant=1, n_irrelevant=2, n_labels=3)


def of_datasets() -> Arguments:
    from mlfs.datasets import load_bundled, load_dataset
    from mlfs.datasets.cache import store

    ds = small_dataset()
    store(replace(load_bundled("emotions"), split=None), folder())
    csv = folder() / "toy.csv"
    return {
        "load_dataset": {"name_or_path": "emotions"},
        "load_bundled": {"name": "emotions"},
        "read_files": {"files": {"t.csv": b"x,a\n1,0\n2,1\n"}, "labels": -1},
        "read_dataset": {"path": csv, "labels": -1},
        "find_datasets": {"folder": folder()},
        "list_datasets": {"folder": folder()},
        "cached_names": {"folder": folder()},
        "write_dataset": {"ds": ds, "path": folder() / "written.csv"},
        "download_dataset": {"name": "emotions", "cache_folder": folder(), "fetch": _no_network},
        "profile": {"ds": ds},
        "parse_synthetic": {"name": "synthetic"},
        "is_synthetic": {"name": "synthetic"},
        "synthetic_name": {"parameters": {"n_labels": 3}},
        "make_synthetic": {"n_instances": 30, "n_labels": 3, "n_relevant": 3},
        "Dataset": {"X": X, "Y": Y, "feature_names": FEATURES, "label_names": LABELS, "name": "toy"},
        "given_split": {"ds": load_dataset("emotions")},
    }


def _no_network(number: int, path: Path) -> Any:
    raise URLError("no network here")


def of_evaluation() -> Arguments:
    from mlfs.evaluation import Explorer, get_protocol

    ds = small_dataset()
    half = (ds.X[:40], ds.Y[:40], ds.X[40:], ds.Y[40:])
    explorer = Explorer(ds)
    explored = explorer.explore("igmf", get_protocol("quick", sizes=(1, 2)))
    return {
        "loss_curve": dict(zip(("X_train", "Y_train", "X_test", "Y_test"), half, strict=True))
        | {"ranking": [0, 1, 2], "sizes": [1, 2], "classifier": "ridge", "n_jobs": 1},
        "compare": {"datasets": [ds], "selectors": ["igmf"]},
        "explore": {"ds": ds, "selector": "igmf"},
        "explore_all": {"ds": ds, "selector": "igmf"},
        "evaluate": {"Y": Y, "labels": Y, "scores": Y + 0.0, "metrics": ["hamming_loss"]},
        "get_protocol": {"protocol": "quick"},
        "random_splits": {"Y": Y, "test_share": 0.3, "repeats": 2, "seed": 0},
        "k_folds": {"Y": Y, "folds": 2, "seed": 0},
        "split_table": {"splits": [(np.arange(5), np.arange(5, 9))], "n": 9},
        "sizes_up_to": {"most": 5},
        "scale": {"train": X, "test": X, "scaling": "z_score"},
        "average_classification_result": {"curve": explored.curve},
        "as_ranking": {"given": [0, 1, 2], "ds": ds, "name": "mine"},
        "read_ranking": {"path": folder() / "ranking.csv", "ds": ds},
        "averaged": {"explorations": [explored]},
        "averaged_baseline": {"explorations": [explored]},
        "compare_features": {"explorer": explorer, "labels": list(ds.label_names[:2])},
        "noise_at_tenths": {"explorer": explorer, "selector": "igmf"},
        "noise_table": {"ds": ds, "selectors": ["igmf"]},
        "runs_of": {"explored": [("igmf", "igmf", explored)]},
        "runs_of_study": {"rows": results(), "dataset": "d0", "metric": "hamming_loss"},
    }


def of_numbers() -> Arguments:
    """Information, metrics and statistics."""
    from mlfs.statistics import friedman, judge

    table = results().pivot_table(index="dataset", columns="method", values="value", observed=True)
    ranks = {"els": 1.0, "igmf": 2.0, "mfs": 3.0}
    significant = pd.DataFrame(False, index=list(ranks), columns=list(ranks))
    two = {name: {"D": Y, "E": Y} for name in ("mutual_information", "symmetrical_uncertainty")}
    labels = (
        "hamming_loss", "subset_accuracy", "zero_one_loss", "macro_f1", "micro_f1", "example_f1", "example_accuracy",
        "example_precision", "example_recall", "balanced_accuracy",
    )  # fmt: skip
    scores = (
        "ranking_loss", "one_error", "coverage", "coverage_share", "average_precision", "macro_auc", "micro_auc",
        "macro_average_precision", "micro_average_precision",
    )  # fmt: skip
    return {
        **two,
        "discretize": {"X": X},
        "entropy": {"D": Y},
        "labelset": {"Y": Y},
        "chi_square": {"D": Y, "weights": Y + 0.0},
        "group": {"columns": Y[:, 0]},
        "conditional_mutual_information": {"D": Y, "E": Y, "given": Y[:, 0]},
        "joint_entropy": {"D": Y, "given": Y[:, 0]},
        "joint_mutual_information": {"D": Y, "s": Y[:, 0], "E": Y},
        "label_interaction": {"D": Y, "Y": Y},
        "redundancy": {"X": X, "Y": Y, "subset": [0, 1]},
        "residual_label_correlation": {"X": X, "Y": Y, "subset": [0, 1]},
        "stability": {"subsets": [[0, 1], [1, 2]], "n_features": 4},
        "jaccard": {"subsets": [[0, 1], [1, 2]], "n_features": 4},
        **{name: {"name": "hamming_loss"} for name in ("metric_title", "direction", "lower_is_better", "quantity")},
        **{name: {"Y": Y, "P": Y} for name in labels},
        **{name: {"Y": Y, "S": X[:, :Q]} for name in scores},
        "friedman": {"table": table},
        "nemenyi": {"result": friedman(table)},
        "bonferroni_dunn": {"result": friedman(table), "control": "els"},
        "wilcoxon_holm": {"table": table},
        "paired_t_tests": {"samples": table},
        "critical_difference": {"k": 3, "n": 6},
        "judge": {"table": table},
        "cliques": {"average_ranks": ranks, "cd": 1.0},
        "cliques_from_pairs": {"average_ranks": ranks, "significant": significant},
        "conclusion": {"verdict": judge(table)},
    }


class InThisProcess:
    """An engine without workers of its own."""

    def compute(self, cells: Any, datasets: Any, cancel: Any) -> Any:
        from mlfs.studies.cell_runner import CellRunner

        runner = CellRunner()
        for cell in cells:
            yield runner.compute(cell, datasets[cell.dataset])


def of_studies() -> Arguments:
    from mlfs.studies import MethodGrid, Plan, Store

    quick = Plan("p", ["synthetic"], ["random"], settings={"sizes": [1]})
    grid = Plan("p", ["synthetic"], [MethodGrid("els", grid={"n_labels": [1, 2]})], settings={"sizes": [1]})
    store = Store(folder() / "studies.sqlite")
    return {
        "make_selector": {"method": "igmf"},
        "adapted": {"choice": "igmf"},
        "make_classifier": {"classifier": "ridge"},
        "Plan": {"name": "p", "datasets": ["emotions"], "methods": ["els"]},
        "MethodGrid": {"method": "els"},
        "estimate": {"plan": Plan("p", ["emotions"], ["igmf"])},
        "run": {"plan": quick, "store": store, "engine": InThisProcess()},
        "search": {"plan": grid, "store": store, "budget": 1, "seconds": 0.0},
    }


def of_tables() -> Arguments:
    return {
        **{name: {"table": results()} for name in ("to_csv", "to_latex", "to_text", "to_styler")},
        "summary": {"results": results(), "metric": "hamming_loss"},
        "read_result_table": {"text": "dataset,els,igmf\na,0.1,0.2\nb,0.3,0.4\n", "metric": None},
    }


def of_plots() -> Arguments:
    from mlfs.datasets import profile
    from mlfs.plots import MatrixPanel, grid_heatmap
    from mlfs.statistics import judge

    table = results().pivot_table(index="dataset", columns="method", values="value", observed=True)
    board = pd.DataFrame(
        {"average_rank": [1.5, 2.5], "low": 1.0, "high": 3.0, "seconds": [1.0, 0.1], "on_front": [True, False]},
        index=["els", "grro"],
    )
    runs = {"method": ["els", "grro"], "size": [10, 20], "seconds": [0.1, 1.0], "hamming_loss": [0.2, 0.1]}
    sweep = [(k, n, k / n) for k in (1, 2, 4) for n in (10, 30)]
    curve = pd.DataFrame({"size": [1, 2], "hamming_loss": [0.2, 0.1]})
    changes = [{"parameter": "alpha", "value": "0.1", "change": -0.2, "low": -0.5, "high": 0.0}]
    front = {"uncertainty": abs(X[:, :2]), "on_front": np.arange(D) < 2, "label_names": LABELS[:2]}
    front["uncertainty"] = abs(X[:D, :2])
    grid = {"values": np.arange(6.0).reshape(2, 3), "alphas": [0.1, 1.0], "betas": [1.0, 10.0, 100.0]}
    steps = np.arange(1.0, 4.0)
    return {
        **{name: {"figure": go.Figure()} for name in ("alt_text", "enlarged", "to_html", "to_image")},
        "bound_pairs": {"bound": abs(X[:D, :Q]), "information": abs(X[:D, :Q]) / 2, "inside": np.arange(Q) < 1},
        "bounds": {"chain": np.ones((Q + 1, D)), "features": [0, 1]},
        "co_occurrence_heatmap": {"counts": Y.T @ Y},
        "convergence": {"history": {"objective": steps}},
        "critical_difference_diagram": {"average_ranks": {"els": 1.0, "igmf": 2.0}, "cd": 0.5, "metric": None},
        "curves": {"table": results()[results()["dataset"] == "d0"], "metrics": ["hamming_loss"]},
        "curves_outline": {"names": ["ELS"], "metrics": ["hamming_loss"], "sizes": [1, 2]},
        "discretization_preview": {"values": X[:, 0]},
        "duel": {"mine": abs(X[0, :Q]), "theirs": abs(X[1, :Q]), "names": ("a", "b"), "wins": np.arange(Q) < 1},
        "feature_front": front,
        "feature_lines": front,
        "feature_graph": {"positions": X[:D, :2], "pagerank": np.full(D, 1 / D), "edges": np.array([[0, 1], [1, 2]])},
        "grid_heatmap": grid,
        "grid_outline": {"alphas": grid["alphas"], "betas": grid["betas"]},
        "grid_surface": grid,
        "growth": {"lines": {"instances": (steps, steps / 9)}},
        "grro_terms": {"terms": {name: np.ones(D) for name in ("relevance", "features", "labels")}, "ranking": [0, 1]},
        "label_entropies": {"entropies": np.array([0.2, 0.9, 0.5])},
        "label_frequencies": {"profile": profile(small_dataset())},
        "matching_heatmap": {"correlation": X[:2, :Q], "rounds": np.array([[2, 0, 1]]), "features": [2, 1]},
        "matrix_panels": {"panels": [MatrixPanel("m", X[:2, :2], ["r", "s"], ["c", "d"])]},
        "method_map": {"placed": pd.DataFrame({"x": [0.0, 1.0], "y": [0.0, 1.0]}, index=["els", "grro"])},
        "named_lines": {"lines": {"a": (steps, steps)}, "x_title": "x", "y_title": "y"},
        "nothing_yet": {"reason": "Wait."},
        "objective_fronts": {"objectives": X[:D, :2], "fronts": np.arange(D) // 2, "titles": ("x", "y")},
        "overlap_heatmap": {"overlap": np.eye(2), "methods": ["els", "grro"]},
        "parameter_changes": {"table": pd.DataFrame(changes), "quantity": "ranking loss"},
        "rank_against_time": {"table": board},
        "rank_intervals": {"table": board},
        "ranks_by_dataset": {"ranks": pd.Series({"yeast": 7.0, "flags": 2.5}), "methods": 53},
        "run_front": {"runs": pd.DataFrame(runs)},
        "about_runs": {"runs": pd.DataFrame(runs), "metric": "hamming_loss"},
        "score_bars": {"scores": np.arange(D) + 0.0, "ranking": [2, 1]},
        "selected_count": {"alphas": steps, "counts": np.array([1, 2, 3])},
        "sensitivity_lines": {"table": pd.DataFrame(sweep, columns=["k", "size", "value"]), "parameter": "k"},
        "style_of": {"method": "els"},
        "styles_of": {"methods": ["els", "igmf"]},
        "tidy": {"curves": {"els": curve}},
        "time_bars": {"seconds": {"els": 1.0, "igmf": 0.1}},
        "verdict_diagram": {"verdict": judge(table)},
        "with_trials": {
            "figure": grid_heatmap(**grid), "trials": [[0.1, 1.0]], "values": [0.2],
            "grid": [grid["alphas"], grid["betas"]],
        },
        "z_heatmap": {"Z": X[:D, :Q]},
    }  # fmt: skip


def of_papers() -> Arguments:
    return {
        "get_experiment": {"result": "tableIV"},
        "published_ranks": {"paper": "lee_kim_2016", "table": 5, "metric": None},
    }


def of_lessons() -> Arguments:
    from mlfs.learn import System, Table, bound_curve, copying, make_bound, prepare_system, tournament

    table, system = Table(10, 5, 3, 12), System.solve(prepare_system(0.5, 0.5), 1.0, 1.0)
    return {
        "advantages": {},
        "copy_advantage": {"shares": np.linspace(0, 1, 3), "advantages": {"els": np.ones(3)}},
        "dominance_map": {"model": tournament(0.7), "across": 0, "up": 1},
        "information_bars": {"table": table},
        "mosaic": {"table": table},
        "information_bound": {"model": make_bound(0.5, 0.4, 0.8), "curve": bound_curve(0.5, 0.8)},
        "label_points": {"X": X, "Y": Y},
        "objective_terms": {"model": system},
        "system_matrices": {"model": system},
        "second_pick": {"model": copying(0.5)},
        "tournament": {"alpha": 0.7},
    }


@cache
def _answered() -> Any:
    from mlfs.answer import answer

    return answer(small_dataset(), _settings(), draws=1)


def _settings() -> Any:
    from mlfs.answer import answer_settings
    from mlfs.evaluation import get_protocol

    protocol = get_protocol("quick", split="folds", folds=2, sizes=(1, 2, 3), classifier="ridge")
    return answer_settings(["igmf"], protocol=protocol)


def of_answer() -> Arguments:
    from mlfs.evaluation import Explorer

    ds, settings, found = small_dataset(), _settings(), _answered()
    explorer, best = Explorer(ds), _answered().shortlist.results[0]
    curve = pd.DataFrame({"size": [1, 2], "hamming_loss": [0.4, 0.25], "hamming_loss_std": 0.1})
    return {
        "answer": {"ds": ds, "settings": settings, "draws": 1},
        "answer_settings": {"methods": ["igmf"]},
        "answer_protocol": {},
        "choose_size": {"curve": curve, "splits": 4},
        "conclude": {"explorer": explorer, "settings": settings, "shortlist": found.shortlist},
        "final_selection": {"ds": ds, "settings": settings, "result": best},
        "nested_estimate": {"explorer": explorer, "settings": settings, "optimistic": 0.2},
        "parse_rule": {"text": "best"},
        "permutation_test": {"ds": ds, "settings": settings, "permutations": 1},
        "random_features": {"explorer": explorer, "settings": settings, "result": best, "draws": 1},
        "run_methods": {"explorer": explorer, "settings": settings},
    }


def of_benchmark() -> Arguments:
    from mlfs.benchmark import describe, leaderboard, overlaps, read_benchmark, run_benchmark, stabilities
    from mlfs.studies import Store

    kept, ds = read_benchmark(), small_dataset()
    board, store = leaderboard(kept), Store(folder() / "benchmark.sqlite")
    overlap = overlaps(kept)
    small = {"store": store, "datasets": ["emotions"], "methods": ["random"]}
    run = {"parts": ["default"], "splits": 1, "classifiers": ["mlknn"], "engine": InThisProcess()}
    run_benchmark(**small, **run)
    return {
        "advise": {"benchmark": kept, "described": describe(ds, "toy"), "board": board},
        "bibtex": {},
        "card": {"benchmark": kept, "board": board, "overlap": overlap, "stable": stabilities(kept)},
        "describe": {"ds": ds, "name": "toy"},
        "leaderboard": {"benchmark": kept},
        "make_benchmark": small | {"splits": {"emotions": 1}},
        "run_benchmark": {**small, **run},
        "overlaps": {"benchmark": kept},
        "stabilities": {"benchmark": kept},
        "placed_on_map": {"overlap": overlap},
        "read_benchmark": {},
    }


def of_recipes() -> Arguments:
    from mlfs.benchmark import LeaderboardSettings
    from mlfs.evaluation import get_protocol
    from mlfs.papers import get_table
    from mlfs.studies import MethodGrid, Plan

    quick, methods = get_protocol("quick"), [("els", {})]
    table = results().pivot_table(index="dataset", columns="method", values="value", observed=True)
    plan = Plan("p", ["emotions"], [MethodGrid("els", grid={"n_labels": [1, 2]})])
    one = {"data": "emotions", "protocol": quick}
    return {
        "comparison": {"datasets": ["emotions"], "methods": methods, "protocol": quick, "seeds": [0], "at": None},
        "data_profile": {"data": "emotions"},
        "exploration": {**one, "ranker": ("els", {})},
        "lesson": {"names": "Table", "lines": "Table(1, 2, 3, 4).worked()"},
        "measured_result": {"result": "tableIV"},
        "methods_leaderboard": {"settings": LeaderboardSettings()},
        "noise": {**one, "methods": methods},
        "pareto": {**one, "under": ["amazed-suprised"], "parameters": {}, "methods": methods},
        "pipeline_program": {"recommendation": _answered(), "data": "emotions"},
        "published_table": {"table": get_table("zhou_2023_mapd", "tableIV")},
        "sensitivity": {"plan": plan, "names": ["n_labels"], "sizes": [1]},
        "significance": {"table": table, "test": "nemenyi"},
        "tour_step": {"step": 0, "data": None, "settings": {}},
    }


#: By package; the name of a function may occur in several.
OF_PACKAGES = {
    "mlfs.answer": of_answer,
    "mlfs.benchmark": of_benchmark,
    "mlfs.classifiers": of_studies,
    "mlfs.datasets": of_datasets,
    "mlfs.evaluation": lambda: of_evaluation() | of_datasets(),
    "mlfs.information": of_numbers,
    "mlfs.learn": of_lessons,
    "mlfs.metrics": of_numbers,
    "mlfs.papers": of_papers,
    "mlfs.plots": of_plots,
    "mlfs.recipes": of_recipes,
    "mlfs.selectors": of_studies,
    "mlfs.statistics": of_numbers,
    "mlfs.studies": of_studies,
    "mlfs.tables": of_tables,
}
