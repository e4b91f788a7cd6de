"""Tokens of C++: literals, comments, joined lines, directives, and text that is no C++ at all."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.cpp import Kind, joined_string
from bzlgraph.cpp.literals import string_value
from bzlgraph.cpp.text import NotCppText, read_cpp
from bzlgraph.cpp.tokens import tokenize


def texts(source: str) -> list[str]:
    return [token.text for token in tokenize(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a /* b // c */ d // e\nf", ["a", "d", "f"]),
        ("'\"' \"'\" '\\'' \"\\\"\"", ["'\"'", '"\'"', "'\\''", '"\\""']),
        ('R"(a " // b)" R"x(c)" )x"', ['R"(a " // b)"', 'R"x(c)" )x"']),
        ('R"""(a "b" )" // c)""" d', ['R"""(a "b" )" // c)"""', "d"]),
        ('u8"a" L\'b\' uR"(c)"', ['u8"a"', "L'b'", 'uR"(c)"']),
        ("1'000'000 0x1p-3 1e+5f .5", ["1'000'000", "0x1p-3", "1e+5f", ".5"]),
        ("a->b::c <<= d ## e", ["a", "->", "b", "::", "c", "<<=", "d", "##", "e"]),
        ('"never closed\nb', ['"never closed', "b"]),
        ("/* never closed", []),
        ("# 1", ["# 1"]),
        ("a # b", ["a", "#", "b"]),
        ("/* x */ # define A 1 // y\nb", ["# define A 1 ", "b"]),
        ('#define A "//" /* b\nc */ d\ne', ['#define A "//" /* b\nc */ d', "e"]),
    ],
)
def test_each_form_is_cut_as_the_compiler_cuts_it(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("u8 L2 \u00e9 _a9", [Kind.NAME] * 4),
        ("L'\"' u'x'", [Kind.CHAR] * 2),
        ('u"it\'s" R"(\'")" u8"x', [Kind.STRING] * 3),
        ("1 .5 0x1p-3", [Kind.NUMBER] * 3),
        (". ... / /= '", [Kind.PUNCT] * 5),
        ('"\n"', [Kind.STRING] * 2),
        ("# a\n  # b\n/* c */ #\n##", [*[Kind.DIRECTIVE] * 3, Kind.PUNCT]),
        ('a #define b R"(\n#)"\n#c', [Kind.NAME, Kind.PUNCT, Kind.NAME, Kind.NAME, Kind.STRING, Kind.DIRECTIVE]),
    ],
)
def test_what_a_token_is(source: str, kinds: list[int]) -> None:
    tokens = tokenize(source)
    assert [each.kind for each in tokens] == kinds
    assert all(source[each.start : each.end] == each.text for each in tokens)
    part = tokenize(f"(){source}();", 2, len(source) + 2)
    if "#" not in source:
        assert [(each.kind, each.text) for each in part] == [(each.kind, each.text) for each in tokens]


def test_joined_lines_keep_the_lines_of_the_file() -> None:
    text = read_cpp(b'a\n#define B(x) \\\n  x \\\r\n  y\n// c \\\nstill c\nd "e\\\nf" g', "a.cc")
    found = {token.text: text.line(token.start) for token in tokenize(text.text)}
    assert found == {"a": 1, "#define B(x)   x   y": 2, "d": 7, '"ef"': 7, "g": 8}


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        (r'"a\n\t\\\"b"', 'a\n\t\\"b'),
        (r'"\101\x42\103\u0044"', "ABCD"),
        ('R"--(a\\n)--"', "a\\n"),
        (r"'\''", "'"),
        ('"', ""),
        ('u8"\xc3\xa9"', "é"),
    ],
)
def test_what_a_literal_holds(literal: str, value: str) -> None:
    assert string_value(literal) == value


def test_adjacent_literals_are_one() -> None:
    assert joined_string(tokenize('"a" /* x */\n  R"(b)" u8"c"')) == "abc"
    assert joined_string(tokenize('"a" b')) is None
    assert joined_string([]) is None


def test_binary_and_huge_files_are_refused_in_words() -> None:
    with pytest.raises(NotCppText, match="NUL"):
        read_cpp(b"int a;\0", "a.cc")
    with pytest.raises(NotCppText, match="larger than 16 MB"):
        read_cpp(b" " * ((16 << 20) + 1), "a.cc")


@given(st.text(alphabet="ab\"'/*\\\n#R()u 1.", max_size=60))
def test_any_text_has_tokens_that_slice_back_to_it(source: str) -> None:
    last = 0
    for token in tokenize(source):
        assert source[token.start : token.end] == token.text
        assert token.start >= last
        last = token.end
        if token.kind not in (Kind.STRING, Kind.DIRECTIVE):
            assert "\n" not in token.text


def test_long_hostile_texts_take_linear_time() -> None:
    noise = random.Random(7)
    for pattern in ("/*", "'", '"\\', "#if", 'R"(', "(", "'a", "#/*", "/* */", "1'"):
        assert len(tokenize(pattern * 20000)) <= 20000 * len(pattern)
    tokenize("".join(noise.choice("\"'/*\\\n#R(") for _ in range(100000)))
