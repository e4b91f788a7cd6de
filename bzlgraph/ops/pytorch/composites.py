"""What runs inside of an operator: the operators that its C++ functions call, and those inside of these.

entries, definitions with their calls -> for each entry its ``Step`` values; a name -> the tree of ``Run`` values.

Rules
1. ``at::x(...)``, the method ``x`` of a value and an operator between tensors call the operator ``x`` through the
   dispatcher: of its overloads the one that takes that many arguments, and such.
2. ``at::native::x(...)``, an unqualified name that is defined in the file or in ``at::native``, a member of a class
   and what is registered behind a stub are functions: they are gone into, and what they call counts as called there.
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
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.ops.pytorch.body import Call
from bzlgraph.ops.pytorch.conditions import is_special, opposite
from bzlgraph.ops.pytorch.cpp_facts import Definition, device_of
from bzlgraph.ops.pytorch.cpp_values import NUMBERS, TENSOR
from bzlgraph.ops.pytorch.definitions import Definitions
from bzlgraph.ops.pytorch.entries import COMPOSITE_KEYS, NativeFunction
from bzlgraph.ops.pytorch.kernels import functions_of, meta_function, wanted_names
from bzlgraph.ops.pytorch.overloads import schema_types, self_position

FOLLOWED = COMPOSITE_KEYS | {"CPU", "CUDA"}
"""Dispatch keys whose functions are gone into."""
KINDS = ("sparse", "quantize", "nested", "mkldnn")
"""Words in the names of operators that are for special kinds of tensors themselves."""
MAX_FUNCTIONS = 300
"""Functions gone into for one operator."""
SPECIAL_LAST = 1000
"""Weight of a way that only special tensors go."""
MAX_CLASSES = 6
"""Classes of a file that have a method of the same name."""
MAX_MEANT = 3
"""Definitions that one name may mean: a name that means more is not followed."""
BINDING = "THPVariable_"
"""How the names of functions begin that Python calls."""
_DISPATCHING = frozenset({"at", "at::_ops", "_ops", "at::symint", "at::cpu", "at::meta", "at::cuda", "torch"})


NONE: Mapping[tuple[str, int, str], tuple[str, ...]] = {}


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


_Meant = tuple[Call, NativeFunction | None, list[Definition]]


def _weight(conditions: Sequence[str]) -> int:
    return len(conditions) + (SPECIAL_LAST if any(map(is_special, conditions)) else 0)


def weaker(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Of two ways to the same place the conditions to tell: what both need where they are the two branches of an
    ``if``, else those of the way that needs fewer, and no special tensors.

    >>> weaker(("a", "b"), ("b", "!(a)")), weaker(("a", "b"), ("c",)), weaker(("a",), ("c",))
    (('b',), ('c',), ('a',))
    """
    lone, others = [each for each in one if each not in other], [each for each in other if each not in one]
    if len(lone) == len(others) == 1 and (opposite(lone[0]) == others[0] or opposite(others[0]) == lone[0]):
        return tuple(each for each in one if each != lone[0])
    return other if _weight(other) < _weight(one) else one


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
        inside = [
            *self._inside(shapes, overridden=working.inherits),
            *self._inside(self._starts(working), self._conditions(working)),
        ]
        found: dict[str, Step] = {}
        for step in inside:
            have = found.get(step.op)
            if step.op != entry.full_name and (
                have is None or weaker(have.conditions, step.conditions) != have.conditions
            ):
                found[step.op] = step
        return tuple(sorted(found.values(), key=lambda step: len(step.through)))

    def of_function(self, name: str) -> tuple[Step, ...]:
        """What a function that no entry names calls."""
        return tuple(self._inside(self._definitions.named(name)))

    def of_definition(self, definition: Definition) -> tuple[Step, ...]:
        """What some function calls."""
        return tuple(self._inside([definition]))

    def _inside(
        self,
        starts: Iterable[Definition],
        conditions_of: Mapping[tuple[str, int, str], tuple[str, ...]] = NONE,
        overridden: str = "",
    ) -> list[Step]:
        """Functions are gone into with the fewest conditions first, again when they turn out to run under fewer. The
        virtual functions of the class ``overridden`` are those of a generated class, not of another one below it."""
        found: dict[str, Step] = {}
        known: dict[tuple[str, int, str], tuple[str, ...]] = {}
        numbers = count()
        waiting = [_At(0, next(numbers), each, (), conditions_of.get(_place(each), ())) for each in starts]
        while waiting:
            at = heappop(waiting)
            place = _place(at.definition)
            before = known.get(place)
            conditions = at.conditions if before is None else weaker(before, at.conditions)
            if conditions == before or len(known) >= MAX_FUNCTIONS:
                continue
            known[place] = conditions
            for call, operator, functions in self._meant(at.definition):
                below = tuple(dict.fromkeys((*conditions, *call.conditions)))
                if operator is not None:
                    have = found.get(operator.full_name)
                    needs = below if have is None else weaker(have.conditions, below)
                    if have is None or needs != have.conditions:
                        line = Location(at.definition.path, call.line, 1)
                        found[operator.full_name] = Step(operator.full_name, line, at.through, needs)
                for each in functions:
                    if overridden and _is_sibling(_class_of(each), overridden):
                        continue
                    have_place = known.get(_place(each))
                    if have_place is None or weaker(have_place, below) != have_place:
                        through, far = (*at.through, each.name), _weight(below)
                        heappush(waiting, _At(far, next(numbers), each, through, below))
        return sorted(found.values(), key=lambda step: len(step.through))

    def _meant(self, definition: Definition) -> list[_Meant]:
        """What each call of a function means: an operator, or functions."""
        if id(definition) not in self._meanings:
            meant = []
            for call in definition.calls:
                operator = self._operator(call, definition)
                meant.append((call, operator, self._called(call, definition) if operator is None else []))
            self._meanings[id(definition)] = (definition, meant)
        return self._meanings[id(definition)][1]

    # ------------------------------------------------------------------------------------------------ where it begins
    def _starts(self, entry: NativeFunction) -> Iterator[Definition]:
        """Rule 3: the functions that an entry dispatches to."""
        followed = [each for each in entry.kernels if each[0] in FOLLOWED or (entry.ufunc and is_special(each[0]))]
        followed = followed or [*entry.kernels]
        for key, function in followed:
            yield from functions_of(entry, key, function, self._definitions)

    def _conditions(self, entry: NativeFunction) -> dict[tuple[str, int, str], tuple[str, ...]]:
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
            return _closest(self._methods.get(name, ()), call.arguments, of_method=True)
        listed = self._functions.get(name, ())
        if qualifier.removeprefix("::") in _DISPATCHING or qualifier.startswith("at::_ops"):
            name = qualifier.rpartition("::")[2] if name in ("call", "redispatch") else name
            listed = self._functions.get(name) or self._by_joined(name)
            return _closest(listed, call.arguments) if call.kind != "value" else next(iter(listed), None)
        if qualifier or not listed or call.kind == "value" or self._called(call, inside):
            return None
        return _closest(listed, call.arguments)

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

    def _called(self, call: Call, inside: Definition) -> list[Definition]:
        """Rule 2: the definitions that a call may mean."""
        qualifier, _, name = call.name.rpartition("::")
        if call.kind in ("method", "member"):
            return self._methods_of_classes(name, inside, call.kind == "method")
        stubbed = [each for each in self._definitions.behind(name) if each.device in FOLLOWED]
        if stubbed:
            return [
                made for each in stubbed for made in self._definitions.named(each.function) if made.path == each.path
            ]
        listed = [each for each in self._definitions.named(name) if device_of(each.path) in FOLLOWED]
        if qualifier:
            listed = [each for each in listed if _within(each, qualifier)]
        if call.kind != "value":
            given = len(call.arguments)
            listed = [each for each in listed if len(each.parameters) >= given or "..." in str(each.parameters)]
            listed = [each for each in listed if len(each.parameters) == given] or listed
            listed = [each for each in listed if not any(map(_not_for, call.arguments, each.parameters))] or listed
        found = listed if qualifier else _nearest(listed, inside, self._derived_from.get(inside.name, ""))
        return found if len(found) <= MAX_MEANT else []


