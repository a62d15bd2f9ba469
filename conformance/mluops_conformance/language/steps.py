"""Read the calls that a case makes before its own, and check what links their tensors."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Iterator, Mapping, NamedTuple

from mluops_conformance.language.documents import Findings, unknown
from mluops_conformance.language.fields import read_fields
from mluops_conformance.language.kinds import mapping
from mluops_conformance.language.model import KNOWN_DEVICES, Case, Link, Step, sized
from mluops_conformance.language.nodes import Node
from mluops_conformance.language.sections import FROM, Sections, Shared, Vocabulary, inner
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.base import Tensor, shape_of

__all__ = ["StepReader", "are_linked", "with_limits"]

AFTER = "after"
NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
MODES = ("check", "repeat")
"""The modes of a case of several calls."""


class _Call(NamedTuple):
    """A call of a case: its place in `Case.calls`, its name in messages, and the readers of its fields."""

    number: int
    name: str
    sections: Sections


class StepReader:
    """The reader of a case's field `after`.

    Parameters
    ----------
    sections : Sections
        The readers of the case.
    found : Findings
        Gets what is wrong.
    """

    def __init__(self, sections: Sections, found: Findings) -> None:
        self._own = sections
        self._found = found
        self._calls: list[_Call] = []

    def added_to(self, case: Case, computes: bool) -> Case:
        """Return the case with its steps; those of the file's defaults only where it computes something."""
        node = self._own.entries.get(AFTER)
        given = self._own.section(AFTER)
        if given and not computes and node is not None:
            if node is not self._own.inherited(AFTER):
                self._found.at_key(node, f"{AFTER} is of no use: nothing is computed in this case")
            given = {}
        if given and case.mode not in MODES:
            self._found.at_key(self._own.entries["mode"], f"mode {case.mode} takes one call, without {AFTER}")
        shared = Shared(self._nominal(case), case.params, case.dtype)
        steps = [self._read(name, place, case, shared) for name, place in given.items()]
        self._calls.append(_Call(len(self._calls), "the case", self._own))
        case = replace(case, after=tuple(step for step in steps if step is not None))
        if len(case.after) == len(given):
            self._check_names(case)
        return case

    def _nominal(self, case: Case) -> Mapping[str, int]:
        """The sizes of a case on the first of the known devices."""
        return sized(case, self._own.names.operator, next(iter(KNOWN_DEVICES.values()))).dims

    def _read(self, name: str, place: Node, case: Case, shared: Shared) -> Step | None:
        before = self._found.reports
        label = f"{AFTER}.{name}"
        if not NAME.fullmatch(name):
            self._found.at_key(place, f"{AFTER}: {name!r} is no name of a step: letters, digits and _")
        entries = self._found.read(mapping, label, place)
        if entries is None:
            return None
        fields = read_fields(AFTER, entries, place, self._found, f"{label}.")
        if "operator" not in fields:
            return None
        names = Vocabulary(the_operator(fields["operator"]))
        sections = Sections(place, entries, {}, names, self._found, shared)
        self._calls.append(_Call(len(self._calls), name, sections))
        step = Step(name, _call(sections, f"{case.id}#{name}", case), _shared(sections, case))
        return step if self._found.reports == before else None

    def _check_names(self, case: Case) -> None:
        """Refuse links to what is no tensor of a step before."""
        for call, name, link, node in self._links(case):
            label, earlier = f"data.{name}.{FROM}", [step.name for step in case.after[: call.number]]
            if link.step in earlier:
                self._check_tensor(label, link, node, case.after[earlier.index(link.step)].case)
            elif link.step in [step.name for step in case.after]:
                reason = f"{link.step} is not called before {call.name}; steps are called in their order"
                self._found.at(node, f"{label}: {reason}")
            elif not earlier:
                reason = f"unknown step '{link.step}'; no call stands before under {AFTER}"
                self._found.at(node, f"{label}: {reason}")
            else:
                self._found.note(unknown(node, f"step in {label}:", link.step, earlier))

    def _check_tensor(self, label: str, link: Link, node: Node, source: Case) -> None:
        operator = the_operator(source.operator)
        known = [tensor.name for tensor in operator.tensors]
        if link.tensor not in known:
            self._found.note(unknown(node, f"tensor of {operator.name} in {label}:", link.tensor, known))
        elif link.tensor in operator.absent_with(source.absent):
            self._found.at(node, f"{label}: {link} is absent; give it data, or give this input a fill")

    def check_limits(self, case: Case, there: Case, device: str) -> bool:
        """Note sizes of steps that lie outside of what is possible on a device; return whether none does."""
        steps = zip(self._calls, case.after, there.after)
        return all(
            call.sections.check_limits(step.case.limits, on_device.case.dims, device)
            for call, step, on_device in steps
        )

    def check(self, case: Case, where: str = "") -> bool:
        """Return whether the data of all steps can be made and linked; `where` ends each complaint."""
        before = self._found.reports
        for call, step in zip(self._calls, case.after):
            call.sections.check_fills(step.case, where)
        for call, name, link, node in self._links(case):
            complaint = _mismatch(case, case.calls[call.number], name, link)
            if complaint:
                self._found.at(node, f"data.{name}.{FROM}: {complaint}{where}")
        return self._found.reports == before

    def _links(self, case: Case) -> Iterator[tuple[_Call, str, Link, Node]]:
        """Each link of each call, with the place where it is written."""
        for call, called in zip(self._calls, case.calls):
            data = call.sections.section("data")
            for name, link in called.links.items():
                yield call, name, link, inner(data[name], FROM)


