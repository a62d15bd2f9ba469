"""The declarations read from a header's text."""

from __future__ import annotations

import pytest
from mluops_tools.abi.header import read_header, spelling


def functions(text: str) -> list[str]:
    return [str(function) for function in read_header(text).functions.values()]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("mluOpStatus_t MLUOP_WIN_API\nmluOpF(int a);", "mluOpF(int a) -> mluOpStatus_t"),
        ("const char MLUOP_WIN_API *\nmluOpF(int a);", "mluOpF(int a) -> const char*"),
        ("const char *MLUOP_WIN_API mluOpF(int a);", "mluOpF(int a) -> const char*"),
        ("void mluOpF(void);", "mluOpF() -> void"),
        ("void mluOpF();", "mluOpF() -> void"),
        ("int mluOpF(const void *a,\n           /* in, */ T b[]);", "mluOpF(const void* a, T b[]) -> int"),
        ("int mluOpF(T *a[], int *b) ;", "mluOpF(T* a[], int* b) -> int"),
    ],
)
def test_a_function_is_read_however_it_is_laid_out(text, read):
    assert functions(text) == [read]


def test_what_stands_in_a_comment_is_not_declared():
    assert functions("// int mluOpF(int a);\n/* int mluOpG(int a); */ int mluOpH(int a);") == [
        "mluOpH(int a) -> int"
    ]


def test_enumerators_count_on_and_take_hexadecimal_shifted_and_earlier_values():
    text = "typedef enum { A, B = 5, C, D = 0x10U, E = (1 << 3), F = B, } e_t;"
    assert read_header(text).enums == {"e_t": {"A": 0, "B": 5, "C": 6, "D": 16, "E": 8, "F": 5}}


def test_an_enum_may_have_its_name_as_a_tag():
    assert read_header("enum e { A = -1 };").enums == {"e": {"A": -1}}


def test_typedefs_are_known_by_name():
    text = "typedef struct S *handle_t; typedef struct { int a; float b; } pair_t; typedef int64_t size;"
    assert read_header(text).types == {"handle_t", "pair_t", "size"}


def test_macros_of_one_word_are_read_and_others_left_alone():
    text = "#define A 8\n#define B\n#define F(x) \\\n  int mluOpF(x);\n#  define C -1\n"
    assert read_header(text).macros == {"A": "8", "C": "-1"}
    assert functions(text) == []


def test_lines_are_those_of_the_file():
    header = read_header(
        "/* two\nlines */\n#define A 1\ntypedef enum {\n  B = 0,\n  C = 1,\n} e_t;\nint\nf(int x);\n"
    )
    assert header.lines == {"A": 3, "e_t": 4, "B": 5, "C": 6, "f": 8}


@pytest.mark.parametrize(
    "statement",
    [
        "int f(int (*callback)(int), int x)",
        "int f(const void*)",
        "static const int x = 3",
        "typedef enum { A = sizeof(int) } e_t",
        "int f(int x) { return x; }",
    ],
)
def test_what_is_not_understood_is_kept(statement):
    assert read_header(f"int g(int x);\n{statement};").unread == [statement]


def test_one_spelling_stands_for_all_of_a_type():
    assert {
        spelling(text)
        for text in ("const int *", "const int*", "const  int\n*", "const int[]", "const int [8]")
    } == {"const int*"}
