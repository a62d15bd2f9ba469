"""BANG C as C++: what is written anew, what stays, and that lines keep their numbers."""

from __future__ import annotations

import pytest
from mluops_tools.cpu.conversion import converted
from mluops_tools.cpu.tokens import text_of, tokens_of


def line_of(source: str) -> str:
    """The C++ of a line, without the line that names the file."""
    return converted(source, "k.mlu").split("\n", 1)[1]


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("int n = x / 2;", "int n = mlucpu::to_integer<int>(x / 2);"),
        ("int n = 3;", "int n = 3;"),
        ("y = (int)x[i] + 1;", "y = mlucpu::to_integer<int>(x[i]) + 1;"),
        ("y = -(uint32_t)floorf(x).z * 2;", "y = -mlucpu::to_integer<uint32_t>(floorf(x).z) * 2;"),
        ("f(int(x), static_cast<int>(y));", "f(mlucpu::to_integer<int>(x), mlucpu::to_integer<int>(y));"),
        ("y = (float)(int)x;", "y = (float)mlucpu::to_integer<int>(x);"),
        ("void f(int (*g)(int));", "void f(int (*g)(int));"),
        ("n = sizeof(int) * 2;", "n = sizeof(int) * 2;"),
        ("p = (int *)q;", "p = (int *)q;"),
        ("f(); // (int)x", "f(); // (int)x"),
        ('s = "(int)x";', 's = "(int)x";'),
        ("#if X == (int)1", "#if X == (int)1"),
        ("static __mlu_func__ void f() {}", "static  void f() {}"),
        ("__mlu_func__ static void f() {}", " static void f() {}"),
        ("struct S { __mlu_func__ void f() {} };", "struct S {  void f() {} };"),
        ("struct S { int x; };\n__mlu_func__ void f() {}", "struct S { int x; };\n__mlu_func__ void f() {}"),
        ("template <>\n__mlu_func__ void f<int>() {}", "template <> inline\n void f<int>() {}"),
    ],
)
def test_casts_and_specializations(source: str, wanted: str) -> None:
    assert line_of(source) == wanted


def test_a_launch_names_its_kernel() -> None:
    cpp = line_of("CHECK(Kernel<half, 2><<<k_dim, k_type, queue>>>(a, b));")
    assert cpp == (
        "CHECK(mlucpu::launch(mlucpu::this_unit, k_dim, k_type, queue, MLU_TEXT(Kernel<half, 2>), "
        "[](auto... xs) { Kernel<half, 2>(xs...); }, a, b));"
    )


def test_a_launch_without_arguments_has_no_comma() -> None:
    assert line_of("Kernel<<<d, t, q>>>();").endswith("{ Kernel(xs...); });")


def test_shifts_and_comparisons_are_no_launches() -> None:
    assert line_of("a = b << c; d = e < f;") == "a = b << c; d = e < f;"


def test_a_variable_of_the_file_is_a_macro() -> None:
    cpp = converted("\n__nram__ int8_t buffer[SIZE];\nint x;", "k.mlu")
    assert 'mlucpu::OnChip<int8_t[SIZE]> buffer_on_chip(mlucpu::this_unit, mlucpu::kNram, "buffer");' in cpp
    assert '#define buffer (buffer_on_chip.here())\n#line 3 "k.mlu"\nint x;' in cpp


def test_a_parameter_hides_a_variable_of_the_file() -> None:
    source = "__nram__ char buffer[9];\nvoid f(T *buffer, int n) { g(buffer); }\nvoid h() { g(&n, buffer); }"
    lines = converted(source, "k.mlu").splitlines()
    assert lines[-2:] == [
        "void f(T *buffer_parameter, int n) { g(buffer_parameter); }",
        "void h() { g(&n, buffer); }",
    ]


def test_a_variable_of_a_function_is_a_reference_and_keeps_what_it_begins_with() -> None:
    cpp = line_of("void f() { __nram__ int table[4] = {0, (int)0xffffffff}; }")
    assert "static const int table_image[4] = {0, mlucpu::to_integer<int>(0xffffffff)};" in cpp
    assert '(mlucpu::this_unit, mlucpu::kNram, "table", &table_image); auto &table' in cpp


def test_a_variable_without_an_end_is_left_to_the_compiler() -> None:
    assert line_of("__nram__ int8_t buffer[4]") == "__nram__ int8_t buffer[4]"


def test_assembly_is_a_call_with_named_operands() -> None:
    cpp = line_of('__asm__ volatile("fuse [%[to]], %[n];" ::[to] "r"(p + 1), [n] "r"(count));')
    assert cpp == 'mlucpu::assembly("fuse [%[to]], %[n];", {}, {{"to", p + 1}, {"n", count}});'


def test_assembly_may_write_a_register() -> None:
    cpp = line_of('asm volatile("find %[to], %[from];" : [to] "+&r"(bit) : [from] "r"(x));')
    assert cpp == 'mlucpu::assembly("find %[to], %[from];", {{"to", &(bit)}}, {{"from", x}});'


@pytest.mark.parametrize("source", ["int a = f(\n  1,\n  2);\nint b;", "K\n<<<d,\n t, q>>>(\n a);\nint b;"])
def test_lines_keep_their_numbers(source: str) -> None:
    cpp = line_of(source)
    assert cpp.count("\n") == source.count("\n")
    assert cpp.splitlines()[-1] == "int b;"


def test_tokens_join_to_their_source() -> None:
    source = "#define A(x) x##_b \\\n  <<<1, 2>>> // \"c\nchar c = '\"'; /* ' */ auto f = 1.5e-3f;\n"
    assert text_of(tokens_of(source)) == source
