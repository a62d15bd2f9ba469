"""Steps of a case, and since when it is bad."""

from __future__ import annotations

import json

import pytest
from mluops_conformance.history.series import (
    case_table,
    comparable,
    first_bad_text,
    newly_bad,
    of_run,
    runs_table,
    step,
)
from mluops_conformance.results.outcomes import planted_faults, with_faults

NIGHTS = {"p": "passed", "f": "failed", "c": "crashed", "x": "xfailed", "s": "skipped"}


@pytest.fixture
def nights(index, run_on, case):
    """Indexes a run for each letter: how `op/a` ended, "-" where the run does not have it."""

    def make(letters):
        for day, letter in enumerate(letters, start=1):
            others = [case("op/other")]
            index.add(run_on(day, *([case("op/a", NIGHTS[letter])] if letter != "-" else []), *others))
        runs = index.runs()
        return newly_bad(runs, index.outcomes([run.id for run in runs]))

    return make


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (50e-6, 54e-6, ""),
        (50e-6, 60e-6, "hardware 1.2 x"),
        (1e-3, 0.5e-3, "hardware 0.5 x"),
        (1e-3, None, ""),
        (0.0, 1e-3, ""),
    ],
)
def test_a_hardware_time_steps_by_the_vendors_rule(index, run_on, case, before, after, told):
    index.add(run_on(1, case("op/a", hardware=before)))
    index.add(run_on(2, case("op/a", hardware=after)))
    first, last = index.points("op/a").values()
    assert step(first, last) == told


def test_the_table_of_a_case_has_its_hardware_times(index, run_on, case):
    index.add(run_on(1, case("op/a", hardware=50e-6)))
    index.add(run_on(2, case("op/a", hardware=60e-6)))
    *_, last = case_table("op/a", index.runs(), index.points("op/a")).splitlines()
    assert last.split()[-5:] == ["60", "us", "hardware", "1.2", "x"]


class TestFirstBad:
    @pytest.mark.parametrize(
        ("letters", "last_good", "first_bad", "is_unsteady"),
        [
            ("pppff", 3, 4, False),
            ("pffff", 1, 2, False),
            ("ppfpf", 4, 5, True),
            ("pp-ff", 2, 4, False),
            ("ppsff", 2, 4, False),
            ("ppxcf", 3, 4, False),
            ("-fff", None, 2, False),
            ("spf", 2, 3, False),
        ],
    )
    def test_it_is_where_the_last_streak_of_bad_runs_begins(
        self, nights, letters, last_good, first_bad, is_unsteady
    ):
        (found,) = nights(letters)
        assert found.first_bad.name == f"night-{first_bad:02}"
        assert (found.last_good and found.last_good.name) == (last_good and f"night-{last_good:02}")
        assert found.is_unsteady is is_unsteady

    @pytest.mark.parametrize("letters", ["pppp", "ffff", "ffpp", "ppf-", "ppfs", "ppfx", "----"])
    def test_a_case_that_is_good_at_the_end_or_bad_all_along_is_not_newly_bad(self, nights, letters):
        assert nights(letters) == []


class TestStep:
    @pytest.fixture
    def step_between(self, index, run_on, case):
        def ask(*results):
            for day, (outcome, diff1) in enumerate(results, start=1):
                index.add(run_on(day, case("op/a", outcome, diff1)))
            points = index.points("op/a")
            first, second = (points[run.id] for run in index.runs())
            return step(first, second)

        return ask

    def test_another_outcome_is_one(self, step_between):
        assert step_between(("passed", 1e-6), ("failed", 1e-6)) == "passed -> failed"

    def test_a_measure_that_more_than_doubled_is_one(self, step_between):
        assert step_between(("passed", 1e-6), ("passed", 3e-6)) == "y diff1 3 x"

    def test_a_measure_that_more_than_halved_is_one(self, step_between):
        assert step_between(("passed", 4e-6), ("passed", 1e-6)) == "y diff1 0.25 x"

    @pytest.mark.parametrize("values", [(1e-6, 1.9e-6), (1e-12, 1e-8), (0.0, 0.0)])
    def test_less_is_none(self, step_between, values):
        assert step_between(*(("passed", value) for value in values)) == ""

    def test_from_exact_to_not_exact_is_one(self, step_between):
        assert step_between(("passed", 0.0), ("passed", 1e-6)) == "y diff1 inf x"


