"""A correct device of the storage type passes every case, whatever the data and the order of its sums.

The baseline stands for that device: the same formula in the storage type, summed in another order than the
reference and the emulator do.
"""

from __future__ import annotations

import pytest
from mluops_conformance.engine.plan import elements
from mluops_conformance.execution.expectations import expect
from mluops_conformance.execution.inputs import fill_inputs, scalars_of
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.judging.verdict import judge
from mluops_conformance.language.load import select
from mluops_conformance.language.model import Case
from mluops_conformance.operators import operator_names, the_operator

pytestmark = pytest.mark.slow

SEEDS = 10
SMALL = 20_000
"""Elements of a case that is judged with every seed."""


def cases_of(name: str) -> list[Case]:
    chosen = select((), [f"operator={name} tag=smoke"])
    return [
        case
        for case in chosen
        if case.mode == "check" and case.compare and not case.after and elements(case) <= SMALL
    ]


@pytest.mark.parametrize("name", [name for name in operator_names() if the_operator(name).baseline])
def test_a_correct_device_never_fails(name: str) -> None:
    session = Session(RunOptions(backend="emulator"))
    operator = the_operator(name)
    alarms = []
    for case in cases_of(name):
        for seed in range(SEEDS):
            inputs = fill_inputs(case, operator, seed)
            expected = expect(case, operator, inputs, session)
            computed = operator.baseline(inputs, scalars_of(case))
            for output, values in computed.outputs.items():
                verdict = judge(output, values, expected.interpretations[output])
                if verdict.outcome != "passed":
                    alarms.append(
                        f"{case.id} with seed {seed}: {verdict.outcome}, {'; '.join(verdict.reasons)}"
                    )
    assert alarms == []
