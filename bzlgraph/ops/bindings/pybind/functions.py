"""The C++ that a binding names: ``&ns::A::f``, ``[](int x) {...}``, ``py::overload_cast<int>(&f)``, ``py::init<>()``.

Tokens of an argument -> ``Function``.

>>> from bzlgraph.cpp.tokens import tokenize
>>> read_function(tokenize("py::overload_cast<int>(&a::f)"), "").name
'a::f'
>>> read_function(tokenize("[](int x) { T y(x); return b::g(x) + h(x); }"), "").calls
('b::g', 'h')
>>> read_function(tokenize("[](const a::T<U>& self, auto y) { return g(self.f(y), y->f(), other.k()); }"), "").calls
('g', 'a::T::f')
>>> [read_function(tokenize(f), "").name for f in ("TORCH_FN(a::run<true>)", "A<f<2>, false>::run", "B::through()")]
['a::run', 'A::run', 'B::through']
>>> read_function(tokenize("[](int x) { return h(x); }"), "")
Function(name='lambda', line=0, calls=('h',))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bzlgraph.cpp import Kind, Token, closing, split_arguments
from bzlgraph.ops.binding import LAMBDA

CONSTRUCTORS = ("init", "new_", "init_implicit")
MAX_CALLS = 6
_NO_CALLS = frozenset(
    "if for while switch return sizeof catch static_cast reinterpret_cast const_cast dynamic_cast decltype assert"
    " defined alignof typeid throw".split()
)
_QUALIFIERS = frozenset({"auto", "const", "&", "&&", "*", "volatile"})
_NO_TYPES = frozenset({"return", "else", "do", "co_return"})
OUTSIDE = ("std::", "py::", "pybind11::", "nb::", "nanobind::", "absl::")
"""Functions of other libraries, which a lambda calls on the way."""


class Function(NamedTuple):
    """``name`` as it is written, "lambda" or "constructor of T"; ``line``: the offset of a lambda, later its line, -1
    for anything else; ``calls`` are the functions that a lambda calls."""

    name: str = ""
    line: int = -1
    calls: tuple[str, ...] = ()


def read_function(given: Sequence[Token], owner_type: str) -> Function:
    """What one argument of ``def`` stands for; a list (of ``at::Tag``) for no function."""
    if given and given[0].text == "{":
        return Function()
    for index, token in enumerate(given):
        before = given[index - 1].text if index else "("
        if token.text == "[" and before in ("(", ","):
            calls = tuple(dict.fromkeys(_calls(given[index:])))[:MAX_CALLS]
            return Function(LAMBDA, token.start, calls)
        if token.text == "&" and before in ("(", ",", ">", ")") and index + 1 < len(given):
            return Function(name_from(given, index + 1))
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
    last = [index for index, token in enumerate(given) if token.kind == Kind.NAME][-1:]
    return Function(next((_name_to(given, index) for index in (innermost or last)[-1:]), ""))


def name_from(tokens: Sequence[Token], index: int) -> str:
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
    """The qualified name that ends at ``index``, template arguments left out."""
    parts = [tokens[index].text]
    while index > 1 and tokens[index - 1].text == "::":
        index -= 2
        depth = {">": 1, ">>": 2}.get(tokens[index].text, 0)
        while depth > 0 and index > 0:
            index -= 1
            depth += {">": 1, ">>": 2, "<": -1}.get(tokens[index].text, 0)
            index -= depth <= 0
        if index < 0 or tokens[index].kind != Kind.NAME:
            break
        parts.append(tokens[index].text)
    return "::".join(reversed(parts))


def _calls(tokens: Sequence[Token]) -> Iterator[str]:
    """The functions that a lambda calls, as they are named; methods of its parameters by the classes of these, none of
    any other object."""
    body = next((index for index, token in enumerate(tokens) if token.text == "{"), len(tokens))
    types = _parameter_types(tokens[:body])
    for index in range(body, len(tokens) - 1):
        token, before = tokens[index], tokens[index - 1]
        if token.kind == Kind.NAME and tokens[index + 1].text == "(" and token.text not in _NO_CALLS:
            name = _name_to(tokens, index)
            if before.text in (".", "->"):
                owner = types.get(tokens[index - 2].text, "") if tokens[index - 3].text not in (".", "->") else ""
                name = f"{owner}::{name}" if owner else ""
            declares = before.kind == Kind.NAME and before.text not in _NO_TYPES
            if name and not name.startswith(OUTSIDE) and not declares:
                yield name


def _parameter_types(tokens: Sequence[Token]) -> dict[str, str]:
    """The classes of the parameters of a lambda, template arguments left out."""
    opening = next((index for index, token in enumerate(tokens) if token.text == "("), len(tokens))
    found: dict[str, str] = {}
    for given in split_arguments(tokens[opening + 1 : closing(tokens, opening)]) if opening < len(tokens) else ():
        parameter = [token for token in given if token.text not in _QUALIFIERS]
        if len(parameter) > 1 and parameter[-1].kind == Kind.NAME:
            found[parameter[-1].text] = name_from(parameter[:-1], 0)
    return found
