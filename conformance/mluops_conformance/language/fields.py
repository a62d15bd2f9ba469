"""List the fields of each section of case files, and read them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Sequence

from mluops_conformance.language.documents import Findings
from mluops_conformance.language.kinds import KINDS, items, mapping
from mluops_conformance.language.nodes import Node

__all__ = ["FIELDS", "Field", "fields_of", "read_fields", "read_listing"]


@dataclass(frozen=True)
class Field:
    """A field of a case file, of `requirements.yaml` or of `known_issues.yaml`.

    Parameters
    ----------
    where : str
        The mapping it stands in: "file", "case", or within a case "expect", one step of "after", or one
        tensor's "descriptors"; "requirements" (the file), "requirement" and "known issue".
    name : str
    kind : str
        What it holds: a name in `kinds.KINDS`, or another, which is read by whoever knows its inside.
    help : str
        One line.
    required : bool
    choices : tuple of str
        The words that a "choice" or "choices" may hold.
    varies : bool
        Whether it, or what it holds, can be a key of `matrix` and `zip`.
    """

    where: str
    name: str
    kind: str
    help: str
    required: bool = False
    choices: tuple[str, ...] = ()
    varies: bool = False


FIELDS: tuple[Field, ...] = (
    Field("file", "operator", "text", "the operator of all cases of the file", required=True),
    Field("file", "source", "text", "the origin of the cases; a case may replace it"),
    Field("file", "defaults", "mapping", "fields of a case, merged under each case of the file"),
    Field("file", "cases", "entries", "the cases", required=True),
    Field("case", "id", "id", "the entry's name: letters, digits, _ . + -", required=True),
    Field("case", "tags", "names", "words that queries select; added to those of the defaults"),
    Field("case", "checks", "names", "ids of the checked requirements; added to those of the defaults"),
    Field("case", "source", "text", "the document and section of its origin"),
    Field("case", "note", "text", "a remark for readers"),
    Field("case", "dims", "mapping", "sizes of the operator's dimensions, by name: numbers, or limits that "
          "follow from the device", varies=True),
    Field("case", "params", "mapping", "the operator's scalars; under a dimension's name: the scalar that is "
          "passed instead, without a change of the shapes", varies=True),
    Field("case", "dtype", "dtype", "NumPy name of the dtype; the operator's first by default", varies=True),
    Field("case", "data", "mapping", "inputs: {fill: NAME, option: value, ...}, nested lists of values, "
          "{from: STEP.TENSOR}, or null for an optional tensor that is absent", varies=True),
    Field("case", "after", "mapping", "calls before this one on the same queue, without a synchronisation "
          "between them, in order: {STEP: {operator, ...}, ...}", varies=True),
    Field("case", "descriptors", "mapping", "tensors whose descriptor differs: {dtype, layout, shape, "
          "strides}, or null for a NULL descriptor", varies=True),
    Field("case", "pointers", "mapping", "null for each NULL pointer: tensors, handle, workspace; "
          "workspace_size of the workspace query", varies=True),
    Field("case", "call", "choice", "the operator, or its workspace query alone",
          choices=("operator", "workspace"), varies=True),
    Field("case", "expect", "mapping", "the status, and the state of the outputs", varies=True),
    Field("case", "thresholds", "mapping", "thresholds by measure, over the operator's own", varies=True),
    Field("case", "clusters", "clusters", "the number of clusters for kernels, which decides their job type; "
          "0: one core, a BLOCK task", varies=True),
    Field("case", "mode", "choice", "check the outputs, check only the status, compare repetitions, or "
          "measure times", choices=("check", "status", "repeat", "perf"), varies=True),
    Field("case", "repeat", "count", "the number of calls, in the modes repeat and perf", varies=True),
    Field("case", "requires", "choices", "the backend that the case needs", choices=("device",)),
    Field("case", "library", "versions", "range of libmluops versions, for example \">=1.0,<1.9\"",
          varies=True),
    Field("case", "series", "series", "beginnings of device names, the card's or its "
          "architecture's: MLU3, MLU590"),
    Field("case", "timeout", "seconds", "time limit in seconds on an idle machine, data and reference "
          "included; a busy machine and gigabytes of data get more"),
    Field("case", "matrix", "mapping", "key: values, one case for each combination"),
    Field("case", "zip", "mapping", "key: values, all of one length, taken in step"),
    Field("case", "exclude", "entries", "combinations to leave out: {key: value or list of values, ...}"),
    Field("after", "operator", "operator", "the operator of the call", required=True),
    Field("after", "dims", "mapping", "as in a case; the case gives each name that is left out"),
    Field("after", "params", "mapping", "as in a case; the case gives each name that is left out"),
    Field("after", "dtype", "dtype", "as in a case; the case's by default"),
    Field("after", "data", "mapping", "as in a case; {from: STEP.TENSOR} names a step before"),
    Field("expect", "status", "statuses", "the returned mluOpStatus_t without its prefix; a list if "
          "several are right"),
    Field("expect", "outputs", "choice", "computed and compared, or untouched (nothing to compute)",
          choices=("computed", "untouched")),
    Field("descriptors", "dtype", "any dtype", "NumPy name, or mluOpDataType_t without its prefix"),
    Field("descriptors", "layout", "layout", "mluOpTensorLayout_t without its prefix"),
    Field("descriptors", "shape", "sizes", "the dimensions"),
    Field("descriptors", "strides", "sizes", "elements from one index to the next, for each dimension"),
    Field("requirements", "operator", "operator", "the operator of the document", required=True),
    Field("requirements", "document", "text", "title and version of the document", required=True),
    Field("requirements", "requirements", "entries", "its statements", required=True),
    Field("requirement", "id", "text", "operator/section/slug, which cases name under checks", required=True),
    Field("requirement", "section", "text", "the section; library: only the header or the library states it",
          required=True),
    Field("requirement", "text", "text", "the statement, in one sentence", required=True),
    Field("requirement", "status", "choice", "tested: cases check it; not-testable: none can; contradicted: "
          "the library does something else, and cases judge by the library", required=True,
          choices=("tested", "not-testable", "contradicted")),
    Field("requirement", "reason", "text", "the reason, if it is not-testable"),
    Field("requirement", "library", "text", "the library's behaviour, if it contradicts the document"),
    Field("competitors", "device", "text", "the other device", required=True),
    Field("competitors", "source", "text", "the document and section of the figures",
          required=True),
    Field("competitors", "note", "text", "a remark for readers"),
    Field("competitors", "figures", "entries", "its figures, for one group of cases each", required=True),
    Field("figure", "cases", "queries", "the cases of the figure: queries, of which one must hold",
          required=True),
    Field("figure", "seconds", "seconds", "the hardware time", required=True),
    Field("figure", "compute_efficiency", "number", "per cent of its peak of operations"),
    Field("figure", "io_efficiency", "number", "per cent of its peak of bytes"),
    Field("known issue", "cases", "queries", "the covered cases: queries, of which one must hold",
          required=True),
    Field("known issue", "reason", "text", "the fault, and its cause", required=True),
    Field("known issue", "links", "links", "links to its discussion", required=True),
    Field("known issue", "expires", "day", "the last day of its validity, for example 2027-12-31",
          required=True),
    Field("known issue", "fails", "choice", "always (the default): a case that passes is xpassed, and the "
          "entry is out of date; sometimes: it may pass too", choices=("always", "sometimes")),
    Field("known issue", "explains", "choices", "the excused faults: values of outputs (the default), "
          "status, repetitions that differ, memory and other faults of the call, a crash, a timeout",
          choices=("values", "status", "repetition", "memory", "crashed", "timeout")),
    Field("known issue", "cause", "text", "a weakness that the operator's definition recognises; the entry "
          "covers a case if it fails, and the weakness explains all of its wrong values"),
    Field("known issue", "backend", "choice", "the affected backend, all by default; device "
          "means mlu-ops' own code, on a CPU too; cpu means there alone",
          choices=("device", "cpu", "emulator")),
    Field("known issue", "library", "versions", "range of libmluops versions, for example \">=1.0,<1.9\""),
    Field("known issue", "series", "series", "beginnings of device names, the card's or its "
          "architecture's: MLU3, MLU590"),
)  # fmt: skip


@lru_cache(maxsize=None)
def fields_of(where: str) -> dict[str, Field]:
    """The fields of one mapping, by name."""
    return {field.name: field for field in FIELDS if field.where == where}


def read_fields(
    where: str, entries: dict[str, Node], place: Node, found: Findings, prefix: str = ""
) -> dict[str, Any]:
    """The values of the fields in one mapping, and every field that is unknown, missing or unfit noted.

    Parameters
    ----------
    where : str
        The mapping, as `Field.where` names it.
    place : Node
        Where a missing field is reported.
    prefix : str
        What goes before field names in errors.

    Returns
    -------
    dict
        Without those whose kind is none of `KINDS`: whoever knows their inside reads them.
    """
    fields = fields_of(where)
    values: dict[str, Any] = {}
    for name, node in entries.items():
        field = fields.get(name)
        if field is None:
            found.unknown_key(node, f"field of {where}" if prefix else "field", name, fields)
        elif field.kind in KINDS:
            value = found.read(KINDS[field.kind], prefix + name, node, field.choices)
            if value is not None:
                values[name] = value
    for field in fields.values():
        if field.required and field.name not in entries:
            found.at(place, f"{prefix}{field.name} is missing: {field.help}")
    return values


def read_listing(where: str, key: str, root: Node, found: Findings) -> tuple[dict[str, Any], Sequence[Node]]:
    """The fields of a file whose entries stand under one key, and where these stand."""
    fields = found.read(mapping, f"a file of {key}", root)
    if fields is None:
        return {}, ()
    head = read_fields(where, fields, root, found)
    listed = fields.get(key)
    return head, (found.read(items, key, listed, key) if listed is not None else None) or ()
