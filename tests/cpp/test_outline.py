"""Scopes of C++: namespaces, classes with their bases, functions with their names."""

from __future__ import annotations

import pytest

from bzlgraph.cpp.outline import read_outline
from bzlgraph.cpp.tokens import tokenize


def scopes(source: str) -> list[tuple[str, str]]:
    return [(scope.kind, scope.name) for scope in read_outline(tokenize(source)).scopes]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("namespace a::b { void f() {} }", [("namespace", "a::b"), ("function", "f")]),
        ("namespace { int x = {1}; }", [("namespace", "")]),
        ('extern "C" { void f() {} }', [("namespace", ""), ("function", "f")]),
        ("class A final : public B, C<D, E> {};", [("class", "A")]),
        (
            "class EXPORT Ab {}; struct Ab LIB_FINAL : B {}; class EXPORT AB {}; class Ab::CD {};",
            [("class", "Ab")] * 2 + [("class", "AB"), ("class", "CD")],
        ),
        (
            "struct TF_EXPORT A { A() : x{1}, y(2) {} ~A() {} };",
            [("class", "A"), ("function", "A"), ("function", "~A")],
        ),
        ("void A<T>::Compute(C* c) { if (x) { y(); } }", [("function", "A<T>::Compute")]),
        ("template <class T, class = B<C>> T A<T>::f() const { }", [("function", "A<T>::f")]),
        ("bool A::operator()(int x) { }", [("function", "A::operator()")]),
        ("enum E { X }; enum class F { Y };", []),
        ("int a[] = {1, 2}; auto f = [](int x) { return x; };", []),
        ("REGISTER(x) void f() { }", [("function", "f")]),
        ("REGISTER(x) REGISTER_2(x, &y) Tensor& f(int a) { }", [("function", "f")]),
        ("REGISTER(x) MAKE_2(f) { }", [("function", "MAKE_2")]),
        ("CALL_ALL(R) CALL_float8(R) Status A::f(int a) { }", [("function", "A::f")]),
        ("Ab(int a) LOCKS(mu) { } Status f(int a) LOCKS(mu) { }", [("function", "Ab"), ("function", "f")]),
        (
            "@implementation A\n- (id)copy:(B*)b { return self; }\n@end\nnamespace a { void f() {} }",
            [("namespace", "a"), ("function", "f")],
        ),
        ("void f() EXCLUSIVE_LOCKS_REQUIRED(mu) { }", [("function", "f")]),
        (
            "#if A\nclass X : public B {\n#else\nclass X : public C {\n#endif\n};\nvoid f() {}",
            [("class", "X"), ("function", "f")],
        ),
        ("FOR_ALL(X)\nnamespace a {}\nclass B : C {};", [("namespace", "a"), ("class", "B")]),
        ("int a[] = {1}; class B : C {};", [("class", "B")]),
        ("} } ) ; void f() {", [("function", "f")]),
    ],
)
def test_scopes_are_named(source: str, expected: list[tuple[str, str]]) -> None:
    assert scopes(source) == expected


def test_a_class_knows_its_bases() -> None:
    (scope,) = read_outline(tokenize("class A : public ns::B<C, D>, virtual private E { };")).scopes
    assert scope.bases == ("B", "E")


def test_a_token_knows_its_function() -> None:
    outline = read_outline(tokenize("void f() { g(x); } int y;"))
    names = [outline.function_at(index) for index, token in enumerate(outline.tokens) if token.text in "xy"]
    assert [scope.name if scope else None for scope in names] == ["f", None]


def test_deeply_nested_and_unbalanced_files_are_read() -> None:
    for source in (
        "{" * 5000,
        "class A {" * 2000,
        "(" * 5000,
        "template <" * 3000,
        "namespace a {" * 3000 + "}" * 9000,
    ):
        read_outline(tokenize(source))


def test_a_bracket_that_is_left_open_ends_with_those_around_it() -> None:
    """A branch that nobody compiles may have one bracket too many: the next function is another one all the same."""
    outline = read_outline(tokenize("void f(T x) { x.view({{1, b}); }\nvoid g(T x) { h(x)]; }"))
    assert [each.name for each in outline.scopes] == ["f", "g"]
