"""The C++ that a binding names: ``&ns::A::f``, ``[](int x) {...}``, ``py::overload_cast<int>(&f)``, ``py::init<>()``.

Tokens of an argument -> ``Function``.

>>> from bzlgraph.cpp.tokens import tokenize
>>> read_function(tokenize("py::overload_cast<int>(&a::f)"), "").name
'a::f'
>>> read_function(tokenize("[](int x) { T y(x); return b::g(x) + h(x); }"), "").calls
('b::g', 'h')
>>> read_function(tokenize("[](int x) { return h(x); }"), "")
Function(name='lambda', line=0, calls=('h',))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bzlgraph.cpp import Kind, Token, closing
from bzlgraph.ops.bindings.model import LAMBDA

CONSTRUCTORS = ("init", "new_", "init_implicit")
MAX_CALLS = 6
_NO_CALLS = frozenset(
    "if for while switch return sizeof catch static_cast reinterpret_cast const_cast dynamic_cast decltype assert"
    " defined alignof typeid throw".split()
)
_NO_TYPES = frozenset({"return", "else", "do", "co_return"})
_OUTSIDE = ("std::", "py::", "pybind11::", "nb::", "nanobind::", "absl::")
"""Functions of other libraries, which a lambda calls on the way."""


class Function(NamedTuple):
    """``name`` as it is written, "lambda" or "constructor of T"; ``line``: the offset of a lambda, later its line, -1
    for anything else; ``calls`` are the functions that a lambda calls."""

    name: str = ""
    line: int = -1
    calls: tuple[str, ...] = ()


def read_function(given: Sequence[Token], owner_type: str) -> Function:
    """What one argument of ``def`` stands for."""
    names = [token.text for token in given if token.kind == Kind.NAME]
    for index, token in enumerate(given):
        before = given[index - 1].text if index else "("
        if token.text == "[" and before in ("(", ","):
            calls = tuple(dict.fromkeys(_calls(given[index:])))[:MAX_CALLS]
            return Function(LAMBDA, token.start, calls)
        if token.text == "&" and before in ("(", ",", ">", ")") and index + 1 < len(given):
            return Function(_name_from(given, index + 1))
        if token.text in CONSTRUCTORS and index + 1 < len(given) and given[index + 1].text in ("<", "("):
            inner = given[index + 2 : closing(given, index + 1)] if given[index + 1].text == "(" else []
            return read_function(inner, owner_type) if inner else Function(f"constructor of {owner_type}")
    innermost = [
        index
        for index, token in enumerate(given)
        if token.kind == Kind.NAME
        and (index + 1 == len(given) or given[index + 1].text in (")", ",", "<"))
        and (index == 0 or given[index - 1].text in ("(", ",", "::"))
    ]
    return Function(_name_to(given, innermost[-1])) if innermost else Function("".join(names[-1:]))


def _name_from(tokens: Sequence[Token], index: int) -> str:
    """The qualified name that begins at ``index``, template arguments left out."""
    parts: list[str] = []
    depth = 0
    for token in tokens[index:]:
        depth += {"<": 1, "<<": 2}.get(token.text, 0)
        if depth == 0:
            if token.kind != Kind.NAME and token.text != "::":
                break
            parts.append(token.text)
        depth -= {">": 1, ">>": 2}.get(token.text, 0)
    return "".join(parts).removeprefix("::")


def _name_to(tokens: Sequence[Token], index: int) -> str:
    first = index
    while first > 1 and tokens[first - 1].text == "::" and tokens[first - 2].kind == Kind.NAME:
        first -= 2
    return "".join(token.text for token in tokens[first : index + 1])


def _calls(tokens: Sequence[Token]) -> Iterator[str]:
    """The functions that a lambda calls, as they are named."""
    body = next((index for index, token in enumerate(tokens) if token.text == "{"), len(tokens))
    for index in range(body, len(tokens) - 1):
        token = tokens[index]
        if token.kind == Kind.NAME and tokens[index + 1].text == "(" and token.text not in _NO_CALLS:
            name = _name_to(tokens, index)
            declares = tokens[index - 1].kind == Kind.NAME and tokens[index - 1].text not in _NO_TYPES
            if not name.startswith(_OUTSIDE) and not declares:
                yield name
