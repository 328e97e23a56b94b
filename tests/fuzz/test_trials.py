"""Worker processes of the trials: a crash, a hang and too much memory are findings, and the rest goes on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz import __main__, trials

ROOT = Path(__file__).parents[2]
PART = """
import os
MOST_MIB = 200
def check(seed):
    if seed == 11:
        raise KeyError("foreign")
    if seed == 12:
        os.abort()
    if seed == 13:
        bytearray(300 * 1024 * 1024)[::4096]
    if seed == 14:
        return "wrong"
    if seed == 15:
        while True:
            pass
"""


def test_every_kind_of_trouble_is_a_finding(tmp_path):
    (tmp_path / "trouble.py").write_text(PART)
    program = (
        "import fuzz, fuzz.trials as t\n"
        f"fuzz.__path__.append({str(tmp_path)!r})\n"
        "t.CPU_SECONDS = 1\n"
        "if __name__ == '__main__':\n"
        "    for news in t.run('trouble', start=10, count=8):\n"
        "        print(news if isinstance(news, int) else (news.seed, news.problem))\n"
    )
    (tmp_path / "run.py").write_text(program)
    ran = subprocess.run(
        [sys.executable, str(tmp_path / "run.py")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert ran.returncode == 0, ran.stderr
    said = ran.stdout
    assert "(11, \"KeyError: 'foreign'" in said
    assert "(12, 'the interpreter ended with code -6" in said
    assert "(13, 'took 3" in said
    assert "(14, 'wrong')" in said
    assert "(15, 'took more than 1 s')" in said
    assert len(said.splitlines()) == 5 + 2
    assert said.split()[-1] == "8"


def test_parts_that_there_are_not_are_told(capsys):
    with pytest.raises(SystemExit):
        __main__.main(["nothing"])
    assert "there is no part 'nothing'" in capsys.readouterr().err


def test_findings_decide_the_exit_code(monkeypatch, capsys):
    monkeypatch.setattr(trials, "run", lambda part, **_: iter([trials.Finding(part, 7, "bad"), 3]))
    assert __main__.main(["files", "--count", "3"]) == 1
    assert "python -m fuzz files --seed 7 --count 1" in capsys.readouterr().out
    monkeypatch.setattr(trials, "run", lambda part, **_: iter([3]))
    assert __main__.main(["files", "--count", "3"]) == 0
    assert "files: 3 tried from seed 0 on, 0 findings." in capsys.readouterr().out
