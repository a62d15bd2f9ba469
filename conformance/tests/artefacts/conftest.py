from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.artefacts.file import Artefact
from mluops_conformance.results.record import Started


@pytest.fixture
def artefact():
    """A case with one input, an output that is wrong at [1, 2], and two right answers."""
    right = np.arange(12.0).reshape(3, 4)
    wrong = right.astype(np.float32)
    wrong[1, 2] += 1
    return Artefact(
        case="operator: op\n",
        replay="operator: op # from files\n",
        seed=7,
        inputs={"boxes": np.linspace(0, 1, 5, dtype=np.float16)},
        record={"event": "finished", "outcome": "failed"},
        outputs={"output": wrong},
        expected={"output": {"half coordinates": right + 5, "double": right}},
    )


@pytest.fixture
def record():
    """Makes a record, by its outcome and id."""

    def make(outcome="failed", case_id="op/some"):
        started = Started(
            case_id, case_id.partition("/")[0], "emulator", "MLU370", "cases.yaml:3", 0, "repeat it"
        )
        return started.finished(outcome, "" if outcome == "passed" else "why")

    return make