def with_limits(case: Case, unsized: Case) -> Case:
    """Return a case with the sizes of a device that keeps the limits of `unsized`, for other devices."""
    steps = zip(case.after, unsized.after)
    after = tuple(
        replace(step, case=replace(step.case, limits=original.case.limits)) for step, original in steps
    )
    return replace(case, limits=unsized.limits, after=after)


def _call(sections: Sections, id: str, case: Case) -> Case:
    dims, limits = sections.dims()
    params = sections.params()
    sections.check_accepted(dims, params)
    data, links, absent = sections.data(True)
    return Case(
        id=id,
        operator=sections.names.operator.name,
        origin=case.origin,
        dims=dims,
        limits=limits,
        params=params,
        dtype=sections.dtype(),
        data=data,
        links=links,
        absent=absent,
        clusters=case.clusters,
        repeat=case.repeat,
    )


def _shared(sections: Sections, case: Case) -> frozenset[str]:
    """Return the dimensions that the case gives to a step."""
    of_case: Mapping[str, object] = {**case.dims, **case.limits}
    return frozenset(of_case).intersection(sections.names.dims).difference(sections.section("dims"))


def are_linked(case: Case) -> bool:
    """Return whether each linked input of a case agrees with its tensor in shape and dtype."""
    return not any(
        _mismatch(case, call, name, link) for call in case.calls for name, link in call.links.items()
    )


def _mismatch(case: Case, call: Case, name: str, link: Link) -> str:
    """Return how an input differs from the tensor that it is linked to; empty if it does not."""
    source = next(step.case for step in case.after if step.name == link.step)
    given = the_operator(source.operator).tensor(link.tensor)
    taken = the_operator(call.operator).tensor(name)
    dtypes = _dtype(taken, call), _dtype(given, source)
    if dtypes[0] != dtypes[1]:
        return f"{name} is {dtypes[0]}, and {link} is {dtypes[1]}; link a tensor of its dtype, or give a fill"
    if shape_of(taken, call.dims) == shape_of(given, source.dims):
        return ""
    return f"{name} is {_shape(taken, call)}, and {link} is {_shape(given, source)}; make their dims agree"


def _dtype(tensor: Tensor, call: Case) -> str:
    return Vocabulary(the_operator(call.operator)).dtype_of(tensor, call.dtype).name


def _shape(tensor: Tensor, call: Case) -> str:
    return f"{'x'.join(map(str, shape_of(tensor, call.dims)))} ({', '.join(tensor.shape)})"
