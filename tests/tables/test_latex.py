"""LaTeX that prints every name as it is: read back by a small strict reader, and by TeX itself where there is one."""

import re
import shutil
import string
import subprocess

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlfs.tables import summary, to_latex
from mlfs.tables.latex import escape
from tests.tables.test_summary import SEVEN, results
from tests.waiting import GUARD

# What TeX prints for each piece, from the manual and not from the module.
PIECES = {
    r"\textbackslash{}": "\\",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textasciigrave{}": "`",
    r"\textquotesingle{}": "'",
    r"\textendash{}": "–",
    r"\symbol{34}": '"',
    r"$\pm$": "±",
    "$-$": "−",
    "{[}": "[",
    "{]}": "]",
    "{*}": "*",
    "-{}": "-",
    ",{}": ",",
    **{"\\" + letter: letter for letter in "{}$&#%_"},
}
OBEYED = set("\\{}$&#%_^~<>|`'\"[]*")


def printed(latex: str) -> str:
    """What TeX prints, or an error where it would do anything else."""
    found, place = [], 0
    pieces = sorted(PIECES, key=len, reverse=True)
    while place < len(latex):
        piece = next((piece for piece in pieces if latex.startswith(piece, place)), latex[place])
        if piece not in PIECES:
            assert piece not in OBEYED, f"TeX would obey {piece!r} in {latex!r}"
            assert not (piece in "-," and latex[place + 1 : place + 2] == piece), f"a ligature in {latex!r}"
        found.append(PIECES.get(piece, piece))
        place += len(piece)
    return "".join(found)


@given(st.text(alphabet=st.one_of(st.sampled_from(string.printable + "±−–"), st.characters()), max_size=30))
def test_every_character_survives(name):
    assert printed(escape(name)) == "".join(letter if letter.isprintable() else " " for letter in name)


def test_reader_is_strict():
    for bad in ("a_b", "50%", "a--b", r"\x", "[1]"):
        with pytest.raises(AssertionError):
            printed(bad)


def rows_of(latex: str) -> list[list[str]]:
    body = latex.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    return [[printed(cell) for cell in line.removesuffix(r" \\").split(" & ")] for line in body.strip().splitlines()]


def test_cells_of_strange_names_stay_in_their_places():
    names = [r"a & b \\ c", r"\end{tabular}", "two\nlines", "[2pt]", "*", "% gone", "a_{i}^2"]
    latex = to_latex(pd.DataFrame({"feature": names, "score": -0.5}))
    assert rows_of(latex) == [[name.replace("\n", " "), "−0.5000"] for name in names]
    assert r"\begin{tabular}{lr}" in latex


def test_summary_is_marked_and_captioned():
    near = [value + shift for value, shift in zip(SEVEN, [0.02, -0.01] * 3 + [0.0], strict=True)]
    far = [value + 0.1 + 0.001 * i for i, value in enumerate(SEVEN)]
    latex = to_latex(
        summary(results({"els": SEVEN, "mfs": near, "random": far}, dataset="my_set"), "hamming_loss"),
        title="Losses.",
        label="tab:a b",
    )
    row = latex.partition(r"\midrule")[2].strip().splitlines()[0]
    assert re.fullmatch(
        r"my\\_set & \\textbf\{0\.\d{4} \$\\pm\$ 0\.\d{4}\} & \\underline\{0\.3\d{3} \$\\pm\$ 0\.\d{4}\} & "
        r"0\.\d{4} \$\\pm\$ 0\.\d{4} \\\\",
        row,
    )
    assert r"\caption{Losses. Hamming loss (lower is better), mean $\pm$ standard deviation over 7 repeats" in latex
    assert "Bold: the best of a row; underlined: not significantly worse" in latex
    assert r"\label{tab:a-b}" in latex


def test_notes_cannot_leave_their_comment():
    latex = to_latex(summary(results({"els": ["Boom."]}, dataset="a\n\\input{x}"), "hamming_loss"))
    assert all(line.startswith("%") for line in latex.partition(r"\begin{table}")[0].splitlines())


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
def test_tex_compiles_it(tmp_path):
    letters = [letter for letter in string.printable if letter.isprintable()] + list("±−–éß")
    names = [letter * count for letter in letters for count in (1, 2, 3)] + [r"\end{tabular}", "?`", "!`", "-–-"]
    table = pd.DataFrame({"feature": names, "score": 0.5})
    parts = [to_latex(table[start : start + 40].reset_index(drop=True)) for start in range(0, len(names), 40)]
    parts.append(
        to_latex(summary(results({"els": [0.1, 0.2], "mfs": [0.1, 0.3]}, dataset="a_b"), "hamming_loss"), label="x")
    )
    source = "\n\n".join([r"\documentclass{article}\usepackage{booktabs}\begin{document}", *parts, r"\end{document}"])
    (tmp_path / "table.tex").write_text(source, encoding="utf-8")
    run = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "table.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=GUARD,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-2000:]
    assert "Missing character" not in run.stdout
