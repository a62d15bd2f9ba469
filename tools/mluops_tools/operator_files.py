"""The text of a new operator's files, from the parts of its C function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Mapping

__all__ = ["Parts", "skeleton"]

OUTSIDE = {"definition": "{name}.py", "cases": "cases/{name}"}
IN_TREE = {
    "definition": "conformance/mluops_conformance/operators/{name}.py",
    "cases": "cases/{name}",
    "reference": "reference/mluops_reference/{name}.py",
    "answers": "reference/tests/test_{name}.py",
    "wrapper": "bindings/mluops/operators/{name}.py",
    "kernel": "bindings/mluops_emulator/operators/{name}.py",
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


def skeleton(parts: Parts, in_tree: bool) -> dict[str, str]:
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
        files[places["wrapper"]] = _wrapper(parts)
        files[places["kernel"]] = _kernel(parts)
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


def _wrapper(parts: Parts) -> str:
    given = {**dict.fromkeys(parts.inputs, "Operand"), **parts.scalars}
    lines = [f"{name}: {kind}," for name, kind in given.items()]
    lines.insert(len(parts.inputs), "*,")
    several = len(parts.outputs) > 1
    return WRAPPER.format(
        name=parts.name,
        function=parts.function,
        also=", NamedTuple" if several else "",
        parts="from mluops.operands import several\n" if several else "",
        scratch="    from mluops.workspace import Scratch\n" if parts.workspace_function else "",
        outputs=_named_outputs(parts) if several else "",
        parameters="\n    ".join(lines),
        result="Outputs" if several else "Operand",
        workspace="\n    workspace: Scratch | None = None," if parts.workspace_function else "",
        passed="workspace=workspace, " if parts.workspace_function else "",
        given="\n        ".join(f"{name}={name}," for name in given),
        shaping=parts.inputs[0] if parts.inputs else parts.outputs[0],
        body=_several_outputs(parts) if several else ONE_OUTPUT.format(*parts.outputs),
    )


def _named_outputs(parts: Parts) -> str:
    fields = "\n".join(f"    {name}: Operand" for name in parts.outputs)
    return f'class Outputs(NamedTuple):\n    """FILL IN: what each output holds."""\n\n{fields}\n\n\n'


def _several_outputs(parts: Parts) -> str:
    names = ", ".join(f"{name}_out" for name in parts.outputs)
    lines = [f"{names} = several(out, *Outputs._fields)"]
    lines += [f'call.output("{name}", (n,), dtype, {name}_out)' for name in parts.outputs]
    return "\n    ".join([*lines, "return Outputs(**call.run())"])


def _kernel(parts: Parts) -> str:
    tensors = (*parts.inputs, *parts.outputs)
    entries = {parts.function: "launch"}
    if parts.workspace_function:
        entries[parts.workspace_function] = "workspace_size"
    return KERNEL.format(
        function=parts.function,
        ctypes="import ctypes\n" if parts.workspace_function else "",
        descriptors=_rows(f'"{name}_desc"' for name in tensors if name not in parts.bare),
        scratch="    checks.workspace_given(),\n" if parts.workspace_function else "",
        tensors="".join(f'        "{name}",\n' for name in tensors),
        query=QUERY if parts.workspace_function else "",
        entries=_rows(f'"{function}": {entry}' for function, entry in entries.items()),
    )


def _rows(texts: Iterable[str]) -> str:
    return "".join(f"    {text},\n" for text in texts)


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
WRAPPER = '''\
"""{function}."""

from __future__ import annotations

from typing import TYPE_CHECKING{also}

from mluops.calls import Call
{parts}
if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle
{scratch}

{outputs}def {name}(
    handle: Handle,
    {parameters}
    out: {result} | None = None,{workspace}
    synchronize: bool = True,
) -> {result}:
    """FILL IN: what it computes, with the parameters, the outputs and the errors."""
    call = Call(handle, "{function}", {passed}synchronize=synchronize)
    call.give(
        {given}
    )
    (n,) = call.lengths("{shaping}", "n")  # FILL IN: the dimensions that shape an output
    dtype = call.like("{shaping}")
    {body}
'''
ONE_OUTPUT = """\
call.output("{0}", (n,), dtype, out)
    return call.run()["{0}"]"""
KERNEL = '''\
"""{function}: FILL IN: what the kernel computes, and in which steps."""

from __future__ import annotations

{ctypes}from typing import TYPE_CHECKING

from mluops_emulator import checks

if TYPE_CHECKING:
    from mluops.constants import mluOpStatus_t

    from mluops_emulator.call import Call

_DESCRIPTORS = (
{descriptors})

CHECKS = (
    *checks.not_null("handle", *_DESCRIPTORS),
    # FILL IN: ranks, dtypes, layouts and sizes, in the order of the document
    *checks.contiguous(*_DESCRIPTORS),
    *checks.element_limit(*_DESCRIPTORS),
{scratch}    *checks.not_null(
{tensors}    ),
)


def launch(call: Call) -> mluOpStatus_t:
    return checks.launch(CHECKS, call, lambda: _run(call))


def _run(call: Call) -> None:
    # FILL IN: the document's algorithm
    raise NotImplementedError("{function} has no emulated kernel yet")


{query}ENTRY_POINTS = {{
{entries}}}
'''
QUERY = """\
def workspace_size(call: Call) -> mluOpStatus_t:
    status = checks.verdict(checks.not_null("handle", "workspace_size"), call)
    if status is not None:
        return status
    size = 1  # FILL IN: the bytes that the kernel needs
    call.emulator.host.store(call["workspace_size"], ctypes.c_size_t, size, "workspace_size")
    return checks.SUCCESS


"""
