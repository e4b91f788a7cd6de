"""Declarations of a namespace or a class of C++, one after the other: names of functions, of fields, values of enums.

``Outline`` and two places -> ``Statement`` values. What stands inside of brackets is left out of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bzlgraph.cpp.outline import Outline
from bzlgraph.cpp.tokens import Kind, Token

_BEHIND = frozenset({"const", "noexcept", "override", "final", "volatile", "throw", "try", "requires"})
"""What may stand behind the parameters of a function; any other word says that a macro was called before it."""
_NO_FIELDS = frozenset({"class", "struct", "union", "enum", "namespace", "extern", "template", "using", "typedef"})
_ANGLES = {"<": 1, ">": -1, ">>": -2}
_CLOSES = frozenset({";", "{", "}"})


class Statement(NamedTuple):
    """``words`` are the places of its tokens, ``name_at`` that of the name before its parameters (-1: it has none),
    ``opening`` that of the brace that ends it, or -1."""

    words: Sequence[int]
    name_at: int
    opening: int

    def texts(self, outline: Outline[Token]) -> list[str]:
        """Its words."""
        return [outline.tokens[at].text for at in self.words]


def statements(outline: Outline[Token], start: int, end: int, opened: set[int]) -> Iterator[Statement]:
    """The statements between two places; what opens another scope (``opened``) ends none of its own."""
    tokens, ends = outline.tokens, outline.brackets.ends
    words: list[int] = []
    name_at = -1
    at = start
    while at < end:
        text = tokens[at].text
        if text == "(" and name_at < 0 and words and _is_name(outline, at, words):
            name_at = at - 1 if tokens[at - 2].text != "::" else -1  # what a class defines outside of it
        of_c = text == "{" and at > 1 and tokens[at - 2].text == "extern"
        if text in _CLOSES:
            if words and at not in opened and not of_c:
                yield Statement(words, name_at, at if text == "{" else -1)
            words, name_at = [], -1
        else:
            words.append(at)
        at = ends[at] + 1 if text in ("(", "{", "[") and not of_c else at + 1


def _is_name(outline: Outline[Token], at: int, words: Sequence[int]) -> bool:
    """Whether a function's name stands before the ``(`` at ``at``: not that of a macro (``ALIGNED(32) int x``), and no
    call in the value of a field, nor a type's argument (``function<int(int)> f``)."""
    before = outline.tokens[at - 1].text
    after = outline.tokens[min(outline.brackets.ends[at] + 1, len(outline.tokens) - 1)]
    texts = [outline.tokens[each].text for each in words]
    if not before.isidentifier() or "=" in texts or sum(map(_ANGLES.get, texts, [0] * len(texts))) > 0:
        return False
    return not (before.isupper() and after.kind == Kind.NAME and after.text not in _BEHIND)


def enumerators(outline: Outline[Token], each: Statement) -> tuple[str, bool, list[int]]:
    """The name of an enum ("" for none), whether it is a scope (``enum class``), the places of its values."""
    texts = each.texts(outline)
    if each.opening < 0 or "enum" not in texts:
        return "", False, []
    behind = texts[texts.index("enum") + 1 :]
    scoped = behind[:1] in (["class"], ["struct"])
    named = [text for text in behind[scoped : behind.index(":") if ":" in behind else None] if text.isidentifier()]
    places: list[int] = []
    at, end, begins = each.opening + 1, outline.brackets.ends[each.opening], True
    while at < end:
        token = outline.tokens[at]
        places += [at] if begins and token.kind == Kind.NAME else []
        begins = token.text == ","
        at = outline.brackets.ends[at] + 1 if token.text in ("(", "{", "[") else at + 1
    return (named[-1] if named else ""), scoped, places


def fields(outline: Outline[Token], each: Statement) -> Iterator[int]:
    """The places of the names that a declaration without parameters gives: ``std::map<int, A> a, *b = nullptr;``."""
    tokens = outline.tokens
    if not _NO_FIELDS.isdisjoint(each.texts(outline)):
        return
    names, depth, valued, found = 0, 0, False, -1
    for at in each.words:
        text = tokens[at].text
        depth += _ANGLES.get(text, 0) if not valued or depth else 0
        if depth > 0:
            continue
        if text == ",":
            if found >= 0 and names > 1:
                yield found
            names, valued, found = 1, False, -1
        elif text in ("=", ":"):
            valued = True
        elif not valued and tokens[at].kind == Kind.NAME:
            names, found = names + 1, at
    if found >= 0 and names > 1:
        yield found
