"""What is about one data set: its profile (Data), a method on it (Explore), the noise of several, and Pareto."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mlfs.checks import checked
from mlfs.evaluation.protocols import SPLITTING, Protocol
from mlfs.recipes.writing import (
    Labels,
    RankingFile,
    Recipe,
    changes,
    command,
    data_word,
    label_options,
    loading,
    protocol_call,
    protocol_options,
    selector_pair,
)
from mlfs.selectors.specification import method_text

Methods = Sequence[tuple[str, Mapping[str, Any]]]

MEASURES = (
    "instances",
    "features",
    "labels",
    "cardinality",
    "density",
    "distinct_labelsets",
    "unlabelled",
    "mean_imbalance",
    "feature_types",
)


@checked
def data_profile(data: str, *, uploaded: bool = False, labels: Labels = None) -> Recipe:
    """Sizes and measures, the rows of each label and of each pair of labels, and what the reader noted.

    Parameters
    ----------
    labels : which columns are labels, where the person had to say
    """
    python = f"""\
from mlfs import load_dataset
from mlfs.datasets import profile

{loading(data, uploaded, labels)}
measures = profile(ds)
for measure in {MEASURES!r}:
    print(measure, getattr(measures, measure))
for label, count in zip(measures.label_names, measures.label_counts):
    print(label, count, count / measures.instances)
print(measures.co_occurrence)
print(ds.source, *ds.notes, ds.fingerprint, sep="\\n")
"""
    return Recipe(python, command("data", "show", data_word(data, uploaded), *label_options(labels)))


@checked
def exploration(
    data: str,
    ranker: tuple[str, Mapping[str, Any]] | RankingFile,
    protocol: Protocol,
    seed: int,
    *,
    uploaded: bool = False,
    labels: Labels = None,
) -> Recipe:
    """The curve, R(F) and C(F), the level with all features, and the first features with their scores.

    Parameters
    ----------
    ranker : a method with its parameters, or a ranking from elsewhere
    labels : of an upload of which the person had to say them
    """
    names = ["averaged", "averaged_baseline", "explore_all", "get_protocol"]
    if isinstance(ranker, RankingFile):
        names.append("read_ranking")
        call, words = ranker.call("ds"), ranker.options()
    else:
        call, words = selector_pair(*ranker), [method_text(*ranker)]
    python = f"""\
from mlfs import load_dataset
from mlfs.evaluation import {", ".join(names)}

{loading(data, uploaded, labels)}
protocol = {protocol_call(protocol)}
runs = explore_all(ds, {call}, protocol, seed={seed})
print(averaged(runs).to_string(index=False))

print("with all features:", averaged_baseline(runs))
first = runs[0]  # the features themselves differ from split to split
for feature in first.selector.ranking_[:20]:
    print(ds.feature_names[feature], first.selector.scores_[feature])
"""
    options = [*label_options(labels), *protocol_options(protocol, seed)]
    return Recipe(python, command("curve", data_word(data, uploaded), *words, *options))


@checked
def noise(
    data: str,
    methods: Methods,
    protocol: Protocol,
    seed: int,
    *,
    uploaded: bool = False,
    labels: Labels = None,
    rankings: Sequence[RankingFile] = (),
) -> Recipe:
    """One row per method and size.

    Parameters
    ----------
    labels : of an upload of which the person had to say them
    rankings : from elsewhere, after the methods
    """
    chosen = ", ".join([*(selector_pair(*method) for method in methods), *(each.call("ds") for each in rankings)])
    names = ["get_protocol", "noise_table", *(["read_ranking"] if rankings else [])]
    python = f"""\
from mlfs import load_dataset
from mlfs.evaluation import {", ".join(names)}

{loading(data, uploaded, labels)}
protocol = {protocol_call(protocol)}
print(noise_table(ds, [{chosen}], protocol, seed={seed}).to_string(index=False))
"""
    words = ["--methods", *(method_text(*method) for method in methods)] if methods else []
    words += [word for each in rankings for word in each.options()]
    options = [*label_options(labels), *protocol_options(protocol, seed)]
    return Recipe(python, command("noise", data_word(data, uploaded), *words, *options))


@checked
def pareto(
    data: str,
    under: Sequence[str],
    parameters: Mapping[str, Any],
    methods: Methods,
    protocol: Protocol,
    seed: int,
    *,
    pmfs: Mapping[str, Any] | None = None,
    uploaded: bool = False,
    labels: Labels = None,
    rankings: Sequence[RankingFile] = (),
) -> Recipe:
    """The features on the front or selected by MAPD with its `parameters`; then the losses of the runs of `methods`.

    Parameters
    ----------
    under : the labels of the front
    pmfs : parameters with which PMFS sorts the features into fronts, in the program; None leaves it out
    labels : which columns are labels, where of an upload the person had to say
    rankings : from elsewhere, whose runs follow those of the methods
    """
    runs, names = "", ["Explorer", "compare_features", "get_protocol", *(["read_ranking"] if rankings else [])]
    if pmfs is not None:
        runs = f"""
pmfs, _ = explorer.fit({selector_pair("pmfs", pmfs)}, protocol, seed={seed})
print("first front:", [ds.feature_names[feature] for feature in pmfs.first_front_])
"""
    if methods or rankings:
        chosen = ", ".join([*(selector_pair(*method) for method in methods), *(each.call("ds") for each in rankings)])
        runs += f"""
for method in [{chosen}]:
    run = explorer.explore(method, protocol, seed={seed})
    print(run.selector.id, run.seconds, "s")
    print(run.curve.to_string(index=False))
"""
    python = f"""\
from mlfs import load_dataset
from mlfs.evaluation import {", ".join(names)}

{loading(data, uploaded, labels)}
explorer, protocol = Explorer(ds), {protocol_call(protocol)}
found = compare_features(explorer, {list(under)!r}, {selector_pair("mapd", parameters)}, protocol, seed={seed})
print(found.table().to_string(index=False))
print(found.steps().to_string(index=False))
{runs}"""
    word, with_labels = data_word(data, uploaded), label_options(labels)
    split = Protocol("quick", **{name: value for name, value in changes(protocol).items() if name in SPLITTING})
    front = [f"--under={label}" for label in under]
    of_front = [*front, *with_labels, *protocol_options(split, seed)]
    first = command("pareto", word, method_text("mapd", parameters), *of_front)
    options = [*with_labels, *protocol_options(protocol, seed)]
    if protocol.n_splits > 1:  # the page shows the first split, the command would take the mean over all
        options += ["--repeat", "0"]
    runners = [*([method_text(*method)] for method in methods), *(each.options() for each in rankings)]
    rest = [command("curve", word, *runner, *options) for runner in runners]
    return Recipe(python, "\n".join([first, *rest]))
