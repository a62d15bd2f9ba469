"""The places in which a source is changed, and the change of each, by literal texts."""

from __future__ import annotations

import pytest
from mluops_tools.mutation.changes import KINDS, Change, changes_of


def changed(text: str, *kinds: str) -> list[str]:
    """Return the texts that changes of some kinds make of a text."""
    return [change.applied(text) for change in changes_of("k.mlu", text) if change.kind in (kinds or KINDS)]


def body(statements: str) -> str:
    return f"void f() {{ {statements} }}"


def left(statements: str, kind: str) -> list[str]:
    """Return the statements of a function after each change of a kind."""
    return [text[len("void f() { ") : -len(" }")] for text in changed(body(statements), kind)]


@pytest.mark.parametrize(
    ("kind", "source", "results"),
    [
        ("comparison", "if (a < b)", ["if (a <= b)"]),
        ("comparison", "x = a == b;", ["x = a != b;"]),
        ("comparison", "while (i >= n)", ["while (i > n)"]),
        (
            "comparison",
            "for (; i < n &&\n a != b;)",
            ["for (; i <= n &&\n a != b;)", "for (; i < n &&\n a == b;)"],
        ),
        ("arithmetic", "x = a + b;", ["x = a - b;"]),
        ("arithmetic", "x = (a) * b[2] / 3;", ["x = (a) / b[2] / 3;", "x = (a) * b[2] * 3;"]),
        ("arithmetic", "x += a % b;", ["x -= a % b;", "x += a / b;"]),
        ("constant", "x = 2u;", ["x = 3u;", "x = 1u;"]),
        ("constant", "x = 0;", ["x = 1;"]),
        ("constant", "x = 0x0f;", ["x = 0x10;", "x = 0xe;"]),
        ("constant", "x = 0.5f;", ["x = 1.5f;"]),
        ("constant", "x = 1e3;", ["x = 1001.0;"]),
        ("constant", "x = true;", ["x = false;"]),
        ("branch", "if (a) b();", ["if (!(a)) b();"]),
        ("branch", "x = c ? a + 1 : f(b, 2);", ["x = c ? f(b, 2) : a + 1;"]),
        ("branch", "f(c ? 1 : 0, 2);", ["f(c ? 0 : 1, 2);"]),
        ("branch", "x = a && b;", ["x = a || b;"]),
        ("arguments", "f(a, (b + c));", ["f((b + c), a);"]),
        ("arguments", "f<T>(a,\n b);", ["f<T>(b,\n a);"]),
        (
            "arguments",
            "K<<<d, t, q>>>(a, g(b, c));",
            ["K<<<d, t, q>>>(g(b, c), a);", "K<<<d, t, q>>>(a, g(c, b));"],
        ),
        ("rounding", "__bang_float2half_dn(a, b, n);", ["__bang_float2half_rn(a, b, n);"]),
        ("rounding", "x = std::floor(y);", ["x = std::ceil(y);"]),
    ],
)
def test_a_change_of_an_expression(kind: str, source: str, results: list[str]) -> None:
    assert changed(source, kind) == results


@pytest.mark.parametrize(
    ("kind", "statements", "results"),
    [
        ("statement", "a[1] = 2; b();", ["; b();", "a[1] = 2; ;"]),
        ("statement", "*p = 1;", [";"]),
        ("statement", "if (a) { x.y = 1; }", ["if (a) { ; }"]),
        ("statement", "for (int i = 0; i < n; ++i) g(i);", ["for (int i = 0; i < n; ++i) ;"]),
        ("statement", "for (;;) { continue; }", ["for (;;) { ; }"]),
        ("statement", 'CHECK_RETURN("f", g(a));', [";"]),
        ("check", 'PARAM_CHECK("f", a != NULL); g();', ["; g();"]),
        ("check", "if (a) { return BAD; } g();", ["; g();"]),
        ("synchronization", "__sync(); g();", ["; g();"]),
    ],
)
def test_a_statement_is_left_out(kind: str, statements: str, results: list[str]) -> None:
    assert left(statements, kind) == results


@pytest.mark.parametrize(
    "statements",
    [
        "int a = 1;",
        "T *p = q;",
        "const std::vector<int> v = w();",
        "T x(1);",
        "return a;",
        "using T = int;",
        "DEFINE_HANDLE(h, g);",
    ],
)
def test_declarations_and_results_are_not_left_out(statements: str) -> None:
    assert left(statements, "statement") == []


def test_a_check_with_an_else_is_not_left_out() -> None:
    assert left("if (a) { return 1; } else { b(); }", "check") == []


@pytest.mark.parametrize(
    "source",
    [
        "// a < b",
        "/* x = 1; */",
        's = "a < b";',
        "#include <cmath>",
        "#if X == 1\n#endif",
        "#define F(a) \\\n  ((a) + 1)\n",
        'LOG(ERROR) << "x" << a + 1;',
        "VLOG(5) << 1;",
        'GEN_CASE_DATA(true, "a", a, -10, 10);',
        "if (MLUOP_GEN_CASE_ON_NEW) { f(1, 2); }",
        "static_assert(N == 1);",
    ],
)
def test_what_changes_no_result_stays(source: str) -> None:
    assert changed(source) == []


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("comparison", "template <typename T, int N>"),
        ("comparison", "std::vector<int> v;"),
        ("arithmetic", "void f(const T *a, T &b);"),
        ("arithmetic", "x = -a;"),
        ("branch", "void f(T &&a);"),
        ("arguments", "void f(const T *a, const int b);"),
        ("arguments", "f(a, a);"),
        ("arguments", "PARAM_CHECK(a, b);"),
        ("arguments", 'f("text", b);'),
        ("arguments", "x = std::max(a, b);"),
        ("arguments", "if (a, b) c;"),
    ],
)
def test_what_only_looks_like_a_place_stays(kind: str, source: str) -> None:
    assert changed(source, kind) == []


def test_only_the_operands_of_a_commutative_intrinsic_are_not_exchanged() -> None:
    assert changed("__bang_add(d, a, b, n);", "arguments") == [
        "__bang_add(a, d, b, n);",
        "__bang_add(d, a, n, b);",
    ]


def test_lines_keep_their_numbers() -> None:
    source = body("if (a\n < b) {\n  return;\n }\n PARAM_CHECK(\n c); g(a,\n b);")
    assert {text.count("\n") for text in changed(source)} == {source.count("\n")}


def test_a_change_names_its_place() -> None:
    change = changes_of("kernels/k/k.mlu", "x = a;\nif (b < c) d;\n")[1]
    assert change.id == "kernels/k/k.mlu:2:7: comparison: < -> <="


def test_a_long_text_is_named_in_short() -> None:
    change = Change("k.cpp", 1, 1, "statement", 0, "f(a,\n" + "b" * 100 + ")", "\n")
    assert change.id == f"k.cpp:1:1: statement: f(a, {'b' * 52}... -> nothing"


def test_a_change_of_another_text_is_refused() -> None:
    change = changes_of("k.mlu", "x = a + b;")[0]
    with pytest.raises(ValueError, match=r"k\.mlu:1:7: the text is another one"):
        change.applied("x = a - b;")
