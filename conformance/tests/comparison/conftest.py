"""Runs whose cases have the outcomes, measures and times that a test needs."""

from __future__ import annotations

from pathlib import Path

import pytest
from mluops_conformance.judging.values import OutputVerdict, Threshold
from mluops_conformance.results.outcomes import OUTCOMES
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import RunHeader, Started


@pytest.fixture
def case():
    """Makes a record by its id and outcome; `measures` are of one output, each with the same threshold."""

    def make(name, outcome="passed", *, measures=None, threshold=1e-5, samples=None, seed=0):
        started = Started(
            id=name,
            operator=name.partition("/")[0],
            backend="emulator",
            device="MLU370",
            origin="cases/some.yaml:12",
            seed=seed,
            repro=f"mluops-conformance run {name}",
        )
        limits = {measure: Threshold(threshold, "static") for measure in measures or {}}
        outputs = (
            (OutputVerdict("output", outcome, measures=measures, thresholds=limits),) if measures else ()
        )
        reason = "" if outcome == "passed" else f"why it {outcome}"
        return started.finished(
            outcome,
            reason,
            outputs=outputs if OUTCOMES[outcome].executed else (),
            seconds={"call": 0.5},
            samples=samples or {},
        )

    return make


@pytest.fixture
def run_of():
    """Makes a run of records."""

    def make(*records, name="base", backend="emulator", device="MLU370", environment=None, problems=()):
        header = RunHeader(name, ("run",), "2026-05-01T02:00:00+00:00", len(records), backend, device)
        return Run(Path("runs") / name, header, records, environment or {}, problems)

    return make
