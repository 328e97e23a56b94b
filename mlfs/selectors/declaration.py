"""What is made of a method's declarations when its class is: the constructor, its signature, and the docstring.

A method declares its parameters as class attributes and says what it is in others. The constructor stores the values;
the docstring gets the sections that tools look for, in numpydoc's order, from the same declarations.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, dataclass_transform

from mlfs.parameters import Parameter

WIDTH = 100
#: Sections of a method's docstring, in their order; those that a class writes itself keep what it wrote.
SECTIONS = ("Parameters", "Attributes", "Variants", "Notes", "References", "Examples")


# So that editors and type checkers, too, know the keywords of the constructors.
@dataclass_transform(eq_default=False, kw_only_default=True)
class Declaring:
    """Classes whose parameters are class attributes, from which their constructors are made."""

    parameters: ClassVar[Mapping[str, Parameter]] = MappingProxyType({})
    """What the constructor takes, by name, as it is declared."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        parameters = declared_parameters(cls)
        cls.parameters = MappingProxyType(parameters)
        cls.__init__ = make_constructor(parameters)  # type: ignore[method-assign]


def declared_parameters(cls: type) -> dict[str, Parameter]:
    """The parameters of a class and its bases, a method's own first; what it overrides stays out."""
    attributes: dict[str, Any] = {}
    for base in cls.__mro__:
        for name, value in vars(base).items():
            attributes.setdefault(name, value)
    return {name: value for name, value in attributes.items() if isinstance(value, Parameter)}


def make_constructor(parameters: Mapping[str, Parameter]) -> Any:
    """A constructor that stores its keywords and does nothing else, as scikit-learn asks for."""

    def __init__(self: Any, **values: Any) -> None:
        bound = signature.bind(self, **values)
        bound.apply_defaults()
        for name in parameters:
            setattr(self, name, bound.arguments[name])

    keywords = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=p.default, annotation=p.annotation)
        for name, p in parameters.items()
    ]
    receiver = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.Signature([receiver, *keywords], return_annotation=None)
    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__annotations__ = {p.name: p.annotation for p in keywords} | {"return": None}
    return __init__


def make_docstring(cls: Any) -> str:
    """The class's own docstring, completed by its summary, parameters, attributes, variants, cost and reference."""
    text, sections = _parts(vars(cls).get("__doc__") or "")
    sections["Parameters"] = "\n".join(_entry(parameter) for parameter in cls.parameters.values())
    sections["Attributes"] = _attributes(cls, sections.get("Attributes", ""))
    if "id" in vars(cls):
        first, _, rest = text.partition("\n\n")
        text = "\n\n".join(part for part in (first, textwrap.fill(cls.summary, WIDTH), rest.strip()) if part)
        sections["Variants"] = "\n".join(
            f"{name!r}\n{_indented(_sentence(meaning))}" for name, meaning in cls.variants.items()
        )
        notes = (sections.get("Notes", ""), *(textwrap.fill(part, WIDTH) for part in (cls.slips, f"Cost: {cls.cost}.")))
        sections["Notes"] = "\n\n".join(part for part in notes if part)
        sections["References"] = (
            "" if cls.paper == "–" else textwrap.fill(f"{cls.paper}.", WIDTH, break_on_hyphens=False)
        )
    written = [f"{name}\n{'-' * len(name)}\n{sections[name]}" for name in SECTIONS if sections.get(name)]
    return "\n\n".join(part for part in (text, *written) if part) + "\n"


def _parts(docstring: str) -> tuple[str, dict[str, str]]:
    """The text of a docstring, and its sections by their names."""
    text, *pieces = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", inspect.cleandoc(docstring), flags=re.MULTILINE)
    return text.strip(), {name: content.strip() for name, content in zip(pieces[::2], pieces[1::2], strict=True)}


def _entry(parameter: Parameter) -> str:
    """
    >>> print(_entry(Parameter("number", 1.0, "weight of the redundancy", 0.001, 1000, name="alpha")))
    alpha : float, default=1.0
        Weight of the redundancy. A number from 0.001 to 1000.
    """
    sentences = [_sentence(parameter.meaning)]
    kind = {"integer": "int", "number": "float", "columns": "sequence of int", "jobs": "int"}.get(parameter.kind)
    if parameter.kind == "estimator":
        kind = "estimator"
    if kind is None:
        kind = "{" + ", ".join(map(repr, parameter.choices)) + "}"
    else:
        sentences.append(_sentence(parameter.describe_range()))
    if parameter.prepares:
        sentences.append("The evidence depends on it.")
    either = " or None" if parameter.none else ""
    return f"{parameter.name} : {kind}{either}, default={parameter.default!r}\n{_indented(' '.join(sentences))}"


def _sentence(words: str) -> str:
    """With a capital and a full stop; a symbol such as α or k stays as it is.

    >>> _sentence("weight of it"), _sentence("k: neighbours"), _sentence("α: the share")
    ('Weight of it.', 'k: neighbours.', 'α: the share.')
    """
    words = words if words.endswith(".") else f"{words}."
    return words[0].upper() + words[1:] if re.match(r"a |[a-z]{2}", words) else words


def _attributes(cls: Any, text: str) -> str:
    """The attributes that a class documents, then those that only its bases do."""
    entries: dict[str, str] = {}
    for source in (text, *(_parts(vars(base).get("__doc__") or "")[1].get("Attributes", "") for base in _bases(cls))):
        for entry in re.split(r"\n(?=\S)", source):
            entries.setdefault(entry.partition(" : ")[0], entry)
    entries.pop("", None)
    return "\n".join(entries.values())


def _bases(cls: Any) -> list[Any]:
    return [base for base in cls.__mro__[1:] if issubclass(base, Declaring)]


def _indented(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="    ", subsequent_indent="    ")
