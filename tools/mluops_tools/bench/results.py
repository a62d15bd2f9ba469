"""The results of benchmarks, and their JSON file, schema version 1.

    {"schema": 1, "host": {...}, "results": [{"name", "wall": [s, ...], "cpu": [s, ...], "memory", "error"}]}

`wall` and `cpu` are the seconds of every sample, in order; `memory` is in bytes, or null; `error` says why
there are no samples, or is empty.
"""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Sequence

from mluops_conformance.errors import UserError
from mluops_conformance.results import fields
from mluops_conformance.support.files import LARGEST, regular_file

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Result:
    """The samples of one benchmark; see the module."""

    name: str
    wall: tuple[float, ...] = ()
    cpu: tuple[float, ...] = ()
    memory: int | None = None
    error: str = ""


def write(path: Path, results: Sequence[Result]) -> None:
    """Store results."""
    document = {"schema": SCHEMA_VERSION, "host": _host(), "results": [asdict(result) for result in results]}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def read(path: Path) -> list[Result]:
    """The results of a file.

    Raises
    ------
    UserError
        It cannot be read, or holds something else.
    """
    try:
        document = json.loads(regular_file(path, LARGEST).read_text(encoding="utf-8"))
        if document["schema"] > SCHEMA_VERSION:
            raise UserError(
                f"{path} is of schema {document['schema']}, and this program reads {SCHEMA_VERSION}"
            )
        return [fields.read(Result, values) for values in document["results"]]
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(f"{path} holds no results of bench: {error}") from None


def _host() -> dict[str, object]:
    import numpy

    return {
        "machine": platform.machine(),
        "system": platform.platform(),
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
    }
