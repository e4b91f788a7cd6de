"""What is compared: one frozen record per target, the same for Bazel and for bzlgraph.

Values are plain data (str, int, bool, list, dict). A select() is a `Select`: the concatenated parts in order, each a
list of (condition, value); a part without conditions is a plain value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Value = object
DEFAULT_CONDITION = "//conditions:default"


@dataclass(frozen=True, slots=True)
class Select:
    """A value with conditions: `parts` are added up; a part is ((condition, value), ...)."""

    parts: tuple[tuple[tuple[str, Value], ...], ...]

    def __str__(self) -> str:
        return " + ".join(_part_text(part) for part in self.parts) or "[]"


def simplified(value: Value) -> Value:
    """Parts without conditions are joined, empty ones dropped; without any condition left the value is plain.

    Bazel keeps `[] + select({"//conditions:default": []})` as it was written; what it means is `[]`.
    """
    if not isinstance(value, Select):
        return value
    parts: list[tuple[tuple[str, Value], ...]] = []
    empty: Value = []
    for part in value.parts:
        if len(part) != 1 or part[0][0] != DEFAULT_CONDITION:
            parts.append(part)
            continue
        plain, last = part[0][1], parts[-1] if parts else ()
        if isinstance(plain, str):
            empty = ""
        if plain in ([], ""):
            continue
        if len(last) == 1 and last[0][0] == DEFAULT_CONDITION:
            parts[-1] = ((DEFAULT_CONDITION, _joined(last[0][1], plain)),)
        else:
            parts.append(part)
    if not parts:
        return empty
    if len(parts) == 1 and len(parts[0]) == 1 and parts[0][0][0] == DEFAULT_CONDITION:
        return parts[0][0][1]
    return Select(tuple(parts))


def _joined(left: Value, right: Value) -> Value:
    if isinstance(left, list) and isinstance(right, list):
        return left + right
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, dict) and isinstance(right, dict):
        return left | right
    raise TypeError(f"cannot join {left!r} and {right!r}")


def _part_text(part: tuple[tuple[str, Value], ...]) -> str:
    if len(part) == 1 and part[0][0] == DEFAULT_CONDITION:
        return show(part[0][1])
    return "select({" + ", ".join(f'"{condition}": {show(value)}' for condition, value in part) + "})"


def show(value: Value) -> str:
    """A value as one line of BUILD-like text; selects in their simplest form."""
    value = simplified(value)
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(show(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{show(key)}: {show(item)}" for key, item in value.items()) + "}"
    return str(value)


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of a rule: its type in Bazel's words, its value, whether the BUILD file (or macro) wrote it."""

    type: str
    value: Value
    explicit: bool


@dataclass(frozen=True, slots=True)
class TargetFacts:
    """One target. `kind` is Bazel's (`cc_library rule`, `source file`, ...); `location` is `path:line:column`."""

    label: str
    kind: str
    location: str
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    inputs: frozenset[str] = frozenset()
    outputs: tuple[str, ...] = ()
    members: tuple[str, ...] = ()


Answer = dict[str, TargetFacts]
