"""Other names of types, ``using A = b::C<D>;`` and ``typedef b::C<D> A;``, replaced by what they stand for within the
braces they are declared in.

>>> from bzlgraph.cpp.tokens import tokenize
>>> code = "{ using A = b::C; f(&A::g); { using A = b::D; f(&A::g); } f(&A::g, x.A); }"
>>> print(" ".join(each.text for each in with_own_types(tokenize(code))))
{ using A = b :: C ; f ( & b :: C :: g ) ; { using A = b :: D ; f ( & b :: D :: g ) ; } f ( & b :: C :: g , x . A ) ; }
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bzlgraph.cpp.tokens import Kind, Token

_USING = re.compile(r"using\s+(\w+)\s*=\s*([^;]+);")
_TYPEDEF = re.compile(r"typedef\s+([^;{}]+?)\s+(\w+)\s*;")
"""Expressions that begin with plain text are found faster: what stands before is looked at afterwards."""
MAX_TYPE = 60
"""Tokens of a type that is written for its name: a longer one, as chains of names may add up to, is left as it is."""
MAX_GROWTH = 4
"""Times that a file may grow."""
_DECLARING = ("using", "typedef")
_NO_TYPES = frozenset(("(", "[", "{", "struct", "class", "enum", "union"))
"""What is in a ``typedef`` of a function, an array, or something that C names in two spaces."""
_MEMBER = frozenset((".", "->", "::"))
_Types = Mapping[str, Sequence[Token]]


def with_own_types(tokens: Sequence[Token]) -> Sequence[Token]:
    """The same tokens with the names of types replaced; what is written for one stands at the place of the name. An
    alias template is left as it is."""
    if not any(_declared(tokens, index) for index, token in enumerate(tokens) if token.text in _DECLARING):
        return tokens
    found: list[Token] = []
    known: dict[str, Sequence[Token]] = {}
    hidden: list[list[tuple[str, Sequence[Token]]]] = [[]]
    """For each brace that is open the names declared in it, and what they stood for before (nothing: no type)."""
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.text == "{":
            hidden.append([])
        elif token.text == "}" and len(hidden) > 1:
            known.update(reversed(hidden.pop()))
        declared = _declared(tokens, index) if token.text in _DECLARING else None
        if declared is not None:
            name, (first, last), end = declared
            type_ = _replaced(tokens, first, last, known)
            found += [*tokens[index:first], *type_, *tokens[last:end]]
            hidden[-1].append((name, known.get(name, ())))
            known[name] = type_ if len(type_) <= MAX_TYPE else ()
            index = end
        else:
            found += _replaced(tokens, index, index + 1, known)
            index += 1
    return found if len(found) <= MAX_GROWTH * len(tokens) else tokens


def _declared(tokens: Sequence[Token], index: int) -> tuple[str, tuple[int, int], int] | None:
    """The name, where its type begins and ends, and the end of the declaration that gives a type another name there."""
    if tokens[index].text == "using":
        before = tokens[index - 1].text if index else ""
        if before == ">" or index + 2 >= len(tokens) or tokens[index + 2].text != "=":
            return None
        end = _end(tokens, index, len(tokens))
        return tokens[index + 1].text, (index + 3, end), end
    far = min(len(tokens), index + MAX_TYPE)
    end = _end(tokens, index, far)
    type_ = [each.text for each in tokens[index + 1 : end - 1]]
    is_type = bool(type_) and type_[-1] != "," and _NO_TYPES.isdisjoint(type_)
    if end == far or not is_type or tokens[end - 1].kind != Kind.NAME:
        return None
    return tokens[end - 1].text, (index + 1, end - 1), end


def _end(tokens: Sequence[Token], index: int, last: int) -> int:
    """The semicolon behind a token, ``last`` where none stands before that."""
    return next((at for at in range(index, last) if tokens[at].text == ";"), last)


def _replaced(tokens: Sequence[Token], first: int, end: int, known: _Types) -> list[Token]:
    found: list[Token] = []
    for index in range(first, end):
        token = tokens[index]
        of = known.get(token.text) if token.kind == Kind.NAME and tokens[index - 1].text not in _MEMBER else None
        found += [Token(each.kind, each.text, token.start) for each in of] if of else [token]
    return found


def aliases_of(text: str) -> dict[str, str]:
    """What the names stand for that ``using`` and ``typedef`` of a file give, the first of each, alias templates too.

    >>> aliases_of("template <typename T> using A = B<T>; typedef Eigen::GpuDevice D;")
    {'A': 'B<T>', 'D': 'Eigen::GpuDevice'}
    """
    usings = ((found.start(), found.group(1), found.group(2)) for found in _USING.finditer(text))
    typedefs = ((found.start(), found.group(2), found.group(1)) for found in _TYPEDEF.finditer(text))
    aliases: dict[str, str] = {}
    for start, name, meaning in sorted([*usings, *typedefs]):
        if not (start and (text[start - 1].isalnum() or text[start - 1] == "_")):
            aliases.setdefault(name, meaning)
    return aliases
