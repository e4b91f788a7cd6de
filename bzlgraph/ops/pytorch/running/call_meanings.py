"""What a call in a C++ function of PyTorch means: an operator, or functions that are gone into.

``Call`` of a ``Definition`` -> the entry that it calls through the dispatcher, or the definitions that it may mean,
each with the device that it is registered for (rules 1, 2 and 4 of ``composites.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bzlgraph.cpp.condition import may_hold_together
from bzlgraph.ops.pytorch.cpp.call import PARAMETER, Call
from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.definitions import Definitions, class_of, nearest, stem, within
from bzlgraph.ops.pytorch.cpp.facts import device_of
from bzlgraph.ops.pytorch.cpp.questions import THIS
from bzlgraph.ops.pytorch.cpp.values.kinds import ITS_OPTIONS, OF_TEMPLATE, OPTIONS
from bzlgraph.ops.pytorch.cpp.values.tensors import CLASS_METHODS
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR
from bzlgraph.ops.pytorch.entries import COMPOSITE_KEYS, NativeFunction
from bzlgraph.ops.pytorch.kernels import wanted_names
from bzlgraph.ops.pytorch.overloads import closest_call, is_not_for

FOLLOWED = COMPOSITE_KEYS | {"CPU", "CUDA"}
"""Dispatch keys whose functions are gone into."""
MAX_CLASSES = 6
"""Classes of a file that have a method of the same name."""
MAX_MEANT = 3
"""Definitions that one name may mean: a name that means more is not followed."""
BINDING = "THPVariable_"
"""How the names of functions begin that Python calls."""
_DISPATCHING = frozenset({"at", "at::_ops", "_ops", "at::symint", "at::cpu", "at::meta", "at::cuda", "torch"})

Meant = tuple[Call, NativeFunction | None, list[tuple[Definition, str]]]


class CallMeanings:
    """The meanings of the calls of every function that is asked for."""

    def __init__(self, entries: Mapping[str, NativeFunction], definitions: Definitions) -> None:
        self._definitions = definitions
        self._followed: dict[str, list[Definition]] = {}
        self._known: dict[int, tuple[Definition, list[Meant]]] = {}
        """By the id of a definition, which is kept alive here."""
        self._functions: dict[str, list[NativeFunction]] = {}
        self._methods: dict[str, list[NativeFunction]] = {}
        self._derived_from = {
            name: entry.inherits for entry in entries.values() if entry.inherits for name in wanted_names(entry)
        }
        self._joined = {entry.full_name.replace(".", "_"): entry for entry in entries.values()}
        by_hand = self._by_hand = {entry.name for entry in entries.values() if entry.bound_by_hand}
        for entry in entries.values():
            for name in _cpp_names(entry):
                self._functions.setdefault(name, []).append(entry)
            if "method" in entry.variants and entry.name not in by_hand:
                for name in _with_symbols(entry, entry.name):
                    self._methods.setdefault(name, []).append(entry)

    def of(self, definition: Definition) -> list[Meant]:
        """What each call of a function means: an operator, or functions."""
        if id(definition) not in self._known:
            meant = []
            for call in (_of_this(each, definition) for each in definition.inside.calls):
                operator = self._operator(call, definition)
                meant.append((call, operator, self._reached(call, definition) if operator is None else []))
            self._known[id(definition)] = (definition, meant)
        return self._known[id(definition)][1]

    def named(self, call: Call, name: str, inside: Definition) -> Meant:
        """What a call of a parameter means where that is known to be the function of a name."""
        named = call._replace(kind="function", name=name)
        operator = self._operator(named, inside)
        return named, operator, self._reached(named, inside) if operator is None else []

    def _operator(self, call: Call, inside: Definition) -> NativeFunction | None:
        """Rule 1."""
        qualifier, _, name = call.name.rpartition("::")
        if call.kind in ("member", PARAMETER):
            return None
        if name.startswith(BINDING) and not self._definitions.named(name):  # written when PyTorch is built
            name = name.removeprefix(BINDING)
            return next(iter([*self._methods.get(name, ()), *self._functions.get(name, ())]), None)
        if call.kind == "method":
            return closest_call(self._methods.get(name, ()), call.arguments, of_method=True)
        listed = self._functions.get(name, ())
        if qualifier.removeprefix("::") == "at" and OF_TEMPLATE in call.arguments and self._called(call, inside):
            return None  # `at::exp` of a number
        if qualifier.removeprefix("::") in _DISPATCHING or qualifier.startswith("at::_ops"):
            name = qualifier.rpartition("::")[2] if name in ("call", "redispatch") else name
            listed = self._functions.get(name) or self._by_joined(name)
            return closest_call(listed, call.arguments) if call.kind != "value" else next(iter(listed), None)
        if qualifier or not listed or call.kind == "value" or self._reached(call, inside):
            return None
        return closest_call(listed, call.arguments)

    def _by_joined(self, name: str) -> list[NativeFunction]:
        """``_ops::add_Tensor``: a name and its overload."""
        return [self._joined[name]] if name in self._joined else []

    def _methods_of_classes(self, name: str, inside: Definition, of_tensors: bool) -> list[Definition]:
        """Rule 4: what the method of a tensor that is bound by hand, or of a class of the same file, runs."""
        listed = [each for each in self._definitions.named(name) if class_of(each)]
        if of_tensors and (name in self._by_hand or name in CLASS_METHODS):
            return [each for each in listed if stem(class_of(each)) == TENSOR]
        own = [each for each in listed if each.path == inside.path]
        return own if len(own) <= MAX_CLASSES else []

    def _reached(self, call: Call, inside: Definition) -> list[tuple[Definition, str]]:
        """Rule 2: the definitions that a call may mean; behind a stub with the device that each is registered for."""
        stubbed = self._behind(call, inside)
        return stubbed or [(each, "") for each in self._called(call, inside)]

    def _behind(self, call: Call, inside: Definition) -> list[tuple[Definition, str]]:
        """What is registered behind the stub of that name and compiled with it, unless the file has a function of its
        own so called."""
        name = call.name.rpartition("::")[2] if call.kind in ("function", "value") else ""
        if any(each.path == inside.path and each.own and call.name == name for each in self._definitions.named(name)):
            return []
        return [
            (made, each.device)
            for each in self._definitions.behind(name)
            if each.device in FOLLOWED
            for made in self._definitions.named(each.function)
            if made.path == each.path and may_hold_together(made.condition, each.condition)
        ]

    def _on_followed(self, name: str) -> list[Definition]:
        """The definitions of a name that are gone into."""
        if name not in self._followed:
            named = self._definitions.named(name)
            self._followed[name] = [each for each in named if device_of(each.path) in FOLLOWED]
        return self._followed[name]

    def _called(self, call: Call, inside: Definition) -> list[Definition]:
        """The definitions that are no kernels behind stubs."""
        qualifier, _, name = call.name.rpartition("::")
        if call.kind == PARAMETER:
            return []
        if call.kind in ("method", "member"):
            return self._methods_of_classes(name, inside, call.kind == "method")
        if qualifier in inside.inside.template:
            return self._methods_of_classes(name, inside, of_tensors=False)
        listed = self._on_followed(name)
        if qualifier:
            listed = [each for each in listed if within(each, qualifier)]
        if call.kind != "value":
            given = len(call.arguments)
            listed = [each for each in listed if len(each.parameters) >= given or "..." in str(each.parameters)]
            listed = [each for each in listed if len(each.parameters) == given] or listed
            listed = [each for each in listed if not any(map(is_not_for, call.arguments, each.parameters))] or listed
        found = listed if qualifier else nearest(listed, inside, self._derived_from.get(inside.name, ""))
        return found if len(found) <= MAX_MEANT else []


def _of_this(call: Call, function: Definition) -> Call:
    """A call in a function: ``to(options().device(kCPU))`` in a method of tensors is one of ``this``."""
    plain = call.kind == "function" and "::" not in call.name and not {OPTIONS, ITS_OPTIONS}.isdisjoint(call.arguments)
    if not plain or not class_of(function) or stem(class_of(function)) != TENSOR:
        return call
    return call._replace(kind="method", arguments=(TENSOR, *call.arguments), written=(THIS, *call.written))


def _cpp_names(entry: NativeFunction) -> Iterator[str]:
    """The names of an entry in the namespace ``at``."""
    if "function" not in entry.variants and not entry.writes_out:
        return
    for name in (f"{entry.name}_out", f"{entry.name}_outf") if entry.writes_out else (entry.name,):
        yield from _with_symbols(entry, name)


def _with_symbols(entry: NativeFunction, name: str) -> Iterator[str]:
    """A name, and that of the same function with sizes that may be symbols, which only what takes sizes has."""
    yield name
    if "SymInt" in entry.schema:
        yield f"{name}_symint"
