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

from bzlgraph.cpp.brackets import MAX_CALL_TOKENS, Brackets
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
_MAKING = frozenset(("class", "struct", "Compute", "ComputeAsync", "Compile"))
"""What an expansion says that makes a class or a method."""
MAX_FORKS = 64


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Which names matter in a tree (rules 1 and 2), over all definitions of each name."""

    wanted: frozenset[str]
    leading: frozenset[str]
    relays: frozenset[str]

    def concerns(self, name: str) -> bool:
        """Whether an invocation of this name may lead to something wanted."""
        return name in self.wanted or name in self.leading or name in self.relays


class MacroWords(NamedTuple):
    """What a macro says for the vocabulary: the names in its body, those it calls and those it begins to paste."""

    name: str
    names: frozenset[str]
    called: frozenset[str]
    pasted: frozenset[str]
    parameters: frozenset[str]
    makes_class: bool


def macro_words(macro: Macro) -> MacroWords:
    """Read the body of a macro."""
    body = macro.body
    return MacroWords(
        macro.name,
        frozenset(_NAMES.findall(body)),
        frozenset(_CALLED.findall(body)) if macro.parameters else frozenset(),
        frozenset(start for start in _PASTED.findall(body) if len(start) > 3),
        frozenset(macro.parameters or ()),
        "class" in body and _MAKES_CLASS.search(body) is not None,
    )


def vocabulary(wanted: Iterable[str], macros: Iterable[MacroWords]) -> Vocabulary:
    """Find the leading macros and the relays among all macros of a tree."""
    goal = frozenset(wanted)
    defined = [macro for macro in macros if macro.name not in goal]
    makers = {macro.name for macro in defined if macro.makes_class}
    leading = _grown(defined, goal | makers) | makers
    return Vocabulary(goal, frozenset(leading), frozenset(_relays(defined)))


def _grown(defined: Sequence[MacroWords], goal: frozenset[str]) -> set[str]:
    """The names of macros whose bodies name something of ``goal``, directly or through each other."""
    users: dict[str, set[str]] = {}
    pasting: dict[str, set[str]] = {}
    for macro in defined:
        for name in macro.names:
            users.setdefault(name, set()).add(macro.name)
        for start in macro.pasted:
            pasting.setdefault(start, set()).add(macro.name)
    leading: set[str] = set()
    waiting = list(goal)
    lengths = {len(start) for start in pasting}
    while waiting:
        name = waiting.pop()
        found = users.get(name, set()).union(*(pasting.get(name[:length], ()) for length in lengths))
        waiting += [each for each in found if each not in leading and each not in goal]
        leading |= found - goal
    return leading


def _relays(defined: Iterable[MacroWords]) -> set[str]:
    """The names of macros that call one of their parameters, or name one beside a relay that they call."""
    users: dict[str, list[str]] = {}
    relays: set[str] = set()
    for macro in defined:
        if not macro.called.isdisjoint(macro.parameters):
            relays.add(macro.name)
        elif not macro.names.isdisjoint(macro.parameters):
            for name in macro.called:
                users.setdefault(name, []).append(macro.name)
    waiting = list(relays)
    while waiting:
        found = set(users.get(waiting.pop(), ())) - relays
        relays |= found
        waiting += found
    return relays


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
        brackets = Brackets(tokens)
        words, behind = self.words.wanted | self.words.leading | self.words.relays, 0
        for index in [at for at, each in enumerate(tokens) if each.text in words and each.kind == Kind.NAME]:
            if index >= behind:
                end = self._extent(brackets, index)
                if end > index:
                    yield from self._expanded(tokens[index:end])
                behind = end

    def _extent(self, brackets: Brackets[Token], index: int) -> int:
        """Where the invocation at ``index`` ends; ``index`` itself when there is none that leads anywhere."""
        tokens = brackets.tokens
        name = tokens[index].text
        called = index + 1 < len(tokens) and tokens[index + 1].text == "("
        leads = name in self.words.wanted or name in self.words.leading
        if called and leads and brackets.is_open(index + 1):
            self.too_much.append((tokens[index].start, f"the parenthesis of {name}( is never closed"))
        if name in self.words.wanted:
            return _statement_end(brackets, index + 1) if called else index
        condition = self._condition(tokens[index].start)
        macros = self._definitions(name, tokens[index].start, condition)
        if not macros:
            return index
        if macros[0].parameters is None:
            return index + 1 if name in self.words.leading else index
        if not called:
            return index
        end = brackets.end(index + 1) + 1
        if name not in self.words.leading and not any(
            self.words.concerns(token.text) for token in tokens[index + 2 : end] if token.kind == Kind.NAME
        ):
            return index
        # What a macro begins may go on behind it: REGISTER_MY_OP("X").Input(...);
        return _statement_end(brackets, index + 1) if end < len(tokens) and tokens[end].text == "." else end

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
            if not _MAKING.isdisjoint([piece.text for piece in result]):
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
        brackets, wanted = Brackets(result), self.words.wanted
        for index in [at for at, each in enumerate(result) if each.text in wanted]:
            if index + 1 >= len(result) or result[index + 1].text != "(":
                continue
            piece = result[index]
            end = brackets.end(index + 1, len(result))
            holds = condition
            for macro in piece.through:
                holds = both(holds, assuming(macro.condition, self.known))
            if not possible(holds):
                continue
            after = end + 1
            while after < len(result) and result[after].text != ";" and result[after].text not in self.words.wanted:
                after = (brackets.end(after, len(result)) if result[after].text in "([{" else after) + 1
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


def _statement_end(brackets: Brackets[Token], opening: int) -> int:
    """Behind the ``;`` of the statement whose call opens at ``opening``; without one, behind the call itself."""
    tokens = brackets.tokens
    index = end = brackets.end(opening) + 1
    limit = min(len(tokens), index + MAX_CALL_TOKENS)
    while (index < limit and tokens[index].text in (".", "->", "<")) or (index < limit and index > end):
        if tokens[index].text == ";":
            return index + 1
        if tokens[index].text == "}":
            return end
        index = (brackets.end(index) if tokens[index].text in "([{" else index) + 1
    return index if index == end else min(index, limit)


def _is_statement(body: str) -> bool:
    """Whether a macro stands for statements inside a function: neither for a value, nor for a class."""
    if _STATEMENT.search(body) is None or _CLASS.search(body) is not None:
        return False
    outside, inside = _TEXT.sub("", body), 1  # the body of a function that is an argument is no statement of its own
    while inside:
        outside, inside = _INNERMOST.subn("", outside)
    return _STATEMENT.search(outside) is not None
