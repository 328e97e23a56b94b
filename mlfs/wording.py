"""Counts, lists and times in words, so that pages, commands and figures write them alike."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

#: What parameters are called in tables and figures, where the name of the program is not what papers write.
PARAMETERS = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "lambda_": "λ",
    "lambda1": "λ₁",
    "lambda2": "λ₂",
    "mu": "μ",
    "n_labels": "|Y|",
    "fimf.n_labels": "|Q|",
    "n_bins": "bins",
    "n_latent": "latent dimensions",
    "n_neighbors": "neighbours",
    "n_trees": "trees",
    "n_init": "starts",
    "min_count": "least count",
    "max_iter": "iterations",
    "tol": "tolerance",
    "discretization": "discretisation",
    "random_state": "seed",
}
#: What values of parameters are called, where the word of the program is not what people say.
VALUES = {
    "authors": "the authors' program",
    "converged": "until it converges",
    "equal_frequency_strict": "equal frequency, strict",
    "folds": "cross-validation",
    "given": "given with the data",
    "knn": "nearest neighbours",
    "max_entropy": "highest entropy first",
    "min_entropy": "lowest entropy first",
    "paper": "the paper's",
    "plugin": "counted frequencies",
    "printed": "as printed",
    "standard": "z-scores",
    "unit": "0 to 1",
    "unit_parts": "0 to 1 in each part",
    "z_score": "z-scores",
}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def count(number: int, thing: str, things: str | None = None) -> str:
    """
    >>> count(1, "label"), count(3000, "label"), count(2, "class", "classes")
    ('1 label', '3,000 labels', '2 classes')
    """
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def listing(words: list[str], most: int = 6) -> str:
    """Words in a row, the rest counted.

    >>> listing(["a", "b", "c", "d"], most=2)
    'a, b and 2 more'
    """
    if len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most} more"
    return ", ".join(words)


def joined(words: Iterable[str]) -> str:
    """All of them, with "and" before the last.

    >>> joined(["DATASET", "METHOD", "--seed"]), joined(["els"])
    ('DATASET, METHOD and --seed', 'els')
    """
    words = list(words)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def either(words: Iterable[str]) -> str:
    """
    >>> either(["equal width", "equal frequency", "none"]), either(["els"])
    ('equal width, equal frequency or none', 'els')
    """
    words = list(words)
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def plain_number(value: float) -> str:
    """A number as people write it; very large and small ones as powers of ten.

    >>> [plain_number(value) for value in (3, 0.25, 20000.0, 1e8, 2e-7, 1e-10, 4294967295)]
    ['3', '0.25', '20,000', '10⁸', '2·10⁻⁷', '10⁻¹⁰', '4,294,967,295']
    """
    text = f"{value:g}"
    if isinstance(value, int) or (1000 <= abs(value) < 1e6 and value == int(value)):
        return f"{int(value):,}"
    if "e" not in text:
        return text
    factor, power = text.split("e")
    raised = f"10{str(int(power)).translate(_RAISED)}"
    return raised if factor == "1" else f"{factor}·{raised}"


def duration(seconds: float) -> str:
    """A time with the unit that suits it.

    >>> [duration(s) for s in (0, 0.00085, 0.0123, 3.42, 125, 4320)]
    ['0 s', '850 µs', '12 ms', '3.4 s', '2 min 5 s', '1 h 12 min']
    """
    if not math.isfinite(seconds):
        return "–"
    if seconds == 0:
        return "0 s"
    # The limits lie where the number would round up into the next unit.
    for limit, factor, unit in ((0.9995e-3, 1e6, "µs"), (0.9995, 1e3, "ms"), (59.95, 1, "s")):
        if abs(seconds) < limit:
            return f"{_two_digits(seconds * factor)} {unit}"
    if seconds < 3599.5:
        minutes, rest = divmod(round(seconds), 60)
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def roughly(seconds: float) -> str:
    """A time that is only estimated: no finer than tenths of a second.

    >>> [roughly(s) for s in (0.0123, 0.414, 3.42, 61)]
    ['0.1 s', '0.4 s', '3.4 s', '1 min 1 s']
    """
    return f"{max(seconds, 0.1):.1f} s" if seconds < 0.95 else duration(seconds)


def sentence_case(text: str) -> str:
    """The text with a capital first letter; symbols keep their size, for Α and α are different things.

    >>> sentence_case("number of bins"), sentence_case("α: a share"), sentence_case("w: a weight")
    ('Number of bins', 'α: a share', 'w: a weight')
    """
    return text[:1].upper() + text[1:] if text[:1].isascii() and text[1:2] != ":" else text


def value_words(value: Any) -> str:
    """What a value of a parameter is called.

    >>> value_words("knn"), value_words("equal_width")
    ('nearest neighbours', 'equal width')
    """
    return VALUES.get(str(value), str(value).replace("_", " "))


def value_title(value: Any) -> str:
    """The same as menus show it.

    >>> value_title("random"), value_title("paper")
    ('Random', "The paper's")
    """
    return sentence_case(value_words(value))


def in_sentence(title: str) -> str:
    """A title as it stands within a sentence, where names keep their capital.

    >>> in_sentence("Ranking loss"), in_sentence("Hamming loss"), in_sentence("ACR")
    ('ranking loss', 'Hamming loss', 'ACR')
    """
    return title if title.startswith("Hamming") or title[:2].isupper() else title[:1].lower() + title[1:]


def settings_text(settings: str, method: str = "") -> str:
    """Parameters as people write them, from how links and commands do: letters for names, no underscores.

    A variant is known by its name alone.

    >>> settings_text("alpha=10,beta=0.1"), settings_text("n_labels=2,discretization=equal_width", "els")
    ('α=10, β=0.1', '|Y|=2, discretisation=equal width')
    >>> settings_text("variant=exact", "elc")
    'exact'
    """
    return ", ".join(_setting(part.strip(), method) for part in settings.split(","))


def parameter_title(name: str, method: str = "") -> str:
    """What a parameter is called in sentences and figures.

    >>> parameter_title("n_bins"), parameter_title("n_labels", "fimf"), parameter_title("label_order")
    ('bins', '|Q|', 'label order')
    """
    return PARAMETERS.get(f"{method}.{name}") or PARAMETERS.get(name, name.strip("_").replace("_", " "))


def _setting(text: str, method: str) -> str:
    name, sign, value = text.partition("=")
    if not sign:
        return text
    if name == "variant":
        return value.replace("_", " ")
    return f"{parameter_title(name, method)}={_plain(value_words(value))}"


def _plain(value: str) -> str:
    """A very large or small number as a power of ten, as `plain_number` writes it; all else as it is.

    >>> [_plain(value) for value in ("10", "0.001", "1e-05", "100000000.0", "12345678", "equal width")]
    ['10', '0.001', '10⁻⁵', '10⁸', '12345678', 'equal width']
    """
    try:
        number = float(value)
    except ValueError:
        return value
    return plain_number(number) if "e" in f"{number:g}" and float(f"{number:g}") == number else value


def file_name(*parts: str) -> str:
    """A short name for a file: what is not a letter, digit, dot or underscore becomes a dash.

    >>> file_name("emotions", "Hamming loss"), file_name("ELS, GRRO and 2 more on  emotions"), file_name("a/../b")
    ('emotions-Hamming-loss', 'ELS-GRRO-and-2-more-on-emotions', 'a-..-b')
    """
    words = re.sub(r"[^\w.]+", "-", "-".join(parts)).strip("-.")
    return words[:80].rstrip("-.") or "table"


def _two_digits(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 9.95 else f"{value:.2g}"
