"""What one C++ file says about the names its flags use: constants, types of variables, values they are given.

``SourceFile`` -> ``SourceView``. It looks at tokens around a name, as a reader does; it knows no types but those
that are written down. What it cannot find it does not guess: None.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from bzlgraph.cpp import Kind, Token, arguments, closing, joined_string, split_arguments
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.source_file import SourceFile

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

    @property
    def tokens(self) -> list[Token]:
        """The file's tokens without directives."""
        return self.file.outline.tokens

    def calls(self, name: str) -> Iterator[tuple[int, list[list[Token]]]]:
        """(index of the name, arguments) of each call of a function or macro."""
        for index in self.places(name):
            if [each.text for each in self.tokens[index + 1 : index + 2]] == ["("]:
                yield index, arguments(self.tokens, index + 1)

    def places(self, name: str) -> list[int]:
        """Where a name stands in ``tokens``."""
        return self._places.get(name, [])

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
        if name in self._macros:
            return list(self._macros[name].tokens)
        for index in self.places(name):
            value = self._initializer(index)
            if value is not None:
                return value
        return None

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
            after = closing(tokens, after) + 1
        if after >= len(tokens):
            return None
        if tokens[after].text == "=":
            return self.until((";", ",", ")", "}"), after + 1)
        if tokens[after].text in ("{", "(") and before != ">":
            return tokens[after + 1 : closing(tokens, after)] or None
        return None

    def until(self, ends: Collection[str], index: int) -> list[Token]:
        """The tokens from ``index`` to one of ``ends`` that stands in no bracket."""
        start = index
        while index < len(self.tokens) and self.tokens[index].text not in ends:
            index = closing(self.tokens, index) if self.tokens[index].text in "([{" else index
            index += 1
        return self.tokens[start:index]

    def type_of(self, name: str) -> str | None:
        """The type that a variable, field or parameter of this name is declared with."""
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
