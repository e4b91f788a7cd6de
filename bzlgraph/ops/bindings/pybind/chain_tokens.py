"""Parts of the tokens of a chain of calls: the end of a template's arguments, a qualified name, a second argument."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bzlgraph.cpp import Kind, Token, joined_string
from bzlgraph.cpp.outline import Outline

SELECTIVE = frozenset({"TORCH_SELECTIVE_NAME", "TORCH_SELECTIVE_SCHEMA"})
"""Macros around a name or schema, which leave it out of a build that does not list it."""
MAX_ANGLE = 400
"""Tokens of the arguments of one template."""


def second(given: Sequence[Sequence[Token]]) -> Sequence[Token]:
    """The second argument; what stands between ``<`` and ``>`` is one: ``Conv<2, true>::run``."""
    found: list[Token] = []
    for each in given[1:]:
        found += each
        texts = [token.text for token in found]
        if texts.count("<") <= texts.count(">") + 2 * texts.count(">>"):
            return found
    return given[1] if len(given) > 1 else []


def whole(parts: Sequence[list[Token]]) -> Iterator[list[Token]]:
    """Parameters; what stands between ``<`` and ``>`` is of one: ``py::class_<T, Args...>& c``."""
    found: list[Token] = []
    for each in parts:
        found = [*found, *each]
        texts = [token.text for token in found]
        if texts.count("<") <= texts.count(">") + 2 * texts.count(">>"):
            yield found
            found = []


def without_selection(given: Sequence[Token]) -> Sequence[Token]:
    """What a macro of ``SELECTIVE`` is around."""
    return given[2:-1] if given and given[0].text in SELECTIVE else given


def before_default(parameter: Sequence[Token]) -> Iterator[Token]:
    """A parameter without its default."""
    for token in parameter:
        if token.text == "=":
            return
        yield token


def angle_end(tokens: Sequence[Token], opening: int, limit: int, and_around: bool = False) -> int:
    """The index of the ``>`` that closes the ``<`` at ``opening``; ``and_around``: and all templates around it that end
    there, too."""
    depth = 0
    for index in range(opening, min(limit, opening + MAX_ANGLE)):
        depth += {"<": 1, "<<": 2, ">": -1, ">>": -2}.get(tokens[index].text, 0)
        if depth <= 0 and not (and_around and index > opening and tokens[index + 1].text in (">", ">>")):
            return index
    return opening


def assigned_to(tokens: Sequence[Token], index: int) -> str:
    """The variable of ``auto x = py::class_<...>``, where the name at ``index`` ends that of what is made."""
    at = index - 1
    while at > 1 and (tokens[at].text == "::" or tokens[at + 1].text == "::"):
        at -= 1
    return tokens[at - 1].text if tokens[at].text == "=" and tokens[at - 1].kind == Kind.NAME else ""


def qualified(tokens: Sequence[Token], index: int) -> str:
    """The name that ends at ``index``, with the namespaces before it."""
    first = index
    while first > 1 and tokens[first - 1].text == "::" and tokens[first - 2].kind == Kind.NAME:
        first -= 2
    return "".join(token.text for token in tokens[first : index + 1])


def unspaced(tokens: Sequence[Token]) -> str:
    """Tokens written without spaces."""
    return "".join(token.text for token in tokens)


def statement_start(tokens: Sequence[Token], index: int) -> int:
    """Where the statement that ``index`` is in begins, or the place ``MAX_ANGLE`` tokens before."""
    first = max(index - MAX_ANGLE, 0)
    return next((at + 1 for at in range(index - 1, first, -1) if tokens[at].text in (";", "{", "}")), first)


def statement_end(outline: Outline[Token], at: int) -> int:
    """Where the statement ends that begins at a token: its ``;``."""
    while at < len(outline.tokens) and outline.tokens[at].text not in (";", "}"):
        at = outline.brackets.ends[at] + 1 if outline.tokens[at].text in ("(", "[", "{") else at + 1
    return at


def bound_name(given: Sequence[Token]) -> str | None:
    """The text of an argument; of a schema with macros in it what stands before them."""
    name = joined_string(given)
    if name is None and given and given[0].kind == Kind.STRING:
        begins = joined_string(given[:1]) or ""
        return begins if "(" in begins else None
    return name
