"""Obvious faults of an output come first in its description."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.judging.refusal import accumulation, plain_fault
from mluops_conformance.judging.values import UNWRITTEN_INT32, Element, Threshold
from mluops_conformance.judging.verdict import Interpretation, judge

ZERO, EVERYWHERE = "it is all zero, under status SUCCESS", "everywhere, under status SUCCESS"
SEVERAL = np.array([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("actual", "expected", "fault", "sentence"),
    [
        (np.zeros(3, np.float32), SEVERAL, "all zero", ZERO),
        (np.zeros(1, np.float32), np.ones(1), "all zero", ZERO),
        (-np.zeros(3, np.float16), SEVERAL, "all zero", ZERO),
        (np.zeros(3, np.int32), np.array([1, 1, 1]), "all zero", ZERO),
        (np.full(3, 2.5, np.float32), SEVERAL, "constant", f"it holds 2.5 {EVERYWHERE}"),
        (
            np.full(3, np.nan, np.float16),
            SEVERAL,
            "constant",
            "it holds nan everywhere, under status SUCCESS",
        ),
        (
            np.full(3, 7, np.int32),
            np.array([1, 2, 3]),
            "constant",
            "it holds 7 everywhere, under status SUCCESS",
        ),
        (np.full(3, 2.5, np.float32), np.ones(3), "", ""),
        (np.full(1, 2.5, np.float32), np.ones(1), "", ""),
        (np.array([0, 1, 0], np.float32), SEVERAL, "", ""),
        (np.array([0, np.nan, 0], np.float32), SEVERAL, "", ""),
        (np.full(3, UNWRITTEN_INT32, np.int32), np.array([1, 2, 3]), "", ""),
        (np.zeros(0, np.float32), np.zeros(0), "", ""),
    ],
)
def test_by_what_stands_in_it(actual, expected, fault, sentence):
    assert plain_fault(actual, expected) == (fault, sentence)


def judged(actual, expected=SEVERAL):
    right = Interpretation("double", expected, {"diff1": Threshold(1e-5, "static")})
    return judge("output", actual, [right])


def test_a_verdict_says_it_before_its_numbers():
    verdict = judged(np.zeros(3, np.float32))
    assert verdict.fault == "all zero"
    assert verdict.reasons == ("it is all zero, under status SUCCESS", "diff1 is 1, above 1e-5")


@pytest.mark.parametrize(
    ("actual", "fault"),
    [
        ([1, 2, 4], "values"),
        ([1, np.nan, 3], "NaN or infinity"),
        ([1, 2, 3], ""),
    ],
)
def test_a_verdict_has_a_word_for_its_fault(actual, fault):
    assert judged(np.array(actual, np.float32)).fault == fault


def test_an_element_of_one_addend_has_no_accumulation_error():
    assert list(accumulation(Element((0,), 2.0, 1.0, 1.0), np.dtype(np.float32), 1.0, addends=1)) == []
