r"""Tables to take away: CSV with every digit, LaTeX (booktabs), and text for a terminal.

Names come from files of strangers, so nothing in them is run by a spreadsheet, obeyed by TeX or by a terminal.
"""

from __future__ import annotations

import pandas as pd

from mlfs.checks import checked
from mlfs.spreadsheet import csv_text
from mlfs.tables.method_summary import MethodSummary
from mlfs.tables.sheet import BEST, DECIMALS, NEAR, Sheet, caption, columns_only, sheet
from mlfs.terminal import printable, text_table

LATEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    # TeX's oldest fonts, still the default, have other signs in these places.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    '"': r"\symbol{34}",
    # At the beginning of a row these would belong to the end of the row before: \\[2pt] and \\*.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "±": r"$\pm$",
    "−": "$-$",
    "–": r"\textendash{}",
    # In the names of settings.
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "γ": r"$\gamma$",
    "λ": r"$\lambda$",
    "μ": r"$\mu$",
    "₁": r"$_1$",
    "₂": r"$_2$",
    # Powers of ten.
    "·": r"$\cdot$",
    "⁻": "$^-$",
    **{raised: f"$^{digit}$" for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}
LATEX_LIGATURES = frozenset("-,")  # two of them in a row would become one sign
LATEX_MARKS = {BEST: r"\textbf{%s}", NEAR: r"\underline{%s}", "": "%s"}
TEXT_MARKS = {BEST: "*", NEAR: "~", "": " "}


@checked
def to_csv(table: pd.DataFrame | MethodSummary) -> str:
    """The table as comma-separated text, numbers with all their digits; of a summary one row per data set and method.

    A text that a spreadsheet would take for a formula gets an apostrophe in front, by which spreadsheets know text;
    numbers stay as they are, negative ones too.

    Parameters
    ----------
    table : DataFrame or MethodSummary
        The table of means alone, data sets × methods, is ``to_csv(summary.mean)``.

    Returns
    -------
    str

    Examples
    --------
    >>> print(to_csv(pd.DataFrame({"feature": ["=1+1", "-x", "-1"], "score": [0.1, -2.0, 3.0]})), end="")
    feature,score
    '=1+1,0.1
    '-x,-2.0
    -1,3.0
    """
    return csv_text(table.tidy() if isinstance(table, MethodSummary) else columns_only(table))


@checked
def to_latex(
    table: pd.DataFrame | MethodSummary | Sheet,
    *,
    title: str | None = None,
    label: str | None = None,
    decimals: int = DECIMALS,
) -> str:
    r"""The table in a ``tabular``; a summary, or a table with a title or label, in a ``table`` with a caption.

    The best of a row is bold, what is not significantly worse underlined. The document needs
    ``\usepackage{booktabs}``. Letters outside Latin alphabets need XeLaTeX or LuaLaTeX, and a font that has them.

    Parameters
    ----------
    table : DataFrame, MethodSummary or Sheet
    title : str, optional
        Of the caption; before what a summary says of itself.
    label : str, optional
        For ``\ref``; letters that TeX does not take become dashes.
    decimals : int

    Returns
    -------
    str

    Examples
    --------
    >>> print(to_latex(pd.DataFrame({"feature": ["50%_x"], "score": [0.5]})), end="")
    % Needs \usepackage{booktabs}.
    \begin{tabular}{lr}
    \toprule
    feature & score \\
    \midrule
    50\%\_x & 0.5000 \\
    \bottomrule
    \end{tabular}
    """
    words = sheet(table, decimals)
    if isinstance(table, MethodSummary):
        title = " ".join(filter(None, (title, caption(table, {BEST: "Bold", NEAR: "underlined"}.__getitem__))))
    rows = [
        [LATEX_MARKS[mark] % latex_escape(text) for text, mark in zip(row, marks, strict=True)]
        for row, marks in zip(words.rows, words.marks, strict=True)
    ]
    lines = [
        rf"\begin{{tabular}}{{{''.join('r' if numeric else 'l' for numeric in words.numeric)}}}",
        r"\toprule",
        _latex_row([latex_escape(name) for name in words.header]),
        r"\midrule",
        *map(_latex_row, rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if title is not None or label is not None:
        lines = [
            r"\begin{table}",
            r"\centering",
            *([] if title is None else [rf"\caption{{{latex_escape(title)}}}"]),
            *([] if label is None else [rf"\label{{{_latex_label(label)}}}"]),
            *lines,
            r"\end{table}",
        ]
    notes = [f"% {printable(note)}" for note in table.notes] if isinstance(table, MethodSummary) else []
    return "\n".join([r"% Needs \usepackage{booktabs}.", *notes, *lines, ""])


@checked
def to_text(table: pd.DataFrame | MethodSummary, *, decimals: int = DECIMALS) -> str:
    """The table with aligned columns; under a summary what it shows, what its signs mean, and its notes.

    Parameters
    ----------
    table : DataFrame or MethodSummary
    decimals : int

    Returns
    -------
    str

    Examples
    --------
    >>> print(to_text(pd.DataFrame({"feature": ["a", "long name"], "score": [0.5, -12.0]})), end="")
    feature       score
    ---------  --------
    a            0.5000
    long name  −12.0000
    """
    words = sheet(table, decimals)
    marked = any(mark for marks in words.marks for mark in marks)
    rows = [
        [text + (TEXT_MARKS[mark] if marked and numeric else "") for text, mark, numeric in row]
        for row in (zip(*parts, words.numeric, strict=True) for parts in zip(words.rows, words.marks, strict=True))
    ]
    written = [text_table(words.header, rows, words.numeric)]
    if isinstance(table, MethodSummary):
        below = [caption(table, lambda mark: TEXT_MARKS[mark]), *table.notes]
        written += ["", *map(printable, below)]
    return "\n".join([*written, ""])


def latex_escape(text: str) -> str:
    r"""Text that TeX prints letter by letter; what cannot be seen becomes a space.

    >>> print(latex_escape("a_1 & {b}\\c"))
    a\_1 \& \{b\}\textbackslash{}c
    """
    seen = "".join(letter if letter.isprintable() else " " for letter in text)
    return "".join(
        LATEX_ESCAPES.get(letter, letter) + ("{}" if letter == following and letter in LATEX_LIGATURES else "")
        for letter, following in zip(seen, seen[1:] + " ", strict=False)
    )


def _latex_row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _latex_label(label: str) -> str:
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in ":-._") else "-" for letter in label)
