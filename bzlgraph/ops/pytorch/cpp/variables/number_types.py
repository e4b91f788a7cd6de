"""Types of numbers in C++ functions of PyTorch, as they are written: of variables, of tensors that are made with
options, and what functions give that choose one.

tokens of a function -> (variable, what it is made with); (what is given, what holds there).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.known import REAL
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR
from bzlgraph.ops.pytorch.cpp.written import MADE_OF_SIZES

NUMBER_TYPE, OPTIONS = "ScalarType", "TensorOptions"
_ASKING = re.compile(r"\w*(?:dtype|scalar_type)\w*")
_Ranges = Callable[[], Iterable[tuple[int, int, str, bool]]]
"""What asks for the ranges of tokens that run under conditions (``conditions.py``)."""
_Text = Callable[[Sequence[Token]], str]
"""What writes tokens as one line."""


class Declared(NamedTuple):
    """A variable that is a type of numbers, or a tensor of one, and what it is made with; ``first`` and ``last`` are
    where it begins and where its block ends."""

    name: str
    made: str
    first: int
    last: int


def type_variables(outline: Outline[Token], scope: Scope, text_of: _Text) -> Iterator[Declared]:
    """The variables that stay the type which they are made with, as far as words say: of that type, or of what is asked
    for one; and the tensors that are made with options which are more than those of another one. Where they are is told
    by offsets.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> from bzlgraph.ops.pytorch.cpp.conditions import text_of
    >>> text = "void f(A a) { auto t = a.scalar_type(); ScalarType s = g(a), k = n; auto u = h(a); auto v = a.dtype(); "
    >>> outline = read_outline(tokenize(text + "v = u; Tensor r = at::empty({0}, real(a.options())), q = at::f(n); }"))
    >>> [each[:2] for each in type_variables(outline, outline.scopes[0], text_of)]
    [('t', 'a.scalar_type()'), ('s', 'g(a)'), ('r', 'real(a.options())')]
    >>> outline = read_outline(tokenize("void f(A a) { Tensor r = at::real(a), s = at::real(a, b); }"))
    >>> [each[:2] for each in type_variables(outline, outline.scopes[0], text_of)]
    [('r', 'toRealValueType(a.scalar_type())')]
    >>> outline = read_outline(tokenize("void f(A a) { Tensor s = at::empty(n, a.options().dtype(t)), r = f(a); }"))
    >>> [each[:2] for each in type_variables(outline, outline.scopes[0], text_of)]
    [('s', 'a.options().dtype(t)')]
    """
    tokens, ends = outline.tokens, outline.brackets.ends
    body = range(scope.opening + 1, scope.closing - 3)
    found: list[Declared] = []
    for at in (each for each in body if tokens[each + 1].text == "=" and tokens[each].kind == Kind.NAME):
        kind, end = tokens[at - 1].text, _end(outline, at + 2, scope.closing)
        made = tokens[at + 2 : end]
        asked = kind == "auto" and any(_ASKING.fullmatch(each.text) for each in made)
        options = _of_tensor(outline, at + 2, text_of) if kind in (TENSOR, "auto") else ""
        text = text_of(made) if kind == NUMBER_TYPE or asked else options
        if text:
            around = (each for each in range(at, scope.opening, -1) if tokens[each].text == "{" and ends[each] > at)
            block = ends[next(around, scope.opening)]
            found.append(Declared(tokens[at].text, text, tokens[at].start, tokens[block].start))
    changed = Counter(tokens[at].text for at in body if tokens[at + 1].text == "=") if found else Counter()
    declared = Counter(each.name for each in found)
    return (each for each in found if changed[each.name] == declared[each.name])


def _end(outline: Outline[Token], at: int, last: int) -> int:
    """Where what a variable is made with ends."""
    places = _outside(outline, at, last)
    return next((each for each in places if outline.tokens[each].text in (";", ",")), at)


def _outside(outline: Outline[Token], at: int, last: int) -> Iterator[int]:
    """The tokens that no bracket holds which opens behind the first."""
    while at < last:
        yield at
        at = max(at, outline.brackets.ends[at]) + 1


def _of_tensor(outline: Outline[Token], at: int, text_of: _Text) -> str:
    """The type of a tensor that is made there with options which are more than those of another one, or of the numbers
    that it is made of: ``at::real(a)``."""
    words = [each.text for each in outline.tokens[at : at + 7]]
    if words[:2] != ["at", "::"] or words[3:4] != ["("]:
        return ""
    if words[2] in _REAL_PARTS and words[5:6] == [")"] and words[6] in (";", ","):
        return f"{REAL}({words[4]}.scalar_type())"
    given = outline.brackets.arguments(at + 3) if words[2] in MADE_OF_SIZES else []
    options = given[1] if len(given) == 2 else []
    return text_of(options) if "(" in [each.text for each in options[:-3]] else ""


_REAL_PARTS = frozenset({"real", "imag", "abs"})


def types_given(
    outline: Outline[Token], scope: Scope, ranges: _Ranges, text_of: _Text
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What a function gives that chooses a type of numbers, or options, and what holds where it gives each.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> from bzlgraph.ops.pytorch.cpp.conditions import conditions_of, text_of
    >>> text = "ScalarType f(A a, T t) { if (t.has_value()) { return *t; } return a.dtype(); } A g() { return a; }"
    >>> outline = read_outline(tokenize(text))
    >>> def ranges(): return conditions_of(outline, 0, len(outline.tokens))
    >>> [list(types_given(outline, each, ranges, text_of)) for each in outline.scopes]
    [[('*t', ('t.has_value()',)), ('a.dtype()', ('!t.has_value()',))], []]
    """
    tokens = outline.tokens
    head = [each.text for each in tokens[scope.start : scope.opening]]
    if {NUMBER_TYPE, OPTIONS}.isdisjoint(head[: head.index("(")] if "(" in head else ()):
        return
    around = [(start, end, text) for start, end, text, checked in ranges() if not checked]
    for at in (each for each in range(scope.opening + 1, scope.closing) if tokens[each].text == "return"):
        held = tuple(text for start, end, text in around if start <= at < end)
        yield text_of(tokens[at + 1 : _end(outline, at + 1, scope.closing)]), held
