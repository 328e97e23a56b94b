"""``mlfs data``: which sets there are, what they look like, fetching and converting them."""

from __future__ import annotations

import argparse

from mlfs.cli.arguments import add_dataset, new_file, reading
from mlfs.cli.output import Answer, facts, loss, notes, table
from mlfs.cli.parser import Parser, add_family, add_verb
from mlfs.cli.progress import ProgressLine
from mlfs.wording import joined


def build(parser: Parser) -> None:
    verbs = add_family(parser, "list, show, download and convert data sets")
    list_parser = add_verb(
        verbs,
        "list",
        run_list,
        "the data sets that can be named, and where they are",
        more="Sets in the folder that MLFS_DATA names are listed too; the others come from the papers' catalogue.",
        examples="mlfs data list\nmlfs data list --here",
    )
    list_parser.add_argument("--here", action="store_true", help="only those on this machine")
    show_parser = add_verb(
        verbs,
        "show",
        run_show,
        "sizes, labels and types of features of a data set",
        examples="mlfs data show emotions",
    )
    add_dataset(show_parser)
    download_parser = add_verb(
        verbs,
        "download",
        run_download,
        "get sets of the catalogue, or any by its number, from OpenML, once",
        more="They are kept in the folder that MLFS_CACHE names, else in the user's cache folder.",
        examples="mlfs data download birds",
    )
    download_parser.add_argument(
        "names", nargs="+", metavar="NAME", help="a name that mlfs data list shows as download, or openml:NUMBER"
    )
    convert_parser = add_verb(
        verbs,
        "convert",
        run_convert,
        "write a data set as CSV, as ARFF with an XML (Mulan, MEKA), as .mat (MATLAB), Parquet, Feather or LibSVM",
        more="What is written is read back and compared: the copy holds the same numbers, bit for bit, or is not kept.",
        examples="""
            mlfs data convert emotions emotions.arff
            mlfs data convert emotions.arff emotions.csv
            mlfs data convert yeast yeast.libsvm --parts
            mlfs data convert yeast yeast.mat
            mlfs data convert yeast.mat yeast.parquet --transposed Y
            mlfs data show emotions.csv --labels -6
        """,
    )
    add_dataset(convert_parser)
    convert_parser.add_argument(
        "target", type=new_file, metavar="TARGET", help="the file to write; its suffix says in which format"
    )
    convert_parser.add_argument(
        "--parts", action="store_true", help="write the set's own split as TARGET-train and TARGET-test"
    )


def run_list(arguments: argparse.Namespace) -> Answer:
    from mlfs.datasets import CATALOGUE, list_datasets

    here = list_datasets()
    there = {
        entry.name: "by hand" if entry.openml_id is None else "download"
        for entry in CATALOGUE.values()
        if entry.name not in here and not arguments.here
    }
    rows = []
    for name, where in {**here, **there}.items():
        # A set of one's own may have the name of a catalogued one and other sizes.
        entry = CATALOGUE.get(name) if where != "MLFS_DATA" else None
        rows.append(
            {
                "name": name,
                "where": where,
                "instances": entry and entry.instances,
                "features": entry and entry.features,
                "labels": entry and entry.labels,
                "domain": entry.domain if entry else "",
            }
        )
    header = ["name", "where", "domain", "instances", "features", "labels"]
    cells = [["–" if row[column] is None else str(row[column]) for column in header] for row in rows]
    return Answer({"datasets": rows}, table(header, cells, left=3))


def run_show(arguments: argparse.Namespace) -> Answer:
    from mlfs.datasets import load_dataset, profile

    ds = load_dataset(arguments.dataset, **reading(arguments))
    measures = profile(ds)
    split = None if ds.split is None else {"train": len(ds.split[0]), "test": len(ds.split[1])}
    document = {
        **measures.as_dict(),
        "split": split,
        "source": ds.source,
        "notes": ds.notes,
        "fingerprint": ds.fingerprint,
    }
    types = [f"{number} {kind}" for kind, number in measures.feature_types.items() if number]
    pairs = [
        ("name", measures.name),
        ("instances", str(measures.instances)),
        ("features", f"{measures.features} ({', '.join(types)})"),
        ("labels", str(measures.labels)),
        ("cardinality", f"{measures.cardinality:.4f} labels per instance"),
        ("density", f"{measures.density:.4f}"),
        ("labelsets", f"{measures.distinct_labelsets} different"),
        ("unlabelled", f"{measures.unlabelled:.2%} of the instances"),
        ("mean imbalance", "–" if measures.mean_imbalance is None else f"{measures.mean_imbalance:.4f}"),
        ("own split", "none" if split is None else f"{split['train']} training, {split['test']} test rows"),
        ("source", ds.source),
    ]
    counts = [
        [name, str(count), loss(share)]
        for name, count, share in zip(measures.label_names, measures.label_counts, measures.label_shares, strict=True)
    ]
    return Answer(document, "\n\n".join([facts(pairs), table(["label", "rows", "share"], counts), *notes(ds.notes)]))


def run_download(arguments: argparse.Namespace) -> Answer:
    from mlfs.datasets import cache_folder, download_dataset
    from mlfs.errors import MlfsError

    downloaded, problems = [], []
    for name in arguments.names:
        try:
            with ProgressLine() as progress:
                downloaded.append(download_dataset(name, progress=progress.share))
        except MlfsError as error:
            problems.append(str(error))
    rows = [{"name": ds.name, **ds.sizes} for ds in downloaded]
    text = ""
    if downloaded:
        verb = "is" if len(downloaded) == 1 else "are"
        text = f"{joined(ds.name for ds in downloaded)} {verb} in {cache_folder()}."
    return Answer({"folder": str(cache_folder()), "datasets": rows, "problems": problems}, text, tuple(problems))


def run_convert(arguments: argparse.Namespace) -> Answer:
    from mlfs.datasets import load_dataset, write_dataset
    from mlfs.datasets.formats import FORMATS

    ds = load_dataset(arguments.dataset, **reading(arguments))
    files = write_dataset(ds, arguments.target, parts=arguments.parts)
    suffix = files[0].suffix.lower()
    split_lost = ds.split is not None and not arguments.parts and FORMATS[suffix.removeprefix(".")].write_split is None
    remarks = _lost(split_lost, suffix, ds.Y.shape[1])
    document = {"name": ds.name, "files": list(map(str, files)), "notes": remarks}
    return Answer(document, "\n".join([f"Wrote {joined(map(str, files))}.", *remarks]))


def _lost(split: bool, suffix: str, q: int) -> list[str]:
    """What the files do not say of the data set."""
    remarks = []
    if split:
        remarks.append("The set's own train/test split is not in the file; --parts writes it as two.")
    if suffix == ".csv":
        remarks.append(f"A CSV does not tell labels from features; read it with --labels -{q}.")
    if suffix == ".libsvm":
        remarks.append("LibSVM keeps no names: features are called f1, f2, … and labels 1, 2, … there.")
    return remarks
