"""Mulan's XML: the names of the labels, flat or as a hierarchy."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import ParseError
from xml.sax.saxutils import quoteattr

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.formats.errors import Limits, count, excerpt, file_error
from mlfs.datasets.formats.input_files import InputFile

_MAX_BYTES = 64 * 1024**2  # its tree takes several times as much


def read_label_names(file: InputFile, limits: Limits) -> list[str]:
    """The label names in the order of the XML. A label that has labels inside is a label like they are."""
    content = b"".join(file.chunks(replace(limits, max_bytes=min(limits.max_bytes, _MAX_BYTES))))
    try:
        root = fromstring(content)
    except ParseError as error:
        sentence = f"this is not well-formed XML ({error.msg}); correct it, and save it as UTF-8."
        raise file_error(file.name, error.position[0], sentence) from error
    except DefusedXmlException as error:
        raise file_error(file.name, None, "it defines entities, which can be a trap; write the names out.") from error
    except (ValueError, LookupError) as error:
        raise file_error(file.name, None, "its encoding cannot be read; save it as UTF-8.") from error
    labels = [element for element in root.iter() if str(element.tag).rpartition("}")[2] == "label"]
    names = [element.get("name") for element in labels]
    if not names or None in names:
        raise file_error(file.name, None, 'it must list the labels of the data set, each as <label name="…"></label>.')
    if len(names) > limits.max_labels:
        raise file_error(
            file.name, None, f"more than {count(limits.max_labels, 'label')}; raise max_labels to take them."
        )
    name, uses = Counter(names).most_common(1)[0]
    if uses > 1:
        raise file_error(file.name, None, f"it names the label {excerpt(name)} twice; keep one of them.")
    return names


def write_label_names(ds: Dataset, path: Path) -> None:
    """Write the names in the order of the data set."""
    labels = "".join(f"<label name={quoteattr(name)}></label>\n" for name in ds.label_names)
    head = '<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">\n'
    path.write_text(f"{head}{labels}</labels>\n", encoding="utf-8", newline="\n")
