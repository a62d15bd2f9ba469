"""Write the files of a new operator from its C function; `FILL IN` marks what a person must complete.

For `--operators DIR`: the definition with its reference, a first case and the requirements. With --in-tree
the files lie where the project keeps them, and the reference and its known answers have files of their own.
The command `lint` names every mark that is left.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Iterable, Mapping

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.operators.discovery import GIVEN_BY_THE_HARNESS
from mluops_conformance.support.files import LARGEST, regular_file

if TYPE_CHECKING:
    from mluops.signatures.function import Function

EPILOG = """\
examples:
  mluops-conformance skeleton mluOpAbs -o kernels
  mluops-conformance lint --operators kernels
  mluops-conformance skeleton mluOpAbs --header mlu_op.h --in-tree -o .
"""
DESCRIPTOR = "mluOpTensorDescriptor_t"
TENSOR = re.compile(r"(?:const )?(?:void|float|int|u?int\d+_t) ?\*")
"""C types of a tensor's data."""
FLOATS = frozenset({"float", "double"})
OUTSIDE = {"definition": "{name}.py", "cases": "cases/{name}"}
IN_TREE = {
    "definition": "conformance/mluops_conformance/operators/{name}.py",
    "cases": "cases/{name}",
    "reference": "reference/mluops_reference/{name}.py",
    "answers": "reference/tests/test_{name}.py",
    "faults": "bindings/mluops_emulator/faults/{name}.py",
}
"""Places of an operator's files, by what they hold."""


@dataclass(frozen=True)
class Parts:
    """An operator's arguments, by what they are.

    Parameters
    ----------
    name, function, workspace_function : str
        The operator in snake case, its C function, and its workspace query or an empty text.
    inputs, outputs : tuple of str
        Tensors.
    bare : frozenset of str
        Tensors without a descriptor.
    scalars : mapping of str to str
        Python's type of each scalar.
    """

    name: str
    function: str
    workspace_function: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    bare: frozenset[str]
    scalars: Mapping[str, str]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("function", metavar="FUNCTION", help="the C function, as mluOpAbs")
    parser.add_argument("--header", type=Path, metavar="FILE", help="mlu_op.h (default: the binding's)")
    parser.add_argument("-o", "--out", type=Path, default=Path(), metavar="DIR", help="default: here")
    parser.add_argument("--in-tree", action="store_true", help="DIR is a checkout of this project")
    parser.add_argument("--faults", action="store_true", help="with --in-tree: a table of planted faults too")


def run(args: argparse.Namespace) -> int:
    if args.faults and not args.in_tree:
        raise UserError("--faults goes with --in-tree: operators outside have no emulated kernel")
    files = skeleton(parts_of(args.function, _functions(args.header)), args.in_tree, args.faults)
    paths = {args.out / path: text for path, text in files.items()}
    taken = [str(path) for path in paths if path.exists()]
    if taken:
        raise UserError(f"{', '.join(taken)}: the file exists already; nothing is written")
    for path, text in paths.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path)
    return exit_codes.PASSED


def _functions(header: Path | None) -> Mapping[str, Function]:
    if header is None:
        from mluops.signatures import MLUOP

        return MLUOP
    from mluops_tools.abi.header import read_header

    try:
        return read_header(
            regular_file(header, LARGEST).read_text(encoding="utf-8", errors="replace")
        ).functions
    except OSError as error:
        raise UserError(f"{header} cannot be read: {error.strerror}") from None


def parts_of(name: str, functions: Mapping[str, Function]) -> Parts:
    """Sort the parameters of a C function.

    Raises
    ------
    UserError
        There is no such function, or the harness cannot make one of its arguments.
    """
    if name not in functions:
        raise UserError(f"no function {name} in mlu_op.h")
    function = functions[name]
    types = dict(zip(function.parameter_names, function.parameter_types))
    tensors = [name for name in types if TENSOR.fullmatch(types[name]) and name not in GIVEN_BY_THE_HARNESS]
    descriptors = {name for name, spelling in types.items() if DESCRIPTOR in spelling}
    rest = [other for other in types if other not in {*tensors, *descriptors, *GIVEN_BY_THE_HARNESS}]
    paired = {f"{tensor}_desc" for tensor in tensors}
    strange = [f"{types[other]} {other}" for other in rest if not _is_scalar(types[other])]
    strange += [f"{types[other]} {other}" for other in types if other in descriptors - paired]
    if strange or not tensors:
        raise UserError(f"{name}: the harness cannot make {', '.join(strange) or 'a call without tensors'}")
    query = name.replace("mluOp", "mluOpGet", 1) + "WorkspaceSize"
    inputs = tuple(tensor for tensor in tensors if types[tensor].startswith("const"))
    return Parts(
        name=snake_case(name),
        function=name,
        workspace_function=query if query in functions else "",
        inputs=inputs,
        outputs=tuple(tensor for tensor in tensors if tensor not in inputs),
        bare=frozenset(tensor for tensor in tensors if f"{tensor}_desc" not in descriptors),
        scalars={other: "float" if FLOATS & set(types[other].split()) else "int" for other in rest},
    )


def _is_scalar(spelling: str) -> bool:
    return "*" not in spelling and "[" not in spelling and not spelling.endswith("Descriptor_t")


