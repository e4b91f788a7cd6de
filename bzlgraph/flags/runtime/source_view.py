"""What one C++ file says about the names its flags use: constants, types of variables, values they are given.

``SourceFile`` -> ``SourceView``. It looks at tokens around a name, as a reader does; it knows no types but those
that are written down. What it cannot find it does not guess: None.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, Concatenate, ParamSpec, TypeVar

from bzlgraph.cpp import Kind, Token, closing, joined_string, split_arguments
from bzlgraph.cpp.brackets import MAX_CALL_TOKENS, Brackets
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.outline import Scope
from bzlgraph.cpp.source_file import SourceFile

P = ParamSpec("P")
T = TypeVar("T")
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
TYPES = {
    **dict.fromkeys(("bool", "gboolean"), "bool"),
    **dict.fromkeys(("int", "int32", "int32_t", "int16", "int16_t", "Int32"), "int32"),
    **dict.fromkeys(("int64", "int64_t", "long", "ptrdiff_t", "Int64"), "int64"),
    **dict.fromkeys(("uint32", "uint32_t", "unsigned"), "uint32"),
    **dict.fromkeys(("uint64", "uint64_t", "size_t"), "uint64"),
    **dict.fromkeys(("float", "double"), "float"),
    **dict.fromkeys(("string", "tstring", "string_view", "StringPiece", "char", "String"), "string"),
}
"""Spellings of the types a flag may have -> the word shown."""


@dataclass
class SourceView:
    """One file of a tree; the files that it includes are read only when they are asked for."""

    file: SourceFile
    tree: IncludeTree
    _answers: dict[tuple[object, ...], Any] = field(default_factory=dict)

    @property
    def tokens(self) -> list[Token]:
        """The file's tokens without directives."""
        return self.file.outline.tokens

    @property
    def brackets(self) -> Brackets[Token]:
        """The pairs of brackets in ``tokens``."""
        return self.file.outline.brackets

    def once(self, question: Callable[Concatenate[SourceView, P], T], *about: P.args, **named: P.kwargs) -> T:
        """The answer to a question about this file, which many flags may ask."""
        key = (question, *about, *named.items())
        if key not in self._answers:
            self._answers[key] = question(self, *about, **named)
        answer: T = self._answers[key]
        return answer

    def calls(self, name: str) -> Iterator[tuple[int, list[list[Token]]]]:
        """(index of the name, arguments) of each call of a function or macro."""
        for index in self.places(name):
            if [each.text for each in self.tokens[index + 1 : index + 2]] == ["("]:
                yield index, self.brackets.arguments(index + 1)

    def places(self, name: str) -> list[int]:
        """Where a name stands in ``tokens``; a file that does not have it need not be cut into them for that."""
        is_cut = "_places" in self.__dict__
        return self._places.get(name, []) if is_cut or name in self.file.text.text else []

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for index, token in enumerate(self.tokens):
            if token.kind == Kind.NAME:
                found.setdefault(token.text, []).append(index)
        return found

    def line(self, index: int) -> int:
        """The line of a token."""
        return self.file.line(self.tokens[index].start)

    def condition(self, index: int) -> str:
        """What must be defined for a token to be compiled, "" when nothing."""
        return self.file.condition(self.tokens[index].start)

    def nearby(self) -> Iterable[SourceView]:
        """This file, then those of the tree that it includes itself."""
        yield self
        yield from self._included

    @cached_property
    def _included(self) -> list[SourceView]:
        files = (self.tree.file(path) for path in self.tree.included(self.file.path))
        return [SourceView(file, self.tree) for file in files if file is not None]

    def string(self, tokens: list[Token]) -> str | None:
        """The text of string literals, or of a constant that holds some."""
        text = joined_string(tokens)
        if text is not None or len(tokens) != 1 or tokens[0].kind != Kind.NAME:
            return text
        for view in self.nearby():
            value = view.constant(tokens[0].text)
            if value is not None:
                return joined_string(value)
        return None

    def constant(self, name: str) -> list[Token] | None:
        """What a ``#define``, or a variable or constant of the file, is made with."""
        return self.once(SourceView._constant, name)

    def _constant(self, name: str) -> list[Token] | None:
        if name in self._macros:
            return list(self._macros[name].tokens)
        initializers = (self._initializer(index) for index in self.places(name))
        return next((value for value in initializers if value is not None), None)

    @cached_property
    def _macros(self) -> dict[str, Macro]:
        """The macros that stand for a value."""
        defined = (macro for _, _name, macro in self.file.defines if macro is not None and macro.parameters is None)
        return {macro.name: macro for macro in defined if macro.body.strip()}

    def _initializer(self, index: int) -> list[Token] | None:
        """The value in ``TYPE name = value;``, ``name[] = value;``, ``name{value};`` or ``TYPE name(value);``."""
        tokens = self.tokens
        before = tokens[index - 1].text if index else ""
        if not (before in ("*", "&", ">") or tokens[index - 1].kind == Kind.NAME) or before in ("return", "else"):
            return None
        after = index + 1
        if after < len(tokens) and tokens[after].text == "[":
            after = self.brackets.end(after) + 1
        if after >= len(tokens):
            return None
        if tokens[after].text == "=":
            return self.until((";", ",", ")", "}"), after + 1)
        if tokens[after].text in ("{", "(") and before != ">":
            return tokens[after + 1 : self.brackets.end(after)] or None
        return None

    def until(self, ends: Collection[str], index: int) -> list[Token]:
        """The tokens from ``index`` to one of ``ends`` that stands in no bracket."""
        start, limit = index, min(len(self.tokens), index + MAX_CALL_TOKENS)
        while index < limit and self.tokens[index].text not in ends:
            index = (self.brackets.end(index) if self.tokens[index].text in _OPENING else index) + 1
        return self.tokens[start:index]

    def statement_start(self, index: int) -> int:
        """The first token of the statement that a token stands in: behind the last ``;``, ``{`` or ``}``."""
        at = bisect_left(self._ends, index)
        return self._ends[at - 1] + 1 if at else 0

    @cached_property
    def _ends(self) -> list[int]:
        return [index for index, token in enumerate(self.tokens) if token.text in (";", "{", "}")]

    @cached_property
    def braces(self) -> list[int]:
        """How many braces are open before each token."""
        return [0, *accumulate((token.text == "{") - (token.text == "}") for token in self.tokens)]

    @cached_property
    def levels(self) -> list[int]:
        """How many brackets of all kinds are open before each token."""
        return [0, *accumulate((token.text in _OPENING) - (token.text in _CLOSING) for token in self.tokens)]

    @cached_property
    def functions(self) -> dict[str, Scope]:
        """The functions that the file defines, by their own names; the first of each."""
        found: dict[str, Scope] = {}
        for scope in self.file.outline.scopes:
            if scope.kind == "function":
                found.setdefault(scope.name.rpartition("::")[2], scope)
        return found

    def type_of(self, name: str) -> str | None:
        """The type that a variable, field or parameter of this name is declared with."""
        return self.once(SourceView._type_of, name)

    def _type_of(self, name: str) -> str | None:
        for index in self.places(name):
            at = index - 1
            while at >= 0 and self.tokens[at].text in ("*", "&", "const"):
                at -= 1
            if (
                at >= 0
                and index + 1 < len(self.tokens)
                and self.tokens[index + 1].text in (";", "=", "{", "(", ",", ")")
            ):
                if self.tokens[at].text == ">" and at >= 2 and self.tokens[at - 2].text == "<":
                    at -= 1  # bool in std::atomic<bool>
                shown = TYPES.get(self.tokens[at].text)
                if shown is not None:
                    return shown
        return None


def lambda_parameter(tokens: list[Token]) -> str | None:
    """The type of the value that a lambda takes: of the last parameter of the last lambda in an expression.

    ``[x](void (C::*setter)(bool)) { return [x, setter](bool value) {...}; }`` is a maker of lambdas: its inner one
    takes what the flag is given.
    """
    found = None
    for index, token in enumerate(tokens):
        if token.text != "[" or (
            index and (tokens[index - 1].kind == Kind.NAME and tokens[index - 1].text != "return")
        ):
            continue
        opening = closing(tokens, index) + 1
        if opening < len(tokens) and tokens[opening].text == "(":
            parameters = split_arguments(tokens[opening + 1 : closing(tokens, opening)])
            found = parameter_type(parameters[-1]) or found if parameters else found
    return found


def parameter_type(parameter: list[Token]) -> str | None:
    """The word for the type of one parameter, None for a type that no flag has."""
    for token in parameter:
        if token.kind == Kind.NAME and token.text in TYPES:
            return TYPES[token.text]
    return None
