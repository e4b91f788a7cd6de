"""One macro: what a ``#define`` says, with its body cut into tokens, and its line found, only when somebody asks.

>>> from bzlgraph.cpp.text import read_cpp
>>> text = read_cpp(b"#define REGISTER(T, ...) f(#T, a##T, __VA_ARGS__)", "a.h")
>>> macro = parse_define(text, text.text.index("REG"), len(text.text))
>>> macro.name, macro.parameters, macro.variadic, macro.line, [token.text for token in macro.tokens][:4]
('REGISTER', ('T', '__VA_ARGS__'), True, 1, ['f', '(', '#', 'T'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bzlgraph.cpp.condition import TRUE, Formula
from bzlgraph.cpp.text import CppText
from bzlgraph.cpp.tokens import Kind, Token, tokenize

_DEFINE = re.compile(r"([^\W\d]\w*)(\(([^()]*)\))?\s*")


Run = tuple[tuple[Token, ...], str]
"""Tokens of a body, and the parameter behind them, "" at the end."""


@dataclass(slots=True, eq=False)
class Macro:
    """``parameters`` is None for an object-like macro; ``condition`` is what its ``#define`` stands under.

    The body is ``source.text[start:end]``; its tokens keep the offsets they have in the file.
    """

    name: str
    parameters: tuple[str, ...] | None
    variadic: bool
    source: CppText
    start: int
    end: int
    condition: Formula = TRUE
    _tokens: tuple[Token, ...] | None = field(default=None, repr=False)
    _runs: tuple[Run, ...] | None = field(default=None, repr=False)

    @property
    def path(self) -> str:
        """The file that defines it."""
        return self.source.path

    @property
    def line(self) -> int:
        """The line of its ``#define``."""
        return self.source.line(max(self.source.text.rfind("#", 0, self.start), 0))

    @property
    def body(self) -> str:
        """Its body as text."""
        return self.source.text[self.start : self.end]

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The body's tokens."""
        if self._tokens is None:
            self._tokens = tuple(_body_tokens(self.body, self.start))
        return self._tokens

    @property
    def runs(self) -> tuple[Run, ...] | None:
        """The body as tokens up to each of its parameters; None for one with ``#`` or ``##``."""
        if self._runs is None and "#" not in self.body:
            self._runs = tuple(_runs_of(self.tokens, frozenset(self.parameters or ())))
        return self._runs


def parse_define(source: CppText, start: int, end: int, condition: Formula = TRUE) -> Macro | None:
    """The macro of what stands behind ``#define``, from ``start`` to ``end``. None when it names nothing."""
    found = _DEFINE.match(source.text, start, end)
    if found is None or (found.group(2) is None and source.text[found.end(1) : found.end(1) + 1] == "("):
        return None
    parameters: tuple[str, ...] | None = None
    variadic = False
    if found.group(2) is not None:
        names = [name.strip() for name in found.group(3).split(",")] if found.group(3).strip() else []
        variadic = bool(names) and names[-1].endswith("...")
        if variadic:
            names[-1] = names[-1].removesuffix("...").strip() or "__VA_ARGS__"
        parameters = tuple(names)
    return Macro(found.group(1), parameters, variadic, source, found.end(), end, condition)


def _runs_of(tokens: tuple[Token, ...], parameters: frozenset[str]) -> Iterator[Run]:
    begin = 0
    for at, token in enumerate(tokens):
        if token.text in parameters and token.kind == Kind.NAME:
            yield tokens[begin:at], token.text
            begin = at + 1
    yield tokens[begin:], ""


def _body_tokens(body: str, start: int) -> list[Token]:
    """The tokens of a body; the ``;`` put before it keeps a ``#`` at its start from being a directive."""
    shift = start - 2
    tokens = tokenize(" ;" + body)[1:]
    return [Token(token.kind, token.text, token.start + shift) for token in tokens if token.kind != Kind.DIRECTIVE]
