"""Show one case: tensors, scalars, data, criteria, expected status, and the file that stands for it alone."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Iterator

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.execution.options import RunOptions, add_device, add_operators
from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from mluops_conformance.artefacts.file import Artefact
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Operator, Tensor

EPILOG = """\
examples:
  mluops-conformance show nms_rotated/network-34:box_dim=5,iou_threshold=0.3
  mluops-conformance show nms_rotated/network-34:box_dim=5,iou_threshold=0.3 --yaml > one-case.yaml
  mluops-conformance show nms_rotated/network-34:box_dim=5,iou_threshold=0.3 --data one-case.npz
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", metavar="CASE", help="the id of one case")
    parser.add_argument("--yaml", action="store_true", help="only print a case file with this case alone")
    parser.add_argument("--data", metavar="FILE", help="write inputs and expected outputs to FILE (.npz)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the data, as in `run`")
    parser.add_argument(
        "--cases", action="append", default=[], metavar="PATH", help="case file or folder (repeatable)"
    )
    add_operators(parser.add_argument)
    add_device(parser.add_argument, None, "show the sizes that follow from this device; --data uses MLU370's")


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.language.dump import to_yaml
    from mluops_conformance.language.load import select
    from mluops_conformance.language.model import KNOWN_DEVICES, sized
    from mluops_conformance.operators import the_operator

    cases = select(args.cases, [args.case])
    if len(cases) != 1:
        raise UserError(f"{args.case} selects {counted(len(cases), 'case')}; show takes the id of one")
    (case,) = cases
    operator = the_operator(case.operator)
    if args.emulated_device:
        case = sized(case, operator, KNOWN_DEVICES[args.emulated_device])
    if args.data:
        _prepared(case, args.seed).save(args.data)
        return exit_codes.PASSED
    if not args.yaml:
        print(_description(case, operator))
    print(to_yaml(case))
    return exit_codes.PASSED


def _prepared(case: Case, seed: int) -> Artefact:
    """The data that a run would give to a case, and what it would expect.

    The right answer to what earlier calls give is known only after a run.
    """
    from mluops_conformance.artefacts.replay import gather
    from mluops_conformance.execution.execute import trails_of
    from mluops_conformance.execution.session import Session
    from mluops_conformance.execution.steps import compute_expectation, fill

    if case.refused:
        raise UserError(
            f"{case.id} expects {case.expected_status}: no data is made for a call that must be refused"
        )
    session = Session(RunOptions(backend="emulator", seed=seed))
    trails = trails_of(case, session)
    for trail in trails:
        trail.take("fill", fill)
        if case.compare:
            trail.take("reference", compute_expectation)
    session.close()
    return gather(trails[-1])


def _description(case: Case, operator: Operator) -> str:
    from tabulate import tabulate

    from mluops_conformance.operators import the_operator

    facts = tabulate(list(_facts(case, operator)), tablefmt="plain")
    headers = ("tensor", "dtype", "shape", "layout", "descriptor", "data")
    rows = [
        row
        for name, call in zip((*(f"{step.name}." for step in case.after), ""), case.calls)
        for row in _tensor_rows(call, the_operator(call.operator), name)
    ]
    return f"{facts}\n\n{tabulate(rows, headers=headers, tablefmt='plain')}\n"


def _facts(case: Case, operator: Operator) -> Iterator[tuple[str, Any]]:
    yield "case", case.id
    yield "place", case.origin
    for step in case.after:
        yield "calls", f"{_function(step.case)}, as `{step.name}`"
    yield "calls", f"{_function(case)}, without a synchronisation before" if case.after else _function(case)
    yield "expects", case.expected_status
    scalars = {**case.dims, **case.limits, **case.params}
    yield "scalars", ", ".join(f"{name}={value}" for name, value in scalars.items())
    yield "criteria", f"{', '.join(operator.criteria.measures)} ({operator.criteria.source})"
    if case.checks:
        yield "requirements", ", ".join(case.checks)


def _function(call: Case) -> str:
    from mluops_conformance.operators import the_operator

    operator = the_operator(call.operator)
    return (operator.workspace_functions if call.call == "workspace" else operator.functions)[0]


def _tensor_rows(case: Case, operator: Operator, prefix: str) -> Iterator[tuple[Any, ...]]:
    for tensor in operator.tensors:
        name, *cells = _tensor_row(case, operator, tensor.name)
        yield f"{prefix}{name}", *cells


def _tensor_row(case: Case, operator: Operator, name: str) -> tuple[Any, ...]:
    from mluops_conformance.execution.inputs import dtype_of

    tensor = operator.tensor(name)
    override = case.descriptors.get(name)
    if name in operator.absent_with(case.absent):
        return name, "", "", "", "NULL", "absent"
    spec = case.data.get(name)
    data = "output" if tensor in operator.outputs else f"from {case.links.get(name)}"
    if spec:
        data = f"{spec.name} {dict(spec.options)}"
    return (
        name,
        dtype_of(tensor, case),
        _shape_text(tensor, case),
        tensor.layout,
        "as the tensor" if override is None else _override_text(override),
        "NULL pointer" if name in case.pointers else data[:60],
    )


def _shape_text(tensor: Tensor, case: Case) -> str:
    """Numbers, and the names of dimensions that follow from the device."""
    from mluops_conformance.operators.base import shape_of

    extents = zip(tensor.shape, shape_of(tensor, case.dims))
    return "x".join(
        entry if set(entry.split("*")) & set(case.limits) else str(extent) for entry, extent in extents
    )


def _override_text(override: Any) -> str:
    if override.null:
        return "NULL"
    parts = {name: getattr(override, name) for name in ("dtype", "layout", "shape", "strides")}
    return ", ".join(f"{name} {value}" for name, value in parts.items() if value is not None)
