"""Invocations of macros that lead to something wanted, expanded: ``TF_CALL_float(REGISTER_CPU)`` -> what it registers.

Rules
1. A *wanted* name (``REGISTER_KERNEL_BUILDER``) is never expanded itself: it is what is looked for.
2. A macro is *leading* when its body names a wanted or leading macro, begins a name that is pasted into one, or makes
   a derived class (a kernel's, that something else registers); a *relay* calls one of its parameters
   (``#define TF_CALL_float(m) m(float)``), or hands it to a relay.
3. Only invocations of wanted names and leading macros are expanded, and of relays whose arguments lead somewhere.
   Inside, every macro is, but those whose bodies are statements (``OP_REQUIRES``): nothing is registered there.
4. Which definition holds is asked of the file up to the invocation, then of the headers it includes. Where several may
   hold, under different conditions, there is one expansion for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from bzlgraph.cpp.brackets import closing
from bzlgraph.cpp.condition import TRUE, Formula, assuming, both, possible
from bzlgraph.cpp.expand import AmbiguousMacro, Expander, ExpansionLimit, Piece, pieces
from bzlgraph.cpp.include_tree import IncludeTree, in_force
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.tokens import Kind, Token

_NAMES = re.compile(r"[^\W\d]\w*")
_CALLED = re.compile(r"([^\W\d]\w*)\s*\(")
_PASTED = re.compile(r"([^\W\d]\w*)\s*##")
_STATEMENT = re.compile(r"[;{]|\breturn\b")
_CLASS = re.compile(r"\b(?:class|struct)\b")
_INNERMOST = re.compile(r"\([^()]*\)")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_MAKES_CLASS = re.compile(r"\b(?:class|struct)\b[^;{}]*:\s*(?:public|private|protected)?\b[^;{}]*\{")
MAX_FORKS = 64
MAX_CALL_TOKENS = 20_000


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Which names matter in a tree (rules 1 and 2), over all definitions of each name."""

    wanted: frozenset[str]
    leading: frozenset[str]
    relays: frozenset[str]

    def concerns(self, name: str) -> bool:
        """Whether an invocation of this name may lead to something wanted."""
        return name in self.wanted or name in self.leading or name in self.relays


def vocabulary(wanted: Iterable[str], macros: Iterable[Macro]) -> Vocabulary:
    """Find the leading macros and the relays among all macros of a tree."""
    goal = frozenset(wanted)
    defined = [macro for macro in macros if macro.name not in goal]
    makers = {macro.name for macro in defined if "class" in macro.body and _MAKES_CLASS.search(macro.body)}
    leading = _grown(defined, goal | makers) | makers
    relays: set[str] = set()
    callers = [_caller(macro) for macro in defined if macro.parameters]
    while True:
        found = {each.name for each in callers if each.name not in relays and each.relays(relays)}
        if not found:
            return Vocabulary(goal, frozenset(leading), frozenset(relays))
        relays |= found


def _grown(defined: list[Macro], goal: frozenset[str]) -> set[str]:
    """The names of macros whose bodies name something of ``goal``, directly or through each other."""
    users: dict[str, set[str]] = {}
    for macro in defined:
        body = macro.body
        for name in set(_NAMES.findall(body)):
            users.setdefault(name, set()).add(macro.name)
        for start in _PASTED.findall(body):
            if len(start) > 3:
                users.setdefault(start + "*", set()).add(macro.name)
    leading: set[str] = set()
    waiting = list(goal)
    pasted = [name[:-1] for name in users if name.endswith("*")]
    while waiting:
        name = waiting.pop()
        found = set(users.get(name, ()))
        for start in pasted:
            if name.startswith(start):
                found |= users[start + "*"]
        waiting += [each for each in found if each not in leading and each not in goal]
        leading |= found - goal
    return leading


class _Caller(NamedTuple):
    """A macro with parameters: whether it calls one of them, what else it calls, whether it names one at all."""

    name: str
    calls_parameter: bool
    called: frozenset[str]
    names_parameter: bool

    def relays(self, relays: set[str]) -> bool:
        """Whether it calls one of its parameters, or names one beside a relay."""
        return self.calls_parameter or (self.names_parameter and not self.called.isdisjoint(relays))


