"""What one C++ file says about the names its flags use: constants, types of variables, values they are given.

tokens -> ``Scene``. A scene answers by looking at tokens around a name, as a reader does; it knows no types but the
ones that are written down. What it cannot find it does not guess: None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from bzlgraph.cpp import CppText, Kind, Token, closing, joined_string, split_arguments, tokenize
from bzlgraph.cpp.condition import TRUE
from bzlgraph.cpp.directives import Directives, read_directives
from bzlgraph.cpp.outline import Outline, read_outline

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


@dataclass(slots=True)
class Scene:
    """One file, its outline, and the scenes of headers it includes (asked for only when needed)."""

    text: CppText
    outline: Outline[Token]
    includes: tuple[str, ...]
    defines: dict[str, list[Token]]
    directives: Directives
    headers: Callable[[str], Scene | None]
    _places: dict[str, list[int]] = field(default_factory=dict)

    @property
    def tokens(self) -> list[Token]:
        """The file's tokens without directives."""
        return self.outline.tokens

    def places(self, name: str) -> list[int]:
        """Where a name stands in ``tokens``."""
        if not self._places:
            for index, token in enumerate(self.tokens):
                if token.kind == Kind.NAME:
                    self._places.setdefault(token.text, []).append(index)
        return self._places.get(name, [])

    def line(self, index: int) -> int:
        """The line of a token."""
        return self.text.line(self.tokens[index].start)

    def condition(self, index: int) -> str:
        """What must be defined for a token to be compiled, "" when nothing."""
        found = self.directives.condition(self.tokens[index].start)
        return "" if found == TRUE else str(found)

    def nearby(self) -> Iterable[Scene]:
        """This scene, then those of the headers it includes itself."""
        yield self
        for path in self.includes:
            found = self.headers(path)
            if found is not None:
                yield found

    def string(self, tokens: list[Token]) -> str | None:
        """The text of string literals, or of a constant that holds some."""
        text = joined_string(tokens)
        if text is not None or len(tokens) != 1 or tokens[0].kind != Kind.NAME:
            return text
        for scene in self.nearby():
            value = scene.constant(tokens[0].text)
            if value is not None:
                return joined_string(value)
        return None

    def constant(self, name: str) -> list[Token] | None:
        """What a ``#define``, or a variable or constant of the file, is made with."""
        if name in self.defines:
            return self.defines[name]
        for index in self.places(name):
            value = self._initializer(index)
            if value is not None:
                return value
        return None

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
            return self.until_semicolon(after + 1)
        if tokens[after].text in ("{", "(") and before != ">":
            return tokens[after + 1 : closing(tokens, after)] or None
        return None

    def until_semicolon(self, index: int) -> list[Token]:
        """The tokens of an expression that starts at ``index``: up to its ``;`` or the comma or bracket after it."""
        start = index
        while index < len(self.tokens) and self.tokens[index].text not in (";", ",", ")", "}"):
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
                if self.tokens[at].text == ">":
                    at = self._optional_inside(at)
                shown = TYPES.get(self.tokens[at].text)
                if shown is not None:
                    return shown
        return None

    def _optional_inside(self, at: int) -> int:
        """In ``std::atomic<bool>`` the index of ``bool``, for the ``>`` at ``at``; else of ``>`` itself."""
        return at - 1 if at >= 2 and self.tokens[at - 2].text == "<" else at


def read_scene(text: CppText, headers: Callable[[str], Scene | None]) -> Scene:
    """The scene of one file."""
    tokens = tokenize(text.text)
    directives = read_directives(tokens)
    includes = tuple(each.rest.strip('<>" ') for each in directives.all if each.word == "include")
    defines: dict[str, list[Token]] = {}
    for each in directives.all:
        name, _, value = each.rest.partition(" ")
        if each.word == "define" and value.strip() and "(" not in name:
            defines[name] = tokenize(value)
    return Scene(text, read_outline(tokens), includes, defines, directives, headers)


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
