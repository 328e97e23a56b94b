"""Tables to take away: CSV that loses and runs nothing, LaTeX that prints every name, text that lines up.

LaTeX is read back by a small strict reader, and by TeX itself where there is one.
"""

import csv
import io
import re
import shutil
import string
import subprocess

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlfs.results import setting_title
from mlfs.tables import summary, to_csv, to_latex, to_text
from mlfs.tables.export import latex_escape
from mlfs.terminal import width
from tests.tables.test_method_summary import SEVEN, results
from tests.waiting import GUARD

NEAR = [value + shift for value, shift in zip(SEVEN, [0.02, -0.01] * 3 + [0.0], strict=True)]
FAR = [value + 0.1 + 0.001 * i for i, value in enumerate(SEVEN)]

SIGNS = "±−–·⁻⁰¹²³⁴⁵⁶⁷⁸⁹₁₂αβγλμ"
GREEK = (r"\alpha", r"\beta", r"\gamma", r"\lambda", r"\mu")
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
    r"$\cdot$": "·",
    **{f"$^{sign}$": raised for sign, raised in zip("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True)},
    **{f"$_{digit}$": lowered for digit, lowered in zip("12", "₁₂", strict=True)},
    **{f"${name}$": letter for name, letter in zip(GREEK, "αβγλμ", strict=True)},
    "{[}": "[",
    "{]}": "]",
    "{*}": "*",
    "-{}": "-",
    ",{}": ",",
    **{"\\" + letter: letter for letter in "{}$&#%_"},
}
OBEYED = set("\\{}$&#%_^~<>|`'\"[]*")


def read(text):
    return list(csv.reader(io.StringIO(text)))


def test_every_digit_survives():
    values = np.random.default_rng(0).normal(size=200) * 10.0 ** np.arange(-100, 100)
    digits = [float(row[0]) for row in read(to_csv(pd.DataFrame({"x": values})))[1:]]
    np.testing.assert_array_equal(digits, values)


@pytest.mark.parametrize(
    "name", ["=1+1", "+a", "-a", "@x", "\t=1", "\r=1", " =1", "＝1", '=HYPERLINK("x","y")', "-1+1"]
)
def test_no_name_becomes_a_formula(name):
    table = pd.DataFrame([[name, -1.5]], columns=[name, "score"], index=pd.Index([name], name=name))
    header, row = read(to_csv(table))
    shown = "'" + name.replace("\r", "\n")
    assert header == [shown, shown, "score"]
    assert row == [shown, shown, "-1.5"]


@pytest.mark.parametrize("name", ["-1.5", "+3", "-inf", "a=b", "it's", "", 'quoted "x", y', "two\nlines", "–x"])
def test_other_names_stay_as_they_are(name):
    assert read(to_csv(pd.DataFrame({"n": [name, "x"]})))[1] == ([name] if name else [""])


def test_numbers_are_left_alone_and_the_index_that_counts_is_left_out():
    assert to_csv(pd.DataFrame({"a": [-1, 2], "b": [True, False]})) == "a,b\n-1,True\n2,False\n"
    assert to_csv(pd.DataFrame({"a": [-1]}, index=["-x"])) == ",a\n'-x,-1\n"
    assert to_csv(pd.DataFrame({"a": [1]}, index=pd.Index([5], name="size"))) == "size,a\n5,1\n"


def test_missing_cells_and_two_columns_of_one_name():
    table = pd.DataFrame([["=a", None], [np.nan, 1.0]], columns=["x", "x"])
    assert read(to_csv(table)) == [["x", "x"], ["'=a", ""], ["", "1.0"]]


def test_summary_in_full():
    losses = summary(results({"els": [0.1, 0.2], "mfs": ["=Boom.", "=Boom."]}, dataset="=set"), "hamming_loss")
    header, els, mfs = read(to_csv(losses))
    assert header == ["dataset", "method", "mean", "std", "repeats", "best", "not_worse", "error"]
    assert els[:2] == ["'=set", "els"]
    assert float(els[2]) == np.mean([0.1, 0.2])
    assert mfs[2:] == ["", "", "0", "False", "False", "'=Boom."]


def test_table_without_rows():
    assert to_csv(pd.DataFrame(columns=["a", "b"])) == "a,b\n"


def printed(latex: str) -> str:
    """What TeX prints, or an error where it would do anything else."""
    shown, place = [], 0
    pieces = sorted(PIECES, key=len, reverse=True)
    while place < len(latex):
        piece = next((piece for piece in pieces if latex.startswith(piece, place)), latex[place])
        if piece not in PIECES:
            assert piece not in OBEYED, f"TeX would obey {piece!r} in {latex!r}"
            assert not (piece in "-," and latex[place + 1 : place + 2] == piece), f"a ligature in {latex!r}"
        shown.append(PIECES.get(piece, piece))
        place += len(piece)
    return "".join(shown)


@given(st.text(alphabet=st.one_of(st.sampled_from(string.printable + SIGNS), st.characters()), max_size=30))
def test_every_character_survives(name):
    assert printed(latex_escape(name)) == "".join(letter if letter.isprintable() else " " for letter in name)


def test_every_sign_of_a_number_and_a_setting_is_one_that_tex_has():
    numbers = pd.DataFrame({"a": [1e-9, -2.5e-7, 3e-300, float("nan")], "els(lambda1=1e-05,mu=1e+09)": 0.5})
    latex = to_latex(numbers.rename(columns=setting_title))
    assert latex.isascii()
    assert rows_of(latex)[1][0] == "−2.5·10⁻⁷"


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
    latex = to_latex(
        summary(results({"els": SEVEN, "mfs": NEAR, "random": FAR}, dataset="my_set"), "hamming_loss"),
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
    letters = [letter for letter in string.printable if letter.isprintable()] + list("éß" + SIGNS)
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


def test_columns_line_up():
    lines = to_text(pd.DataFrame({"name": ["音楽", "a", "e\u0301"], "n": [1, 200, -3]})).splitlines()
    assert lines == ["name    n", "----  ---", "音楽    1", "a     200", "e\u0301      −3"]
    assert len({width(line) for line in lines}) == 1


def test_names_cannot_steer_the_terminal():
    text = to_text(pd.DataFrame({"name\r": ["\x1b[2J", "a\nb", "\u202eabc"]}))
    assert all(line.isprintable() for line in text.splitlines())
    assert r"\x1b[2J" in text
    assert len(text.splitlines()) == 5


def test_marks_of_text_and_what_they_mean():
    text = to_text(summary(results({"els": SEVEN, "mfs": NEAR, "random": FAR}), "hamming_loss", 10))
    row = text.splitlines()[2]
    assert row.split()[3][-1] == "*"
    assert row.split()[6][-1] == "~"
    assert row[-1].isdigit()
    assert "with 10 features. *: the best of a row; ~: not significantly worse (paired t-test" in text


def test_one_repeat_and_failures():
    text = to_text(summary(results({"els": [0.25], "mfs": ["Too large."]}), "hamming_loss"))
    assert text.splitlines()[2].split() == ["flags", "0.2500", "failed"]
    assert "one repeat" in text
    assert "MFS: no value on flags. Too large." in text
    assert "*" not in text


def test_decimals_and_empty_table():
    assert "0.12\n" in to_text(pd.DataFrame({"x": [0.123]}), decimals=2)
    assert to_text(pd.DataFrame({"x": []})) == "x\n-\n"