def _cpp_names(entry: NativeFunction) -> Iterator[str]:
    """The names of an entry in the namespace ``at``."""
    if "function" not in entry.variants and not entry.writes_out:
        return
    for name in (f"{entry.name}_out", f"{entry.name}_outf") if entry.writes_out else (entry.name,):
        yield name
        yield f"{name}_symint"


def _closest(entries: Sequence[NativeFunction], given: Sequence[str], of_method: bool = False) -> NativeFunction | None:
    """The overload that takes so many arguments, and such; None when none takes as many. The first that a method is
    given is what it is called on."""
    ranked = []
    for number, entry in enumerate(entries):
        types = schema_types(entry.schema)
        written = entry.written
        types = [*types[len(types) - written :], *types[: len(types) - written]]  # in C++ they come first
        if of_method and (own := self_position(entry.schema)):
            types = [types[own], *types[:own], *types[own + 1 :]]
        needed = len(types) - entry.schema.partition("->")[0].count("=")
        if needed <= len(given) <= len(types) and not any(map(_cannot_be, given, types)):
            differing = sum(_differs(have, want) for have, want in zip(given, types, strict=False))
            ranked.append((differing + types.count("Dimname"), len(types), number, entry))
    return min(ranked, key=lambda each: each[:3])[3] if ranked else None


def _cannot_be(have: str, want: str) -> bool:
    """Whether C++ would not take an argument for a tensor."""
    return want == TENSOR and have in ("Scalar", "bool", "other")


def _not_for(have: str, parameter: str) -> bool:
    """Whether C++ would not take an argument for a parameter: a number for a tensor, a tensor for a number."""
    words = parameter.replace("&", " ").split()
    if have in ("Scalar", "bool"):
        return TENSOR in words and "<" not in words
    return have == TENSOR and not NUMBERS.isdisjoint(words) and "<" not in words


def _differs(have: str, want: str) -> float:
    """How surely an argument of which so much is known is none of a type of a schema."""
    if have == "Scalar" and want in ("int[]", "SymInt[]"):
        return 0.5  # one number is a list of one
    if have == "Scalar":
        return want not in ("int", "SymInt", "float", "Scalar")
    if have in ("", TENSOR):
        return have != "" and not want.startswith(TENSOR)
    if have == "list":
        return not want.endswith("[]")
    return want.endswith("[]") or want in (TENSOR, "Dimname", "str")


def _place(definition: Definition) -> tuple[str, int, str]:
    return definition.path, definition.line, definition.name


def _class_of(definition: Definition) -> str:
    """The class that a function is a member of, as far as its name is one; "" for none."""
    last = definition.namespace.rpartition("::")[2]
    return last if last[:1].isupper() else ""


def _stem(name: str) -> str:
    return name.removesuffix("Base").removesuffix("Config")


def _is_sibling(name: str, base: str) -> bool:
    """Whether a class is another one that is made from a base: ``TensorIterator`` from ``TensorIteratorBase``."""
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
