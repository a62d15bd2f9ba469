"""The HTML report as a file: what it holds, and that it needs nothing else."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import replace
from html import unescape

import pytest
from mluops_conformance.judging.values import Distribution, Element, OutputVerdict, Threshold
from mluops_conformance.language.model import Origin
from mluops_conformance.language.requirements import Requirement
from mluops_conformance.reports import render
from mluops_conformance.reports.html import WITHOUT_SCRIPTS, payload

MEASURES = {"diff1": 1.2345678e-7, "diff2": 2.3456789e-7, "diff3": 3.4567891e-5, "pointwise": 4.5678912e-7}
DATA = re.compile('<script type="application/octet-stream" id="data">(.*?)</script>', re.DOTALL)


def unpacked(document):
    (data,) = DATA.findall(document)
    return json.loads(gzip.decompress(base64.b64decode(data)))


def plain(run):
    """Return the text that the page shows without scripts."""
    (text,) = re.findall("<pre>(.*?)</pre>", DATA.sub("", render(run, "html")), re.DOTALL)
    return unescape(text)


@pytest.fixture
def requirements():
    entry = Requirement(
        "nms_rotated/1.5.1/diff3", "nms_rotated", "doc", "1.5.1", "Exact.", "tested", Origin("f", 1)
    )
    unchecked = Requirement(
        "nms_rotated/1.1/x", "nms_rotated", "doc", "1.1", "X.", "not-testable", Origin("f", 2), "Why."
    )
    other = Requirement("other/1.1/x", "other", "doc", "1.1", "X.", "tested", Origin("f", 3))
    return {requirement.id: requirement for requirement in (entry, unchecked, other)}


class TestFile:
    def test_nothing_stands_between_its_scripts(self, run_of, failed):
        between = re.findall(r"</script>([^<]*)<script>", render(run_of(failed), "html"))
        assert between
        assert "".join(between).isspace()

    def test_it_loads_nothing(self, run_of, failed):
        document = DATA.sub("", render(run_of(failed), "html"))
        assert "default-src 'none'" in document
        assert not re.search(r"""(src|href)\s*=\s*["']|@import|url\(""", document)

    def test_the_same_run_gives_the_same_bytes(self, run_of, failed):
        assert render(run_of(failed), "html") == render(run_of(failed), "html")

    def test_the_text_report_stands_in_it_for_where_scripts_do_not_run(self, run_of, case, failed):
        known = replace(case("xfailed", "op/known", "known"), issue="It overflows.")
        skipped = case("skipped", "op/skipped", "no device")
        run = run_of(failed, skipped, known, problems=("the run was cut short",), missing=2)
        said = {"op/1.3/x": {"document": "It is a pointer.", "library": "It is a value."}}
        run = replace(run, header=replace(run.header, contradictions=said))
        assert plain(run) == render(run, "text")

    def test_of_a_huge_run_the_text_report_has_the_first_cases_and_reasons(self, run_of, case, timed):
        count = WITHOUT_SCRIPTS + 3
        bad = [case("failed", f"op/bad-{i:03}", f"why-{'x' * i}") for i in range(count)]
        skipped = [case("skipped", f"op/skipped-{i:03}", f"reason {i}") for i in range(count)]
        text = plain(run_of(*bad, *skipped, *(timed(f"op/timed-{i:03}") for i in range(count))))
        assert [line for line in text.splitlines() if line.startswith("and ")] == [
            "and 3 more causes",
            "and 3 more reasons not to run cases",
            "and 3 more that were measured",
        ]
        assert text.count("FAILED") == text.count("op/timed-") == WITHOUT_SCRIPTS

    def test_texts_cannot_break_the_page(self, run_of, case):
        document = render(
            run_of(case("failed", "op/</script><script>", "</pre><script>alert(1)</script>")), "html"
        )
        assert document.count("<script>alert") == document.count("</script><script>") == 0

    def test_text_that_looks_like_a_place_in_the_frame_stays_text(self, run_of, case):
        assert "$data ${text}" in render(run_of(case("failed", reason="$data ${text}")), "html")

    def test_a_passed_case_takes_little_room(self, run_of, case):
        def output(i):
            limits = {
                "diff1": Threshold(1e-5 * i, f"dynamic 10 x baseline {i}e-8; floor 1e-5; the document, 1.5.1")
            }
            measures = {name: i * unit for name, unit in MEASURES.items()}
            worst = tuple(Element((i, j), i / 7, i / 7.1, 1e-3) for j in range(5))
            return OutputVerdict(
                "output", "passed", measures=measures, thresholds=limits, worst=worst, elements=i
            )

        some, more = (
            len(render(run_of(*(case(case_id=f"op/{i}", outputs=(output(i),)) for i in range(n))), "html"))
            for n in (100, 1100)
        )
        assert (more - some) / 1000 < 300  # 15 MB for 50 000


