"""``mlfs answer`` prints what the library finds, and writes what was asked for."""

from mlfs import load_dataset
from mlfs.answer import answer, answer_protocol, answer_settings

QUICK = "--folds 2 --sizes 1,2,4 --draws 1"


def test_the_document_is_the_librarys(terminal):
    document = terminal.json(f"answer emotions els {QUICK}")
    ds = load_dataset("emotions")
    found = answer(ds, answer_settings(["els"], protocol=answer_protocol(folds=2, sizes=(1, 2, 4))), draws=1)
    assert [row["name"] for row in document["features"]] == found.selection.names
    assert (document["mean"], document["size"]) == (found.best.choice.mean, found.best.choice.size)
    assert document["random"]["values"] == list(found.random.values)
    assert document["nested"] is None
    assert document["stopped"] is False


def test_features_that_must_and_must_not_be_there(terminal):
    document = terminal.json(
        f"answer emotions els {QUICK} --keep-features BH_LowPeakAmp --never 'Mean_*' --group 'Std_*_MFCC_1' BHSUM1"
    )
    names = {row["name"] for row in document["features"]}
    assert "BH_LowPeakAmp" in names
    assert not any(name.startswith("Mean_") for name in names)


def test_files_are_written(terminal, tmp_path):
    told = terminal.run(
        f"answer emotions els {QUICK} --rule number=2 --report a.html --write b.csv --features c.json --program d.py"
    )
    assert told.startswith("emotions: Keep 2 of 72 features, chosen by ELS: Hamming loss ")
    assert "written: a.html, d.py, c.json, b.csv" in told
    assert load_dataset(str(tmp_path / "b.csv"), labels=-6).X.shape == (593, 2)


def test_mistakes(terminal):
    assert terminal.complaint("answer emotions els --never nothing").startswith("No feature is called 'nothing': ")
    assert "There is no rule 'bset': did you mean 'best'?" in terminal.complaint("answer emotions --rule bset")
    assert terminal.complaint("answer emotions --budget 0").startswith("--budget must be a number of seconds above 0")
    assert "must be a file that ends in .csv or .json" in terminal.complaint("answer emotions --features x.txt")
