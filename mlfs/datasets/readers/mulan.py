"""Mulan's XML: the names of the labels, flat or as a hierarchy."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from mlfs.datasets.readers.files import InputFile
from mlfs.datasets.readers.limits import Limits
from mlfs.datasets.readers.problems import count, problem, show

_MAX_BYTES = 64 * 1024**2  # its tree takes several times as much


def read_label_names(file: InputFile, limits: Limits) -> list[str]:
    """The label names in the order of the XML. A label that has labels inside is a label like they are."""
    content = b"".join(file.chunks(replace(limits, max_bytes=min(limits.max_bytes, _MAX_BYTES))))
    try:
        root = fromstring(content)
    except ParseError as error:
        sentence = f"this is not well-formed XML ({error.msg}); correct it, and save it as UTF-8."
        raise problem(file.name, error.position[0], sentence) from error
    except DefusedXmlException as error:
        raise problem(file.name, None, "it defines entities, which can be a trap; write the names out.") from error
    except (ValueError, LookupError) as error:
        raise problem(file.name, None, "its encoding cannot be read; save it as UTF-8.") from error
    labels = [element for element in root.iter() if str(element.tag).rpartition("}")[2] == "label"]
    names = [element.get("name") for element in labels]
    if not names or None in names:
        raise problem(file.name, None, 'it must list the labels of the data set, each as <label name="…"></label>.')
    if len(names) > limits.max_labels:
        raise problem(file.name, None, f"more than {count(limits.max_labels, 'label')}; raise max_labels to take them.")
    name, uses = Counter(names).most_common(1)[0]
    if uses > 1:
        raise problem(file.name, None, f"it names the label {show(name)} twice; keep one of them.")
    return names
