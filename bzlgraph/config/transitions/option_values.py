"""Settings as a transition's implementation has them: options and flags -> Starlark values, and its results back.

Rules
- An option that may be repeated is a list, a label is a ``Label``; one that is not set is ``None``. ``--platforms`` is
  a list of labels, which holds the host platform when nothing sets it.
- ``--compilation_mode`` is a value of its own type: it prints like a string and equals none. Of Bazel's other own types
  newer ones read some as strings in capital letters (``--enable_runfiles`` is ``"AUTO"``); the rest (``--strip``,
  ``--define``) cannot be read.
- A result may be written as the option is on a command line; a list gives a repeated option its values one by one.

Mirrors FunctionTransitionUtil of Bazel's source, and what Bazel 4.2.3 and 7.7.1 print for ``settings``.
"""

from __future__ import annotations

from bzlgraph.base.label import LabelError, parse
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.config.configuration import HOST_PLATFORM, Configuration
from bzlgraph.facts import Facts
from bzlgraph.facts.options import OptionFact
from bzlgraph.starlark.value import Value
from bzlgraph.starlark.values import Dict, List

_READABLE_ENUMS = {"compilation_mode": "CompilationMode", "host_compilation_mode": "CompilationMode"}
_LISTS = frozenset({"platforms"})
"""Options that are lists though they are given once."""


class SettingError(ValueError):
    """What Bazel refuses about a setting that a transition reads or writes."""


class EnumValue(Value):
    """A value of one of Bazel's own types."""

    __slots__ = ("text", "type_name")
    type_name: str  # type: ignore[misc]

    def __init__(self, kind: str, text: str) -> None:
        self.type_name = kind
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EnumValue) and (self.type_name, self.text) == (other.type_name, other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    def to_repr(self) -> str:
        return self.text


def option_value(name: str, configuration: Configuration, facts: Facts) -> object:
    """The value of an option of Bazel, as ``settings["//command_line_option:NAME"]`` has it. Raises SettingError."""
    fact = configuration.table.find(name)
    if fact is None or not fact.configures or fact.foreign:
        raise SettingError(f"transition inputs [//command_line_option:{name}] do not correspond to valid settings")
    if fact.name in facts.options_read_as_texts:
        text = configuration.value(fact.name).value
        return text.upper() if text is not None else None
    if fact.kind in ("assignment", "tristate") or (fact.kind == "enum" and name not in _READABLE_ENUMS):
        raise SettingError(f"the value of --{name} cannot be read by a transition")
    if fact.multiple:
        texts = [each.value or "" for each in configuration.values(fact.name)]
        return List(_single(fact, text, configuration) for given in texts for text in _split(fact, given))
    text = configuration.value(fact.name).value
    if name in _LISTS:
        text = text or configuration.value("host_platform").value or HOST_PLATFORM
        return List(_single(fact, each, configuration) for each in text.split(",") if each)
    return _single(fact, text, configuration)


def _split(fact: OptionFact, text: str) -> list[str]:
    return [each for each in text.split(",") if each] if fact.kind == "list" else [text]


def _single(fact: OptionFact, text: str | None, configuration: Configuration) -> object:
    if text is None or (fact.kind == "label" and not text):
        return None
    if fact.kind == "label":
        try:
            return LabelValue(parse(text, "", "", configuration.mapping))
        except LabelError as error:
            raise SettingError(f"--{fact.name}={text}: {error}") from None
    if fact.kind == "boolean":
        return text == "true"
    if fact.kind == "integer":
        return int(text)
    return EnumValue(_READABLE_ENUMS[fact.name], text) if fact.name in _READABLE_ENUMS else text


def option_texts(name: str, value: object, configuration: Configuration) -> tuple[str, ...]:
    """What a transition sets an option to -> its values as they are written. Raises SettingError.

    No value at all is the option's default.
    """
    fact = configuration.table.find(name)
    if fact is None or not fact.configures or fact.foreign:
        raise SettingError(f"transition output '//command_line_option:{name}' does not correspond to a valid setting")
    if name == "define":
        raise SettingError("Starlark transition on --define not supported")
    if isinstance(value, List):
        texts = tuple(_text(each) for each in value)
        return texts if fact.multiple else (",".join(texts),) if texts else ()
    if value is None:
        return ()
    try:
        return (fact.canonical(_text(value)),)
    except ValueError as error:
        raise SettingError(f"--{name}: {error}") from None


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, EnumValue):
        return value.text
    if isinstance(value, LabelValue):
        return str(value.label)
    if isinstance(value, str | int):
        return str(value)
    raise SettingError("a transition can set a setting to a string, a number, a boolean, a label, or a list of these")


_TYPES: dict[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int,),
    "string": (str,),
    "string_list": (list, tuple),
    "string_set": (list, tuple),
    "label": (LabelValue, str),
    "feature": (str,),
}


def flag_texts(kind: str, value: object, multiple: bool) -> tuple[str, ...]:
    """What a transition sets a build setting of a kind to -> its values as they are written. Raises SettingError."""
    wanted = (list, tuple) if multiple else _TYPES.get(kind, (object,))
    if not isinstance(value, wanted) or (kind == "int" and isinstance(value, bool)) or isinstance(value, Dict):
        raise SettingError(f"a {kind} cannot be set to a value of this type")
    if isinstance(value, list | tuple):
        texts = tuple(_text(each) for each in value)
        return texts if multiple else (",".join(texts),)
    return (_text(value),)
