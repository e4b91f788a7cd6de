"""``select()``: values that depend on the configuration, kept as they were written.

``select({...})`` -> ``SelectValue``; ``+`` (``|`` for dicts) concatenates parts and never merges them.
``to_model`` turns the parts into ``Selector``/``SelectorList`` when a rule is instantiated: keys resolve against the
package, branch values are converted by the attribute's type.
A part may also be *uncertain*: a value nobody can evaluate (see unknown.py), kept like a select whose condition is
its text.
Rules: https://bazel.build/reference/be/functions#select
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from bzlgraph.base.label import Label, LabelError, may_be_target
from bzlgraph.base.span import Location
from bzlgraph.bazel.files.context import Context, PackageContext
from bzlgraph.bazel.files.scope import add_gap, evaluating, facts, note_choice, resolve
from bzlgraph.bazel.model import DICT_TYPES, LABEL_TYPES, LIST_TYPES, AttrType, Condition, Selector, SelectorList
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.starlark.builtin import Builtin, builtin
from bzlgraph.starlark.checks import wrong_type
from bzlgraph.starlark.evaluation.budget import LOOK, charge, charge_items
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.ops.access import attribute, has_attribute
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import Dict, freeze, has_key, type_name

DEFAULT_CONDITION = LabelValue(Label("", "conditions", "default"))


class Uncertain(Value):
    """A value that cannot be evaluated: ``text`` says which, ``candidates`` what may be in it."""

    __slots__ = ()
    text: str
    location: Location | None

    @property
    def repository(self) -> str:
        """The repository that it should have come from, "" for the main one."""
        return ""

    def candidates(self) -> list[object]:
        """Strings, labels and dicts that the value may hold."""
        raise NotImplementedError


class Flattened(Value):
    """A value that an attribute takes for a list (a depset)."""

    __slots__ = ()

    def to_list(self) -> list[object]:
        """Its elements."""
        raise NotImplementedError


@dataclass(slots=True, eq=False)
class Select(Value):
    """One ``select({...})``: branches in source order. Only ever seen as a part of a SelectValue."""

    type_name: ClassVar[str] = "select"
    branches: dict[object, object]
    no_match_error: str = ""
    location: Location | None = None

    def to_repr(self) -> str:
        return f"select({to_repr(self.branches)})"


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
            self._gap("looked into")
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

    # Python's equality is Starlark's: such a value equals only itself.
    __hash__ = Value.__hash__

    def __eq__(self, other: object) -> bool:
        if self is not other and self.uncertain() and evaluating():
            self._gap("compared")
        return self is other

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
        hides = f"what it adds to a value that was {event} without it"
        add_gap(f"{unknown.text} is unknown", hides, repository=unknown.repository)
        note_choice()


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
    parts = (*_parts(left), *_parts(right))
    charge_items(len(parts) * 2)
    return SelectValue(parts, theirs if ours == _UNKNOWN else ours)


def _parts(value: object) -> tuple[object, ...]:
    return value.parts if isinstance(value, SelectValue) else (value,)


def _native_type(value: object) -> str:
    """The type that a configurable value has in the end; _UNKNOWN when that cannot be said."""
    if isinstance(value, SelectValue):
        return value.native_type
    if isinstance(value, Uncertain):
        return _UNKNOWN
    if isinstance(value, Select):
        for branch in value.branches.values():
            if branch is not None:
                return _native_type(branch)
        return "NoneType"
    return "list" if isinstance(value, tuple) else type_name(value)


def _described(value: object) -> str:
    kind = _native_type(value)
    return f"select of {kind}" if isinstance(value, SelectValue) else kind


@builtin("select")
def select_function(x: object, no_match_error: str = "") -> object:
    """``select({":condition": value, ...})``"""
    if isinstance(x, Uncertain):
        return x
    if isinstance(x, SelectValue) and x.uncertain() and (known := x.known_entries()):
        rest = [part for part in x.parts if isinstance(part, Uncertain)]
        return SelectValue((*select_function(known, no_match_error).parts, *rest))
    if not isinstance(x, dict):
        raise wrong_type(x, "select", "x", "dict")
    if not x:
        raise EvalError(
            "select({}) with an empty dictionary can never resolve because it includes no conditions to match",
            'give it at least "//conditions:default"',
        )
    charge(4 * len(x))
    for key in x:
        if not isinstance(key, str | LabelValue | Uncertain):
            raise EvalError(f"select: got {type_name(key)} for dict key, want a Label or label string")
    return SelectValue((Select(dict(x.items()), no_match_error, current_thread().innermost_location()),))


# ------------------------------------------------------------------------------------------- into the model

Converter = Callable[[object], object]
BRANCHES_OF_A_VALUE = 4
"""An edge under a condition tells all others beside it: so many of them take as much room as a value does."""
_SIZED = (list, tuple, dict)
_CERTAIN = frozenset({str, LabelValue})
"""Elements that need no second look: all of nearly every list."""


def listed(value: object) -> Sequence[object] | None:
    """The elements of a value that Bazel takes for a list in an attribute; None for any other value."""
    if isinstance(value, list | tuple | range):
        return value
    if isinstance(value, Flattened):
        return value.to_list()
    return list(value) if isinstance(value, dict) and facts().dicts_are_lists else None


def lift(value: object, is_list: bool = False) -> object:
    """A list with uncertain elements as the concatenation it stands for; anything else as it is.

    ``[":a", if_cuda(":b")]`` -> ``[":a"] + if_cuda(":b")``; what only stands for a list too, where one is wanted.
    """
    if is_list and not isinstance(value, list):
        items = listed(value)
        value = value if items is None else items
    if isinstance(value, dict) and any(isinstance(item, Uncertain) for pair in value.items() for item in pair):
        return {key: text_of(item) for key, item in value.items() if not isinstance(key, Uncertain)}
    if not isinstance(value, list | tuple) or _CERTAIN.issuperset(map(type, value)):
        return value
    if not any(isinstance(item, Uncertain | SelectValue) for item in value):
        return value
    parts: list[object] = []
    plain: list[object] = []
    for item in value:
        if not is_uncertain(item):
            plain.append(item)
            continue
        if plain:
            parts.append(plain)
            plain = []
        parts.extend(_parts(item))
    return SelectValue((*parts, plain)) if plain else SelectValue(tuple(parts))


def text_of(item: object) -> object:
    """Something uncertain as its text, where no condition can stand (a name, an entry of a dict); else the value."""
    return item.text if isinstance(item, Uncertain) else item


def is_configurable(value: object) -> bool:
    """Whether ``to_model`` is the way to convert ``value``. See also ``lift``."""
    return isinstance(value, SelectValue | Uncertain)


def to_model(value: object, kind: AttrType, convert: Converter, context: Context) -> SelectorList:
    """A configurable value -> SelectorList. ``convert`` turns a plain value into what the attribute's type stores."""
    return SelectorList(tuple(_part_to_model(part, kind, convert, context) for part in _parts(value)))


