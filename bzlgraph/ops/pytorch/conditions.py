"""Below which conditions the tokens of a C++ function run: ``if``, ``else`` and ``case``, as they are written.

tokens of a function -> ``Range`` values in the order in which they begin.

>>> from bzlgraph.cpp.outline import read_outline
>>> from bzlgraph.cpp.tokens import tokenize
>>> outline = read_outline(tokenize("void f(int n) { if (n > 1) { a(); } else switch (n) { case 1: b(); } }"))
>>> [each.text for each in conditions_of(outline, outline.scopes[0].opening + 1, outline.scopes[0].closing)]
['n > 1', '!(n > 1)', 'n == 1']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bzlgraph.cpp.outline import Outline
from bzlgraph.cpp.tokens import Token

MAX_CONDITION = 120
"""Characters of a condition that are shown."""


_SPECIAL = re.compile(
    r"\bis_?(?:sparse|quantized|mkldnn|nested|meta|vulkan|xla|lazy|functorch|batchedtensor|qscheme)\w*"
    r"|\bk(?:Sparse|Mkldnn|Jagged|Quantized|PerTensorAffine|PerChannelAffine|Meta)\w*|NestedTensor",
    re.IGNORECASE,
)
"""Questions about a kind of tensor that few programs have, as native code asks them."""
_ORDINARY = re.compile(r"\bk?Strided\b")
_JOINED = re.compile(r"(&&|\|\||[()])")


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
    """The ranges of ``if``, ``else`` and ``case`` between two tokens, in the order in which they begin."""
    tokens, ends = outline.tokens, outline.brackets.ends
    found: list[Range] = []
    for at in range(first, last):
        text = tokens[at].text
        if text == "if":
            found += _branches(tokens, ends, at, last)
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
        yield Range(end + 1, _statement_end(tokens, ends, end + 1, last), f"!({condition})")


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


_TIGHT = frozenset({"(", "[", ".", "->", "::", "!", "~"})
_SPACED = frozenset({"&&", "||", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", ","})


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_CONDITION else f"{text[: MAX_CONDITION - 4]} ..."
