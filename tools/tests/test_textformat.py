"""Protobuf's text format."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mluops_tools.gtest.textformat import TextFormatError, parse


def texts(text: str, name: str = "a") -> list[str]:
    return [scalar.text for scalar in parse(text).scalars(name)]


@pytest.mark.parametrize(
    "text",
    ["a: 1 a: 2", "a:1,a:2;", "a: [1, 2]", "# one\na: 1 # two\n\ta\n:\n2", "a: [1] b: 3 a: [2, ]"],
)
def test_a_field_that_comes_again_is_repeated(text):
    assert texts(text) == ["1", "2"]


@pytest.mark.parametrize("text", ["m { a: 1 }", "m: { a: 1 }", "m < a: 1 >", "m: [{a: 1}]", "m{a:1}"])
def test_a_message_stands_in_braces(text):
    (message,) = parse(text).messages("m")
    assert [scalar.text for scalar in message.scalars("a")] == ["1"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("-7", -7), ("0x1F", 31), ("-0X10", -16), ("017", 15), ("4294967295", 4294967295)],
)
def test_integers(text, value):
    assert parse(f"a: {text}").scalars("a")[0].integer() == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1", 1.0), ("-1.5", -1.5), (".5", 0.5), ("5.", 5.0), ("1e3", 1000.0), ("2.5E-3", 0.0025)),
        *(("1f", 1.0), ("1.5F", 1.5), ("0xf", 15.0), ("inf", math.inf), ("-inf", -math.inf)),
    ],
)
def test_numbers(text, value):
    assert parse(f"a: {text}").scalars("a")[0].number() == value


def test_nan_is_a_number():
    assert math.isnan(parse("a: nan").scalars("a")[0].number())


@given(st.floats(allow_nan=False))
def test_every_double_is_read_as_python_writes_it(value):
    assert parse(f"a: {value!r}").scalars("a")[0].number() == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"x"', "x"),
        ("'x\"y'", 'x"y'),
        ("\"x\" 'y'", "xy"),
        (r'"\n\x41\101\\\""', '\nAA\\"'),
        ('"# {"', "# {"),
    ],
)
def test_strings(text, value):
    assert parse(f"a: {text}").scalars("a")[0].string() == value


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a 1", "line 1: a colon is missing between a and 1"),
        ("\na: }", "line 2: a has no value before '}'"),
        ("a: ", "line 1: a has no value before 'the end'"),
        ("m {\n a: 1\n", "line 1: no '}' closes what is opened here"),
        ("m {\n a <\n}", "line 3: a field's name is missing before '}'"),
        ("a: 12ab", "line 1: nothing begins with '1'"),
        ('a: "x', "line 1: nothing begins with '\"'"),
        ("1: 2", "line 1: a field's name is missing before '1'"),
        ("m {" * 200, "line 1: nested deeper than 100 levels"),
    ],
)
def test_what_is_no_text_format_is_refused_with_its_line(text, complaint):
    with pytest.raises(TextFormatError) as caught:
        parse(text)
    assert str(caught.value) == complaint


@pytest.mark.parametrize(
    ("text", "method", "complaint"),
    [
        ("a: x", "integer", "'x' is not an integer"),
        ("a: 1.5", "integer", "'1.5' is not an integer"),
        ('a: "1"', "integer", "'1' is not an integer"),
        ("a: x", "number", "'x' is not a number"),
        ("a: x", "string", "'x' needs quotes"),
    ],
)
def test_a_value_of_another_kind_is_refused(text, method, complaint):
    with pytest.raises(TextFormatError, match=f"line 1: {complaint}"):
        getattr(parse(text).scalars("a")[0], method)()


def test_an_enum_may_be_given_by_number():
    name, number = parse("a: FLOAT a: 0x2").scalars("a")
    assert (name.word({2: "FLOAT"}), number.word({2: "FLOAT"})) == ("FLOAT", "FLOAT")


@pytest.mark.parametrize(
    ("text", "complaint"), [("a: 3", "3 is the number of no word"), ('a: "x"', "'x' is no word")]
)
def test_what_is_no_value_of_an_enum_is_refused(text, complaint):
    with pytest.raises(TextFormatError, match=f"line 1: {complaint}"):
        parse(text).scalars("a")[0].word({2: "FLOAT"})


def test_a_field_that_comes_once_may_not_come_twice():
    with pytest.raises(TextFormatError, match="line 2: a comes twice"):
        parse("a: 1\na: 2").scalar("a")


def test_a_message_is_no_value_and_a_value_no_message():
    with pytest.raises(TextFormatError, match="a needs a single value"):
        parse("a { }").scalars("a")
    with pytest.raises(TextFormatError, match="a needs a message"):
        parse("a: 1").messages("a")
