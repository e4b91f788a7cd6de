"""Expansion of macro invocations: object- and function-like, ``#``, ``##``, nested, variadic.

tokens -> tokens that remember which macros they came through. The algorithm is the standard's (Prosser's, with hide
sets): arguments are expanded before they are put in, except next to ``#`` and ``##``; the result is read again; a
macro is not expanded inside itself. Rules: https://en.cppreference.com/w/cpp/preprocessor/replace

Theory of operation
A hide set and the way a token came are the same thing here: ``Piece.through``, the macros whose bodies gave it, outer
first. A macro that has several definitions under different conditions ends the expansion (``AmbiguousMacro``): the
caller expands once for each choice. Budgets keep a macro bomb from filling memory (``ExpansionLimit``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bzlgraph.cpp.literals import quoted
from bzlgraph.cpp.macro import Macro, Run
from bzlgraph.cpp.tokens import Kind, Token, tokenize

MAX_PIECES = 100_000
MAX_DEPTH = 120
MAX_THROUGH = 400


class Piece(NamedTuple):
    """A token in an expansion. ``origin`` is the macro whose body holds it, None for the file that is read."""

    kind: int
    text: str
    start: int
    through: tuple[Macro, ...] = ()
    origin: Macro | None = None


class ExpansionLimit(Exception):
    """An expansion that grows beyond any a person writes."""


class AmbiguousMacro(Exception):
    """A macro has several definitions that may hold: the choice is the caller's."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def pieces(tokens: Sequence[Token]) -> list[Piece]:
    """Tokens of a file, ready to be expanded."""
    return [_new(Piece, (*token, (), None)) for token in tokens]


@dataclass(slots=True)
class Expander:
    """``lookup`` gives the definition of a name that is in force, None for what stays. May raise AmbiguousMacro."""

    lookup: Callable[[str], Macro | None]
    made: int = 0
    depth: int = 0

    def expand(self, given: Sequence[Piece]) -> list[Piece]:
        """All macros in a list of tokens expanded. Raises ExpansionLimit, AmbiguousMacro."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpansionLimit("macros nested too deeply")
        result: list[Piece] = []
        waiting = list(reversed(given))
        while waiting:
            piece = waiting.pop()
            macro = self.lookup(piece.text) if piece.kind == Kind.NAME else None
            if macro is None or any(each.name == macro.name for each in piece.through):
                result.append(piece)
                continue
            if macro.parameters is None:
                replaced = self._substitute(macro, {}, piece.through)
            else:
                arguments = _take_arguments(waiting)
                if arguments is None:
                    if waiting and waiting[-1].text == "(":
                        self._pay(len(waiting))  # each bracket that never closes is looked at to the end
                    result.append(piece)
                    continue
                replaced = self._substitute(macro, _bind(macro, arguments), piece.through)
            self._pay(len(replaced) + 1)
            waiting.extend(reversed(replaced))
        self.depth -= 1
        return result

    def _pay(self, tokens: int) -> None:
        self.made += tokens
        if self.made > MAX_PIECES:
            raise ExpansionLimit(f"an expansion of more than {MAX_PIECES} tokens")

    def _substitute(self, macro: Macro, bound: dict[str, list[Piece]], through: tuple[Macro, ...]) -> list[Piece]:
        """The body with the arguments put in; each token comes through ``macro`` too."""
        way = (*through, macro)
        if len(way) > MAX_THROUGH:
            raise ExpansionLimit("macros that expand each other too often")
        if macro.runs is not None:
            return self._filled_in(macro, macro.runs, bound, way)
        expanded: dict[str, list[Piece]] = {}
        result: list[Piece] = []
        body = macro.tokens
        index = 0
        while index < len(body):
            token = body[index]
            after = body[index + 1].text if index + 1 < len(body) else ""
            if token.text == "#" and after in bound:
                result.append(Piece(Kind.STRING, _stringized(bound[after]), token.start, way, macro))
                index += 2
                continue
            if token.text == "##" and result and after:
                right = bound.get(after)
                _paste(result, [Piece(*body[index + 1], way, macro)] if right is None else _come(right, way), way)
                index += 2
                continue
            if token.text in bound and token.kind == Kind.NAME:
                plain = after == "##"
                if not plain and token.text not in expanded:
                    expanded[token.text] = self.expand(bound[token.text])
                result += _come(bound[token.text] if plain else expanded[token.text], way) or (_EMPTY if plain else [])
            else:
                result.append(Piece(token.kind, token.text, token.start, way, macro))
            index += 1
        return [piece for piece in result if piece.kind]

    def _filled_in(
        self, macro: Macro, runs: Sequence[Run], bound: dict[str, list[Piece]], way: tuple[Macro, ...]
    ) -> list[Piece]:
        """The same for a body without ``#`` and ``##``: most have none."""
        result: list[Piece] = []
        expanded: dict[str, list[Piece]] = {}
        for tokens, parameter in runs:
            result += [_new(Piece, (kind, text, start, way, macro)) for kind, text, start in tokens]
            if parameter:
                if parameter not in expanded:
                    expanded[parameter] = _come(self.expand(bound[parameter]), way)
                result += expanded[parameter]
        return result


