"""The findings of a search, for people and as case files."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Iterable, Iterator

from mluops_conformance.execution.execute import repro_line
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.language.dump import to_yaml
from mluops_conformance.language.load import load
from mluops_conformance.language.model import Case
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.base import Operator, Scalar
from mluops_conformance.support.files import make_folder
from mluops_conformance.support.formatting import counted, legible, short
from tabulate import tabulate

from mluops_tools.fuzz.campaign import Failure, Findings
from mluops_tools.fuzz.pool import Example

FILE_NAME = "found.yaml"
TRIED_NAME = "tried.csv"

FEW_VALUES = 4
"""So many values are shown one by one."""


def summary(findings: Findings) -> str:
    """A row for each operator and dtype, a column for each outcome."""
    outcomes = sorted({outcome for counts in findings.outcomes.values() for outcome in counts})
    rows = [
        [*pair, *(counts[outcome] for outcome in outcomes)]
        for pair, counts in sorted(findings.outcomes.items())
    ]
    table: str = tabulate(rows, ["operator", "dtype", *outcomes], tablefmt="plain")
    return table


def known(findings: Findings) -> Iterator[str]:
    """A line for each known issue that examples showed."""
    for issue, failure in sorted(findings.known.items(), key=lambda item: -item[1].count):
        yield f"known, {counted(failure.count, 'example')}: {issue}"


def tried(findings: Findings) -> Iterator[str]:
    """A line for computed and for refused calls of each operator: the values of their arguments."""
    for (operator, call), arguments in sorted(findings.tried.items()):
        spans = ", ".join(f"{name} {_span(values)}" for name, values in arguments.items())
        yield f"tried, {operator}, {call}: {spans}"


def _span(values: Iterable[Scalar]) -> str:
    ordered = [short(value) for value in sorted(values)]
    if len(ordered) <= FEW_VALUES:
        return "|".join(ordered)
    return f"{ordered[0]} to {ordered[-1]} ({len(ordered)} values)"


def tried_table(findings: Findings) -> str:
    """Return a row of CSV for each value that examples had: operator, call, argument, value, examples."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("operator", "call", "argument", "value", "examples"))
    for key, arguments in sorted(findings.tried.items()):
        for name, values in arguments.items():
            writer.writerows((*key, name, value, values[value]) for value in sorted(values))
    return text.getvalue()


def headline(failure: Failure) -> str:
    """One line on a failure: the operator, how many examples showed it, and what is wrong."""
    key = failure.key
    place = f" ({key.place})" if key.place else ""
    return f"{key.operator}: {counted(failure.count, 'example')}: {key.outcome}: {key.what}{place}"


def entry(case: Case) -> str:
    """The entry of a case file, without the lines that all entries of a file share."""
    return to_yaml(case).partition("cases:\n")[2].rstrip("\n")


def case_file(operator: Operator, entries: Iterable[str]) -> str:
    """Return a case file with these entries.

    An optional input without a fill of its own gets one: entries that leave it out give null, and those that
    are refused may not give a fill themselves.
    """
    optional = [tensor.name for tensor in operator.inputs if tensor.optional and not tensor.fill]
    fills = ", ".join(f"{name}: {{fill: zeros}}" for name in optional)
    defaults = [f"defaults: {{data: {{{fills}}}}}"] if optional else []
    return "\n".join([f"operator: {operator.name}", *defaults, "cases:", *entries, ""])


class Found:
    """The folder of what was found: one `found.yaml`, or one for each operator in a folder of its name.

    Parameters
    ----------
    folder : Path
    operators : iterable of str
        The operators of the search.

    Raises
    ------
    UserError
        The folder cannot be made.
    """

    def __init__(self, folder: Path, operators: Iterable[str]) -> None:
        make_folder(folder)
        self.folder = folder
        names = sorted(set(operators))
        self._files = {
            name: folder / FILE_NAME if len(names) == 1 else folder / name / FILE_NAME for name in names
        }
        existing = [file for file in self._files.values() if file.exists()]
        self.earlier = tuple(Example(case) for case in load(existing))

    def write(self, findings: Findings, options: RunOptions, backend: str) -> list[Path]:
        """Write the smallest case of each failure, and earlier cases that were not found again.

        Returns
        -------
        list of Path
            The files, in the order of the operators.
        """
        return [
            file for name, file in self._files.items() if self._write(name, file, findings, options, backend)
        ]

    def file_of(self, operator: str) -> Path:
        """Return the case file of an operator."""
        return self._files[operator]

    def write_tried(self, findings: Findings) -> Path:
        """Write the values that this search has tried."""
        file = self.folder / TRIED_NAME
        file.write_text(tried_table(findings), encoding="utf-8")
        return file

    def _write(
        self, operator: str, file: Path, findings: Findings, options: RunOptions, backend: str
    ) -> bool:
        failures = [failure for failure in findings.sorted() if failure.key.operator == operator]
        ids = {failure.example.case.id for failure in failures}
        earlier = [example.case for example in self.earlier if example.case.operator == operator]
        lines = [line for failure in failures for line in _lines(failure, file, options, backend)]
        for case in earlier:
            if case.id not in ids:
                lines += ["  # found earlier, and not by the last search", entry(case)]
        if lines:
            file.parent.mkdir(parents=True, exist_ok=True)
            text = case_file(the_operator(operator), lines)
            temporary = file.with_suffix(".tmp")
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(file)
        return bool(lines)


def _lines(failure: Failure, file: Path, options: RunOptions, backend: str) -> Iterator[str]:
    yield f"  # {_one_line(headline(failure))}"
    yield f"  # {_one_line(failure.record.reason)}"
    if not failure.repeats:
        yield "  # It passes alone: it fails after other calls in the same process."
    yield f"  # {repro(failure.example, file, options, backend)}"
    yield entry(failure.example.case)


def repro(example: Example, file: Path, options: RunOptions, backend: str) -> str:
    """Return the shell command that runs the case of an example from a file."""
    there = replace(options, cases=(str(file),), placement=example.placement, queues=example.queues)
    return repro_line(example.case.id, there, backend)


def _one_line(text: str) -> str:
    return legible(" ".join(text.split()))
