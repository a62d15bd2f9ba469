"""Reports tell the resolution of each output that passed."""

from __future__ import annotations

import json
import math

import pytest
from mluops_conformance.judging.values import OutputVerdict
from mluops_conformance.reports import render
from mluops_conformance.reports.html import payload
from mluops_conformance.reports.text import case_block


def output(resolution):
    return OutputVerdict("output", "passed", elements=40, resolution=resolution)


@pytest.fixture
def run(run_of, case):
    return run_of(case(outputs=[output(0.004)]))


def test_a_cases_block_has_it(case):
    assert "output  `output` passed, 40 elements, resolution 0.004" in case_block(
        case(outputs=[output(0.004)])
    )


def test_an_output_that_failed_has_none(case):
    failed = OutputVerdict("output", "failed", elements=40)
    assert "resolution" not in case_block(case("failed", reason="wrong", outputs=[failed]))


def test_csv_has_a_column(run):
    header, row = render(run, "csv").splitlines()
    assert dict(zip(header.split(","), row.split(",")))["resolution"] == "0.004"


def test_junit_has_a_property(run):
    assert '<property name="output.resolution" value="0.004" />' in render(run, "junit")


@pytest.mark.parametrize(("stored", "told"), [(0.004, 0.004), (math.inf, "inf"), (0.0, 0.0)])
def test_json_has_a_field(run_of, case, stored, told):
    (record,) = json.loads(render(run_of(case(outputs=[output(stored)])), "json"))["cases"]
    assert record["outputs"][0]["resolution"] == told


@pytest.mark.parametrize(("stored", "told"), [(0.004, "0.004"), (math.inf, "inf"), (0.0, "0")])
def test_the_page_has_a_field_also_of_an_exact_comparison(run_of, case, stored, told):
    (outputs,) = payload(run_of(case(outputs=[output(stored)])))["cases"]["outputs"]
    assert outputs[0]["resolution"] == told


@pytest.mark.parametrize("name", ["text", "markdown"])
def test_coarse_ones_are_named(run_of, case, name):
    fine = case(case_id="op/fine", outputs=[output(0.004)])
    coarse = case(case_id="op/coarse", outputs=[output(0.3)])
    text = render(run_of(fine, coarse), name)
    assert (
        "1 case passed and would also pass with one element off by a tenth of its local scale: op/coarse"
        in text
    )
