"""JUnit XML, as Jenkins and GitLab read it: a suite an operator, a testcase a case.

Outcomes become JUnit's four: `failed`, `mistrusted` and `xpassed` a failure, `crashed`, `timeout` and
`error` an error, `skipped`, `unsupported` and `xfailed` skipped. Text holds only what XML 1.0 allows;
anything else stands there as an escape.
"""

from __future__ import annotations

from typing import Any, Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from mluops_conformance.performance.times import Performance
from mluops_conformance.reports.text import case_block, summary_line
from mluops_conformance.results.outcomes import cause_of
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record
from mluops_conformance.support.files import gc_paused
from mluops_conformance.support.formatting import legible

MICROSECOND, GIGA = 1e-6, 1e9

KINDS = {
    "failed": "failure",
    "mistrusted": "failure",
    "xpassed": "failure",
    "crashed": "error",
    "timeout": "error",
    "error": "error",
    "skipped": "skipped",
    "unsupported": "skipped",
    "xfailed": "skipped",
}
"""The child that a testcase has by outcome; `passed` has none."""


def render(run: Run) -> str:
    """The run as an XML document, made piece by piece: as elements all of it is ten times its text."""
    root = _element("testsuites", {"name": run.header.run, **_totals(run.records)})
    with gc_paused():
        suites = [
            _suite(run, operator, [record for record in run.records if record.operator == operator])
            for operator in dict.fromkeys(record.operator for record in run.records)
        ]
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_around(root, suites)}\n'


def _suite(run: Run, operator: str, records: Sequence[Record]) -> str:
    host = run.environment.get("host", {}).get("name") or ""
    attributes = {
        "name": operator,
        **_totals(records),
        "timestamp": run.header.started[:19],
        "hostname": host,
    }
    suite = _element("testsuite", attributes)
    _add_properties(
        suite, {"summary": summary_line(run), "backend": run.header.backend, "device": run.header.device}
    )
    _add_properties(suite, dict(_flat(run.environment)))
    return _around(suite, [tostring(_testcase(record), encoding="unicode") for record in records])


def _around(parent: Element, children: Sequence[str]) -> str:
    """The text of an element with further children, which are text already."""
    text = tostring(parent, encoding="unicode", short_empty_elements=False)
    opening, end, rest = text.rpartition(f"</{parent.tag}>")
    return "".join([opening, *children, end, rest])


def _testcase(record: Record) -> Element:
    file, _, line = record.origin.rpartition(":")
    attributes = {
        "name": record.id,
        "classname": record.operator,
        "file": file,
        "line": line,
        "time": f"{record.total_seconds:.6f}",
    }
    testcase = _element("testcase", attributes)
    _add_properties(testcase, dict(_case_properties(record)))
    kind = KINDS.get(record.outcome)
    if kind:
        attributes = {"message": record.reason, "type": record.outcome}
        child = SubElement(testcase, kind, {name: legible(value) for name, value in attributes.items()})
        child.text = None if kind == "skipped" else case_block(record)
    return testcase


def _case_properties(record: Record) -> Iterator[tuple[str, Any]]:
    yield "outcome", record.outcome
    yield "seed", record.seed
    yield "repro", record.repro
    if not record.is_good:
        yield "cause", cause_of(record)
    for name, size in record.sizes.items():
        yield f"size.{name}", size
    if record.requirements:
        yield "requirements", " ".join(record.requirements)
    if record.performance is not None:
        yield from _times(record.performance)
    for verdict in record.outputs:
        for name, value in verdict.measures.items():
            yield f"{verdict.name}.{name}", value
        for name, threshold in verdict.thresholds.items():
            yield f"{verdict.name}.{name}.threshold", threshold.value
        if verdict.resolution is not None:
            yield f"{verdict.name}.resolution", verdict.resolution
        if verdict.matched:
            yield f"{verdict.name}.matched", verdict.matched


def _times(found: Performance) -> Iterator[tuple[str, Any]]:
    """Under the names that gtest's report has, and in its units (mlu_op_gtest.cpp:692-825)."""
    yield "hardware_time_mlu", found.hardware.median / MICROSECOND
    yield "hardware_time_cv_mlu", found.hardware.variation
    yield "interface_time_mlu", found.interface.median / MICROSECOND
    yield "workspace_size_mlu", found.workspace
    yield "theory_ios", found.work.bytes.value
    optional = {
        "theory_ops": found.work.operations and found.work.operations.value,
        "compute_force": found.peaks.compute and found.peaks.compute.value,
        "io_bandwidth": found.peaks.bandwidth and found.peaks.bandwidth.value / GIGA,
        "compute_efficiency_mlu": found.compute_efficiency,
        "io_efficiency_mlu": found.io_efficiency,
        "hardware_time_grade": found.grade or None,
        "measuring_errors": "; ".join(found.errors) or None,
    }
    yield from ((name, value) for name, value in optional.items() if value is not None)


def _totals(records: Sequence[Record]) -> dict[str, str]:
    kinds = [KINDS.get(record.outcome) for record in records]
    return {
        "tests": str(len(records)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")),
        "time": f"{sum(record.total_seconds for record in records):.6f}",
    }


def _add_properties(parent: Element, values: Mapping[str, Any]) -> None:
    properties = parent.find("properties")
    if properties is None:
        properties = SubElement(parent, "properties")
    for name, value in values.items():
        SubElement(properties, "property", {"name": legible(name), "value": legible(str(value))})


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        elif value is not None:
            yield f"{prefix}{name}", value


def _element(tag: str, attributes: Mapping[str, str]) -> Element:
    element = Element(tag, {name: legible(value) for name, value in attributes.items() if value})
    element.tail = "\n"
    return element
