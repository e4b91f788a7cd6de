"""What a text without the bodies of functions keeps: everything that says where functions are."""

from __future__ import annotations

import re

import pytest

from bzlgraph.cpp.outline import read_outline
from bzlgraph.cpp.skipped_bodies import without_bodies
from bzlgraph.cpp.tokens import tokenize

NOTHING = re.compile(r"(?!)")

CASES = {
    "blocks": "int f(int a) { if (a) { g(); } else { h(); } }",
    "lambda": "int f() { return m([](int a) { return a; }); } int g() {}",
    "quotes": "int f() { return '{'; } int g() { return 1'000 + '}'; } char h() { return u8'{'; }",
    "comments": "int f() { // }\n} /* { */ int g() const { /* } */ }",
    "strings": 'const char* f() { return "}"; } int g() noexcept { g("{"); }',
    "raw": 'int f() { return R"({{)"; } int g() { h(); }',
    "branches": "int f() {\n#if A\n  if (b) {\n#else\n  if (c) {\n#endif\n  }\n}\nint g() { h(); }",
    "halves": "#if A\nint f() {\n#else\nint f(int) {\n#endif\n  h();\n}\nint g() { h(); }",
    "macros": "#define BEGIN namespace a {\n#define END }\nBEGIN\nint f() { h(); }\nEND",
    "members": "struct A { A() : a(1), b{2} { h(); } int f() override { h(); } int a, b; }; int g() { h(); }",
    "attributes": "struct __attribute__((packed)) { int f() { h(); } }; class B : C<D(E)> alignas(8) { void f() {} };",
    "templates": "template <class T, typename = int> void f(T) { h(); } template <class... U> void g(U... b) { h(); }",
    "values": "int a[] = {1, 2, {3}}; int f(A b = {}) { h(); } enum class E { X, Y }; int g() { h(); }",
    "namespaces": 'namespace a::b { extern "C" { int f() { h(); } } inline namespace c { int g() {} } }',
}


@pytest.mark.parametrize("case", CASES)
def test_the_scopes_of_a_text_stay_where_they_are(case: str) -> None:
    text = CASES[case]
    blanked = without_bodies(text, NOTHING).text
    assert len(blanked) == len(text)
    assert _scopes(blanked) == _scopes(text)
    assert any(name for _, name, *_ in _scopes(text))


def test_a_body_without_what_is_wanted_is_blank() -> None:
    text = "int f() { return deep(call); } int g() { return wanted; } int a[] = { table };"
    blanked = without_bodies(text, re.compile("wanted")).text
    assert [word in blanked for word in ("deep", "wanted", "table")] == [False, True, False]


@pytest.mark.parametrize("case", CASES)
def test_what_is_left_out_of_a_text_can_be_put_back(case: str) -> None:
    blanked = without_bodies(CASES[case], NOTHING)
    assert blanked.restored(tokenize(blanked.text)) == tokenize(CASES[case])


def test_the_bodies_are_found_in_which_a_word_stands_that_is_left_out() -> None:
    blanked = without_bodies("int f() { return deep; } int g() { return wanted; } int h() {}", NOTHING)
    assert [token.text for token in blanked.left_out(re.compile("wanted"))] == ["{", "return", "wanted", ";", "}"]


def _scopes(text: str) -> list[tuple[str, str, int, int]]:
    """Each scope with the offsets of its declaration and its brace."""
    outline = read_outline(tokenize(text))
    tokens = outline.tokens
    return [(each.kind, each.name, tokens[each.start].start, tokens[each.opening].start) for each in outline.scopes]