class TestPayload:
    def test_it_holds_the_run_and_its_cases_in_order(self, run_of, case, failed):
        values = unpacked(render(run_of(case(), failed), "html"))
        assert values["run"]["exit_code"] == 1
        assert values["cases"]["id"] == ["nms_rotated/network-34", "nms_rotated/bad"]
        outcomes = [values["outcomes"][place]["name"] for place in values["cases"]["outcome"]]
        assert outcomes == ["passed", "failed"]

    def test_earlier_runs_are_there_as_given(self, run_of, case):
        assert payload(run_of(case()), history={"runs": []})["history"] == {"runs": []}

    def test_sizes_that_follow_from_the_device_are_there(self, run_of, case):
        assert payload(run_of(replace(case(), sizes={"N": 48})))["cases"]["sizes"] == [{"N": 48}]

    def test_texts_are_stored_once(self, run_of, case):
        values = payload(run_of(*(case(case_id=f"op/{i}") for i in range(9))))
        assert len(set(values["cases"]["repro"])) == 1
        assert values["texts"].count("mluops-conformance run \0 --seed 7") == 1

    def test_an_output_has_its_measures_by_place_and_its_thresholds_with_their_origin(self, run_of, failed):
        values = payload(run_of(failed))
        (output,) = values["cases"]["outputs"][0]
        place, value, parts = output["thresholds"][0]
        assert (values["measures"][place], value, output["measures"][place]) == ("diff3", 0.0, 0.25)
        assert [values["texts"][part] for part in parts] == ["static 0 (int32)", "the document, 1.5.1"]

    def test_measures_that_an_output_lacks_are_null(self, run_of, case):
        first = OutputVerdict("a", "passed", measures={"diff1": 1.0})
        second = OutputVerdict("b", "passed", measures={"diff2": 2.0})
        outputs = payload(run_of(case(outputs=(first, second))))["cases"]["outputs"][0]
        assert [output["measures"] for output in outputs] == [[1.0], [None, 2.0]]

    def test_special_numbers_are_strings_and_elements_keep_their_digits(self, run_of, failed):
        (output,) = payload(run_of(failed))["cases"]["outputs"][0]
        assert output["mismatches"] == [[[7], "nan", "2.5", "nan"]]

    def test_a_passed_output_keeps_its_worst_element_alone(self, run_of, case):
        worst = tuple(Element((i,), 1.0, 2.0, 1.0) for i in range(5))
        outputs = payload(run_of(case(outputs=(OutputVerdict("o", "passed", worst=worst),))))["cases"][
            "outputs"
        ]
        assert len(outputs[0][0]["worst"]) == 1

    def test_a_distribution_is_kept(self, run_of, case):
        distribution = Distribution((2, 2), 3, (0, 1), (".9", ".."))
        verdict = OutputVerdict("o", "failed", distribution=distribution)
        (output,) = payload(run_of(case("failed", outputs=(verdict,))))["cases"]["outputs"][0]
        assert output["distribution"]["map"] == (".9", "..")

    def test_requirements_of_the_runs_operators_are_there_checked_or_not(self, run_of, case, requirements):
        values = payload(run_of(case()), requirements)
        assert [entry["id"] for entry in values["requirements"]] == [
            "nms_rotated/1.5.1/diff3",
            "nms_rotated/1.1/x",
        ]
        assert values["requirements"][1]["explanation"] == "Why."
        assert values["cases"]["requirements"] == [[0]]

    def test_a_requirement_that_nobody_knows_has_its_id_alone(self, run_of, case):
        (entry,) = payload(run_of(case()))["requirements"]
        assert (entry["id"], entry["text"]) == ("nms_rotated/1.5.1/diff3", "")

    def test_a_run_without_cases_is_a_page_too(self, run_of):
        assert unpacked(render(run_of(), "html"))["cases"] == {}


def test_the_verdict_stands_in_the_page_before_any_script_runs(run_of, failed):
    header = render(run_of(failed), "html").partition("</header>")[0]
    assert '<p id="verdict" class="verdict">1 failed ' in header
