"""Colour on a terminal, and nowhere else."""

from __future__ import annotations

import io
import re

import pytest
from mluops_conformance.reports import render
from mluops_conformance.reports.destination import is_wanted

SEQUENCE = re.compile("\x1b\\[[0-9;]*m")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "environ", "expected"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colour_is_for_terminals_that_show_it_unless_no_color_is_set(stream, environ, expected):
    assert is_wanted(stream, environ) is expected


def test_colour_changes_no_character(run_of, case, failed):
    run = run_of(case(), failed, case("mistrusted", reason="zero"), case("skipped", reason="no device"))
    assert SEQUENCE.sub("", render(run, "text", colour=True)) == render(run, "text")


def test_what_is_bad_is_red_and_what_passed_green(run_of, case, failed):
    text = render(run_of(case(), failed), "text", colour=True)
    assert "\x1b[1;31mFAILED\x1b[0m nms_rotated/bad" in text
    assert "\x1b[1;32m1 passed\x1b[0m, \x1b[1;31m1 failed\x1b[0m (" in text


def test_a_text_cannot_smuggle_in_sequences_of_its_own(run_of, case):
    text = render(run_of(case("failed", reason="\x1b[32mgreen")), "text", colour=True)
    assert "\x1b[32m" not in text