def _caller(macro: Macro) -> _Caller:
    called, named = frozenset(_CALLED.findall(macro.body)), _NAMES.findall(macro.body)
    parameters = frozenset(macro.parameters or ())
    return _Caller(macro.name, not called.isdisjoint(parameters), called, not parameters.isdisjoint(named))


@dataclass(frozen=True, slots=True)
class Invocation:
    """One use of a wanted name. ``following`` is what stands behind its brackets, up to the ``;``."""

    name: str
    arguments: tuple[Piece, ...]
    following: tuple[Piece, ...]
    start: int
    """The offset in the file of the invocation that led here."""
    through: tuple[Macro, ...]
    condition: Formula


@dataclass(slots=True)
class FileReader:
    """Finds and expands the invocations of one file."""

    tree: IncludeTree
    words: Vocabulary
    known: Mapping[str, bool]
    """What the conditions may assume: names that are never defined in the builds asked about, and such."""
    file: SourceFile
    made: list[tuple[list[Piece], int, Formula]] = field(default_factory=list)
    """Expansions that hold a class or function: (pieces, offset of the invocation, condition)."""
    too_much: list[tuple[int, str]] = field(default_factory=list)
    _inherited: dict[str, list[Macro]] = field(default_factory=dict)
    _own: frozenset[str] = frozenset()

    def found(self) -> Iterator[Invocation]:
        """Every use of a wanted name in the file."""
        self._own = frozenset(name for _start, name, _macro in self.file.defines)
        tokens = [token for token in self.file.tokens if token.kind != Kind.DIRECTIVE]
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.kind != Kind.NAME or not self.words.concerns(token.text):
                index += 1
                continue
            end = self._extent(tokens, index)
            if end > index:
                yield from self._expanded(tokens[index:end])
            index = max(end, index + 1)

    def _extent(self, tokens: Sequence[Token], index: int) -> int:
        """Where the invocation at ``index`` ends; ``index`` itself when there is none that leads anywhere."""
        name = tokens[index].text
        called = index + 1 < len(tokens) and tokens[index + 1].text == "("
        if called and (name in self.words.wanted or name in self.words.leading) and _unclosed(tokens, index + 1):
            self.too_much.append((tokens[index].start, f"the bracket of {name}( is never closed"))
        if name in self.words.wanted:
            return _statement_end(tokens, index + 1) if called else index
        condition = self._condition(tokens[index].start)
        macros = self._definitions(name, tokens[index].start, condition)
        if not macros:
            return index
        if macros[0].parameters is None:
            return index + 1 if name in self.words.leading else index
        if not called:
            return index
        end = closing(tokens, index + 1, MAX_CALL_TOKENS) + 1
        if name not in self.words.leading and not any(
            self.words.concerns(token.text) for token in tokens[index + 2 : end] if token.kind == Kind.NAME
        ):
            return index
        # What a macro begins may go on behind it: REGISTER_MY_OP("X").Input(...);
        return _statement_end(tokens, index + 1) if end < len(tokens) and tokens[end].text == "." else end

    def _condition(self, offset: int) -> Formula:
        return assuming(self.file.directives.condition(offset), self.known)

    def _definitions(self, name: str, offset: int, condition: Formula) -> list[Macro]:
        """The definitions of a name that may be in force (rule 4)."""
        if name in self._own:
            own = in_force(self.file, offset, name, condition)
            if own is not None:
                return [macro for macro in own if possible(both(condition, assuming(macro.condition, self.known)))]
        if name not in self._inherited:
            closure = self.tree.closure(self.file.path)
            self._inherited[name] = [
                macro
                for macro in self.tree.definitions(name)
                if macro.path in closure and possible(assuming(macro.condition, self.known))
            ]
        return [
            macro
            for macro in self._inherited[name]
            if condition == TRUE or possible(both(condition, assuming(macro.condition, self.known)))
        ]

    def _expanded(self, call: Sequence[Token]) -> Iterator[Invocation]:
        """Expand one invocation, once for each choice of definitions."""
        offset = call[0].start
        waiting: list[tuple[dict[str, Macro], Formula]] = [({}, self._condition(offset))]
        runs = 0
        while waiting and runs < MAX_FORKS:
            choice, condition = waiting.pop()
            runs += 1
            try:
                result = Expander(self._lookup(offset, condition, choice)).expand(pieces(call))
            except AmbiguousMacro as fork:
                for macro in self._definitions(fork.name, offset, condition):
                    holds = both(condition, assuming(macro.condition, self.known))
                    if possible(holds):
                        waiting.append(({**choice, fork.name: macro}, holds))
                continue
            except ExpansionLimit as problem:
                self.too_much.append((offset, str(problem)))
                continue
            if any(piece.text in ("class", "struct", "Compute", "ComputeAsync", "Compile") for piece in result):
                self.made.append((result, offset, condition))
            yield from self._wanted_in(result, offset, condition)

    def _lookup(self, offset: int, condition: Formula, choice: Mapping[str, Macro]) -> Callable[[str], Macro | None]:
        """What a name is replaced by at one place of the file."""

        @cache
        def find(name: str) -> Macro | None:
            if name in self.words.wanted:
                return None
            if name in choice:
                return choice[name]
            macros = self._definitions(name, offset, condition)
            if not macros:
                return None
            if macros[0].parameters is not None and not self.words.concerns(name) and _is_statement(macros[0].body):
                return None
            if len(macros) > 1 and _exclusive(macros):
                raise AmbiguousMacro(name)
            return macros[-1]

        return find

    def _wanted_in(self, result: list[Piece], offset: int, condition: Formula) -> Iterator[Invocation]:
        for index, piece in enumerate(result):
            if piece.text not in self.words.wanted or index + 1 >= len(result) or result[index + 1].text != "(":
                continue
            end = closing(result, index + 1)
            holds = condition
            for macro in piece.through:
                holds = both(holds, assuming(macro.condition, self.known))
            if not possible(holds):
                continue
            after = end + 1
            while after < len(result) and result[after].text != ";" and result[after].text not in self.words.wanted:
                after = (closing(result, after) if result[after].text in "([{" else after) + 1
            yield Invocation(
                piece.text,
                tuple(result[index + 2 : end]),
                tuple(result[end + 1 : after]),
                offset,
                piece.through,
                holds,
            )


