"""Flags made as objects: ``tsl::Flag("name", ...)``, ``tensorflow::Flag``, ``tflite::Flag::CreateFlag<T>``.

Forms (https://github.com/tensorflow/tensorflow/blob/master/tensorflow/tsl/util/command_line_flags.h)
  Flag(name, &place, text [, &given])      Flag(name, setter, default, text [, &given])
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.cpp import Kind, Token, closing, string_value
from bzlgraph.flags.rows import RuntimeFlag
from bzlgraph.flags.runtime.cpp_value import spelled, value_text
from bzlgraph.flags.runtime.declared_flag import COMMAND_LINE
from bzlgraph.flags.runtime.flag_default import of_place, of_setter
from bzlgraph.flags.runtime.flag_group import env_lists, group_of
from bzlgraph.flags.runtime.source_view import TYPES, SourceView

_MAX_TYPE = 40
"""Tokens of ``<T>``."""
_MAKERS = ("Flag", "CreateFlag")


def listed_flags(view: SourceView, default_variable: str) -> Iterator[RuntimeFlag]:
    """The flags that a file makes as objects."""
    lists = env_lists(view, default_variable)
    for maker in _MAKERS:
        for index in view.places(maker):
            opening = _opening(view.tokens, index + 1)
            if opening is None:
                continue
            given = view.brackets.arguments(opening)
            name = view.string(given[0]) if len(given) >= 2 else None
            if name is None or not _is_name(name):
                continue
            group = group_of(view, index, lists) or COMMAND_LINE
            yield _flag(view, index, name, group, given)


def _opening(tokens: list[Token], index: int) -> int | None:
    """The ``(`` after ``Flag`` or ``CreateFlag<T>``."""
    if index < len(tokens) and tokens[index].text == "<":
        words = [token.text for token in tokens[index : index + _MAX_TYPE]]
        index += words.index(">") + 1 if ">" in words else len(words)
    return index if index < len(tokens) and tokens[index].text == "(" else None


def _is_name(name: str) -> bool:
    return bool(name) and all(char.isalnum() or char in "_-.:" for char in name)


def _flag(view: SourceView, index: int, name: str, group: str, given: list[list[Token]]) -> RuntimeFlag:
    """The row of one flag."""
    rest = given[1:]
    text_at = _text_argument(rest)
    shown: str | None
    default: str | None
    if view.tokens[index + 1].text == "<":  # CreateFlag<bool>(name, parameters, text)
        words = [TYPES[token.text] for token in view.tokens[index + 1 : index + 6] if token.text in TYPES]
        shown, default = words[0] if words else None, _parameter_default(view, name)
    elif text_at == 1 or len(rest) < 3:
        shown, default = of_place(rest[0], view)
    else:
        shown, default = of_setter(rest[0], rest[1], view)
    description = _description(view, rest[text_at]) if text_at < len(rest) else ""
    return RuntimeFlag(name, group, shown, default, description, view.file.path, view.line(index))


def _text_argument(rest: list[list[Token]]) -> int:
    """Which argument after the name describes the flag: the first or second after the place or setter."""
    if len(rest) >= 3 and _is_text(rest[2]):
        return 2
    if len(rest) >= 2 and (_is_text(rest[1]) or len(rest) == 2 or not _is_text(rest[-1])):
        return 1
    return len(rest) - 1


def _is_text(argument: list[Token]) -> bool:
    return any(token.kind == Kind.STRING for token in argument)


def _description(view: SourceView, argument: list[Token]) -> str:
    """The text of a description; of one put together at run time the literals, with ``...`` between them."""
    text = view.string(argument) if argument else ""
    if text is not None:
        return " ".join(text.split("\n")).strip()
    literals = [string_value(token.text) for token in argument if token.kind == Kind.STRING]
    return "...".join(literals) if literals else spelled(argument)


def _parameter_default(view: SourceView, name: str) -> str | None:
    """In TensorFlow Lite: the value of ``AddParam("name", ToolParam::Create<T>(value))`` in the same file."""
    return view.once(_parameter_defaults).get(name)


def _parameter_defaults(view: SourceView) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for _index, given in view.calls("AddParam"):
        name = view.string(given[0]) if len(given) == 2 and given[1] else None
        if name is not None and name not in found:
            opening = next((at for at, token in enumerate(given[1]) if token.text == "("), None)
            if opening is not None:
                value = given[1][opening + 1 : closing(given[1], opening)]
                found[name] = value_text(value, view.constant) or None
    return found
