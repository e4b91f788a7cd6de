"""Variables of a C++ function of PyTorch that are set again: what asks for one before that asks for its first value.

tokens of a function -> tokens with first values, conditions that hold only where they did at first, what is checked of
those that are set again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token

HELD = "value_or"
"""What gives the value of an optional variable: one that is made with it is that."""
MAX_VALUE = 12
"""Tokens of such a value."""
_MEMBER_OF = frozenset({".", "->", "::"})


def with_first_values(outline: Outline[Token], first: int, last: int) -> Outline[Token]:
    """The tokens between two with variables as their first values, where these are the values of optional ones. None
    is added, so that brackets stay.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f(int o) { auto n = o.value_or(1); if (n > 1) { x.n(); n = 0; } g(n); int m = o.value_or(1); m; }"
    >>> outline = read_outline(tokenize(text))
    >>> told = with_first_values(outline, outline.scopes[0].opening, outline.scopes[0].closing).tokens
    >>> "".join(each.text for each in told[outline.scopes[0].opening :])
    '{auton=o.value_or(1);if(o.value_or(1)>1){x.n();n=0;}g(n);intm=o.value_or(1);m;}'
    """
    tokens = outline.tokens
    if HELD not in (each.text for each in tokens[first:last]):
        return outline
    told = [*tokens]
    for at in range(first, last - MAX_VALUE):
        name, held = tokens[at], at + 4
        if name.kind != Kind.NAME or tokens[at + 1].text != "=" or tokens[held].text != HELD:
            continue
        end = outline.brackets.ends[held + 1] + 1
        again = next((each for each in range(end, last) if _is_set(tokens, each, name.text)), -1)
        if tokens[at - 1].kind != Kind.NAME or tokens[end].text != ";" or end > at + MAX_VALUE or again < 0:
            continue
        value = "".join(each.text for each in tokens[at + 2 : end])
        for each in range(end, again):
            if tokens[each].text == name.text and tokens[each - 1].text not in _MEMBER_OF:
                told[each] = Token(Kind.NAME, value, tokens[each].start)
    return Outline(told, outline.scopes, outline.brackets)


def narrowed(outline: Outline[Token], scope: Scope) -> Iterator[tuple[str, Sequence[Token]]]:
    """The conditions that are set again, but hold only where they did at first, and that as written.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f() { bool a = x.up(), b = n; bool c = n > 1; if (m) { c = c && g(n); } bool d = n; d = d || m; "
    >>> text += "bool e = m && n; e &= k; if (k) { e = false; } bool h = k; }"
    >>> outline = read_outline(tokenize(text))
    >>> [(name, "".join(each.text for each in tokens)) for name, tokens in narrowed(outline, outline.scopes[0])]
    [('c', 'n>1'), ('e', 'm&&n')]
    """
    words = [each.text for each in outline.tokens[: scope.closing]]
    if "bool" not in words[scope.opening :]:
        return
    for at in range(scope.opening, scope.closing - 3):
        name = words[at + 1]
        if words[at] != "bool" or words[at + 2] != "=":
            continue
        end = words.index(";", at) if ";" in words[at:] else at
        again = [each for each in range(end, scope.closing - 3) if words[each] == name and _changes(words, each)]
        if (
            again
            and words.count(name) > 1
            and "," not in words[at:end]
            and all(_narrows(words, each) for each in again)
        ):
            yield name, outline.tokens[at + 3 : end]


def _changes(words: Sequence[str], at: int) -> bool:
    return words[at + 1] in ("=", "&=", "|=", "^=") or words[at - 1] == "&"


def _narrows(words: Sequence[str], at: int) -> bool:
    """Whether a condition holds behind what sets it only where it held before."""
    end = words.index(";", at) if ";" in words[at:] else at
    told = words[at + 1 : end]
    less = told[:1] == ["&="] or told[:2] == ["=", "false"] or told[:3] == ["=", words[at], "&&"]
    return less and words[at - 1] != "&" and {"||", "?"}.isdisjoint(outside(told))


def outside(words: Sequence[str]) -> Iterator[str]:
    """The words that stand in no brackets."""
    depth = 0
    for each in words:
        depth += (each == "(") - (each == ")")
        if depth == 0:
            yield each


def _is_set(tokens: list[Token], at: int, name: str) -> bool:
    return tokens[at].text == name and tokens[at + 1].text == "=" and tokens[at - 1].text not in _MEMBER_OF


def checked_again(outline: Outline[Token], scope: Scope) -> Iterator[tuple[str, Sequence[Token], Sequence[Token]]]:
    """The variables that are set again in a block which checks them then, what they are made with, and what is checked:
    behind the block one of both holds.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f() { T t = a.t(); if (n) { t = g(); TORCH_CHECK(t == a.t() || m); } T s = a.t(); s = g(); }"
    >>> outline = read_outline(tokenize(text))
    >>> for name, *both in checked_again(outline, outline.scopes[0]):
    ...     print(name, *("".join(each.text for each in tokens) for tokens in both))
    t a.t() t==a.t()||m
    """
    tokens, ends = outline.tokens, outline.brackets.ends
    words = [each.text for each in tokens[: scope.closing]]
    for check in (at for at in places_of(words, "TORCH_CHECK", scope.opening) if words[at + 1] == "("):
        at = check + 2 + (words[check + 2] == "(")
        name = words[at]
        set_at = [each for each in range(scope.opening, scope.closing - 1) if words[each : each + 2] == [name, "="]]
        if words[at + 1] != "==" or len(set_at) != 2 or not set_at[0] < set_at[1] < check:
            continue
        around = (each for each in range(set_at[1], scope.opening, -1) if words[each] == "{" and ends[each] > check)
        block = next(around, 0)
        made = tokens[set_at[0] + 2 : words.index(";", set_at[0])]
        asked = outline.brackets.arguments(check + 1)[0]
        same = words[at + 2 : at + 2 + len(made)] == [each.text for each in made]
        if set_at[0] < block and same:
            yield name, made, asked


def places_of(words: Sequence[str], word: str, first: int) -> Iterator[int]:
    """Where a word stands behind another one."""
    return (at for at in range(first, len(words) - 1) if words[at] == word)
