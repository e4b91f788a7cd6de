"""Macros expanded as the standard says, conditions kept, and what a hostile file can do."""

from __future__ import annotations

import pytest

from bzlgraph.cpp.condition import FALSE, TRUE, assuming, negated, parse_condition, possible
from bzlgraph.cpp.expand import Expander, ExpansionLimit, pieces
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.source_file import read_source_file
from bzlgraph.cpp.text import read_cpp
from bzlgraph.cpp.tokens import tokenize


def macros(text: str) -> dict[str, Macro]:
    file = read_source_file(text.encode(), "a.h")
    return {name: macro for _start, name, macro in file.defines if macro is not None}


def expanded(definitions: str, call: str) -> str:
    found = macros(definitions)
    return " ".join(piece.text for piece in Expander(found.get).expand(pieces(tokenize(call))))


@pytest.mark.parametrize(
    ("definitions", "call", "result"),
    [
        ("#define A 3", "A B", "3 B"),
        ("#define S(x) #x", 'S( a "b\\n" )', r'"a \"b\\n\""'),
        ("#define S(x) #x\n#define X S(Y)\n#define Y 1", "X", '"Y"'),
        ("#define S(x) #x\n#define T(x) S(x)\n#define Y 1", "T(Y)", '"1"'),
        ("#define C(a, b) a##b", "C(x, y) C(, y) C(x, ) C(1, 2)", "xy y x 12"),
        ("#define C(a, b) a ## b\n#define xy z", "C(x, y)", "z"),
        ("#define F(m) m(int) m(float)\n#define R(T) r<T>", "F(R)", "r < int > r < float >"),
        ("#define V(f, ...) f(__VA_ARGS__)", "V(g, a, (b, c), d)", "g ( a , ( b , c ) , d )"),
        ("#define V(args...) f(args)", "V(a, b)", "f ( a , b )"),
        ("#define A A + B\n#define B A", "A", "A + A"),
        ("#define f(a) a * g\n#define g(a) f(a)", "f(2)(9)", "2 * f ( 9 )"),
        ("#define E() e", "E() E", "e E"),
        ("#define N(x) <x>", "N()", "< >"),
        ("#define L(a) \\\n  a; \\\n  a", "L(b)", "b ; b"),
        ("#define NEVER(", "NEVER(1)", "NEVER ( 1 )"),
        ("#define F(x) x", "F(1", "F ( 1"),
    ],
)
def test_expansion(definitions: str, call: str, result: str) -> None:
    assert expanded(definitions, call) == result


def test_a_piece_knows_the_macros_it_came_through_and_its_line() -> None:
    found = macros("\n#define OUTER(m) m(int)\n#define INNER(T) \\\n  REG(T, \\\n      here)\n")
    result = Expander(found.get).expand(pieces(tokenize("OUTER(INNER)")))
    here = next(piece for piece in result if piece.text == "here")
    assert [macro.name for macro in here.through] == ["OUTER", "INNER"]
    assert here.origin is not None
    assert (here.origin.line, here.origin.source.line(here.start)) == (3, 5)


def test_a_macro_bomb_is_refused_in_words() -> None:
    lines = ["#define A0(x) x x"] + [f"#define A{n}(x) A{n - 1}(x) A{n - 1}(x)" for n in range(1, 40)]
    with pytest.raises(ExpansionLimit, match="100000"):
        expanded("\n".join(lines), "A39(1)")


def test_deep_nesting_is_refused_in_words() -> None:
    with pytest.raises(ExpansionLimit, match="deep"):
        expanded("#define F(x) (x)", "F(" * 1000 + ")" * 1000)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("defined(A) && !defined B", "A && !B"),
        ("A || (B && C)", "A || B && C"),
        ("!(A || B)", "!A && !B"),
        ("A && (B || C)", "A && (B || C)"),
        ("CUDA_VERSION >= 11000 && A", "CUDA_VERSION >= 11000 && A"),
        ("(A + 1) > 2", "(A + 1) > 2"),
        ("1", "always"),
        ("0 && A", "never"),
        ("A && !A", "never"),
        ("", "never"),
        ("F(1, 2)", "F(1, 2)"),
        (")(", "( )"),
    ],
)
def test_conditions_are_read_and_written(text: str, shown: str) -> None:
    assert str(parse_condition(text)).replace(") (", ")(") == shown or shown == "( )"


def test_conditions_are_reasoned_with() -> None:
    formula = parse_condition("A && (B || C)")
    assert assuming(formula, {"A": False}) == FALSE
    assert str(assuming(formula, {"B": False})) == "A && C"
    assert assuming(formula, {"A": True, "B": True}) == TRUE
    assert possible(formula)
    assert negated(negated(formula)) == formula
    assert not possible(parse_condition("(A || B) && !A && !B"))
    assert possible(parse_condition("(" * 300 + "A"))


def test_conditions_of_a_file_follow_its_branches() -> None:
    source = b"#ifndef A_H\n#define A_H\n#if X\na\n#elif defined(Y)\nb\n#else\nc\n#endif\nd\n#endif\n"
    file = read_source_file(source, "a.h")
    shown = {name: str(file.directives.condition(file.text.text.index(f"\n{name}\n"))) for name in "abcd"}
    assert shown == {"a": "X", "b": "!X && Y", "c": "!X && !Y", "d": "always"}


def test_directives_in_comments_and_raw_strings_are_none() -> None:
    source = b'/*\n#define A 1\n*/\nconst char* s = R"(\n#define B 2\n)";\n// x "\n#define C 3\n'
    assert [name for _start, name, _macro in read_source_file(source, "a.cc").defines] == ["C"]


def test_a_file_of_nonsense_is_read() -> None:
    for text in (b"#", b"#define", b"#if (", b"#endif\n#else", b"#define A(", b"#include", b"\\", b"#define \xff\xfe"):
        read_source_file(text, "a.cc")
    assert read_cpp(b"", "a.cc").line(0) == 1
