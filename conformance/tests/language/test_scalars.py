"""Plain scalars mean what they mean in JSON; PyYAML issues 173, 613, 107, 231 and 165 tell of others."""

from __future__ import annotations

import math

import pytest
from mluops_conformance.language.nodes import number_hint, resolve


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3e-3", 0.003),
        ("1e-5", 1e-05),
        ("1E+2", 100.0),
        ("-0.5", -0.5),
        ("0", 0),
        ("-12", -12),
        ("1.50", 1.5),
    ],
)
def test_json_numbers_are_numbers(text: str, value: float) -> None:
    assert resolve(text) == (value, None)


def test_integers_stay_integers() -> None:
    assert isinstance(resolve("5")[0], int)
    assert isinstance(resolve("5.0")[0], float)


@pytest.mark.parametrize(
    "text", ["no", "off", "yes", "on", "True", "nan", "inf", "NULL", "2020-01-01", "1.2.3", "12:30"]
)
def test_what_json_has_no_meaning_for_is_text(text: str) -> None:
    assert resolve(text) == (text, None)


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("false", False), ("null", None), ("~", None), ("", None)]
)
def test_named_values(text: str, value: object) -> None:
    assert resolve(text)[0] is value


def test_special_numbers() -> None:
    assert math.isnan(resolve(".nan")[0])  # type: ignore[arg-type]
    assert resolve(".inf") == (math.inf, None)
    assert resolve("-.inf") == (-math.inf, None)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("010", 10),
        ("08", 8),
        ("0x10", 16),
        ("0o17", 15),
        ("+5", 5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1_000", 1000),
        ("-.5e1", -5.0),
    ],
)
def test_numbers_that_json_writes_otherwise_are_errors_that_say_how(text: str, meant: float) -> None:
    value, complaint = resolve(text)
    assert value == meant
    assert complaint == f"{text} is not a number in JSON; write {meant}, or quote it if it is text"


def test_a_number_beyond_double_precision_is_an_error() -> None:
    assert "write .inf" in str(resolve("1e999")[1])


def test_an_endless_number_is_an_error() -> None:
    assert "not a number in JSON" in str(resolve("9" * 5000)[1])


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("nan", "; write .nan"),
        ("NaN", "; write .nan"),
        ("inf", "; write .inf"),
        ("-Infinity", "; write -.inf"),
        ("x", ""),
    ],
)
def test_text_that_was_meant_as_a_number_gets_a_hint(text: str, hint: str) -> None:
    assert number_hint(text) == hint