class TestOfRun:
    def test_it_has_the_cases_that_stepped_and_those_that_need_a_look(self, index, run_on, case):
        for day in (1, 2):
            rough = case("op/rough", diff1=1e-6 * 4**day)
            last = run_on(day, case("op/steady"), rough, case("op/bad", "failed"))
            index.add(last)
        past = of_run(index, last)
        assert [run["name"] for run in past["runs"]] == ["night-01", "night-02"]
        assert past["cases"] == {
            "op/rough": [["passed", 0.4], ["passed", 1.6]],
            "op/bad": [["failed", 0.1], ["failed", 0.1]],
        }

    def test_runs_that_lack_a_case_have_a_gap(self, index, run_on, case):
        index.add(run_on(1, case("op/other")))
        last = run_on(2, case("op/a", "failed"))
        index.add(last)
        assert of_run(index, last)["cases"]["op/a"] == [["", None], ["failed", 0.1]]

    def test_later_runs_other_series_and_the_emulator_are_left_out(self, index, run_on, case):
        index.add(run_on(1, case("op/a"), device="MLU370-X8", backend="device"))
        index.add(run_on(2, case("op/a"), device="MLU590", backend="device"))
        index.add(run_on(3, case("op/a")))
        run = run_on(4, case("op/a", "failed"), device="MLU370-S4", backend="device")
        index.add(run)
        index.add(run_on(5, case("op/a"), device="MLU370-S4", backend="device"))
        assert [entry["name"] for entry in of_run(index, run)["runs"]] == ["night-01", "night-04"]

    def test_it_can_be_written_as_json(self, index, run_on, case):
        run = run_on(1, case("op/a", "failed", diff1=float("inf")))
        index.add(run)
        assert json.loads(json.dumps(of_run(index, run), allow_nan=False))["cases"]["op/a"] == [
            ["failed", "inf"]
        ]


class TestText:
    def test_runs_are_listed(self, index, run_on, case):
        index.add(run_on(1, case("op/a"), case("op/b", "failed")))
        (line,) = runs_table(index.runs()).splitlines()[1:]
        assert line.split("  ")[-1] == "night-01"
        assert "MLU370 (emulated)" in line
        assert "1 failed, 1 passed" in line

    def test_a_case_is_shown_with_its_steps(self, index, run_on, case):
        for day, diff1 in ((1, 1e-6), (2, 1e-6), (3, 5e-6), (4, 5e-5)):
            index.add(run_on(day, case("op/a", diff1=diff1)))
        lines = case_table("op/a", index.runs(), index.points("op/a")).splitlines()[2:]
        assert [line.endswith(" x") for line in lines] == [False, False, True, True]
        assert lines[2].endswith("y diff1 5 x")
        assert "####################!" in lines[3]

    def test_newly_bad_cases_are_grouped_by_the_run_they_began_in(self, nights):
        text = first_bad_text(nights("ppfpf"))
        assert text.splitlines()[0].startswith(
            "first bad in run 5, begun 2026-05-05T02:00:00+00:00, libmluops"
        )
        assert "op/a  failed  last good in run 4" in text
        assert "unsteady" in text


def test_only_runs_on_the_same_series_are_comparable(index, run_on, case):
    index.add(run_on(1, case("op/a"), device="MLU370-X8"))
    index.add(run_on(2, case("op/a"), device="MLU590"))
    assert [run.name for run in comparable(index.runs(), "emulator", "MLU370-S4")] == ["night-01"]


class TestPlantedFaults:
    FAULTY = with_faults("MLU370", ["op/b", "op/a"])

    @pytest.fixture
    def nights(self, index, run_on, case):
        """A passing night, one that fails by planted faults, and one that passes again."""
        index.add(run_on(1, case("op/a")))
        index.add(run_on(2, case("op/a", "failed"), device=self.FAULTY))
        index.add(run_on(3, case("op/a")))
        return index

    def test_they_are_in_the_name_of_the_device(self):
        assert self.FAULTY == "MLU370 with planted faults (op/a, op/b)"
        assert planted_faults(self.FAULTY) == "op/a, op/b"
        assert planted_faults("MLU370") == ""

    @pytest.mark.parametrize(
        ("device", "names"),
        [
            ("MLU370", ["night-01", "night-03"]),
            (FAULTY, ["night-02"]),
            (with_faults("MLU370", ["op/a"]), []),
        ],
    )
    def test_only_runs_with_the_same_ones_are_comparable(self, nights, device, names):
        assert [run.name for run in comparable(nights.runs(), "emulator", device)] == names

    def test_they_are_named_and_make_no_step(self, nights):
        _, *lines = case_table("op/a", nights.runs(), nights.points("op/a")).splitlines()[1:]
        assert [f"{self.FAULTY} (emulated)" in line for line in lines] == [False, True, False]
        assert not [line for line in lines if "->" in line]

    def test_they_are_listed(self, nights):
        assert f"{self.FAULTY} (emulated)" in runs_table(nights.runs()).splitlines()[2]
