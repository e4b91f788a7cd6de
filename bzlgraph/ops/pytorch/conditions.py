"""Below which conditions the tokens of a C++ function run: ``if``, ``else``, ``case`` and ``a ? b : c``, as they are
written, what an ``if`` that leaves the block (``return``, ``break``) lets through, and what only debug builds check.

tokens of a function -> ``Range`` values in the order in which they begin.

>>> from bzlgraph.cpp.outline import read_outline
>>> from bzlgraph.cpp.tokens import tokenize
>>> outline = read_outline(tokenize("void f(int n) { if (n > 1) { a(); } else switch (n) { case 1: b(); } }"))
>>> [each.text for each in conditions_of(outline, outline.scopes[0].opening + 1, outline.scopes[0].closing)]
['n > 1', '!(n > 1)', 'n == 1']
>>> outline = read_outline(tokenize("int f(int n) { if (!ok(n)) { return 0; } g(); return n > 1 ? a() : b(); }"))
>>> [each.text for each in conditions_of(outline, outline.scopes[0].opening + 1, outline.scopes[0].closing)]
['!ok(n)', 'ok(n)', 'n > 1', '!(n > 1)']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from bzlgraph.cpp.outline import Outline
from bzlgraph.cpp.tokens import Token

MAX_CONDITION = 120
"""Characters of a condition that are shown."""


MAX_WAYS = 12
"""Ways to a place that are compared."""
SPECIAL_LAST = 1000
"""Weight of a way that only special tensors go."""
_SPECIAL = re.compile(
    r"\bis_?(?:sparse|quantized|mkldnn|nested|meta|vulkan|xla|lazy|functorch|batchedtensor|qscheme)\w*"
    r"|\bk(?:Sparse|Mkldnn|Jagged|Quantized|PerTensorAffine|PerChannelAffine|Meta)\w*|NestedTensor"
    r"|\bUSE_VULKAN\w*|^(?:Sparse|Quantized|Mkldnn|Nested)\w*$",
    re.IGNORECASE,
)
"""Questions about a kind of tensor that few programs have, as native code asks them, and dispatch keys for it."""
_ORDINARY = re.compile(r"\bk?Strided\b")
_JOINED = re.compile(r"(&&|\|\||[()])")


@cache
def is_special(condition: str) -> bool:
    """Whether a condition asks for a special kind of tensor: sparse, quantized, nested, without data.

    Of several joined by ``&&`` it is enough that one does; of ``||`` all must.

    >>> texts = "self.is_sparse()", "!(self.is_sparse())", "n > 1 && a.layout() == kSparse", "!a.is_nested() || n"
    >>> [is_special(each) for each in (*texts, "layout != kStrided", "!(x == kSparse || x == kMkldnn)")]
    [True, False, True, False, True, False]
    """
    inside = condition.strip()
    negated = inside.startswith("!(") and len(_parts(inside[1:], "||")) == 1 and len(_parts(inside[1:], "&&")) == 1
    if negated and inside.endswith(")"):
        return _ORDINARY.search(inside) is not None and "==" in inside
    for joint, decide in (("||", all), ("&&", any)):
        parts = _parts(inside, joint)
        if len(parts) > 1:
            return decide(map(is_special, parts))
    if inside.startswith("(") and inside.endswith(")"):
        return is_special(inside[1:-1])
    differs = "!=" in inside or inside.startswith("!")
    return bool((_ORDINARY if differs else _SPECIAL).search(inside))


def _parts(text: str, joint: str) -> list[str]:
    """What stands between the joints that no bracket holds."""
    parts, depth = [""], 0
    for each in _JOINED.split(text):
        depth += (each == "(") - (each == ")")
        if each == joint and not depth:
            parts.append("")
        else:
            parts[-1] += each
    return parts


class Range(NamedTuple):
    """The tokens from ``start`` to before ``end`` run when ``text`` holds."""

    start: int
    end: int
    text: str


def conditions_of(outline: Outline[Token], first: int, last: int) -> list[Range]:
    """The ranges between two tokens, in the order in which they begin."""
    tokens, ends = outline.tokens, outline.brackets.ends
    found: list[Range] = []
    blocks = [last]
    for at in range(first, last):
        text = tokens[at].text
        while at > blocks[-1]:
            blocks.pop()
        if text == "{":
            blocks.append(ends[at])
        elif text == "if":
            found += _branches(tokens, ends, at, last)
            found += _let_through(tokens, ends, at, blocks[-1])
        elif text.endswith("_DEBUG_ONLY") and tokens[at + 1].text == "(":
            found.append(Range(at, ends[at + 1], "!NDEBUG"))
        elif text == "?":
            found += _chosen(outline, at, last)
        elif text == "switch" and tokens[at + 1].text == "(":
            opening = ends[at + 1] + 1
            if opening < last and tokens[opening].text == "{":
                found += _cases(tokens, ends, _text(tokens[at + 2 : ends[at + 1]]), opening)
    return sorted(found)


def _branches(tokens: Sequence[Token], ends: Sequence[int], at: int, last: int) -> Iterator[Range]:
    opening = at + 2 if tokens[at + 1].text == "constexpr" else at + 1
    if opening >= last or tokens[opening].text != "(":
        return
    condition = _text(tokens[opening + 1 : ends[opening]])
    start = ends[opening] + 1
    end = _statement_end(tokens, ends, start, last)
    yield Range(start, end, condition)
    if end < last and tokens[end].text == "else":
        yield Range(end + 1, _statement_end(tokens, ends, end + 1, last), opposite(condition))


def _let_through(tokens: Sequence[Token], ends: Sequence[int], at: int, last: int) -> Iterator[Range]:
    """What stands in a block behind ``if (a) return; else if (b) break;``: it runs when none of these holds."""
    if tokens[at - 1].text in ("else", ")"):
        return  # the chain begins before, or it is the statement of another one
    conditions: list[str] = []
    link = at
    while link < last and tokens[link].text == "if":
        opening = link + 2 if tokens[link + 1].text == "constexpr" else link + 1
        start = ends[opening] + 1
        end = _statement_end(tokens, ends, start, last)
        if tokens[opening].text != "(" or not _leaves(tokens, ends, start, end):
            break
        conditions.append(opposite(_text(tokens[opening + 1 : ends[opening]])))
        link = end + 1 if end < last and tokens[end].text == "else" else last
    behind = _statement_end(tokens, ends, at, last)
    yield from (Range(behind, _case_end(tokens, ends, behind, last), each) for each in conditions if behind < last)


def _leaves(tokens: Sequence[Token], ends: Sequence[int], start: int, end: int) -> bool:
    """Whether the last statement of a block, or the only one, leaves it."""
    first, at = start, start + 1 if tokens[start].text == "{" else start
    last = end - 1 if tokens[start].text == "{" else end
    while at < last:
        first = at if tokens[at].text not in _GOES_ON else first
        at = _statement_end(tokens, ends, at, last)
    if tokens[first].text != "if":
        return tokens[first].text in _LEAVING
    while tokens[first].text == "if":  # as every branch does, when there is one for all else
        opening = first + 2 if tokens[first + 1].text == "constexpr" else first + 1
        then = ends[opening] + 1
        behind = _statement_end(tokens, ends, then, last)
        if not _leaves(tokens, ends, then, behind) or behind >= last or tokens[behind].text != "else":
            return False
        first = behind + 1
    return _leaves(tokens, ends, first, _statement_end(tokens, ends, first, last))


def _case_end(tokens: Sequence[Token], ends: Sequence[int], at: int, last: int) -> int:
    """Where the statements behind a ``case`` end that some token is one of: at the next one."""
    while at < last and tokens[at].text not in ("case", "default"):
        at = ends[at] + 1
    return min(at, last)


def _chosen(outline: Outline[Token], at: int, last: int) -> Iterator[Range]:
    """The two values of ``a ? b : c``."""
    tokens, ends, openings = outline.tokens, outline.brackets.ends, outline.brackets.openings
    first = at
    while first > 0 and tokens[first - 1].text not in _BEFORE_CHOICE:
        first = openings.get(first - 1, first - 1)
    condition = _text(tokens[first:at])
    colon = _choice_end(tokens, ends, at + 1, last)
    yield Range(at + 1, colon, condition)
    yield Range(colon + 1, _choice_end(tokens, ends, colon + 1, last), opposite(condition))


def _choice_end(tokens: Sequence[Token], ends: Sequence[int], at: int, last: int) -> int:
    """Where one value of a choice ends: at a colon, at what ends the expression. Choices inside of it count."""
    inside = 0
    while at < last:
        text = tokens[at].text
        if (text == ":" and not inside) or text in _BEHIND_CHOICE:
            return at
        inside += (text == "?") - (text == ":")
        at = ends[at] + 1
    return last


def _statement_end(tokens: Sequence[Token], ends: Sequence[int], start: int, last: int) -> int:
    """The token behind the statement that begins there; an ``if`` with all its ``else``."""
    at = start
    while at < last:
        text = tokens[at].text
        if text == "{":
            at = ends[at]
        elif text in ("(", "["):
            at = ends[at] + 1
            continue
        if text in ("{", ";"):
            if at + 1 < last and tokens[at + 1].text == "else" and tokens[start].text == "if":
                at += 2
                continue
            return at + 1
        at += 1
    return last


def _cases(tokens: Sequence[Token], ends: Sequence[int], what: str, opening: int) -> Iterator[Range]:
    """What stands behind each ``case`` of a ``switch``, up to the next after other statements."""
    values: list[str] = []
    start = at = opening + 1
    closed = ends[opening]
    labelled = False
    while at < closed:
        text = tokens[at].text
        if text in ("case", "default"):
            if not labelled:
                if values:
                    yield Range(start, at, _shortened(" || ".join(values)))
                values = []
            colon = next((each for each in range(at, closed) if tokens[each].text == ":"), closed)
            values.append(f"{what} == {_text(tokens[at + 1 : colon])}" if text == "case" else "default")
            start = at = colon + 1
            labelled = True
            continue
        labelled = False
        at = ends[at] + 1 if text in ("{", "(", "[") else at + 1
    if values:
        yield Range(start, closed, _shortened(" || ".join(values)))


def _text(tokens: Sequence[Token]) -> str:
    """Tokens as one readable line."""
    words: list[str] = []
    for index, token in enumerate(tokens):
        before = tokens[index - 1].text if index else ""
        joined = not index or token.text in (")", "]", ",", ";", ".", "->", "::", "(", "[") or before in _TIGHT
        words.append(token.text if joined and not (token.text == "(" and before in _SPACED) else f" {token.text}")
    return _shortened("".join(words))


@cache
def opposite(condition: str) -> str:
    """The condition under which one does not hold.

    >>> [opposite(each) for each in ("n > 1", "!ok(n)", "!(a || b)", "!a && b", "!(a) == (b)")]
    ['!(n > 1)', 'ok(n)', 'a || b', '!(!a && b)', '!(!(a) == (b))']
    """
    inside = plain = condition.removeprefix("!")
    while (shorter := _BRACKETED.sub("", plain)) != plain:
        plain = shorter
    if inside == condition or _OPERAND.fullmatch(plain) is None:
        return f"!({condition})"
    return inside if plain else inside[1:-1]


def all_of(conditions: Sequence[str]) -> str:
    """Several conditions as one.

    >>> all_of(["a || b", "c", "f(d || e)"]), all_of(["a || b"])
    ('(a || b) && c && f(d || e)', 'a || b')
    """
    if len(conditions) < 2:
        return "".join(conditions)
    return " && ".join(f"({each})" if len(_parts(each, "||")) > 1 else each for each in conditions)


def weight(conditions: Sequence[str]) -> int:
    """How far a way is from one that every call goes."""
    return len(conditions) + (SPECIAL_LAST if any(map(is_special, conditions)) else 0)


def add_way(ways: list[tuple[str, ...]], new: tuple[str, ...]) -> None:
    """Add the conditions of a way to the same place to those of others, in place, the fewest first: the two branches of
    an ``if`` are one way, and one that needs more than another is none.

    >>> ways = []
    >>> for each in (("a", "b"), ("a", "c", "d"), ("a", "c", "!(d)"), ("a", "b", "e"), ("a", "!(c)")):
    ...     add_way(ways, each)
    >>> ways
    [('a',)]
    """
    if any(each <= {*new} for each in map(set, ways[:1])):
        return
    joined = next((each for each in ways if _both(each, new) is not None), None)
    while joined is not None:
        new = _both(joined, new) or ()
        ways.remove(joined)
        joined = next((each for each in ways if _both(each, new) is not None), None)
    needed = set(new)
    if len(ways) < MAX_WAYS and not any(needed.issuperset(each) for each in ways):
        ways[:] = sorted([*(each for each in ways if not needed.issubset(each)), new], key=weight)


def _both(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...] | None:
    """What two branches of an ``if`` need both; None when two ways are no such branches."""
    if len(one) != len(other):
        return None
    lone, others = [each for each in one if each not in other], [each for each in other if each not in one]
    if len(lone) == len(others) == 1 and (opposite(lone[0]) == others[0] or opposite(others[0]) == lone[0]):
        return tuple(each for each in one if each != lone[0])
    return None


_BRACKETED = re.compile(r"\([^()]*\)|\[[^][]*\]")
_OPERAND = re.compile(r"[\w.:]*(?:->[\w.:]+)*")
_LEAVING = frozenset({"return", "throw", "break", "continue", "goto"})
_GOES_ON = frozenset({";", "(", ")", ".", ","})
"""What stands behind a ``}`` inside of a statement: ``return {a, b};``."""
_BEFORE_CHOICE = frozenset({"(", "[", "{", ",", ";", "=", "?", ":", "return", "<<", "}"})
_BEHIND_CHOICE = frozenset({",", ";", ")", "]", "}"})
_TIGHT = frozenset({"(", "[", ".", "->", "::", "!", "~"})
_SPACED = frozenset({"&&", "||", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", ","})


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_CONDITION else f"{text[: MAX_CONDITION - 4]} ..."
