"""Digests of what a run is judged by."""

from __future__ import annotations

import hashlib
import json
from dataclasses import is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Sequence

from mluops_conformance import __version__
from mluops_conformance.judging import thresholds
from mluops_conformance.language.dump import judged_fields
from mluops_conformance.language.known_issues import known_issues
from mluops_conformance.operators import the_operator
from mluops_conformance.results.basis import Basis

if TYPE_CHECKING:
    from mluops_conformance.execution.options import RunOptions
    from mluops_conformance.language.known_issues import KnownIssue
    from mluops_conformance.language.model import Case

DIGITS = 16
"""Hexadecimal digits of a digest."""


def basis_of(cases: Sequence[Case], options: RunOptions) -> Basis:
    """Return the basis of a run that selects `cases`.

    Raises
    ------
    UserError
        A file of known issues cannot be read.
    """
    return Basis(
        __version__,
        {case.id: case_digest(case) for case in cases},
        _digest(list(map(_issue, known_issues(options.known_issues)))),
        _digest(_thresholds(sorted({call.operator for case in cases for call in case.calls}), options)),
    )


@lru_cache(maxsize=None)
def file_digest(path: Path) -> str:
    """Digest a file of a case's data; a file that cannot be read is a fault of its case, told there."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:DIGITS]
    except OSError:
        return ""


def case_digest(case: Case) -> str:
    """Digest what is executed and judged of a case: not where it stands, nor what it says of itself."""
    return _digest([judged_fields(case), list(_data_files(case))])


def _data_files(case: Case) -> Iterator[str]:
    folder = Path(case.origin.file).parent
    for call in case.calls:
        for spec in call.data.values():
            if "path" in spec.options:
                yield file_digest(folder / str(spec.options["path"]))


def _issue(issue: KnownIssue) -> dict[str, Any]:
    return {name: value for name, value in vars(issue).items() if name != "origin"}


def _thresholds(operators: Iterable[str], options: RunOptions) -> Any:
    return [
        {name: vars(the_operator(name).criteria) for name in operators},
        [thresholds.STATIC, thresholds.POINTWISE, thresholds.POINTWISE_RATE],
        sorted(options.thresholds.items()),
        options.static_thresholds,
    ]


def _digest(values: Any) -> str:
    text = json.dumps(values, default=_plain, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def _plain(value: Any) -> Any:
    """Give what JSON lacks as JSON, the same for equal values in any process."""
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    return vars(value) if is_dataclass(value) else str(value)
