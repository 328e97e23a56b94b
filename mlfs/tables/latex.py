r"""Tables as LaTeX (booktabs): the best in bold, what is not significantly worse underlined.

Feature names come from files of strangers, so every character is written in a way that TeX prints and does not obey.
"""

from __future__ import annotations

import pandas as pd

from mlfs.tables.sheet import BEST, DECIMALS, NEAR, Sheet, caption, sheet
from mlfs.tables.summary import Summary
from mlfs.terminal import printable

SPECIAL = {
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
}
LIGATURES = frozenset("-,")  # two of them in a row would become one sign
MARKS = {BEST: r"\textbf{%s}", NEAR: r"\underline{%s}", "": "%s"}


def to_latex(
    table: pd.DataFrame | Summary | Sheet,
    *,
    title: str | None = None,
    label: str | None = None,
    decimals: int = DECIMALS,
) -> str:
    r"""The table in a ``tabular``; a summary, or a table with a title or label, in a ``table`` with a caption.

    The document needs ``\usepackage{booktabs}``. Letters outside Latin alphabets need XeLaTeX or LuaLaTeX, and a font
    that has them.

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
    found = sheet(table, decimals)
    if isinstance(table, Summary):
        title = " ".join(filter(None, (title, caption(table, {BEST: "Bold", NEAR: "underlined"}.__getitem__))))
    rows = [
        [MARKS[mark] % escape(text) for text, mark in zip(row, marks, strict=True)]
        for row, marks in zip(found.rows, found.marks, strict=True)
    ]
    lines = [
        rf"\begin{{tabular}}{{{''.join('r' if numeric else 'l' for numeric in found.numeric)}}}",
        r"\toprule",
        _line([escape(name) for name in found.header]),
        r"\midrule",
        *map(_line, rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if title is not None or label is not None:
        lines = [
            r"\begin{table}",
            r"\centering",
            *([] if title is None else [rf"\caption{{{escape(title)}}}"]),
            *([] if label is None else [rf"\label{{{_identifier(label)}}}"]),
            *lines,
            r"\end{table}",
        ]
    notes = [f"% {printable(note)}" for note in table.notes] if isinstance(table, Summary) else []
    return "\n".join([r"% Needs \usepackage{booktabs}.", *notes, *lines, ""])


def escape(text: str) -> str:
    r"""Text that TeX prints letter by letter; what cannot be seen becomes a space.

    >>> print(escape("a_1 & {b}\\c"))
    a\_1 \& \{b\}\textbackslash{}c
    """
    seen = "".join(letter if letter.isprintable() else " " for letter in text)
    return "".join(
        SPECIAL.get(letter, letter) + ("{}" if letter == following and letter in LIGATURES else "")
        for letter, following in zip(seen, seen[1:] + " ", strict=False)
    )


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _identifier(label: str) -> str:
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in ":-._") else "-" for letter in label)
