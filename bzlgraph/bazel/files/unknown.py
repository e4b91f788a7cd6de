"""``Unknown``: the value of a name that could not be loaded. It takes part in everything and never fails.

Rules
- As a condition it is false, iterated it is empty, ``in`` finds nothing, printed it is its text. Each such event, and
  each call, may hide something: it is recorded as a gap.
- Called with ``name = ...`` while a BUILD file is evaluated, it makes a target of an unknown rule class, whose
  label-like strings are its edges; in WORKSPACE it declares a repository.
- Otherwise a call gives an Unknown that remembers its arguments. Inside an attribute it is kept like a ``select()``
  whose condition is the call (``if_cuda(...)``), holding the labels of its arguments as *possible* values.

>>> unknown = Unknown("if_cuda", "@local_config_cuda//cuda:build_defs.bzl")
>>> unknown.to_str(), unknown.get_attr("x").to_str()
('if_cuda', 'if_cuda.x')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from bzlgraph.base.gap import GapKind
from bzlgraph.base.span import Location
from bzlgraph.bazel.context.contexts import Context, DeclaringContext, PackageContext, WorkspaceContext
from bzlgraph.bazel.context.scope import add_gap, choose, evaluating, evaluation_context
from bzlgraph.bazel.model import RuleClass
from bzlgraph.bazel.parts import Select, Uncertain
from bzlgraph.bazel.rules.repository_rule import record
from bzlgraph.bazel.targets.computed import RuleDefinition
from bzlgraph.bazel.targets.instantiate import instantiate
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.bazel.values.select import SelectValue, concatenate
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.values import freeze

_CONVERSION = re.compile(r"%[a-zA-Z]")

MAX_TEXT = 60
"""Calls are described in at most this many characters; more would not help a reader."""


class Unknown(Uncertain):
    """See the module's docstring. ``source`` is the .bzl file the name should have come from."""

    __slots__ = ("arguments", "location", "rule_name", "source", "text")

    def __init__(
        self,
        text: str,
        source: str,
        arguments: tuple[Any, ...] = (),
        location: Location | None = None,
        rule_name: str = "",
    ) -> None:
        self.text = text
        self.source = source
        self.arguments = arguments
        self.location = location
        self.rule_name = rule_name or text.rpartition(".")[2]

    @property
    def type_name(self) -> str:  # type: ignore[override]
        """Code that asks for the type decides by it; so does whoever refuses the value for its type."""
        if evaluating():
            self._gap("its type was needed, which is unknown too")
        return "unknown"

    # Python's equality is Starlark's: an Unknown equals only itself.
    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return evaluating() and self._other("compared; assumed different", other)

    def __call__(self, *args: object, **kwargs: object) -> Unknown:
        """Make a target or a repository when it has a name; else remember the arguments."""
        context = evaluation_context()
        if isinstance(context, PackageContext) and isinstance(kwargs.get("name"), str | Uncertain):
            self._make_target(kwargs, context)
            return Unknown(self._call_text(), self.source)
        if isinstance(context, DeclaringContext) and context.declares:
            self._declare(kwargs, context)
        elif isinstance(context, PackageContext):
            self._note_call()
        arguments = (*args, *kwargs.values())
        context.note_call(self, arguments)
        return Unknown(
            self._call_text(arguments),
            self.source,
            (*self.arguments, *arguments),
            current_thread().innermost_location(),
        )

    def export(self, _path: str, name: str) -> None:
        """A rule that a call made, alone or among others, is called after the first global it is bound to, as any."""
        if "(" in self.text:
            self.rule_name = name

    def candidates(self) -> list[object]:
        """Strings, labels and dicts of the arguments: those of lists, and single ones that are written like labels."""
        found: list[object] = []
        for argument in self.arguments:
            single = isinstance(argument, str)
            if not single or argument.startswith(("//", "@", ":")):
                found += _leaves(argument)
        return found

    def get_attr(self, name: str) -> Unknown:
        return Unknown(f"{self.text}.{name}", self.source, self.arguments, self.location)

    def get_index(self, key: object) -> Unknown:
        return Unknown(f"{self.text}[{_shown(key)}]", self.source, self.arguments, self.location)

    def set_index(self, key: object, value: object) -> None:
        self._gap("assigned into, which changes nothing")

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op in ("+", "|"):
            if isinstance(other, str):
                return other + self.to_str() if reflected else self.to_str() + other
            if isinstance(other, list | tuple | dict | SelectValue | Uncertain):
                return concatenate(other, self) if reflected else concatenate(self, other)
        if op == "join":
            return self.to_str()
        if op == "[:]":
            return self
        if op == "[]" and reflected:
            self._gap("used as a key")
            return Unknown(f"...[{self.text}]", self.source, self.arguments, self.location)
        if op in ("in", "not in"):
            return self._other("searched for; assumed not found", other) == (op == "in")
        if op == "%" and reflected and isinstance(other, str):
            return _CONVERSION.sub(lambda _: self.to_str(), other, count=1).replace("%%", "%")
        if op.endswith("="):
            return NotImplemented
        shown = _shown(other)
        text = f"{shown} {op} {self.text}" if reflected else f"{self.text} {op} {shown}"
        return Unknown(text, self.source, self.arguments, self.location)

    def stand_in(self, kind: type) -> Any:
        if kind not in (str, int, float, bool):
            return self  # a value of the dialect: who asks takes an unknown one as it is
        if kind is str:
            return self._as_text("used as a string")
        return kind(self._other(f"used as a {kind.__name__}; assumed {kind()}"))

    def converted(self, function: str) -> object:
        """Unknown as well, where a run is tried both ways: nothing is decided by that. What is decoded is so always;
        a new list or dict may be one that the code adds to."""
        host = current_thread().host
        unknown = function == "json.decode" or (isinstance(host, Context) and host.tries_both)
        return Unknown(f"{function}({self.text})", self.source) if unknown else NotImplemented

    def unary(self, op: str) -> object:
        return Unknown(f"{op}{self.text}", self.source, self.arguments, self.location)

    def unpack(self, count: int) -> list[object]:
        """``a, b = unknown``: every one of them is unknown."""
        return [Unknown(f"{self.text}[{at}]", self.source, self.arguments, self.location) for at in range(count)]

    def compare(self, op: str, other: object) -> bool:
        return self._other("compared; assumed false", (op, other))

    def contains(self, item: object) -> bool:
        return self._other("searched; assumed empty", item)

    def discard(self) -> None:
        """A call for its effect makes targets, and nobody knows which."""
        context = evaluation_context()
        gaps = context.gaps if isinstance(context, PackageContext) else []
        for gap in [each for each in gaps if each.kind == GapKind.CALL.value and each.location == self.location]:
            gaps.remove(gap)
            context.add_gap(replace(gap, kind=GapKind.MACRO.value, hides="the targets it creates are unknown"))

    def iterate(self) -> Iterable[object]:
        one = self._other("iterated over; assumed empty")
        return (Unknown(f"{self.text}[0]", self.source, self.arguments, self.location),) if one else ()

    def attr_names(self) -> Iterable[str]:
        if evaluating():
            self._other("listed by dir(); assumed to have no fields")
        return ()

    def length(self) -> object:
        host = current_thread().host
        if isinstance(host, Context) and host.tries_both:
            return Unknown(f"len({self.text})", self.source)
        return int(self._other("measured with len(); assumed empty"))

    def truth(self) -> bool:
        return evaluating() and self._other("used as a condition; assumed false")

    def freeze(self) -> None:
        freeze(self.arguments)

    def to_str(self) -> str:
        if evaluating():
            return self._as_text("used as text; replaced by its name")
        return self.text

    to_repr = to_str

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _as_text(self, event: str) -> str:
        """What stands for it in a text."""
        host = current_thread().host
        placeholder = host.text_for(self) if isinstance(host, Context) else None
        if placeholder is None:
            self._gap(event)
        return placeholder or self.text

    def _gap(self, event: str) -> None:
        add_gap(f"{self.text} of {self.source} is unknown", f"it was {event}", GapKind.CHOICE, self.repository)

    def _other(self, event: str, operand: object = None) -> bool:
        """Whether the event, with another operand, goes the other way than is assumed."""
        return choose(f"{self.text} of {self.source} is unknown", f"it was {event}", operand, self.repository)

    def _note_call(self) -> None:
        add_gap(
            f"{_short(self.text)}() of {self.source} is unknown",
            "the targets it creates, or what it adds to its arguments, are unknown",
            repository=self.repository,
        )

    def _make_target(self, kwargs: dict[str, Any], context: PackageContext) -> None:
        add_gap(
            f"the rule class or macro {self.rule_name} of {self.source} is unknown",
            "the targets it creates are unknown; labels in its arguments are kept as dependencies",
            GapKind.MACRO,
            self.repository,
        )
        name = kwargs["name"] if isinstance(kwargs["name"], str) else kwargs["name"].text
        if name not in context.building.targets:  # else it makes targets of other names
            definition = RuleDefinition(RuleClass(self.rule_name, {}, unknown=True))
            instantiate(definition, {**kwargs, "name": name}, context)

    def _declare(self, kwargs: dict[str, object], context: DeclaringContext) -> None:
        name = kwargs.get("name")
        if isinstance(name, str):
            record(context, name, self.rule_name, None, kwargs)
        elif isinstance(context, WorkspaceContext) or self.repository:  # else a method of what an extension has read
            what = f"{_short(self.text)}() of {self.source} is unknown"
            add_gap(what, "the repositories it declares are unknown", repository=self.repository)

    @property
    def repository(self) -> str:
        """The repository that it should have come from, "" for the main one."""
        return self.source[1:].partition("//")[0] if self.source.startswith("@") else ""

    def _call_text(self, arguments: tuple[object, ...] = (...,)) -> str:
        if evaluation_context().tries_both:  # who asks the same twice is told the same
            return f"{self.text}({', '.join(map(_shown, arguments))})"
        return f"{_short(self.text)}(...)" if arguments else f"{_short(self.text)}()"


def _shown(value: object) -> str:
    """Another operand, for the text of an unknown result."""
    return _short(value.text if isinstance(value, Unknown) else to_repr(value))


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 3]}..."


def _leaves(value: object) -> Iterator[object]:
    """Strings, labels and dicts inside an argument, in order."""
    if isinstance(value, str | LabelValue):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, dict):
        yield dict(value.items())
        for item in value.values():
            if isinstance(item, list | tuple):
                yield from _leaves(item)
    elif isinstance(value, SelectValue):
        for part in value.parts:
            yield from _leaves(part)
    elif isinstance(value, Select):
        for branch in value.branches.values():
            yield from _leaves(branch)
    elif isinstance(value, Unknown):
        yield from value.candidates()


class UnknownModule(dict[str, object]):
    """The names of a .bzl file that could not be loaded: whatever is asked for, except names it is known to have."""

    def __init__(self, source: str, known: Mapping[str, object] | None = None) -> None:
        super().__init__(known or {})
        self.source = source

    def __missing__(self, name: str) -> object:
        self[name] = Unknown(name, self.source)
        return self[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)

    def get(self, name: str, default: object = None) -> object:
        """Never the default: every name is there."""
        return self[name]
