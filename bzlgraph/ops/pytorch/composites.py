"""What runs inside of an operator: the operators that its C++ functions call, and those inside of these.

entries, definitions with their calls -> for each entry its ``Step`` values; a name -> the tree of ``Run`` values.

Rules
1. ``at::x(...)``, the method ``x`` of a value and an operator between tensors call the operator ``x`` through the
   dispatcher: of its overloads the one that takes that many arguments, and such.
2. ``at::native::x(...)``, an unqualified name that is defined in the file or in ``at::native``, a member of a class
   and what is registered behind a stub are functions: they are gone into, and what they call counts as called there.
   What runs on a CPU reaches only what is registered for CPUs, and no function of a CUDA file.
3. A structured operator runs its meta function, too; what both call may be a member of the class they are derived from
   (``structured_inherits``). Kernels are gone into that work for every backend, on CPUs and
   on GPUs (``FOLLOWED``); where an entry has none of these (sparse tensors), all.
4. A method that no entry makes is that of the tensors' own class (``x.contiguous()``), or of the classes of the file.
5. A branch for a special kind of tensor (sparse, quantized) matters to who asks for that very operator, not to those
   that call it, unless they are for such tensors themselves.
6. A condition is the ``if``, ``case``, ``a ? b : c`` or ``#if`` around the call, as it is written, or the opposite of
   that of an ``if`` before it that returns; those of functions on the way count, too. Of several ways to an operator
   the one with the fewest conditions is told; what both branches of an ``if`` call has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.ops.pytorch.body import Call
from bzlgraph.ops.pytorch.conditions import add_way, is_special, weight
from bzlgraph.ops.pytorch.cpp_facts import Definition, device_of
from bzlgraph.ops.pytorch.cpp_values import TENSOR
from bzlgraph.ops.pytorch.definitions import Definitions
from bzlgraph.ops.pytorch.entries import COMPOSITE_KEYS, NativeFunction
from bzlgraph.ops.pytorch.kernels import functions_of, meta_function, wanted_names
from bzlgraph.ops.pytorch.overloads import closest_call, is_not_for

FOLLOWED = COMPOSITE_KEYS | {"CPU", "CUDA"}
"""Dispatch keys whose functions are gone into."""
KINDS = ("sparse", "quantize", "nested", "mkldnn")
"""Words in the names of operators that are for special kinds of tensors themselves."""
MAX_FUNCTIONS = 600
"""Functions gone into for one operator, for each device."""
MAX_CLASSES = 6
"""Classes of a file that have a method of the same name."""
MAX_MEANT = 3
"""Definitions that one name may mean: a name that means more is not followed."""
BINDING = "THPVariable_"
"""How the names of functions begin that Python calls."""
_DISPATCHING = frozenset({"at", "at::_ops", "_ops", "at::symint", "at::cpu", "at::meta", "at::cuda", "torch"})


_Place = tuple[str, int, str]
"""Path, line and name of a definition."""
NONE: Mapping[_Place, tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class Step:
    """An operator that a function of another one calls: where, through which functions, under which conditions."""

    op: str
    location: Location
    through: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()

    @property
    def special(self) -> bool:
        """Whether it runs for a special kind of tensor only (rule 5)."""
        return any(map(is_special, self.conditions))


class _At(NamedTuple):
    """A function that is to be looked into, and how it was reached; its weight, then its number, say when."""

    weight: int
    number: int
    definition: Definition
    through: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    device: str = ""


_Meant = tuple[Call, NativeFunction | None, list[tuple[Definition, str]]]


def _device(key: str) -> str:
    """The device of a dispatch key, "" when it is for several, or another one."""
    return next((each for each in ("CPU", "CUDA") if key.endswith(each)), "")


def _is_elsewhere(running: str, function: Definition, device: str) -> bool:
    """Whether what runs on one device does not reach a function: what is registered for another, or written for it."""
    aside = device_of(function.path) == "CUDA" if running == "CPU" else "/native/cpu/" in function.path
    return running != "" and (aside or device not in ("", running))


def _told(ways: Mapping[str, list[Step]]) -> tuple[Step, ...]:
    """Each operator once, in the order of the text, those that are called directly first."""
    return tuple(sorted((_simplest(each) for each in ways.values()), key=lambda step: len(step.through)))


def _simplest(ways: Sequence[Step]) -> Step:
    """The way with the fewest conditions, when those that are the branches of an ``if`` have become one."""
    conditions: list[tuple[str, ...]] = []
    for step in ways:
        add_way(conditions, step.conditions)
    fewest = frozenset(conditions[0])
    return replace(next(each for each in ways if fewest <= {*each.conditions}), conditions=conditions[0])


class Composites:
    """The steps of every entry."""

    def __init__(self, entries: Mapping[str, NativeFunction], definitions: Definitions) -> None:
        self._entries = entries
        self._definitions = definitions
        self._meanings: dict[int, tuple[Definition, list[_Meant]]] = {}
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
                for name in (entry.name, f"{entry.name}_symint"):
                    self._methods.setdefault(name, []).append(entry)

    def steps(self, entry: NativeFunction) -> tuple[Step, ...]:
        """What the functions of an entry call, each operator once, in the order of the text."""
        delegate = self._entries.get(entry.delegate)
        working = delegate if delegate is not None and not delegate.delegate else entry
        shapes = self._definitions.named(meta_function(working)) if working.structured else []
        ways = self._inside([(each, "") for each in shapes], overridden=working.inherits)
        for name, more in self._inside(self._starts(working), self._conditions(working)).items():
            ways.setdefault(name, []).extend(more)
        ways.pop(entry.full_name, None)
        return _told(ways)

    def of_function(self, name: str) -> tuple[Step, ...]:
        """What a function that no entry names calls."""
        return _told(self._inside([(each, "") for each in self._definitions.named(name)]))

    def of_definition(self, definition: Definition) -> tuple[Step, ...]:
        """What some function calls."""
        return _told(self._inside([(definition, "")]))

    def _inside(
        self,
        starts: Iterable[tuple[Definition, str]],
        conditions_of: Mapping[_Place, tuple[str, ...]] = NONE,
        overridden: str = "",
    ) -> dict[str, list[Step]]:
        """The ways to each operator from functions that run on a device ("": on any). Functions are gone into with the
        fewest conditions first, again when they turn out to run under fewer. The virtual functions of the class
        ``overridden`` are those of a generated class, not of another one below it."""
        found: dict[str, list[Step]] = {}
        done: dict[tuple[_Place, str], tuple[str, ...]] = {}
        ways: dict[tuple[_Place, str], list[tuple[str, ...]]] = {}
        numbers = count()
        waiting: list[_At] = []

        def reach(definition: Definition, device: str, through: tuple[str, ...], conditions: tuple[str, ...]) -> None:
            known = ways.setdefault((_place(definition), device), [])
            before = known[0] if known else None
            add_way(known, conditions)
            if known[0] != before:
                heappush(waiting, _At(weight(known[0]), next(numbers), definition, through, known[0], device))

        for each, device in starts:
            reach(each, device, (), conditions_of.get(_place(each), ()))
        while waiting:
            at = heappop(waiting)
            here = _place(at.definition), at.device
            if done.get(here) == at.conditions or at.conditions != ways[here][0] or len(done) >= MAX_FUNCTIONS:
                continue
            done[here] = at.conditions
            for call, operator, functions in self._meant(at.definition):
                below = tuple(dict.fromkeys((*at.conditions, *call.conditions)))
                if operator is not None:
                    line = Location(at.definition.path, call.line, 1)
                    found.setdefault(operator.full_name, []).append(Step(operator.full_name, line, at.through, below))
                for each, device in functions:
                    if _is_elsewhere(at.device, each, device) or (overridden and _is_sibling(each, overridden)):
                        continue
                    reach(each, at.device or device, (*at.through, each.name), below)
        return found

    def _meant(self, definition: Definition) -> list[_Meant]:
        """What each call of a function means: an operator, or functions."""
        if id(definition) not in self._meanings:
            meant = []
            for call in definition.calls:
                operator = self._operator(call, definition)
                meant.append((call, operator, self._reached(call, definition) if operator is None else []))
            self._meanings[id(definition)] = (definition, meant)
        return self._meanings[id(definition)][1]

    # ------------------------------------------------------------------------------------------------ where it begins
    def _starts(self, entry: NativeFunction) -> Iterator[tuple[Definition, str]]:
        """Rule 3: the functions that an entry dispatches to, and the device that each is for."""
        followed = [each for each in entry.kernels if each[0] in FOLLOWED or (entry.ufunc and is_special(each[0]))]
        followed = followed or [*entry.kernels]
        for key, function in dict.fromkeys(followed):
            devices = {_device(each) for each, same in entry.kernels if same == function}
            for made in functions_of(entry, key, function, self._definitions):
                yield made, devices.copy().pop() if len(devices) == 1 else ""

    def _conditions(self, entry: NativeFunction) -> dict[_Place, tuple[str, ...]]:
        """The function of a key for special tensors runs for them only: the key is its condition."""
        ordinary = {function for key, function in entry.kernels if not is_special(key)}
        if not ordinary and not entry.ufunc:
            return {}  # an operator of special tensors only
        special = [each for each in entry.kernels if is_special(each[0]) and each[1] not in ordinary]
        return {
            _place(made): (key,)
            for key, function in special
            for made in functions_of(entry, key, function, self._definitions)
        }

    # --------------------------------------------------------------------------------------------------- what is called
    def _operator(self, call: Call, inside: Definition) -> NativeFunction | None:
        """Rule 1."""
        qualifier, _, name = call.name.rpartition("::")
        if call.kind == "member":
            return None
        if name.startswith(BINDING) and not self._definitions.named(name):  # written when PyTorch is built
            name = name.removeprefix(BINDING)
            return next(iter([*self._methods.get(name, ()), *self._functions.get(name, ())]), None)
        if call.kind == "method":
            return closest_call(self._methods.get(name, ()), call.arguments, of_method=True)
        listed = self._functions.get(name, ())
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
        listed = [each for each in self._definitions.named(name) if _class_of(each)]
        if of_tensors and name in self._by_hand:
            return [each for each in listed if _stem(_class_of(each)) == TENSOR]
        own = [each for each in listed if each.path == inside.path]
        return own if len(own) <= MAX_CLASSES else []

    def _reached(self, call: Call, inside: Definition) -> list[tuple[Definition, str]]:
        """Rule 2: the definitions that a call may mean; behind a stub with the device that each is registered for."""
        stubbed = self._behind(call)
        return stubbed or [(each, "") for each in self._called(call, inside)]

    def _behind(self, call: Call) -> list[tuple[Definition, str]]:
        name = call.name.rpartition("::")[2] if call.kind in ("function", "value") else ""
        return [
            (made, each.device)
            for each in self._definitions.behind(name)
            if each.device in FOLLOWED
            for made in self._definitions.named(each.function)
            if made.path == each.path
        ]

    def _called(self, call: Call, inside: Definition) -> list[Definition]:
        """The definitions that are no kernels behind stubs."""
        qualifier, _, name = call.name.rpartition("::")
        if call.kind in ("method", "member"):
            return self._methods_of_classes(name, inside, call.kind == "method")
        listed = [each for each in self._definitions.named(name) if device_of(each.path) in FOLLOWED]
        if qualifier:
            listed = [each for each in listed if _within(each, qualifier)]
        if call.kind != "value":
            given = len(call.arguments)
            listed = [each for each in listed if len(each.parameters) >= given or "..." in str(each.parameters)]
            listed = [each for each in listed if len(each.parameters) == given] or listed
            listed = [each for each in listed if not any(map(is_not_for, call.arguments, each.parameters))] or listed
        found = listed if qualifier else _nearest(listed, inside, self._derived_from.get(inside.name, ""))
        return found if len(found) <= MAX_MEANT else []


def _cpp_names(entry: NativeFunction) -> Iterator[str]:
    """The names of an entry in the namespace ``at``."""
    if "function" not in entry.variants and not entry.writes_out:
        return
    for name in (f"{entry.name}_out", f"{entry.name}_outf") if entry.writes_out else (entry.name,):
        yield name
        yield f"{name}_symint"


def _place(definition: Definition) -> _Place:
    return definition.path, definition.line, definition.name


def _class_of(definition: Definition) -> str:
    """The class that a function is a member of, as far as its name is one; "" for none."""
    last = definition.namespace.rpartition("::")[2]
    return last if last[:1].isupper() else ""


def _stem(name: str) -> str:
    return name.removesuffix("Base").removesuffix("Config")


def _is_sibling(function: Definition, base: str) -> bool:
    """Whether a function's class is another one from a base: ``TensorIterator`` from ``TensorIteratorBase``."""
    name = _class_of(function)
    return name != base.rpartition("::")[2] and _stem(name) == _stem(base.rpartition("::")[2])