def _part_to_model(part: object, kind: AttrType, convert: Converter, context: Context) -> object:
    if isinstance(part, Select):
        return _select_to_model(part, kind, convert, context)
    if isinstance(part, Uncertain):
        return _uncertain_to_model(part, kind, convert)
    return convert(part)


def _select_to_model(part: Select, kind: AttrType, convert: Converter, context: Context) -> Selector:
    count = len(part.branches)
    size = count + sum([len(value) for value in part.branches.values() if isinstance(value, _SIZED)])
    charge(LOOK * count + size)
    if isinstance(context, PackageContext):
        context.hold(size + count * (count // BRANCHES_OF_A_VALUE))
    branches: dict[object, tuple[Condition, object]] = {}
    for key, value in part.branches.items():
        condition = _condition(key, context)
        # Two keys may be one label ("a" and ":a"): Bazel takes the later value and says nothing.
        branches[condition.label or condition.unknown] = (
            condition,
            _branch(lift(value, kind in LIST_TYPES), kind, convert, context),
        )
    return Selector(tuple(branches.values()), part.no_match_error, part.location)


def _branch(value: object, kind: AttrType, convert: Converter, context: Context) -> object:
    """The value of a branch; nested only where something uncertain stands in it, as Bazel forbids nested selects."""
    if value is None:
        return None
    if is_uncertain(value):
        return to_model(value, kind, convert, context)
    return convert(value)


def _condition(key: Any, context: Context) -> Condition:
    if isinstance(key, LabelValue):
        return Condition(key.label)
    if isinstance(key, Uncertain):
        return Condition(None, key.text)
    if not isinstance(context, PackageContext):
        return Condition(resolve(key, context))
    known: dict[str, Condition] = context.state.setdefault(__name__, {})
    condition = known.get(key)
    if condition is None:
        condition = known[key] = Condition(resolve(key, context))
    return condition


def _uncertain_to_model(part: Uncertain, kind: AttrType, convert: Converter) -> Selector:
    """One branch with an unknown condition, holding what may be in the value."""
    condition = Condition(None, part.text)
    found = part.candidates()
    if kind in LABEL_TYPES:
        found = [each for each in found if not isinstance(each, str) or may_be_target(each)]
    values: list[object]
    if kind in LIST_TYPES:
        values = [[item for item in found if not isinstance(item, dict)]]
    elif kind in DICT_TYPES:
        merged: dict[object, object] = {}
        for item in found:
            merged.update(item if isinstance(item, dict) else {})
        values = [merged]
    else:
        values = [item for item in found if not isinstance(item, dict)] or [None]
    return Selector(tuple((condition, _possible(item, convert)) for item in values), "", part.location)


def _possible(value: object, convert: Converter) -> Any:
    """A candidate, converted; what the attribute could not take is dropped, it was only a guess."""
    try:
        return convert(value) if value is not None else None
    except (EvalError, LabelError):
        if not isinstance(value, list):
            return None
        if len(value) < 2:
            return []
        return [converted for item in value for converted in _possible([item], convert)]
