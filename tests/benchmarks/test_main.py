"""Which parts `make bench` knows."""

from benchmarks.__main__ import main


def test_an_unknown_part_is_told_with_those_there_are(capsys):
    assert main(["nothing"]) == 2
    told = capsys.readouterr().err
    assert "'nothing'" in told
    assert "class, " in told
    assert "soak" in told
    assert "class_" not in told
    assert "sessions" not in told