def snake_case(function: str) -> str:
    """Return the operator's name: `roi_align_forward` of `mluOpRoiAlignForward`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", function[len("mluOp") :])
    return words.lower()


def skeleton(parts: Parts, in_tree: bool, faults: bool = False) -> dict[str, str]:
    """Return the text of each file, by its path."""
    places = {held: path.format(name=parts.name) for held, path in (IN_TREE if in_tree else OUTSIDE).items()}
    files = {
        places["definition"]: _definition(parts, in_tree),
        f"{places['cases']}/network.yaml": CASES.format(name=parts.name),
        f"{places['cases']}/requirements.yaml": REQUIREMENTS.format(name=parts.name, function=parts.function),
    }
    if in_tree:
        files[places["reference"]] = _reference(parts)
        files[places["answers"]] = ANSWERS.format(name=parts.name)
    if faults:
        files[places["faults"]] = FAULTS.format(name=parts.name, function=parts.function)
    return files


def _definition(parts: Parts, in_tree: bool) -> str:
    base = ["Arrays", "Criteria", "Dim", "Expectation", "Operator", *(["Param"] if parts.scalars else [])]
    return DEFINITION.format(
        name=parts.name,
        function=parts.function,
        imports="\n".join(f"    {name}," for name in (*base, "Scalar", "Tensor")),
        package=f"from mluops_reference.{parts.name} import {parts.name}\n\n" if in_tree else "",
        body=_call_of_reference(parts) if in_tree else RAISES.format(name=parts.name),
        params=_listed(_param(*scalar) for scalar in parts.scalars.items()),
        inputs=_listed(_tensor(name, parts) for name in parts.inputs),
        outputs=_listed(_tensor(name, parts) for name in parts.outputs),
        workspace=WORKSPACE.format(parts.workspace_function) if parts.workspace_function else "",
    )


def _listed(entries: Iterable[str]) -> str:
    texts = list(entries)
    if len(texts) == 1 and "\n" not in texts[0]:
        return f"({texts[0]})"
    return "\n".join(["(", *(f"        {text}" for text in texts), "    )"]) if texts else "()"


def _param(name: str, kind: str) -> str:
    default = "0.0" if kind == "float" else "0"
    return f'Param("{name}", {kind}, "FILL IN: what it does", {default}),'


def _tensor(name: str, parts: Parts) -> str:
    lines = [
        "Tensor(",
        f'    "{name}",',
        '    ("n",),',
        '    "FILL IN: what it holds, its shape, dtype and fill",',
    ]
    lines += ['    fill={"fill": "uniform", "range": (-1, 1)},'] if name in parts.inputs else []
    lines += ["    described=False,"] if name in parts.bare else []
    return "\n        ".join([*lines, "),"])


def _call_of_reference(parts: Parts) -> str:
    lines = [f'        inputs["{name}"],' for name in parts.inputs]
    lines += [f'        {name}={kind}(scalars["{name}"]),' for name, kind in parts.scalars.items()]
    call = "\n".join([f"    result = {parts.name}(", *lines, "    )"])
    return f'{call}\n    return Expectation({{"{parts.outputs[0]}": result}})  # FILL IN: every output'


def _reference(parts: Parts) -> str:
    parameters = [f"    {name}: NDArray[Any]," for name in parts.inputs]
    parameters += ["    *,"] if parts.scalars else []
    parameters += [f"    {name}: {kind}," for name, kind in parts.scalars.items()]
    return REFERENCE.format(name=parts.name, function=parts.function, parameters="\n".join(parameters))


DEFINITION = '''\
"""{name}: FILL IN: what it computes."""

from __future__ import annotations

from typing import Mapping

{package}from mluops_conformance.operators.base import (
{imports}
)


def _reference(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Expectation:
{body}


OPERATOR = Operator(
    name="{name}",
    functions=("{function}",),
    dtypes=("float32",),  # FILL IN: what the library takes, the most used first
    dims=(Dim("n", "FILL IN: every dimension that shapes a tensor"),),
    params={params},
    inputs={inputs},
    outputs={outputs},
    criteria=Criteria(
        measures=("diff1", "diff2"),
        static={{"float32": 3e-3}},
        source="FILL IN: measures and thresholds of which document and section",
    ),
    reference=_reference,
    scale=_reference,  # FILL IN: the formula on absolute values
{workspace})
'''
RAISES = """\
    # FILL IN: the formula in double precision: Expectation with an array for each output
    raise NotImplementedError("{name} has no reference yet")"""
WORKSPACE = '    workspace_functions=("{}",),\n'
CASES = """\
operator: {name}
source: "FILL IN: a network, or a section of the document"
defaults:
  tags: [network, smoke]
  checks: [{name}/1/formula]
cases:
  - id: network
    matrix: {{n: [1, 1000]}}  # FILL IN: sizes of a network
"""
REQUIREMENTS = """\
operator: {name}
document: "FILL IN: title and version of the document of {function}"
requirements:
  - id: {name}/1/formula
    section: "1"
    text: "FILL IN: what it computes, and one entry for each further statement"
    status: tested
"""
REFERENCE = '''\
"""{function} in double precision."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

__all__ = ["{name}"]


def {name}(
{parameters}
) -> NDArray[Any]:
    """Return FILL IN: what it computes, with shapes, dtypes and the source of the formula."""
    raise NotImplementedError("{name} has no reference yet")
'''
ANSWERS = '''\
"""Known answers of {name}."""

from __future__ import annotations

import pytest
from mluops_reference import {name}


@pytest.mark.skip("FILL IN: answers from elsewhere, as literal numbers")
def test_known_answers() -> None:
    assert {name} is None
'''
FAULTS = '''\
"""Faults of {function}."""

from __future__ import annotations

from mluops_emulator.faults.fault import faults_of

FAULTS = faults_of("{name}")  # FILL IN: a row for each thing that may go wrong
'''