def _exclusive(macros: Sequence[Macro]) -> bool:
    """Whether definitions exclude each other (branches of a conditional), and are not the same name used twice."""
    return not any(
        possible(both(first.condition, second.condition))
        for index, first in enumerate(macros)
        for second in macros[index + 1 :]
    )


def _unclosed(tokens: Sequence[Token], opening: int) -> bool:
    """Whether the bracket at ``opening`` is still open where the file ends."""
    if closing(tokens, opening, MAX_CALL_TOKENS) + 1 < len(tokens):
        return False
    texts = [token.text for token in tokens[opening:]]
    return sum(text in ("(", "[", "{") for text in texts) > sum(text in (")", "]", "}") for text in texts)


def _statement_end(tokens: Sequence[Token], opening: int) -> int:
    """Behind the ``;`` of the statement whose call opens at ``opening``; without one, behind the call itself."""
    index = end = closing(tokens, opening, MAX_CALL_TOKENS) + 1
    limit = min(len(tokens), index + MAX_CALL_TOKENS)
    while (index < limit and tokens[index].text in (".", "->", "<")) or (index < limit and index > end):
        if tokens[index].text == ";":
            return index + 1
        if tokens[index].text == "}":
            return end
        index = (closing(tokens, index, MAX_CALL_TOKENS) if tokens[index].text in "([{" else index) + 1
    return index if index == end else min(index, limit)


def _is_statement(body: str) -> bool:
    """Whether a macro stands for statements inside a function: neither for a value, nor for a class."""
    if _STATEMENT.search(body) is None or _CLASS.search(body) is not None:
        return False
    outside, inside = _TEXT.sub("", body), 1  # the body of a function that is an argument is no statement of its own
    while inside:
        outside, inside = _INNERMOST.subn("", outside)
    return _STATEMENT.search(outside) is not None
