"""Text of a query -> a small tree, for what most people ask; None for what the parser of ``query/`` has to read.

A tree is ``("word", text)``, ``("set", [trees])``, ``("call", name, [trees])``, ``("chain", tree, [(sign, tree)])``,
``("let", name, tree, tree)`` or ``("variable", name)``; the language is ``grammars/query.lark``.

>>> parse("deps(//a:b, 2) - //c")
('chain', ('call', 'deps', [('word', '//a:b'), ('word', '2')]), [('-', ('word', '//c'))])
>>> parse("deps(") is None
True

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Tree = tuple[Any, ...]

OPERATORS = {"+": "+", "union": "+", "-": "-", "except": "-", "^": "^", "intersect": "^"}
_MARKS = "(),=+^-"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_FIRST = frozenset(_LETTERS + "/@._:$~[]")
_INSIDE = _FIRST | frozenset("*-%")
_CANONICAL = _INSIDE | {"+"}
_KEYWORDS = frozenset({"let", "in", "set", *OPERATORS}) - frozenset(_MARKS)
MAX_NESTING = 100


class _Unreadable(ValueError):
    """This is left to the full parser, which can say what is wrong."""


def parse(text: str) -> Tree | None:
    """The tree of an expression, None for what is not read here."""
    try:
        reader = _Reader(_tokens(text))
        tree = reader.expression(0)
        return tree if reader.at_end() else None
    except _Unreadable:
        return None


def _tokens(text: str) -> list[tuple[str, str]]:
    """(kind, text) of each token; kinds are a mark or keyword itself, "word", "quoted"."""
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char in " \t\n\r\f":
            at += 1
        elif char in "\"'":
            end = text.find(char, at + 1)
            if end < 0:
                raise _Unreadable
            found.append(("quoted", text[at + 1 : end]))
            at = end + 1
        elif char in _FIRST:
            allowed = _CANONICAL if text.startswith("@@", at) else _INSIDE
            end = at + 1
            while end < len(text) and text[end] in allowed:
                end += 1
            word = text[at:end]
            found.append((word if word in _KEYWORDS else "word", word))
            at = end
        elif char in _MARKS:
            found.append((char, char))
            at += 1
        else:
            raise _Unreadable
    return found


class _Reader:
    """Reads tokens from the left; operators have one precedence and associate to the left."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens
        self._at = 0

    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self._at == len(self._tokens)

    def expression(self, depth: int) -> Tree:
        """A chain of operators, or a ``let``."""
        if depth > MAX_NESTING:
            raise _Unreadable
        if self._is("let"):
            return self._let(depth)
        first = self._primary(depth)
        rest: list[tuple[str, Tree]] = []
        while not self.at_end() and self._tokens[self._at][0] in OPERATORS:
            sign = OPERATORS[self._next()]
            if self._is("let"):
                rest.append((sign, self._let(depth)))
                break
            rest.append((sign, self._primary(depth)))
        return ("chain", first, rest) if rest else first

    def _let(self, depth: int) -> Tree:
        self._take("let")
        name = self._take("word")
        if not name.isidentifier():
            raise _Unreadable
        self._take("=")
        value = self.expression(depth + 1)
        self._take("in")
        return "let", name, value, self.expression(depth + 1)

    def _primary(self, depth: int) -> Tree:
        if self._is("("):
            self._take("(")
            inner = self.expression(depth + 1)
            self._take(")")
            return inner
        if self._is("set"):
            self._take("set")
            self._take("(")
            words: list[Tree] = []
            while not self._is(")"):
                words.append(self._word())
            self._take(")")
            return "set", words
        quoted = self._is("quoted")
        word = self._word()
        if quoted or not self._is("("):
            return word
        self._take("(")
        arguments: list[Tree] = []
        while not self._is(")"):
            arguments.append(self.expression(depth + 1))
            if not self._is(")"):
                self._take(",")
                if self._is(")"):
                    raise _Unreadable
        self._take(")")
        return "call", word[1], arguments

    def _word(self) -> Tree:
        text = self._take("quoted" if self._is("quoted") else "word")
        return ("variable", text[1:]) if text.startswith("$") else ("word", text)

    def _is(self, kind: str) -> bool:
        return not self.at_end() and self._tokens[self._at][0] == kind

    def _take(self, kind: str) -> str:
        if not self._is(kind):
            raise _Unreadable
        return self._next()

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1][1]
