"""Records: the schema of results.jsonl, and that what is written can be read back."""

from __future__ import annotations

import json

import pytest
from mluops_conformance.judging.values import OutputVerdict, Threshold
from mluops_conformance.performance.times import Competitor, Measured, Peaks, Quantity, Work, assess
from mluops_conformance.results.outcomes import OUTCOMES
from mluops_conformance.results.record import Record, event, from_event, from_line, to_line


@pytest.fixture
def record(started, verdict):
    seconds = {"fill": 0.25, "call": 0.5}
    return started().finished(
        "failed", "output: …", outputs=(verdict,), seconds=seconds, notes={"margin": 0.1}
    )


def test_a_finished_event_has_the_documented_fields(record):
    values = event(record)
    assert {"id", "operator", "outcome", "reason", "backend", "device", "origin", "seed", "repro"} < set(
        values
    )
    assert (values["event"], values["requirements"]) == ("finished", ["nms_rotated/1.5.1/diff3"])
    (output,) = values["outputs"]
    assert output["thresholds"] == {"diff3": {"value": 0.0, "from": "case"}}
    assert output["worst"] == [{"index": [3, 1], "actual": 5, "expected": 4, "error": 1.0}]


def test_numbers_that_json_lacks_are_strings(record):
    (output,) = event(record)["outputs"]
    assert output["measures"] == {"diff1": "nan", "diff3": "inf", "diff4": -1.0}
    assert output["mismatches"][0]["actual"] == "-inf"


def test_a_run_names_its_schema_version(header):
    assert event(header)["schema"] == 1


def test_what_is_written_is_read_back(header, started, record):
    for entry in (header, started()):
        assert from_line(to_line(entry)) == entry
    again = from_line(to_line(record))
    assert to_line(again) == to_line(record)
    assert again.outputs[0].worst == record.outputs[0].worst
    assert again.outputs[0].distribution == record.outputs[0].distribution


def test_repeated_times_are_read_back(started):
    record = started().finished("passed", samples={"hardware": (0.25, 0.5)})
    assert from_line(to_line(record)).samples == {"hardware": (0.25, 0.5)}


def test_figures_of_times_are_read_back_with_the_origins_of_their_numbers(started):
    measured = Measured((2e-5,) * 6, (float("nan"),) * 6, 16, True)
    work = Work(None, Quantity(8.0, "tensors"))
    other = Competitor("A card", 2e-5, "the document", io_efficiency=0.25)
    peaks = Peaks(bandwidth=Quantity(3e11, "told"))
    found = assess(measured, work, peaks, network=True, workspace=64, competitors=(other,))
    stored = json.loads(to_line(started().finished("passed", performance=found)))
    assert stored["performance"]["peaks"] == {"compute": None, "bandwidth": {"value": 3e11, "from": "told"}}
    again = from_event(stored).performance
    assert (again.hardware, again.work, again.peaks) == (found.hardware, work, peaks)
    assert (again.competitors, again.errors, again.grade) == (found.competitors, found.errors, found.grade)


def test_a_threshold_that_is_an_integer_is_written_as_one(started):
    output = OutputVerdict("output", "passed", thresholds={"diff4": Threshold(1, "case")})
    (stored,) = event(started().finished("passed", outputs=(output,)))["outputs"]
    assert stored["thresholds"] == {"diff4": {"value": 1, "from": "case"}}


def test_integers_stay_integers(record):
    (element,) = from_line(to_line(record)).outputs[0].worst
    assert isinstance(element.actual, int)


def test_an_event_is_one_line_of_ascii_whatever_it_holds(started):
    line = to_line(started().finished("failed", "a\nb \ud800 \x00 中"))
    assert line.count(b"\n") == 1
    assert line.isascii()
    assert from_line(line).reason == "a\nb \ud800 \x00 中"


def test_unknown_fields_of_the_same_schema_are_left_out(started):
    assert from_event({**event(started()), "weather": "fine"}) == started()


@pytest.mark.parametrize("outcome", ["skipped", "unsupported"])
def test_what_is_not_run_has_a_reason(started, outcome):
    with pytest.raises(ValueError, match=f"{outcome} without a reason"):
        started().finished(outcome)


def test_an_unknown_outcome_is_refused(started):
    with pytest.raises(ValueError, match="'green' is not an outcome; there are failed, "):
        started().finished("green")


def test_every_outcome_can_be_recorded(started):
    for outcome in OUTCOMES:
        assert isinstance(started().finished(outcome, "why"), Record)


def test_the_times_of_a_case_add_up(record):
    assert record.total_seconds == 0.75


def test_a_threshold_that_is_a_bare_number_is_refused(record):
    stored = json.loads(to_line(record))
    stored["outputs"][0]["thresholds"] = {"diff3": 0.0}
    with pytest.raises(ValueError, match=r"damaged: .*0\.0 is no object"):
        from_event(stored)


def test_a_stored_verdict_without_counts_is_of_no_element(record):
    stored = json.loads(to_line(record))
    stored["outputs"] = [{"name": "output", "outcome": "passed"}]
    (output,) = from_event(stored).outputs
    assert (output.elements, output.mismatched) == (0, 0)


def test_an_incomplete_event_is_refused():
    with pytest.raises(ValueError, match=r"an event of kind 'started' is damaged: operator, .* missing"):
        from_event({"event": "started", "id": "x"})


def test_a_header_without_contradictions_can_be_read(header):
    stored = event(header)
    del stored["contradictions"]
    assert from_event(stored) == header
