"""The parser's loop: tokens -> statements and problems, driven by the LALR tables.

Rules
1. The loop in ``_run`` is the hot path of loading a workspace: no call per token except the node makers.
2. NEWLINE, INDENT and DEDENT are made here, from the blank before a token that stands outside brackets.
3. On an error the stacks are cut back to a block whose next statement can be found, and parsing goes on there.

Theory of operation
``states`` holds rows (tables.py), ``values`` what they stand for. ``row[kind]`` is a tuple: reduce; a row: shift; or
None: an error. The value of a token is a node for names and literals, the offset of its start for everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from bzlgraph.syntax import ast
from bzlgraph.syntax.ast import Ident, Literal
from bzlgraph.syntax.depth import MAX_BLOCKS, MAX_BRACKETS
from bzlgraph.syntax.dialect import Dialect
from bzlgraph.syntax.lalr.build_ast import Builder
from bzlgraph.syntax.lalr.lexer import CONTINUATION, RESERVED, TOKEN, Kinds
from bzlgraph.syntax.lalr.literals import literal
from bzlgraph.syntax.lalr.tables import (
    DEDENT,
    END,
    FLOAT,
    INDENT,
    LAST_BRACKET,
    LAST_OPENING,
    NAME,
    NEWLINE,
    STRING,
    Row,
    Tables,
)
from bzlgraph.syntax.problem import MAX_PROBLEMS, Problem

Token = tuple[str, str, str]


class Parser:
    """One parse of one text. ``problems`` is complete, and ``deepest`` known, once ``parse`` has returned."""

    __slots__ = (
        "builder", "deepest", "depth", "dialect", "end", "fresh", "indents", "kinds", "problems", "states", "tables",
        "text", "values",
    )  # fmt: skip

    def __init__(self, text: str, dialect: Dialect, tables: Tables) -> None:
        self.text = text
        self.dialect = dialect
        self.tables = tables
        self.builder = Builder(text, dialect)
        self.problems = self.builder.problems
        self.kinds = Kinds(tables.words, dialect)
        self.states: list[Row] = [tables.start]
        self.values: list[Any] = []
        self.indents: list[tuple[int, int]] = [(0, 1)]  # column of a block, length of `states` where it begins
        self.depth = 0
        self.deepest = 0
        self.end = 0
        self.fresh = True  # no statement is open: a new line ends nothing

    def parse(self) -> list[ast.Stmt]:
        """All statements that could be read; ``problems`` says what is wrong with the rest."""
        self._reduce(NAME)  # `file: <nothing>`, so that there is a list to come back to
        # A line end in front makes the first line a line like any other; one behind ends the last line.
        found = TOKEN.findall(f"\n{self.text}\n")
        while len(found) > 1 and found[-2][1] == found[-2][2] == "":
            found.pop()
        tokens: Iterator[Token] = iter(found)
        self.end = -1
        while (wrong := self._run(tokens)) is not None and len(self.problems) < MAX_PROBLEMS:
            resumed = self._recover(tokens, wrong)
            if resumed is None:
                break
            tokens = chain((resumed,), tokens)
        statements: list[ast.Stmt] = self.values[0]
        return statements

    def _run(self, tokens: Iterator[Token]) -> Token | None:
        """Parse to the end (None) or to the first token that is wrong."""
        states, values, kinds, builder = self.states, self.values, self.kinds, self.builder
        # Locals, because this runs for every token; they go back to self where a method needs them.
        pop, end, depth, row = values.pop, self.end, self.depth, states[-1]
        for blank, plain, other in tokens:
            if not depth and "\n" in blank:
                self.end = end
                if not self._new_line(blank, not (plain or other)):
                    return blank, plain, other
                row = states[-1]
            start = end + len(blank)
            value: object
            if plain:  # the text of a string in double quotes with nothing to decode: most strings are such
                kind = STRING
                end = start + len(plain) + 2
                value = Literal(start, end, plain)
            else:
                kind = kinds[other]
                end = start + len(other)
                if kind == NAME:
                    value = Ident(start, end, other)
                elif kind > FLOAT:  # a keyword or an operator
                    value = start
                elif kind > LAST_BRACKET:
                    value = literal(kind, other, start, self.dialect, self.problems)
                else:
                    value = start
                    if kind > LAST_OPENING:
                        depth -= 1
                    else:
                        depth += 1
                        if depth > self.deepest:
                            self.deepest = depth
            action = row[kind]
            while action.__class__ is tuple:
                # A reduction. The sizes are written out, the most frequent first, because a slice of the stack and
                # `*children` take longer than the makers; the state of the first child makes room for the new one.
                size, goto, make = action
                if size == 3:
                    third = pop()
                    second = pop()
                    values[-1] = make(builder, values[-1], second, third)
                    del states[-2:]
                elif size == 1:
                    values[-1] = make(builder, values[-1])
                elif size == 4:
                    fourth = pop()
                    third = pop()
                    second = pop()
                    values[-1] = make(builder, values[-1], second, third, fourth)
                    del states[-3:]
                elif size == 2:
                    second = pop()
                    values[-1] = make(builder, values[-1], second)
                    del states[-1]
                else:
                    self._make(size, make)
                row = states[-1] = states[-2][goto]
                action = row[kind]
            if action is None or depth > MAX_BRACKETS:
                self.end, self.depth = start - len(blank), depth
                # Either way the token is looked at again by a person or by _recover, so it must not count as read.
                if kind <= LAST_BRACKET:
                    self.depth += -1 if kind <= LAST_OPENING else 1  # as before this token
                if not self._second_chance(kind, depth, f'"{plain}"' if plain else other, start):
                    return blank, plain, other
                row = states[-1]
                continue
            states.append(action)
            values.append(value)
            row = action
        return None

    def _make(self, size: int, make: Callable[..., object]) -> None:
        """Reduce by a rule of any size, leaving the top state to be replaced."""
        states, values = self.states, self.values
        children = values[len(values) - size :]
        del values[len(values) - size :], states[len(states) - size :]
        states.append(states[-1])
        values.append(make(self.builder, *children))

    def _reduce(self, kind: int) -> Row | None:
        """Do every reduction that ``kind`` asks for; the row to go on with, None when it cannot stand here."""
        states = self.states
        while (action := states[-1][kind]).__class__ is tuple:
            size, goto, make = action
            self._make(size, make)
            states[-1] = states[-2][goto]
        return action  # type: ignore[no-any-return]

    def _feed(self, kind: int, value: object) -> bool:
        """Shift one token, if it can stand here."""
        action = self._reduce(kind)
        if action is None:
            return False
        self.states.append(action)
        self.values.append(value)
        return True

    # -------------------------------------------------------------------------------------------------------- lines
    def _new_line(self, blank: str, last: bool) -> bool:
        """End the statement and open or close blocks, as the blank before the next token says."""
        if "\\" in blank:
            blank = CONTINUATION.sub(r"\1", blank)
            if "\n" not in blank:
                return True
        start = self.end
        if self.fresh:
            self.fresh = False
        elif not self._feed(NEWLINE, start):
            return self._wrong(NEWLINE, "", start)
        margin = "" if last else blank[blank.rindex("\n") + 1 :]
        if margin == "" and len(self.indents) == 1:
            return True
        at = start + len(blank)
        if "\t" in margin:
            first = at - len(margin) + margin.index("\t")
            self.problems.append(Problem(first, at, "tabs are not allowed for indentation", "use spaces"))
            return False
        return self._indent(margin.count(" "), at)

    def _indent(self, column: int, at: int) -> bool:
        """Open a block, or close some, before the token at ``at``."""
        indents = self.indents
        if column > indents[-1][0]:
            if not self._feed(INDENT, at):
                return self._wrong(INDENT, "", at)
            if len(indents) > MAX_BLOCKS:
                self.problems.append(Problem(at, at, f"blocks are nested more than {MAX_BLOCKS} levels deep"))
                return False
            indents.append((column, len(self.states)))
            return True
        while column < indents[-1][0]:
            if not self._feed(DEDENT, at):
                return self._wrong(DEDENT, "", self.end)
            indents.pop()
        if column != indents[-1][0]:
            message = "this line's indentation matches no enclosing block"
            hint = "it is between two levels; align it with the line it belongs to"
            self.problems.append(Problem(at, at, message, hint))
            return False
        return True

    # ------------------------------------------------------------------------------------------------------- errors
    def _wrong(self, kind: int, token: str, start: int) -> bool:
        """Note why a token cannot stand here; always False."""
        from bzlgraph.syntax.complaints.explain import explain  # most files have no need of it
        from bzlgraph.syntax.complaints.scene import WrongToken

        found = WrongToken(kind, token, start, start + len(token))
        self.problems.append(explain(found, self.text, self.states, self.values, self.tables))
        return False

    def _second_chance(self, kind: int, depth: int, token: str, start: int) -> bool:
        """Old Bazels had no word ``load``; otherwise the token is wrong."""
        if depth > MAX_BRACKETS:
            message = f"brackets are nested more than {MAX_BRACKETS} levels deep"
            self.problems.append(Problem(start, start + 1, message))
            return False
        if token == "load" and self.dialect.soft_load and self._feed(NAME, Ident(start, start + 4, token)):
            return True
        if self.dialect.annotations and self._annotates(kind, token, start):
            return True
        return self._wrong(kind, token, start)

    def _annotates(self, kind: int, token: str, start: int) -> bool:
        """Take a token that cannot stand here for a part of a type annotation."""
        name = self.values[-1]
        if token in _ANNOTATING:
            if token in ":[" and name.__class__ is not Ident:
                return False
            return self._feed(self.tables.column(_ANNOTATING[token]), start)
        if kind != NAME or name.__class__ is not Ident or name.name != "type":
            return False
        column = self.tables.column("TYPE")
        if self.states[-2][column].__class__ is not list:
            return False
        del self.states[-1], self.values[-1]
        return self._feed(column, name.start) and self._feed(NAME, Ident(start, start + len(token), token))

    def _recover(self, tokens: Iterator[Token], wrong: Token) -> Token | None:
        """Skip to a token that can begin a statement of an open block, and cut the stacks back to that block.

        Inside brackets the indentation of a line says nothing, so only a word at the margin counts.
        """
        self._reduce(NAME)  # an `if` that only waited to see whether an `else` follows is a statement now
        opened = self.depth
        columns = {0: 0} if opened > 0 else {column: index for index, (column, _) in enumerate(self.indents)}
        starts = self.states[0][self.tables.file]
        for token in chain((wrong,), tokens):
            blank, plain, other = token
            kind = STRING if plain else self.kinds[other]
            if kind == END:
                return self._resume(0, token)
            column = _margin(blank)
            outside = opened <= 0 or (column == 0 and _is_word(other))
            if column in columns and outside and (starts[kind] is not None or other in RESERVED):
                index = columns[column]
                # To go on with the wrong token itself, something must have been cut away before it.
                if token is not wrong or (len(self.states) > self._kept(index) and other not in RESERVED):
                    return self._resume(index, token)
            self.end += len(blank) + (len(plain) + 2 if plain else len(other))
            if kind <= LAST_BRACKET:
                opened += 1 if kind <= LAST_OPENING else -1
        return None

    def _kept(self, index: int) -> int:
        """How many states remain when parsing goes on with the next statement of an open block."""
        begin = self.indents[index][1]
        goto = self.states[begin - 1][self.tables.statements if index else self.tables.file]
        return begin + (len(self.states) > begin and self.states[begin] is goto)

    def _resume(self, index: int, token: Token) -> Token:
        kept = self._kept(index)
        # `values` is one shorter than `states`: the start state stands for nothing.
        del self.states[kept:], self.values[kept - 1 :], self.indents[index + 1 :]
        self.depth = 0
        self.fresh = True
        return token


_ANNOTATING = {":": "ANNOTATION", "->": "RESULT", "...": "ELLIPSIS", "[": "GENERIC"}


def _margin(blank: str) -> int:
    """The column of a token that begins a line, -1 for any other."""
    return len(blank) - blank.rindex("\n") - 1 if "\n" in blank else -1


def _is_word(token: str) -> bool:
    return token[:1].isalpha() or token[:1] == "_"
