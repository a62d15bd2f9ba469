"""JUnit: strict XML whatever the texts hold, consistent counts, and what Jenkins and GitLab look for."""

from __future__ import annotations

from dataclasses import replace
from xml.dom import minidom
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mluops_conformance.reports import render
from mluops_conformance.results.outcomes import OUTCOMES
from mluops_conformance.support.formatting import legible

NASTY = "\x1b[31mboom\x1b[0m \x00 ]]> & < \ud800 \uffff"
"""Text that a vendor's library may print in a test (pytest #404, #11842, #812)."""


def parsed(run):
    document = render(run, "junit").encode("utf-8")
    minidom.parseString(document)
    return ElementTree.fromstring(document)


@pytest.fixture
def everything(run_of, case):
    """A run with one case of each outcome, in two operators."""
    records = [case(name, f"op{i % 2}/{name}", f"why {name}") for i, name in enumerate(OUTCOMES)]
    return run_of(*records)


class TestCharacters:
    def test_a_nasty_text_stays_readable(self, run_of, case):
        root = parsed(run_of(case("failed", reason=NASTY)))
        failure = root.find(".//failure")
        assert failure.get("message") == r"\x1b[31mboom\x1b[0m \x00 ]]> & < \ud800 \uffff"
        assert r"\x1b[31mboom\x1b[0m \x00 ]]> & < \ud800 \uffff" in failure.text

    def test_a_nasty_id_and_a_nasty_reason_to_skip(self, run_of, case):
        root = parsed(run_of(case("skipped", f"op/{NASTY}", NASTY)))
        assert "]]> & <" in root.find(".//testcase").get("name")
        assert "]]> & <" in root.find(".//skipped").get("message")

    def test_chinese_text_is_kept(self, run_of, case):
        assert parsed(run_of(case("failed", reason="精度"))).find(".//failure").get("message") == "精度"

    @given(st.text(st.characters(min_codepoint=0, max_codepoint=0x10FFFF, blacklist_categories=())))
    def test_any_text_becomes_parseable(self, text):
        element = ElementTree.Element("x", value=legible(text))
        element.text = legible(text)
        assert ElementTree.fromstring(ElementTree.tostring(element)).text == (legible(text) or None)

    @given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
    def test_plain_text_is_left_alone(self, text):
        assert legible(text) == text


CHILDREN = [
    ("passed", None),
    ("failed", "failure"),
    ("mistrusted", "failure"),
    ("xpassed", "failure"),
    ("crashed", "error"),
    ("timeout", "error"),
    ("error", "error"),
    ("skipped", "skipped"),
    ("unsupported", "skipped"),
    ("xfailed", "skipped"),
]
"""The elements by which a server sees each outcome."""


