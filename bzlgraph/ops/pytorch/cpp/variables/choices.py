"""What C++ functions of PyTorch choose: which value of an enumeration each gives under which conditions, where such a
choice is kept, and what members of an object are set to before it is asked.

tokens of a function -> (value, conditions) of each ``return``; (variable, call); (``params.up``, ``up``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR

MAX_CALL = 80
"""Tokens of a call that chooses."""
Choices = tuple[tuple[str, tuple[str, ...]], ...]
_Ranges = Callable[[], Iterable[tuple[int, int, str, bool]]]
"""What asks for the ranges of tokens that run under conditions (``conditions.py``)."""
_NO_CHOICE = frozenset({"bool", "void", TENSOR, "if", "return"})
_VALUE = re.compile(r"(?:\w+::)+[A-Z]\w*")
_CHOSEN = re.compile(r"(.+?) == ((?:\w+::)+\w+)")


def choices(outline: Outline[Token], scope: Scope, ranges: _Ranges) -> Choices:
    """The values that a function gives, and what holds where it gives each; none where one is no constant.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> from bzlgraph.ops.pytorch.cpp.conditions import conditions_of
    >>> text = "Way way(A a) { if (a.up()) { return a.is_b() ? Way::B : Way::C; } return Way::D; } Way to(A a)"
    >>> outline = read_outline(tokenize(text + "{ auto b = way(a); return b; }"))
    >>> def ranges(): return conditions_of(outline, 0, len(outline.tokens))
    >>> for value, held in choices(outline, outline.scopes[0], ranges): print(value, held)
    Way::B ('a.up()', 'a.is_b()')
    Way::C ('a.up()', '!a.is_b()')
    Way::D ('!a.up()',)
    >>> choices(outline, outline.scopes[1], ranges)
    ()
    """
    tokens = outline.tokens
    given = [at for at in range(scope.opening + 1, scope.closing) if tokens[at].text == "return"]
    if not given or any(tokens[at + 2].text != "::" and "?" not in _words(tokens, at, scope) for at in given):
        return ()
    values = [each for at in given for each in _values(tokens, at + 1, scope.closing)]
    if not values or any(_VALUE.fullmatch(value) is None for _, value in values):
        return ()
    around = [(start, end, text) for start, end, text, checked in ranges() if not checked]
    held = [(value, tuple(text for start, end, text in around if start <= at < end)) for at, value in values]
    return tuple(dict.fromkeys(held))


def _words(tokens: Sequence[Token], at: int, scope: Scope) -> list[str]:
    end = next((each for each in range(at, scope.closing) if tokens[each].text == ";"), at)
    return [each.text for each in tokens[at:end]]


def _values(tokens: Sequence[Token], first: int, last: int) -> Iterator[tuple[int, str]]:
    """Where each value stands that a ``return`` gives, and it."""
    start = first
    for at in range(first, last):
        text = tokens[at].text
        if text == "?":
            start = at + 1
        elif text in (":", ";"):
            yield start, "".join(each.text for each in tokens[start:at])
            start = at + 1
            if text == ";":
                return


def chosen(outline: Outline[Token], scope: Scope) -> Iterator[tuple[str, Sequence[Token]]]:
    """The variables that stay what a function gives, and the call: ``Way way = choose(a, b);``.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f(A a) { Way w = way(a, a.b()); Way v = way(a); v = w; Tensor t = g(a); }"
    >>> outline = read_outline(tokenize(text))
    >>> [(name, "".join(each.text for each in call)) for name, call in chosen(outline, outline.scopes[0])]
    [('w', 'way(a,a.b())')]
    """
    tokens, ends = outline.tokens, outline.brackets.ends
    found: dict[str, Sequence[Token]] = {}
    for at in range(scope.opening + 1, scope.closing - 4):
        kinds = tokens[at - 1].kind, tokens[at].kind, tokens[at + 2].kind
        if kinds != (Kind.NAME,) * 3 or tokens[at + 1].text != "=" or tokens[at + 3].text != "(":
            continue
        end = ends[at + 3] + 1
        typed = tokens[at - 1].text not in _NO_CHOICE and tokens[at - 1].text[:1].isupper()
        if typed and end < at + MAX_CALL and tokens[end].text == ";":
            found[tokens[at].text] = tokens[at + 2 : end]
    changed = Counter(tokens[at].text for at in range(scope.opening, scope.closing) if tokens[at + 1].text == "=")
    return ((name, call) for name, call in found.items() if changed[name] == 1)


def members_set(outline: Outline[Token], scope: Scope) -> Iterator[tuple[str, str]]:
    """The members of objects that are set to what a variable or a constant is, once.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f(bool up) { P p; p.up = up; p.n = 1; p.m = g(up); p.k = up; p.k = false; }"
    >>> outline = read_outline(tokenize(text))
    >>> list(members_set(outline, outline.scopes[0]))
    [('p.up', 'up'), ('p.n', '1')]
    """
    tokens = outline.tokens
    found: list[tuple[str, str]] = []
    for at in range(scope.opening + 2, scope.closing - 3):
        if tokens[at + 1].text == "=" and tokens[at - 1].text == "." and tokens[at - 3].text in (";", "{", "}"):
            value = tokens[at + 2].text if tokens[at + 3].text == ";" else ""
            found.append((f"{tokens[at - 2].text}.{tokens[at].text}", value))
    times = Counter(name for name, _ in found)
    return ((name, value) for name, value in found if value and times[name] == 1)


def asked_choice(condition: str) -> tuple[str, str]:
    """The variable or the call of which a condition asks whether it is a value, and that; "" for any other.

    >>> asked_choice("way == Way::B"), asked_choice("choose(a, n == 1) == Way::B"), asked_choice("n == 1")
    (('way', 'Way::B'), ('choose(a, n == 1)', 'Way::B'), ('', ''))
    """
    found = _CHOSEN.fullmatch(condition)
    return (found[1], found[2]) if found is not None else ("", "")
