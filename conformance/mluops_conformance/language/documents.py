"""YAML files, read into nodes."""

from __future__ import annotations

import os
from pathlib import Path

from mluops_conformance.language.findings import Findings
from mluops_conformance.language.nodes import START, Node, compose, mark_behind
from mluops_conformance.reading import LARGEST, regular_file

__all__ = ["findings_of", "read_document"]


def findings_of(path: Path) -> Findings:
    """Findings under the path as seen from the current folder, or the whole path where it lies outside."""
    relative = os.path.relpath(path)
    return Findings(str(path) if relative.startswith(os.pardir) else relative)


def read_document(file: Path) -> tuple[Node | None, Findings]:
    """The root of a YAML file, an empty mapping where it is empty, and what is wrong with the file.

    There is no root where the file cannot be read, is not UTF-8 or not YAML.
    """
    found = findings_of(file)
    text = _text(file, found)
    if text is None:
        return None, found
    root, problems = compose(text, found.file)
    found.extend(problems)
    return root, found


def _text(file: Path, found: Findings) -> str | None:
    try:
        data = regular_file(file, LARGEST).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        found.at(Node(None, START), f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        mark = mark_behind(data[: error.start].decode("utf-8-sig"))
        found.at(Node(None, mark), f"the byte 0x{data[error.start]:02x} is not UTF-8")
    return None