class TestCounts:
    @pytest.mark.parametrize(("outcome", "tag"), CHILDREN)
    def test_a_testcase_has_the_child_of_its_outcome(self, run_of, case, outcome, tag):
        (testcase,) = parsed(run_of(case(outcome, reason="why"))).iter("testcase")
        children = [(child.tag, child.get("type"), child.get("message")) for child in testcase]
        assert children[1:] == ([] if tag is None else [(tag, outcome, "why")])

    @pytest.mark.parametrize(("outcome", "tag"), CHILDREN)
    def test_a_run_of_one_case_counts_it_under_its_child(self, run_of, case, outcome, tag):
        root = parsed(run_of(case(outcome, reason="why")))
        counts = {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")}
        assert counts == {
            "tests": "1",
            "failures": "1" if tag == "failure" else "0",
            "errors": "1" if tag == "error" else "0",
            "skipped": "1" if tag == "skipped" else "0",
        }

    def test_the_counts_of_a_run_with_every_outcome(self, everything):
        root = parsed(everything)
        counts = [root.get(name) for name in ("tests", "failures", "errors", "skipped")]
        assert counts == ["10", "3", "3", "3"]

    def test_the_suites_add_up_to_the_whole(self, everything):
        suites = {
            suite.get("name"): [suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
            for suite in parsed(everything)
        }
        # failed, crashed, error, xfailed, skipped; mistrusted, timeout, xpassed, unsupported, passed
        assert suites == {"op0": ["5", "1", "2", "2"], "op1": ["5", "2", "1", "1"]}

    def test_every_outcome_is_in_this_table(self):
        assert {outcome for outcome, _ in CHILDREN} == set(OUTCOMES)

    def test_times_add_up(self, everything):
        root = parsed(everything)
        assert [suite.get("time") for suite in root] == ["3.750000", "3.750000"]
        assert root.get("time") == "7.500000"


class TestWhatServersRead:
    def test_a_suite_an_operator(self, everything):
        assert [suite.get("name") for suite in parsed(everything)] == ["op0", "op1"]

    def test_a_testcase_has_name_class_file_line_and_time(self, run_of, case):
        testcase = parsed(run_of(case())).find("testsuite/testcase")
        assert {name: testcase.get(name) for name in ("name", "classname", "file", "line", "time")} == {
            "name": "nms_rotated/network-34",
            "classname": "nms_rotated",
            "file": "cases/nms_rotated/network.yaml",
            "line": "12",
            "time": "0.750000",
        }

    def test_a_passed_testcase_has_no_child_but_its_properties(self, run_of, case):
        assert [child.tag for child in parsed(run_of(case())).find(".//testcase")] == ["properties"]

    def test_a_failure_names_its_type_and_holds_the_whole_block(self, run_of, failed):
        failure = parsed(run_of(failed)).find(".//failure")
        assert failure.get("type") == "failed"
        assert "off by 1 at [3]: actual 5, expected 4" in failure.text

    def test_a_suite_tells_backend_device_and_versions(self, run_of, case):
        suite = parsed(run_of(case())).find("testsuite")
        values = {entry.get("name"): entry.get("value") for entry in suite.findall("properties/property")}
        assert (values["backend"], values["device"], values["library.version"]) == (
            "emulator",
            "MLU370",
            "1.11.1",
        )
        assert "not evidence about hardware" in values["summary"]

    def test_a_testcase_tells_measures_and_requirements(self, run_of, failed):
        entries = parsed(run_of(failed)).findall(".//testcase/properties/property")
        values = {entry.get("name"): entry.get("value") for entry in entries}
        assert (values["output.diff3"], values["output.diff3.threshold"]) == ("0.25", "0.0")
        assert values["requirements"] == "nms_rotated/1.5.1/diff3"
        assert values["outcome"] == "failed"

    def test_a_testcase_tells_what_was_wrong_with_the_measuring(self, run_of, timed):
        record = timed()
        wrong = replace(record.performance, errors=("too few times", "a busy host"))
        entries = parsed(run_of(replace(record, performance=wrong))).findall(".//properties/property")
        values = {entry.get("name"): entry.get("value") for entry in entries}
        assert values["measuring_errors"] == "too few times; a busy host"

    def test_a_testcase_tells_the_sizes_that_follow_from_the_device(self, run_of, case):
        entries = parsed(run_of(replace(case(), sizes={"N": 48}))).findall(".//testcase/properties/property")
        assert ("size.N", "48") in {(entry.get("name"), entry.get("value")) for entry in entries}

    def test_only_elements_of_the_format_occur(self, everything):
        known = {
            "testsuites",
            "testsuite",
            "testcase",
            "properties",
            "property",
            "failure",
            "error",
            "skipped",
        }
        assert {element.tag for element in parsed(everything).iter()} == known

    def test_junitparser_reads_cases_and_results(self, everything):
        junitparser = pytest.importorskip("junitparser")
        suites = junitparser.JUnitXml.fromstring(render(everything, "junit").encode("utf-8"))
        results = {case.name: [type(result).__name__ for result in case.result] for s in suites for case in s}
        assert results["op0/failed"] == ["Failure"]
        assert results["op0/crashed"] == ["Error"]
        assert results["op0/skipped"] == ["Skipped"]
        assert results["op1/passed"] == []

    def test_a_run_without_cases_is_a_document_too(self, run_of):
        assert parsed(run_of()).get("tests") == "0"