_new = tuple.__new__  # what Piece(...) does, in a third of the time
_EMPTY = [Piece(0, "", 0)]
"""An empty argument beside ``##``: the place that the other side is joined to."""


def _come(given: list[Piece], way: tuple[Macro, ...]) -> list[Piece]:
    """Arguments as they stand in the result: they came through the macro as well as through what gave them."""
    return [
        _new(
            Piece,
            (kind, text, start, (*way, *[each for each in through if each not in way]) if through else way, origin),
        )
        for kind, text, start, through, origin in given
    ]


def _bind(macro: Macro, arguments: list[list[Piece]]) -> dict[str, list[Piece]]:
    """Parameters -> arguments; what is missing is empty, what is too much goes to the last (variadic) one."""
    names = macro.parameters or ()
    if macro.variadic and len(arguments) > len(names):
        rest: list[Piece] = []
        for position, argument in enumerate(arguments[len(names) - 1 :]):
            rest += ([Piece(Kind.PUNCT, ",", 0)] if position else []) + argument
        arguments = [*arguments[: len(names) - 1], rest]
    return {name: arguments[index] if index < len(arguments) else [] for index, name in enumerate(names)}


def _take_arguments(waiting: list[Piece]) -> list[list[Piece]] | None:
    """Take ``( ... )`` from the tokens that wait (last one first); None when no ``(`` follows or it never closes."""
    if not waiting or waiting[-1].text != "(":
        return None
    arguments: list[list[Piece]] = [[]]
    depth = 0
    for position in range(len(waiting) - 1, -1, -1):
        piece = waiting[position]
        if piece.text == "(":
            depth += 1
            if depth == 1:
                continue
        elif piece.text == ")":
            depth -= 1
            if depth == 0:
                del waiting[position:]
                return arguments
        if piece.text == "," and depth == 1:
            arguments.append([])
        else:
            arguments[-1].append(piece)
    return None


def _paste(result: list[Piece], right: list[Piece], way: tuple[Macro, ...]) -> None:
    """``left ## right``: the last token of what there is and the first of what comes become one."""
    left = result.pop()
    if not right:
        result.append(left)
        return
    joined = tokenize(" " + left.text + right[0].text)
    if len(joined) == 1 and joined[0].kind != Kind.DIRECTIVE:
        result.append(Piece(joined[0].kind, joined[0].text, left.start, way, left.origin or right[0].origin))
    else:
        result += [piece for piece in (left, right[0]) if piece.kind]
    result += right[1:]


def _stringized(argument: list[Piece]) -> str:
    """``#argument``: its spelling, with one space where there was any."""
    words: list[str] = []
    for index, piece in enumerate(argument):
        before = argument[index - 1] if index else None
        if before is not None and piece.start > before.start + len(before.text) and piece.origin is before.origin:
            words.append(" ")
        words.append(piece.text)
    return quoted("".join(words))
