"""Known answers from outside, which the tests of the references share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

DATA = Path(__file__).parent / "data"


def array(entry: dict[str, Any]) -> np.ndarray:
    """Return a stored array; NaN and infinity are stored as strings."""
    return np.array(entry["data"]).astype(np.float64).astype(entry["dtype"]).reshape(entry["shape"])


class KnownAnswer:
    """A stored call of an operator and its result."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.name: str = case["name"]
        self.params: dict[str, Any] = case["params"]
        self.inputs = {name: array(entry) for name, entry in case["inputs"].items()}
        self.expected = {
            name: array(entry) if isinstance(entry, dict) else entry
            for name, entry in case["expected"].items()
        }
        self._tolerances = {"rtol": case.get("rtol") or 0, "atol": case.get("atol") or 0}

    def agrees(self, actual: np.ndarray, name: str) -> None:
        """Assert that an output is the stored one, within the tolerances that it was published with."""
        np.testing.assert_allclose(actual, self.expected[name], **self._tolerances)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that asks for `known_answer` each stored call of its module's `OPERATOR`."""
    if "known_answer" in metafunc.fixturenames:
        stored = json.loads((DATA / f"{metafunc.module.OPERATOR}.json").read_text())["cases"]
        answers = [KnownAnswer(case) for case in stored]
        metafunc.parametrize("known_answer", answers, ids=[answer.name for answer in answers])