def _within(definition: Definition, qualifier: str) -> bool:
    """Whether a function is in a namespace, or a member of a class or its base."""
    wanted, have = qualifier.removeprefix("::").split("::"), definition.namespace.split("::")
    if wanted[-1][:1].isupper():
        return _stem(have[-1]) == _stem(wanted[-1])
    return [part for part in have if part][-len(wanted) :] == wanted


def _nearest(listed: Sequence[Definition], inside: Definition, base: str) -> list[Definition]:
    """What an unqualified name means: members of the class or its base, functions of the file, of its namespaces."""
    own = _class_of(inside) or base.rpartition("::")[2]
    members = [each for each in listed if own and _stem(_class_of(each)) == _stem(own)]
    members = members or [each for each in listed if _class_of(each) == each.key]  # constructors
    if members:
        return members
    free = [each for each in listed if not _class_of(each)]
    same = [each for each in free if each.path == inside.path]
    around = inside.namespace
    return same or [each for each in free if each.namespace == around or around.startswith(f"{each.namespace}::")]


def tree(steps: Mapping[str, Sequence[Step]], roots: Sequence[str], most: int) -> dict[str, list[tuple[int, Step]]]:
    """For each root the operators inside of it as a tree: (depth, step) in the order of a walk through it. Each
    operator stands where it is nearest to a root, once (rule 5); ``most`` are shown in all."""
    children: dict[str, list[Step]] = {}
    asked = frozenset(roots)
    every = any(word in root for root in roots for word in KINDS)
    seen = set(roots)
    waiting = list(roots)
    for name in waiting:
        for step in steps.get(name, ()):
            if step.op not in seen and len(seen) < most and (every or name in asked or not step.special):
                seen.add(step.op)
                waiting.append(step.op)
                children.setdefault(name, []).append(step)
    return {root: list(_walk(children, root)) for root in roots}


def _walk(children: Mapping[str, Sequence[Step]], root: str) -> Iterator[tuple[int, Step]]:
    stack = [(1, step) for step in reversed(children.get(root, ()))]
    while stack:
        depth, step = stack.pop()
        yield depth, step
        stack += [(depth + 1, each) for each in reversed(children.get(step.op, ()))]
