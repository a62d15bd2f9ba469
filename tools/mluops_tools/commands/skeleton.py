"""Write the files of a new operator from its C function; `FILL IN` marks what a person must complete.

For `--operators DIR`: the definition with its reference, a first case and the requirements. With --in-tree
the files lie where the project keeps them; reference, known answers, wrapper, emulated kernel and planted
faults have files of their own.
The command `lint` names every mark that is left.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Mapping

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.operators.discovery import GIVEN_BY_THE_HARNESS
from mluops_conformance.support.files import LARGEST, regular_file

from mluops_tools.operator_files import Parts, skeleton

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


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("function", metavar="FUNCTION", help="the C function, as mluOpAbs")
    parser.add_argument("--header", type=Path, metavar="FILE", help="mlu_op.h (default: the binding's)")
    parser.add_argument("-o", "--out", type=Path, default=Path(), metavar="DIR", help="default: here")
    parser.add_argument("--in-tree", action="store_true", help="DIR is a checkout of this project")


def run(args: argparse.Namespace) -> int:
    files = skeleton(parts_of(args.function, _functions(args.header)), args.in_tree)
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
