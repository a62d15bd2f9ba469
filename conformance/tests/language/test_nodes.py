"""YAML becomes located values; what has more than one meaning, or none, is refused where it stands."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from mluops_conformance.language import nodes
from mluops_conformance.language.nodes import Node, compose


@pytest.fixture(params=["libyaml", "pure Python"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both of PyYAML's parsers, since it may be built without libyaml."""
    if request.param == "pure Python":
        monkeypatch.setattr(nodes, "Parser", yaml.SafeLoader)
    elif not yaml.__with_libyaml__:
        pytest.skip("PyYAML is built without libyaml")


def problems_of(text: str) -> list[str]:
    return [str(problem) for problem in compose(text, "f.yaml")[1]]


def values(node: Node) -> Any:
    if isinstance(node.value, dict):
        return {key: values(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return [values(child) for child in node.value]
    return node.value


def test_block_and_flow_style_mean_the_same() -> None:
    block, _ = compose("a:\n  - 1\n  - b: two\n", "f.yaml")
    flow, _ = compose("{a: [1, {b: two}]}", "f.yaml")
    assert block is not None
    assert flow is not None
    assert values(block) == values(flow) == {"a": [1, {"b": "two"}]}


def test_values_and_keys_know_their_places() -> None:
    root, _ = compose("a: 1\nbb:   [x, yy]\n", "f.yaml")
    assert root is not None
    assert isinstance(root.value, dict)
    listed = root.value["bb"]
    assert isinstance(listed.value, list)
    assert (listed.key.line, listed.key.column) == (1, 0)
    assert (listed.value[1].mark.line, listed.value[1].mark.column) == (1, 10)


def test_quoted_scalars_are_text() -> None:
    root, problems = compose("['010', \"1\", 'null']", "f.yaml")
    assert root is not None
    assert values(root) == ["010", "1", "null"]
    assert problems == []


def test_keys_are_text_whatever_they_look_like() -> None:
    root, _ = compose("{1: a, null: b, true: c}", "f.yaml")
    assert root is not None
    assert values(root) == {"1": "a", "null": "b", "true": "c"}


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n...\n"])
def test_an_empty_document_is_no_error_here(text: str) -> None:
    assert problems_of(text) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("points: 1\npoints: 5\n", "2:1: duplicate key 'points'; the first is in line 1"),
        ("a: 1\nb: {c: 1, c: 2}\n", "2:11: duplicate key 'c'; the first is in line 2"),
        ("a: [1, 010]\n", "1:8: 010 is not a number in JSON; write 10, or quote it if it is text"),
        ("a: &x 1\n", "1:4: anchor &x: anchors are not supported; share by defaults or matrix"),
        ("a: *x\n", "1:4: alias *x: aliases are not supported; share by defaults or matrix"),
        ("<<: {a: 1}\n", "1:1: merge keys are not supported; share by defaults or matrix"),
        ("a: !!float 3\n", "1:4: tag tag:yaml.org,2002:float: tags are not supported"),
        (
            "!!python/object/apply:os.system ['true']\n",
            "1:1: tag tag:yaml.org,2002:python/object/apply:os.system: tags are not supported",
        ),
        ("? [a, b]\n: c\n", "1:3: a key must be text"),
        ("---\na: 1\n---\nb: 2\n", "3:1: a second document; a case file holds one"),
        ("a: 'é\x01'\n", "1:6: the character '\\x01' is not allowed"),
    ],
)
def test_what_is_refused_names_its_place(text: str, problem: str) -> None:
    assert problems_of(text) == [f"f.yaml:{problem}"]


def test_every_error_of_a_document_is_found() -> None:
    assert len(problems_of("a: 010\na: &x 08\nb: *x\n")) == 5


def test_aliases_within_aliases_do_not_grow() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"{c}: &{c} [*{p}, *{p}]\n" for p, c in zip("abcdefghi", "bcdefghij"))
    root, problems = compose(bomb, "f.yaml")
    assert root is not None
    assert isinstance(root.value, dict)
    assert values(root.value["j"]) == [None, None]
    assert problems


def test_deep_nesting_is_an_error() -> None:
    assert problems_of("[" * 900) == ["f.yaml:1:51: nested deeper than 50 levels"]


def test_nesting_without_end_is_an_error() -> None:
    [problem] = problems_of("[" * 100_000)
    assert "nest" in problem


def test_a_syntax_error_names_its_place() -> None:
    [problem] = problems_of("a: [1\nb: 2\n")
    assert problem.startswith("f.yaml:2:")
    assert "flow sequence that begins in line 1," in problem


def test_a_syntax_error_within_one_line_names_that_line_alone() -> None:
    [problem] = problems_of("a: [1, }\n")
    assert problem.startswith("f.yaml:1:8: while parsing a flow node ")
