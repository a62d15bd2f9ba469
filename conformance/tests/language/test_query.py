"""The cases that a query selects, and the message for an invalid query."""

from __future__ import annotations

from typing import Callable, List, Tuple

import pytest
from mluops_conformance.language.model import Case
from mluops_conformance.language.query import QueryError, parse_queries, parse_query

Reader = Callable[[str], Tuple[List[Case], List[str]]]

FILE = """\
operator: toy
defaults: {params: {points: 9}, data: {boxes: {fill: uniform}}}
cases:
  - {id: small, dims: {N: 3}, tags: [smoke, network], checks: [toy/1/a], matrix: {dtype: [float32, float16]}}
  - {id: big, dims: {N: 200}, tags: [network], params: {scale: 0.3}, data: {offset: {fill: zeros}}}
  - {id: nan, dims: {N: 4}, tags: [special], params: {scale: .nan}, library: ">=1.0", series: [MLU590]}
  - {id: refused, dims: {N: 0}, expect: {status: BAD_PARAM}}
"""


@pytest.fixture
def cases(load: Reader) -> list[Case]:
    found, problems = load(FILE)
    assert problems == []
    return found


def selected(cases: list[Case], *arguments: str) -> list[str]:
    return [case.id.partition("/")[2] for case in parse_queries(arguments).select(cases)]


def test_no_query_means_all(cases: list[Case]) -> None:
    assert len(selected(cases)) == len(cases) == 5


@pytest.mark.parametrize(
    ("argument", "ids"),
    [
        ("toy/big", ["big"]),
        ("toy/small", ["small:dtype=float32", "small:dtype=float16"]),
        ("toy/small:dtype=float16", ["small:dtype=float16"]),
        ("toy/small*", ["small:dtype=float32", "small:dtype=float16"]),
        ("*=float16", ["small:dtype=float16"]),
        ("big", ["big"]),
        ("?a?", ["nan"]),
        ("toy", ["small:dtype=float32", "small:dtype=float16", "big", "nan", "refused"]),
        ("operator=toy N=3 dtype=float16", ["small:dtype=float16"]),
        ("tag=smoke", ["small:dtype=float32", "small:dtype=float16"]),
        ("tag=network tag=smoke", ["small:dtype=float32", "small:dtype=float16"]),
        ("tag=special,smoke", ["small:dtype=float32", "small:dtype=float16", "nan"]),
        ("tag!=network", ["nan", "refused"]),
        ("tag!=network,special", ["refused"]),
        ("tag=s*", ["small:dtype=float32", "small:dtype=float16", "nan"]),
        ("check=toy/1/*", ["small:dtype=float32", "small:dtype=float16"]),
        ("dtype=float16", ["small:dtype=float16"]),
        ("mode=status", ["refused"]),
        ("status=BAD_PARAM", ["refused"]),
        ("status!=SUCCESS", ["refused"]),
        ("call=operator tag=special", ["nan"]),
        ("absent=offset tag=network", ["small:dtype=float32", "small:dtype=float16"]),
        ("fill=zeros absent!=offset", ["big"]),
        ("library=*", ["nan"]),
        ("series=MLU590", ["nan"]),
        ("file=toy.yaml big", ["big"]),
        ("N=200", ["big"]),
        ("N>=4", ["big", "nan"]),
        ("N<3", ["refused"]),
        ("N>3 N<=4", ["nan"]),
        ("N!=3", ["big", "nan", "refused"]),
        ("N=0,200", ["big", "refused"]),
        ("N!=0,200", ["small:dtype=float32", "small:dtype=float16", "nan"]),
        ("scale=0.3", ["big"]),
        ("scale=3e-1", ["big"]),
        ("scale=nan", ["nan"]),
        ("scale<1", ["big"]),
        ("big nan", ["big", "nan"]),
        ("big nan N>100", ["big"]),
    ],
)
def test_what_a_query_means(cases: list[Case], argument: str, ids: list[str]) -> None:
    assert selected(cases, argument) == ids


CHANGED = """\
operator: toy
defaults: {data: {boxes: {fill: uniform}}}
cases:
  - id: it
    dims: {N: 4}
    params: {K: 3, points: 9}
    descriptors: {boxes: {shape: [4], dtype: HALF}}
    pointers: {output: null}
    expect: {status: BAD_PARAM}
"""


@pytest.mark.parametrize(
    ("argument", "is_selected"),
    [
        ("changed=boxes.dtype", True),
        ("changed=boxes.rank:1", True),
        ("changed=boxes.rank:* changed!=boxes.rank:2", True),
        ("changed=boxes.layout", False),
        ("changed=output", True),
        ("changed=K", True),
        ("changed=scale", False),
    ],
)
def test_a_query_selects_by_changed_arguments(load: Reader, argument: str, is_selected: bool) -> None:
    (case,), problems = load(CHANGED)
    assert problems == []
    assert parse_query(argument).holds(case) == is_selected


def test_a_scalar_without_a_number_is_none_that_is_changed(cases: list[Case]) -> None:
    (nan,) = (case for case in cases if case.id == "toy/nan")
    assert not parse_query("changed=scale").holds(nan)


def test_words_that_are_arguments_of_their_own_make_one_query(cases: list[Case]) -> None:
    assert selected(cases, "tag=network", "dtype=float16") == ["small:dtype=float16"]
    assert selected(cases, "big", "nan") == ["big", "nan"]


def test_arguments_of_several_words_are_alternatives(cases: list[Case]) -> None:
    assert selected(cases, "tag=network N>100", "tag=special N=4") == ["big", "nan"]
    assert selected(cases, "tag=network N>100", "refused") == ["big", "refused"]


def test_a_suite_is_a_name_for_alternative_queries(cases: list[Case]) -> None:
    suites = {"mine": [parse_query("big"), parse_query("tag=special")]}
    assert [case.id for case in parse_queries(["suite=mine"], suites).select(cases)] == ["toy/big", "toy/nan"]
    others = parse_queries(["suite!=mine dtype=float32"], suites).select(cases)
    assert [case.id for case in others] == ["toy/small:dtype=float32", "toy/refused"]


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("toy/samll", "unknown case 'toy/samll' (did you mean 'toy/small'?)"),
        ("tag=netwrk", "no case has the tag 'netwrk' (did you mean 'network'?)"),
        ("tag=smoke,netwrk", "no case has the tag 'netwrk' (did you mean 'network'?)"),
        ("dtype!=flaot16", "no case has the dtype 'flaot16' (did you mean 'float16'?)"),
        ("status=NOT_SUPPORTED", "no case has the status 'NOT_SUPPORTED' (there are: BAD_PARAM, SUCCESS)"),
        ("operater=toy", "no case has 'operater' (did you mean 'operator'?)"),
        ("scael=1", "no case has 'scael' (did you mean 'scale'?)"),
        ("N=many", "N=many: 'many' is not a number"),
        ("N=7", "none of 5 cases matches 'N=7'"),
        ("tag=smoke N=200", "none of 5 cases matches 'tag=smoke N=200'"),
        ("tag=", "tag= lacks a value"),
        ("tag=a,", "tag=a, lacks a value"),
        ("tag>smoke", "tag>smoke: tag is text, which = and != compare"),
        ("", "an empty query selects nothing; leave it out to select all"),
        ("suite=smoke", "there is no suite 'smoke' (there are none)"),
    ],
)
def test_a_query_that_means_nothing_says_what_there_is(
    cases: list[Case], argument: str, message: str
) -> None:
    with pytest.raises(QueryError) as raised:
        parse_queries([argument], {}).select(cases)
    assert str(raised.value) == message
