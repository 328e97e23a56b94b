"""The Data page: the profile's numbers, synthetic sets in the link, downloads, uploads of friends and strangers."""

from __future__ import annotations

import io
import re
import threading
import zipfile
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

from mlfs.datasets import Dataset, cached_names, load_dataset, make_synthetic
from mlfs.datasets.cache import store
from mlfs.errors import DatasetError
from pages.parts import downloads, owners, uploads
from tests.app.addresses import address
from tests.waiting import GUARD

MEKA = (
    b"@relation 'tiny: -C 2'\n@attribute y {0,1}\n@attribute z {0,1}\n@attribute a real\n@data\n1,0,3\n0,1,2\n1,1,5\n"
)
MULAN = b"@relation tiny\n@attribute a numeric\n@attribute y {0,1}\n@attribute z {0,1}\n@data\n3,1,0\n2,0,1\n5,1,1\n"
XML = b'<labels xmlns="http://mulan.sourceforge.net/labels"><label name="y"/><label name="z"/></labels>'
CSV = b"height,weight,tall,heavy\n1.9,80,1,1\n1.5,60,0,0\n1.8,90,1,1\n"


def zipped(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def zip_bomb() -> bytes:
    """Few bytes that unpack to more than an upload may have."""
    packed, chunk = io.BytesIO(), b"0,1\n" * 250_000
    quickly = zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with quickly as archive, archive.open("bomb.csv", "w") as member:
        for _ in range(uploads.LIMITS.max_bytes // len(chunk) + 1):
            member.write(chunk)
    return packed.getvalue()


def metrics(app) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def fine(app):
    assert not app.exception
    assert not app.error, [error.value for error in app.error]
    return app


def give(app, *files: tuple[str, bytes]):
    """Put files into the uploader."""
    app.file_uploader[0].set_value([(name, content, "application/octet-stream") for name, content in files])
    return app.run()


def use(app):
    [button] = [button for button in app.button if button.label == "Use these files"]
    assert not button.disabled
    return button.click().run()


def preview(app) -> str:
    """The table of the first rows."""
    [table] = [html.proto.body for html in app.get("html") if "mlfs-preview" in html.proto.body]
    return table.split("</style>")[1]


def coloured(app) -> list[str]:
    """The columns that the preview shows as labels."""
    return re.findall(r'<th class="label">(.*?)<br>', preview(app))


def ways(app):
    """The choice of the label columns."""
    [radio] = [radio for radio in app.radio if radio.label == "Which columns are labels?"]
    return radio


def chosen(app) -> str:
    return app.selectbox(key="data").value


def test_profile_of_a_bundled_set(open_page):
    app = fine(open_page("data"))
    assert app.header[0].value == "emotions"
    assert metrics(app) == {
        "Rows": "593",
        "Features": "72",
        "Labels": "6",
        "Cardinality": "1.868",
        "Density": "0.311",
        "Labelsets": "27",
        "Mean imbalance": "1.48",
    }
    ds = load_dataset("emotions")
    counts = app.dataframe[0].value
    assert counts["Rows"].tolist() == ds.Y.sum(axis=0).tolist()
    said = "\n".join(text.value for text in app.text)
    assert ds.source in said
    assert ds.notes[0] in said
    assert ds.fingerprint in said
    assert any("Its own split has 391 training and 202 test rows." in caption.value for caption in app.caption)
    assert address(app) == {}


def test_bins_and_feature_stand_in_the_link(open_page):
    app = fine(open_page("data", data="scene", feature="294", n_bins="3", discretization="equal_frequency"))
    assert app.number_input(key="n_bins").value == 3
    assert app.selectbox(key="feature").value == 294
    app.number_input(key="n_bins").set_value(4).run()
    assert address(app)["n_bins"] == "4"
    app.selectbox(key="data").set_value("emotions").run()  # which has 72 features: no mistake of the person's
    assert not fine(app).info
    assert app.selectbox(key="feature").value == 1


@pytest.mark.parametrize(
    ("link", "note"),
    [
        ({"data": "emotion"}, "There is no data set 'emotion': did you mean 'emotions'?"),
        ({"data": "../emotions.arff"}, "There is no data set '../emotions.arff': did you mean 'emotions'?"),
        ({"data": "birds"}, "birds is not on this machine: the Data page says how to get it."),
        (
            {"data": "synthetic:n_labels=0"},
            "synthetic: n_labels must be a whole number from 1 to 100, not 0.",
        ),
        ({"data": "synthetic:labels=3"}, "synthetic has no parameter 'labels': did you mean 'n_labels'?"),
        ({"feature": "99"}, "feature must be a whole number from 1 to 72, not 99."),
        ({"n_bins": "many"}, "n_bins must be a whole number from 2 to 256, not 'many'."),
    ],
)
def test_a_wrong_link_gets_a_note_and_the_default(open_page, link, note):
    app = fine(open_page("data", **link))
    assert [info.value.startswith(note) for info in app.info] == [True]
    assert app.info[0].value.endswith("The default is shown instead.")
    assert app.header[0].value == "emotions"


def test_a_synthetic_set_is_its_name(open_page):
    app = fine(open_page("data", data="synthetic:n_labels=4,seed=1"))
    truth = make_synthetic(n_labels=4, seed=1)
    assert app.header[0].value == "synthetic:n_labels=4,seed=1"
    assert app.select_slider(key="synthetic.n_labels").value == 4
    weights = app.dataframe[0].value
    assert weights["Feature"].tolist() == [f"relevant_{i}" for i in range(1, 11)]
    np.testing.assert_array_equal(weights.drop(columns="Feature").to_numpy(), truth.truth.weights)
    app.select_slider(key="synthetic.n_labels").set_value(3).run()
    app.toggle(key="synthetic.sparse").set_value(True).run()
    assert address(app)["data"] == "synthetic:n_labels=3,sparse=True,seed=1"
    assert metrics(fine(app))["Labels"] == "3"


def test_a_synthetic_set_too_large_is_not_made(open_page):
    app = open_page("data", data="synthetic:n_irrelevant=1900")
    app.number_input(key="synthetic.n_instances").set_value(20_000).run()
    assert [error.value for error in app.error] == [
        "A synthetic set of 20000 instances with 1926 features and labels is too large: "
        "keep their product to 4,000,000."
    ]
    assert metrics(app)["Rows"] == "500"
    assert app.number_input(key="synthetic.n_instances").value == 500
    assert not app.run().error


@pytest.mark.parametrize(
    "files",
    [
        [("tiny.arff", MULAN), ("tiny.xml", XML)],
        [("tiny.arff", MEKA)],
        [("tiny.libsvm", b"1 1:3\n2 1:2\n1,2 1:5\n")],
        [("tiny.zip", zipped({"tiny.arff": MULAN, "tiny.xml": XML}))],
    ],
    ids=["mulan", "meka", "libsvm", "zip"],
)
def test_an_upload_becomes_the_chosen_set(open_page, files):
    app = use(give(open_page("data"), *files))
    assert fine(app).header[0].value == "tiny"
    assert {key: metrics(app)[key] for key in ("Rows", "Labels")} == {"Rows": "3", "Labels": "2"}
    assert chosen(app).startswith("upload-")
    assert address(app)["data"] == chosen(app)
    assert not app.file_uploader[0].value  # ready for the next
    assert "path/to/your-file" in app.code[0].value


def test_the_labels_of_a_csv_are_proposed_and_shown_before_it_is_read(open_page):
    app = fine(give(open_page("data"), ("people.csv", CSV)))
    assert ways(app).options == ["the last 2 columns (proposed)", "the last …", "the first …", "choose by name"]
    assert coloured(app) == ["tall", "heavy"]
    assert any(text.value.startswith("**2 labels** and **2 features** in 3 rows.") for text in app.markdown)
    assert chosen(app) == "emotions"
    assert not app.session_state["viewer"] or not owners.UPLOADS.of(app.session_state["viewer"])
    fine(use(app))
    assert app.dataframe[0].value["Label"].tolist() == ["tall", "heavy"]
    assert "labels=-2" in app.code[0].value
    assert app.code[1].value == "mlfs data show path/to/your-file --labels -2"


def test_four_label_columns_are_never_taken_for_one(open_page):
    rows = b"".join(b"%d.5,%d.25,%d.125,9.5,%d,1,0,%d\n" % (i, i + 1, i + 2, i % 2, 1 - i % 2) for i in range(6))
    app = use(give(open_page("data"), ("four.csv", b"f,g,h,i,a,b,c,d\n" + rows)))
    assert metrics(fine(app))["Labels"] == "4"
    assert metrics(app)["Features"] == "4"


@pytest.mark.parametrize(
    ("way", "label", "value", "labels", "recipe"),
    [
        ("the last …", "Number of labels", 1, ["heavy"], "--labels -1"),
        ("the first …", "Number of labels", 1, ["height"], None),
        ("choose by name", "Label columns", ["tall"], ["tall"], "--label=tall"),
    ],
)
def test_the_proposal_can_be_corrected(open_page, way, label, value, labels, recipe):
    app = give(open_page("data"), ("people.csv", CSV))
    ways(app).set_value(way).run()
    [field] = [field for field in [*app.number_input, *app.multiselect] if field.label == label]
    field.set_value(value).run()
    assert coloured(app) == labels
    use(app)
    if recipe is None:  # heights are no labels: a sentence, and the form is as it was
        assert "the label 'height' is '1.9'; in every row it must be 0 or 1" in app.error[0].value
        assert coloured(app) == labels
    else:
        assert fine(app).dataframe[0].value["Label"].tolist() == labels
        assert recipe in app.code[1].value


def test_variables_of_a_matlab_file_can_be_named(open_page):
    """A square table of labels tells nothing of its sides, and the names are nobody's habit."""
    features, answers = (
        np.arange(16).reshape(4, 4) / 7,
        np.array([[1, 0, 0, 1], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]]),
    )
    savemat(file := io.BytesIO(), {"A": features, "B": answers})
    app = give(open_page("data"), ("own.mat", file.getvalue()))
    assert fine(app).info[0].value.endswith("do not tell features from labels; choose both above.")
    chosen = {box.label: box for box in app.selectbox if box.label in ("Features", "Labels", "Instances")}
    chosen["Features"].set_value("A")
    chosen["Labels"].set_value("B")
    chosen["Instances"].set_value("Y").run()
    app = use(fine(app))
    assert metrics(fine(app))["Labels"] == "4"
    assert app.dataframe[0].value["Rows"].tolist() == answers.sum(axis=1).tolist()
    assert "variables=['A', 'B'], transposed='Y'" in app.code[0].value
    assert "--variables A,B --transposed Y" in app.code[1].value


def test_a_sheet_of_a_workbook_can_be_chosen(open_page):
    with pd.ExcelWriter(file := io.BytesIO()) as book:
        for name, column in {"old": "a", "new": "b"}.items():
            pd.DataFrame({column: [1.5, 2.5, 3.5], "y": [0, 1, 1]}).to_excel(book, sheet_name=name, index=False)
    app = give(open_page("data"), ("own.xlsx", file.getvalue()))
    [sheet] = [box for box in app.selectbox if box.label == "Sheet"]
    assert (sheet.value, sheet.options) == ("old", ["old", "new"])
    sheet.set_value("new").run()
    app = use(fine(app))
    assert "load_dataset('path/to/your-file', sheet='new', labels=-1)" in app.code[0].value
    assert "--sheet=new --labels -1" in app.code[1].value


def test_a_table_that_tells_nothing_waits_for_the_person(open_page):
    app = give(open_page("data"), ("bits.csv", b"a,b,c\n0,1,1\n1,0,1\n1,1,0\n"))
    [button] = [button for button in app.button if button.label == "Use these files"]
    assert button.disabled
    assert ways(app).value is None
    assert coloured(app) == []
    assert any("please choose them above" in note.value for note in app.info)  # a question, not a warning
    assert not app.warning
    ways(app).set_value("the last …").run()
    assert metrics(fine(use(app)))["Labels"] == "1"


def test_files_that_name_their_labels_are_shown_so(open_page):
    app = give(open_page("data"), ("tiny.arff", MULAN), ("tiny.xml", XML))
    assert ways(app).value == "as the files say"
    assert coloured(app) == ["y", "z"]


def test_a_wide_table_is_shown_in_part(open_page):
    names = [f"f{j}" for j in range(300)] + [f"label{j}" for j in range(40)]
    app = give(open_page("data"), ("wide.csv", (",".join(names) + "\n" + "2.5," * 300 + ",".join("01" * 20)).encode()))
    assert coloured(app) == [f"label{j}" for j in range(8)]
    assert preview(app).count("<th ") == 5 + 1 + 8 + 1  # the first of each, and what is left out
    assert "**40 labels** and **300 features**" in "".join(text.value for text in app.markdown)


def test_what_a_file_says_is_shown_as_text(open_page):
    content = b'<img src=x onerror=alert(1)>,"<b>h</b>",a,b\n<i>x</i>,1.5,0,1\n<i>x</i>,2.5,1,1\n<u>y</u>,2,1,0\n'
    table = preview(give(open_page("data"), ("evil.csv", content)))
    assert not re.search(r"<(img|b|i|u)\b(?!>label|></i>)", table.replace("<i></i>", "").replace("<i>label</i>", ""))
    assert "&lt;i&gt;x&lt;/i&gt;" in table


def test_the_page_leads_on_to_explore_with_its_settings(open_page):
    app = open_page("data", data="yeast", method="grro", seed="3")
    [lead] = [each.proto for each in app.get("page_link") if "Explore this data" in each.proto.label]
    assert lead.page == "explore"
    assert dict(parse_qsl(lead.query_string)) == {"data": "yeast", "method": "grro", "seed": "3"}


def wide_arff() -> bytes:
    many = uploads.LIMITS.max_features + uploads.LIMITS.max_labels + 1
    return b"@relation wide\n" + b"".join(b"@attribute a%d numeric\n" % i for i in range(many)) + b"@data\n"


ENTITIES = (
    b'<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><labels><label name="&c;"/></labels>'
)
HOSTILE = {
    "wrong extension": [("holiday.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(range(256)))],
    "pickle": [("model.pkl", b"\x80\x04K\x01.")],
    "empty": [("tiny.arff", b"")],
    "truncated zip": [("tiny.zip", zipped({"tiny.arff": MEKA})[:60])],
    "zip bomb": [("bomb.zip", zip_bomb)],
    "many attributes": [("wide.arff", wide_arff)],
    "garbage": [("noise.csv", np.random.default_rng(0).bytes(4096))],
    "path in zip": [("up.zip", zipped({"../../etc/passwd.arff": MEKA}))],
    "path as name": [("../../../etc/passwd", b"root:x:0:0:root\n")],
    "entities": [("tiny.arff", MULAN), ("tiny.xml", ENTITIES)],
    "one column": [("one.csv", b"y\n1\n0\n")],
    "markdown": [("![x](http://elsewhere.example/x.png).arff", b"@relation\n")],
    "two of a name": [("tiny.arff", MEKA), ("tiny.arff", MEKA)],
}


@pytest.mark.parametrize("files", HOSTILE.values(), ids=HOSTILE)
def test_a_refused_file_gets_one_sentence_and_changes_nothing(open_page, files):
    # The large ones are made here rather than when the tests are gathered.
    files = [(name, content() if callable(content) else content) for name, content in files]
    app = give(open_page("data", data="yeast"), *files)
    assert not app.exception
    [error] = app.error
    assert not [button for button in app.button if button.label == "Use these files"]
    assert error.value.endswith((".", "?"))
    assert "\n" not in error.value
    assert len(error.value) < 300
    assert "![" not in error.value
    assert "max_" not in error.value
    assert "give the format" not in error.value  # which nobody can do here
    assert chosen(app) == "yeast"
    assert app.header[0].value == "yeast"
    assert address(app)["data"] == "yeast"
    app.file_uploader[0].set_value(None)
    assert not app.run().error


def test_an_upload_is_its_own_sessions_only(open_page):
    mine = use(give(open_page("data"), ("tiny.arff", MEKA)))
    name = chosen(mine)
    theirs = fine(open_page("data"))
    assert name not in theirs.selectbox(key="data").options
    assert "tiny" not in theirs.selectbox(key="data").options

    followed = open_page("data", data=name, n_bins="7")
    assert not followed.exception
    assert followed.info[0].value.startswith("This link shows an uploaded data set")
    assert [header.value for header in followed.header] == []
    assert not followed.metric
    assert address(followed) == {"data": name, "n_bins": "7"}
    same = use(give(followed, ("tiny.arff", MEKA)))
    assert not fine(same).info
    assert same.header[0].value == "tiny"
    assert same.number_input(key="n_bins").value == 7  # the link's picture, now that the file is there


def test_uploads_are_bounded_and_can_be_removed(open_page, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_SETS", 1)
    app = use(give(open_page("data"), ("tiny.arff", MEKA)))
    use(give(app, ("people.csv", CSV)))
    assert [error.value for error in app.error] == [
        "The server keeps 1 uploaded sets for you at most: remove one first, on the Data page."
    ]
    [remove] = [button for button in app.button if button.label == "Remove"]
    remove.click().run()
    assert chosen(app) == "emotions"
    assert use(app).header[0].value == "people"
    assert not use(give(app, ("people.csv", CSV))).error  # the same once more is no second set

    monkeypatch.setattr(uploads, "MOST_SETS", 5)
    monkeypatch.setattr(uploads, "MOST_BYTES", 60)  # people has 3 × (3 × 8 + 1) bytes
    use(give(app, ("tiny.arff", MEKA)))
    assert app.error[0].value.startswith("With tiny your uploads would take more than 0 MB")

    monkeypatch.setattr(uploads, "MOST_BYTES", 300)
    monkeypatch.setattr(uploads, "EVERYBODYS_BYTES", 60)
    use(app)
    assert app.error[0].value.startswith("The uploads of all visitors fill the 0 MB that this server keeps for them")
    monkeypatch.setattr(uploads, "EVERYBODYS_BYTES", uploads.MEGABYTE)
    assert use(app).header[0].value == "tiny"


def test_an_upload_survives_a_reload_and_is_its_browsers_only(open_page, browser):
    browser("ann")
    mine = use(give(open_page("data"), ("people.csv", CSV)))
    name = chosen(mine)
    again = fine(open_page("data", data=name))
    assert again.header[0].value == "people"
    assert "people" in again.selectbox(key="data").options
    assert "labels=-2" in again.code[0].value
    assert open_page("noise", data=name).selectbox(key="data").value == name

    browser("bob")
    theirs = open_page("data", data=name)
    assert theirs.info[0].value.startswith("This link shows an uploaded data set")
    assert "which only its owner has" in theirs.info[0].value
    assert "people" not in theirs.selectbox(key="data").options
    assert not [button for button in theirs.button if button.label == "Remove"]
    assert not theirs.metric

    browser("ann")
    again = open_page("data", data=name)
    [remove] = [button for button in again.button if button.label == "Remove"]
    remove.click().run()
    told = open_page("data", data=name).info[0].value
    assert told.startswith("The server has forgotten this uploaded data set")
    assert "Upload the same file again" in told


def test_after_a_restart_the_owner_is_told_that_the_server_has_forgotten(open_page, browser):
    browser("ann", issued=owners.STARTED - 60)
    told = open_page("data", data="upload-0123456789abcdef").info[0].value
    assert "If it was yours, the server lost it when it was restarted" in told
    assert "upload the same file again on the Data page" in told


def wait_for(app):
    work = app.session_state["download"].job
    work.wait(1, GUARD)
    return app.run()


def offered(app):
    [button] = [button for button in app.button if button.label == "Download"]
    return button


def test_a_download_offline_gets_a_sentence(open_page, monkeypatch):
    sentence = "OpenML cannot be reached to download birds: check the network and try again."

    def offline(name, progress):
        raise DatasetError(sentence)

    monkeypatch.setattr(downloads, "download_dataset", offline)
    app = open_page("data", data="yeast")
    app.selectbox(key="download-name").set_value("birds").run()
    offered(app).click().run()
    app = wait_for(app)
    assert not app.exception
    assert [error.value for error in app.error] == [sentence]
    assert chosen(app) == "yeast"
    assert offered(app) is not None


def test_a_download_becomes_the_chosen_set_and_can_be_stopped(open_page, monkeypatch):
    go = threading.Event()

    def slow(name, progress):
        progress(0.0, f"Downloading {name} from OpenML.")
        go.wait(GUARD)
        progress(0.9, f"Keeping {name}.")
        store(Dataset([[1.0], [2.0]], [[1], [0]], ["a"], ["y"], name))

    monkeypatch.setattr(downloads, "download_dataset", slow)
    app = open_page("data")
    app.selectbox(key="download-name").set_value("birds").run()
    offered(app).click().run()
    stopped = app.session_state["download"].job
    [cancel] = [button for button in app.button if button.label == "Cancel"]
    cancel.click().run()
    app.run()
    assert "The download of birds was stopped." in [info.value for info in app.info]
    assert chosen(app) == "emotions"
    go.set()
    stopped.wait(1, GUARD)
    assert not stopped.running
    assert cached_names() == ()  # given up before it was kept

    offered(app).click().run()
    app = fine(wait_for(app))
    assert chosen(app) == "birds"
    assert metrics(app)["Rows"] == "2"


def test_presentation_shows_the_picture_alone_and_keeps_the_link(open_page):
    app = fine(open_page("data", data="yeast", n_bins="3", present="1"))
    assert not app.metric
    assert not app.dataframe
    assert not app.info
    assert address(app)["n_bins"] == "3"
