"""Below which conditions the tokens of a C++ function run: ``if``, ``else``, ``case`` and ``a ? b : c``, as they are
written, what an ``if`` that leaves the block (``return``, ``break``) lets through, what ``static_assert`` demands, and
what only debug builds check. Apart from these, what ``TORCH_CHECK`` has made sure of.

tokens of a function -> ``Range`` values in the order in which they begin.

>>> from bzlgraph.cpp.outline import read_outline
>>> from bzlgraph.cpp.tokens import tokenize
>>> outline = read_outline(tokenize("void f(int n) { if (n > 1) { a(); } else switch (n) { case 1: b(); } }"))
>>> [each.text for each in conditions_of(outline, outline.scopes[0].opening + 1, outline.scopes[0].closing)]
['n > 1', '!(n > 1)', 'n == 1']
>>> outline = read_outline(tokenize("int f(int n) { if (!ok(n)) { return 0; } g(); return n > 1 ? a() : b(); }"))
>>> [each.text for each in conditions_of(outline, outline.scopes[0].opening + 1, outline.scopes[0].closing)]
['!ok(n)', 'ok(n)', 'n > 1', '!(n > 1)']
>>> outline = read_outline(tokenize("void f() { static_assert(same<A<T, 1>, B>(), \\"x\\"); static_assert(N < 3); }"))
>>> [each.text for each in conditions_of(outline, outline.scopes[0].opening + 1, outline.scopes[0].closing)]
['same<A<T, 1>, B>()', 'N < 3']
>>> outline = read_outline(tokenize("void f(int n) { if (n) { TORCH_CHECK(n < 3, 1); g(); } h(); }"))
>>> [each[2:] for each in conditions_of(outline, outline.scopes[0].opening + 1, outline.scopes[0].closing)]
[('n', False), ('n < 3', True)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bzlgraph.cpp.outline import Outline
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.truth import all_of, opposite
from bzlgraph.ops.pytorch.cpp.variables.set_again import with_first_values

MAX_WAYS_OUT = 4
"""Ways on which one ``if`` leaves its block."""
MAX_CONDITION = 400
"""Characters of one condition that are kept."""
CHECKS = frozenset(
    "TORCH_CHECK TORCH_CHECK_VALUE TORCH_CHECK_INDEX TORCH_CHECK_TYPE TORCH_CHECK_NOT_IMPLEMENTED TORCH_CHECK_LINALG"
    " TORCH_INTERNAL_ASSERT AT_ASSERT AT_ASSERTM AT_CHECK".split()
)
"""Macros that stop where their first argument does not hold."""
_BEFORE_STATEMENT = frozenset({"{", "}", ";"})
CHECKING = "check"
"""What is in the names of functions that are called to stop where something does not hold."""


class Range(NamedTuple):
    """The tokens from ``start`` to before ``end`` run when ``text`` holds."""

    start: int
    end: int
    text: str
    checked: bool = False
    """Whether it surely holds, as what comes before stops otherwise."""


Compiled = Callable[[int], str]
"""What the preprocessor must have for an offset to be compiled, "" for nothing."""


def always(_offset: int) -> str:
    """Nothing is asked of the preprocessor."""
    return ""


def conditions_of(outline: Outline[Token], first: int, last: int, compiled: Compiled = always) -> list[Range]:
    """The ranges between two tokens, in the order in which they begin. What an ``if`` lets through that is not always
    ``compiled`` runs without it, too: ``!(MOBILE && fast(n))``."""
    outline = with_first_values(outline, first, last)
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
            found += _branches(tokens, ends, at, last, compiled)
            found += _let_through(tokens, ends, at, blocks[-1], compiled)
        elif text == "static_assert" and tokens[at + 1].text == "(":
            found.append(Range(ends[at + 1] + 1, blocks[-1], text_of(_asserted(outline, at + 1))))
        elif text in CHECKS and tokens[at + 1].text == "(" and tokens[at - 1].text in _BEFORE_STATEMENT:
            behind = ends[at + 1] + 1
            asked = outline.brackets.arguments(at + 1)[0]
            found.append(Range(behind, _case_end(tokens, ends, behind, blocks[-1]), text_of(asked), checked=True))
        elif is_checking(tokens, ends, at):
            behind = ends[at + 1] + 1
            asked = tokens[at:behind]
            found.append(Range(behind, _case_end(tokens, ends, behind, blocks[-1]), text_of(asked), checked=True))
        elif text.endswith("_DEBUG_ONLY") and tokens[at + 1].text == "(":
            found.append(Range(at, ends[at + 1], "!NDEBUG"))
        elif text == "?":
            found += _chosen(outline, at, last)
        elif text in ("&&", "||"):
            found += _right_side(outline, at, last)
        elif text == "switch" and tokens[at + 1].text == "(":
            opening = ends[at + 1] + 1
            if opening < last and tokens[opening].text == "{":
                found += _cases(tokens, ends, text_of(tokens[at + 2 : ends[at + 1]]), opening)
    return sorted(found)


def is_checking(tokens: Sequence[Token], ends: Sequence[int], at: int) -> bool:
    """Whether a statement begins there that calls a function to check something: ``check_1d(a, "a");``."""
    named = tokens[at].kind == Kind.NAME and CHECKING in tokens[at].text.lower() and not tokens[at].text.isupper()
    alone = named and tokens[at + 1].text == "(" and tokens[at - 1].text in _BEFORE_STATEMENT
    return alone and tokens[ends[at + 1] + 1].text == ";"


def _asked(tokens: Sequence[Token], at: int) -> int:
    """The bracket of an ``if``: behind ``constexpr``, or the macro of ``if C10_UNLIKELY (n)``."""
    return at + 2 if tokens[at + 1].kind == Kind.NAME else at + 1


def _asserted(outline: Outline[Token], opening: int) -> Sequence[Token]:
    """What ``static_assert(is_same<A<T, n>, B>, "words")`` demands: all but the words at its end."""
    end = outline.brackets.ends[opening]
    while outline.tokens[end - 1].kind == Kind.STRING:
        end -= 1
    return outline.tokens[opening + 1 : end - 1 if outline.tokens[end - 1].text == "," else end]


def _otherwise(tokens: Sequence[Token], condition: str, at: int, behind: int, compiled: Compiled) -> str:
    """What holds behind the ``if`` there that asks for a condition, whether it is compiled or not."""
    here = compiled(tokens[at].start)
    if not here or here == compiled(tokens[min(behind, len(tokens) - 1)].start):
        return opposite(condition)
    return opposite(f"{_joined(here)} && {_joined(condition)}")


def _joined(condition: str) -> str:
    return f"({condition})" if "||" in condition or "?" in condition else condition


def _branches(tokens: Sequence[Token], ends: Sequence[int], at: int, last: int, compiled: Compiled) -> Iterator[Range]:
    opening = _asked(tokens, at)
    if opening >= last or tokens[opening].text != "(":
        return
    condition = text_of(tokens[opening + 1 : ends[opening]])
    start = ends[opening] + 1
    end = _statement_end(tokens, ends, start, last)
    yield Range(start, end, condition)
    if end < last and tokens[end].text == "else":
        otherwise = _otherwise(tokens, condition, at, end + 1, compiled)
        yield Range(end + 1, _statement_end(tokens, ends, end + 1, last), otherwise)


def _let_through(
    tokens: Sequence[Token], ends: Sequence[int], at: int, last: int, compiled: Compiled
) -> Iterator[Range]:
    """What stands in a block behind ``if (a) return; else if (b) break;``: it runs when none of these holds; behind
    ``if (a) { if (b) return; c(); }`` when not both do."""
    if tokens[at - 1].text in ("else", ")"):
        return  # the chain begins before, or it is the statement of another one
    behind = _statement_end(tokens, ends, at, last)
    if behind < last:
        ways = [(leaving, way) for leaving, way in _ways_out(tokens, ends, at, behind) if way]
        found = [_otherwise(tokens, all_of(way), leaving, behind, compiled) for leaving, way in ways]
        end = _case_end(tokens, ends, behind, last)
        yield from (Range(behind, end, each) for each in found[:MAX_WAYS_OUT])


_Way = tuple[int, tuple[str, ...]]


def _ways_out(tokens: Sequence[Token], ends: Sequence[int], at: int, last: int) -> Iterator[_Way]:
    """Where an ``if`` with all its ``else`` leaves the block that it stands in, and what holds there."""
    before: tuple[str, ...] = ()
    while at < last:
        asked: tuple[str, ...] = ()
        if tokens[at].text == "if":
            opening = _asked(tokens, at)
            if tokens[opening].text != "(":
                return
            asked = (text_of(tokens[opening + 1 : ends[opening]]),)
            at = ends[opening] + 1
        end = _statement_end(tokens, ends, at, last)
        if _leaves(tokens, ends, at, end):
            yield at, (*before, *asked)
        else:
            inside = at + 1 if tokens[at].text == "{" else at
            below = _ways_out_of_block(tokens, ends, inside, end)
            yield from ((leaving, (*before, *asked, *way)) for leaving, way in below)
            before = *before, *map(opposite, asked)
        if not asked or end >= last or tokens[end].text != "else":
            return
        at = end + 1


def _ways_out_of_block(tokens: Sequence[Token], ends: Sequence[int], at: int, last: int) -> Iterator[_Way]:
    """The same of the statements of a block that does not always leave."""
    while at < last:
        end = _statement_end(tokens, ends, at, last)
        if tokens[at].text == "if":
            yield from _ways_out(tokens, ends, at, end)
        at = end


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
        opening = _asked(tokens, first)
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
    condition = text_of(tokens[first:at])
    colon = _choice_end(tokens, ends, at + 1, last)
    yield Range(at + 1, colon, condition)
    yield Range(colon + 1, _choice_end(tokens, ends, colon + 1, last), opposite(condition))


def _right_side(outline: Outline[Token], at: int, last: int) -> Iterator[Range]:
    """What stands on the right of ``&&`` or ``||`` runs as the left decides; not behind ``auto&&``, ``Type&& x =``."""
    tokens, ends, openings = outline.tokens, outline.brackets.ends, outline.brackets.openings
    text = tokens[at].text
    end, calls = at + 1, False
    while end < last and tokens[end].text not in _BEHIND_SIDE and not (tokens[end].text == "||" and end > at):
        if tokens[end].text == "&&" and text == "&&":
            break
        calls = calls or tokens[end].text == "("
        end = ends[end] + 1
    first = at
    while (
        first > 0 and tokens[first - 1].text not in _BEFORE_CHOICE and (text == "||" or tokens[first - 1].text != "||")
    ):
        first = openings.get(first - 1, first - 1)
    left = text_of(tokens[first:at])
    if (
        calls
        and first < at
        and tokens[at - 1].text not in _TYPES_END
        and tokens[first].text not in ("const", "template")
    ):
        yield Range(at + 1, end, left if text == "&&" else opposite(left))


_TYPES_END = frozenset({"auto", ">", ">>", "const"})


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
            values.append(f"{what} == {text_of(tokens[at + 1 : colon])}" if text == "case" else "default")
            start = at = colon + 1
            labelled = True
            continue
        labelled = False
        at = ends[at] + 1 if text in ("{", "(", "[") else at + 1
    if values:
        yield Range(start, closed, _shortened(" || ".join(values)))


def text_of(tokens: Sequence[Token], most: int = MAX_CONDITION) -> str:
    """Tokens as one readable line of that many characters."""
    words: list[str] = []
    angles = _angles(tokens)
    for index, token in enumerate(tokens):
        before = tokens[index - 1].text if index else ""
        tight = before in _TIGHT or (before in _SIGNS and (index < 2 or tokens[index - 2].text in _BEFORE_SIGN))
        within = not {index, index - 1}.isdisjoint(angles)
        joined = not index or token.text in _CLOSE or tight or within
        opens = token.text in ("(", "{") and not within and (before in _SPACED or before in (",", "return"))
        words.append(token.text if joined and not opens else f" {token.text}")
    return _shortened("".join(words), most)


def _angles(tokens: Sequence[Token]) -> set[int]:
    """The ``<`` and ``>`` around the arguments of templates that are called or named: ``f<int64_t>(n)``."""
    found: set[int] = set()
    for at, token in enumerate(tokens):
        inside, depth = [at], 1
        while token.text == "<" and depth > 0 and inside[-1] + 1 < len(tokens) and _is_type(tokens[inside[-1] + 1]):
            inside.append(inside[-1] + 1)
            depth += _ANGLES.get(tokens[inside[-1]].text, 0)
        behind = tokens[inside[-1] + 1].text if inside[-1] + 1 < len(tokens) else ""
        if depth == 0 and behind in ("(", "::", "{"):
            found.update(each for each in inside if tokens[each].text in _ANGLES)
    return found


def _is_type(token: Token) -> bool:
    return token.kind in (Kind.NAME, Kind.NUMBER) or token.text in ("::", ",", "*") or token.text in _ANGLES


_ANGLES = {"<": 1, ">": -1, ">>": -2}


_LEAVING = frozenset({"return", "throw", "break", "continue", "goto"})
_GOES_ON = frozenset({";", "(", ")", ".", ","})
"""What stands behind a ``}`` inside of a statement: ``return {a, b};``."""
_BEFORE_CHOICE = frozenset({"(", "[", "{", ",", ";", "=", "?", ":", "return", "<<", "}"})
_BEHIND_CHOICE = frozenset({",", ";", ")", "]", "}"})
_BEHIND_SIDE = _BEHIND_CHOICE | {"?", ":", "="}
_TIGHT = frozenset({"(", "[", "{", ".", "->", "::", "!", "~"})
_CLOSE = frozenset({")", "]", "}", ",", ";", ".", "->", "::", "(", "[", "{"})
_SIGNS = frozenset({"-", "+", "&", "*"})
_BEFORE_SIGN = frozenset(
    {"(", "[", "{", ",", "?", ":", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "+", "-", "*", "/"}
)
"""What stands before a sign: `n * -1`, `&a != &b`."""
_SPACED = frozenset({"&&", "||", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", ","})


def _shortened(text: str, most: int = MAX_CONDITION) -> str:
    return text if len(text) <= most else f"{text[: most - 4]} ..."
