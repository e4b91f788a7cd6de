"""``select()``: values that depend on the configuration, kept as they were written.

``select({...})`` -> ``SelectValue``; ``+`` (``|`` for dicts) concatenates parts and never merges them.
What becomes of the parts when a rule is instantiated: ``select_model``.
A part may also be *uncertain*: a value nobody can evaluate (see unknown.py), kept like a select whose condition is
its text.
Rules: https://bazel.build/reference/be/functions#select
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.bazel.context.scope import add_gap, evaluating, facts, in_stand_in, note_choice
from bzlgraph.bazel.parts import Select, Uncertain
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.starlark.builtin import Builtin, builtin
from bzlgraph.starlark.checks import want_string, wrong_type
from bzlgraph.starlark.equality import equals
from bzlgraph.starlark.evaluation.budget import charge, charge_items
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.ops.access import attribute, has_attribute
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import TYPE_NAMES, Dict, freeze, has_key, type_name

_TEXTS = frozenset({str})
"""The types of nearly all keys."""
DEFAULT_CONDITION = LabelValue(Label("", "conditions", "default"))


_UNKNOWN = "unknown"


class SelectValue(Value):
    """A configurable value: parts in order, each a plain list, string or dict, a ``Select``, or something uncertain.

    Pure selects cannot be looked into. One with an uncertain part can: what is known of it is given, and a gap noted.
    """

    __slots__ = ("native_type", "parts")

    def __init__(self, parts: tuple[Any, ...], native_type: str = "") -> None:
        """``native_type`` is that of the parts, where whoever makes the value knows it."""
        self.parts = parts
        self.native_type = native_type or next(filter(_UNKNOWN.__ne__, map(_native_type, parts)), _UNKNOWN)

    @property
    def type_name(self) -> str:  # type: ignore[override]
        """ "select"; what may be a plain list or dict notes that its type is not known."""
        if self.uncertain():
            self._gap("asked for its type")
        return "select"

    def get_attr(self, name: str) -> object:
        """Lists and dicts have methods; so has what may be one."""
        unknown = self.unknown_part()
        if unknown is None:
            raise AttributeError(name)
        if name == "append":
            return Builtin(lambda item, /: self._grow([item]), name)
        if name == "extend":
            return Builtin(self._grow, name)
        if self.native_type == "dict" and has_attribute(Dict(), name):
            self._gap("inspected")
            return attribute(self.known_entries(), name)
        return unknown.get_attr(name)

    def known_entries(self) -> Dict:
        """The entries of a dict that are certainly in it."""
        found = Dict()
        for part in self.parts:
            if isinstance(part, dict):
                found.update(part)
        return found

    def _grow(self, items: object, /) -> None:
        """``append`` and ``extend``: one more part."""
        grown = concatenate(self, items)
        self.parts, self.native_type = grown.parts, grown.native_type

    def hashable(self) -> bool:
        return self.uncertain()  # then it may be something else

    def uncertain(self) -> bool:
        """Whether some part could not be evaluated."""
        return self.unknown_part() is not None

    def unknown_part(self) -> Uncertain | None:
        """The first part that could not be evaluated."""
        return next((part for part in self.parts if isinstance(part, Uncertain)), None)

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op in self._joining(other):
            return concatenate(other, self, op) if reflected else concatenate(self, other, op)
        unknown = self.unknown_part()
        return NotImplemented if unknown is None else unknown

    def _joining(self, other: object) -> tuple[str, ...]:
        """The operators that concatenate this with another value."""
        if self.native_type != "dict":
            return ("+",)
        if self.uncertain() or is_uncertain(other):
            return ("+", "|")
        return ("|",) if facts().select_of_dicts else ("+",)  # which no attribute takes: see convert.py

    __hash__ = Value.__hash__

    def __eq__(self, other: object) -> bool:
        if self is other or not evaluating():  # our own code tells one from another
            return self is other
        if self.uncertain():
            self._gap("compared")
            return False
        return isinstance(other, SelectValue) and facts().selects_equal and _same(self.parts, other.parts)

    def compare(self, op: str, other: object) -> object:
        if not self.uncertain():
            return NotImplemented
        self._gap("compared")
        return False

    def contains(self, item: object) -> bool:
        return item in self._certain("searched", f"unsupported binary operation: {type_name(item)} in select")

    def iterate(self) -> Iterable[object]:
        return self._certain("iterated over", "type 'select' is not iterable")

    def length(self) -> int:
        return len(self._certain("measured with len()", "select is not iterable"))

    def get_index(self, key: object) -> object:
        if not self.uncertain():
            raise EvalError(f"type 'select' has no operator []({type_name(key)})", LOOK_BEFORE)
        self._gap("indexed")
        if has_key(known := self.known_entries(), key):
            return known[key]
        return self.unknown_part()

    def truth(self) -> bool:
        if not self.uncertain():
            return True
        return any(bool(part) for part in self.parts)

    def freeze(self) -> None:
        freeze(self.parts)

    def is_fixed(self) -> bool:
        return not self.uncertain()  # nobody can look into it, so nobody can change what it holds

    def to_repr(self) -> str:
        return " + ".join(to_repr(part) for part in self.parts)

    def _certain(self, event: str, refusal: str) -> list[object]:
        """What is certainly in it; EvalError for a pure select."""
        if not self.uncertain():
            raise EvalError(refusal, LOOK_BEFORE)
        self._gap(event)
        plain = [part for part in self.parts if not isinstance(part, Select | Uncertain | str)]
        return [item for part in plain for item in part]

    def _gap(self, event: str) -> None:
        unknown = self.unknown_part()
        assert unknown is not None
        hides = f"what it adds; the value was {event} without it"
        add_gap(f"{unknown.text} is unknown", hides, repository=unknown.repository)
        note_choice()


def _same(parts: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    """Whether two values are equal part by part; the message of a ``select()`` that fails counts."""
    ours, theirs = (
        tuple((part.branches, part.no_match_error) if isinstance(part, Select) else part for part in each)
        for each in (parts, others)
    )
    return equals(ours, theirs)


def text_of(item: object) -> object:
    """Something uncertain as its text, where no condition can stand (a name, an entry of a dict); else the value."""
    return item.text if isinstance(item, Uncertain) else item


def is_uncertain(value: object) -> bool:
    """Whether a value is unknown, if only in part."""
    return isinstance(value, Uncertain) or (isinstance(value, SelectValue) and value.uncertain())


LOOK_BEFORE = (
    "the value of a select() is only known in the analysis phase: pass it on to a rule's attribute, "
    "or look at the values before they go into the select()"
)


def concatenate(left: object, right: object, op: str = "+") -> SelectValue:
    """``left + right`` where at least one side is configurable. EvalError when the types can never agree."""
    ours, theirs = _native_type(left), _native_type(right)
    if ours != theirs and _UNKNOWN not in (ours, theirs):
        raise EvalError(f"'{op}' operator applied to incompatible types ({_described(left)}, {_described(right)})")
    parts = (*parts_of(left), *parts_of(right))
    charge_items(len(parts) * 2)
    return SelectValue(parts, theirs if ours == _UNKNOWN else ours)


def parts_of(value: object) -> tuple[object, ...]:
    """The parts of a configurable value; any other is one part."""
    return value.parts if isinstance(value, SelectValue) else (value,)


def _native_type(value: object) -> str:
    """The type that a configurable value has in the end; _UNKNOWN when that cannot be said."""
    if isinstance(value, SelectValue):
        return value.native_type
    known = _NATIVE_TYPES.get(type(value))
    if known is not None:
        return known
    if isinstance(value, Select):
        return _native_type(next(iter(value.branches.values())))  # None, too: to add to that is an error in Bazel
    return _UNKNOWN if isinstance(value, Uncertain) else type_name(value)


_NATIVE_TYPES: dict[type, str] = {**TYPE_NAMES, tuple: "list", range: "list"}


def _described(value: object) -> str:
    kind = _native_type(value)
    return f"select of {kind}" if isinstance(value, SelectValue) else kind


@builtin("select", pure=True)
def select_function(x: object, /, no_match_error: object = "") -> object:
    """``select({":condition": value, ...})``"""
    said = no_match_error if type(no_match_error) is str else want_string(no_match_error, "select", "no_match_error")
    if type(x) is not Dict:  # as nearly all are
        if isinstance(x, Uncertain):
            return x
        if isinstance(x, SelectValue) and x.uncertain() and (known := x.known_entries()):
            rest = [part for part in x.parts if isinstance(part, Uncertain)]
            return SelectValue((*select_function(known, said).parts, *rest))
        if not isinstance(x, dict):
            raise wrong_type(x, "select", "x", "dict")
    if not x:
        raise EvalError(
            "select({}) with an empty dictionary can never resolve because it includes no conditions to match",
            'give it at least "//conditions:default"',
        )
    charge(4 * len(x))
    if not _TEXTS.issuperset(map(type, x)):
        _check_keys(x)
    made = Select(dict(x.items()), said, current_thread().innermost_location())
    return SelectValue((made,), _native_type(next(iter(x.values()))))


def _check_keys(x: dict[object, object]) -> None:
    """EvalError for a key that is no text, or a Label where this Bazel takes none."""
    taken = (str, LabelValue, Uncertain) if facts().select_takes_labels or in_stand_in() else (str, Uncertain)
    for key in x:
        if not isinstance(key, taken):
            wanted = "a Label or label string" if LabelValue in taken else "a label string"
            raise EvalError(f"select: got {type_name(key)} for dict key, want {wanted}")
