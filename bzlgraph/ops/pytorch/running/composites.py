"""What runs inside of an operator: the operators that its C++ functions call, and those inside of these.

entries, definitions with their calls -> for each entry its ``Step`` values; a name -> the tree of ``Run`` values.

Rules
1. ``at::x(...)``, the method ``x`` of a value and an operator between tensors call the operator ``x`` through the
   dispatcher: of its overloads the one that takes that many arguments, and such.
2. ``at::native::x(...)``, an unqualified name that is defined in the file or in ``at::native``, a member of a class
   and what is registered behind a stub are functions: they are gone into, and what they call counts as called there.
   What runs on a CPU reaches only what is registered for CPUs, no function of a CUDA file, and no operator that has
   no function for CPUs.
3. A structured operator runs its meta function, too; what both call may be a member of the class they are derived from
   (``structured_inherits``). Kernels are gone into that work for every backend, on CPUs and on GPUs (``FOLLOWED``);
   where an entry has none of these (sparse tensors), all. The function for every backend is that of those which have
   none of their own.
4. A method that no entry makes is that of the tensors' own class (``x.contiguous()``), or of the classes of the file.
5. A branch for a special kind of tensor (sparse, quantized) matters to who asks for that very operator, not to those
   that call it (``run_tree.py``), nor to those that call its function.
6. A condition is the ``if``, ``case``, ``a ? b : c`` or ``#if`` around the call, as it is written, or the opposite of
   that of an ``if`` before it that returns; those of functions on the way count, too. Of several ways to an operator
   the one with the fewest conditions is told, on each device, and that there are others; what both branches of an
   ``if`` call has none.
7. What a call gives a parameter that stays so (``true``, ``Activation::None``, its default) decides the conditions that
   ask for it: a branch that is decided against is none. So do the settings of an object (``TensorIteratorConfig()``
   with ``.resize_outputs(false)``), for all that runs inside of the function that makes it, and what its members are
   otherwise, and those that a shape function sets for the function that does the work. The shape function of an
   operator that gives a new tensor, or changes one in place, resizes none
   (``TensorIteratorBase::mark_resize_outputs``), nor do its other functions ask whether to; what iterates over a new
   result, or over one tensor in place, casts no result back to a type that it was given (``cast_outputs``). So do the
   types of a template: ``grad * other`` is another operator for a tensor than for a number. So do functions that are
   given: what calls its parameter calls them.
8. So do the conditions around a call, of variables that it hands on: behind ``if (n == 1) return;`` the function that
   is given ``n`` runs nothing for one. So does what is checked before, behind ``TORCH_CHECK(m.dim() == 2)``, in a shape
   function for the others, too. On a CPU no tensor is on another device. What runs where the device of all tensors is a
   CPU runs there.
9. So does what an operator is given (``given_values.py``): what a call of it says, and its defaults, decide the
   conditions of its functions as those of functions that are called do; so does what holds around the call, and how
   the tensors were made that it is given (``made_results.py``). The result of a structured operator in place is
   the tensor that it changes, also where it is given that (``at::f_out(self, self)``), a new one none that it is
   given, and contiguous where its shape function tells no strides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial

from bzlgraph.base.span import Location
from bzlgraph.ops.pytorch.cpp.body import NOTHING
from bzlgraph.ops.pytorch.cpp.call import PARAMETER, Call
from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.definitions import Definitions, class_of, is_sibling
from bzlgraph.ops.pytorch.cpp.known import facts_of, lasting_facts
from bzlgraph.ops.pytorch.cpp.questions import (
    ALL_REAL,
    CASTING,
    ITER_NOT_CAST,
    ITER_SAME_SIZE,
    NO_ELEMENT,
    NOT_CAST,
    Constants,
    with_rows,
)
from bzlgraph.ops.pytorch.cpp.truth import is_special
from bzlgraph.ops.pytorch.cpp.values.kinds import LAYOUT
from bzlgraph.ops.pytorch.entries import COMPOSITE_KEYS, NativeFunction
from bzlgraph.ops.pytorch.kernels import META, functions_of, meta_function, runs_on, wanted_names
from bzlgraph.ops.pytorch.running.call_meanings import FOLLOWED, CallMeanings
from bzlgraph.ops.pytorch.running.devices import (
    BOTH,
    OTHERS,
    device_of_key,
    is_elsewhere,
    is_given_its_device,
    is_moved,
    needed_device,
    on_cpu,
    told_device,
)
from bzlgraph.ops.pytorch.running.function_search import At, Function, Lead, Place, Search, place_of
from bzlgraph.ops.pytorch.running.generated import RESTRIDING, restrided, view_copy_kernel
from bzlgraph.ops.pytorch.running.known.given_values import arguments, first_tensor, given_to
from bzlgraph.ops.pytorch.running.known.iterators import NOT_RESIZED, Iterators, members_inside
from bzlgraph.ops.pytorch.running.known.known_inside import KnownInside
from bzlgraph.ops.pytorch.running.known.local_values import (
    handed_names,
    of_shapes,
    same_names,
    steady_names,
    with_locals,
)
from bzlgraph.ops.pytorch.running.known.results import (
    OrdinaryResults,
    about_results,
    are_sized,
    in_place,
    meets_numbers,
    results_apart,
    settled_types,
    takes_one_tensor,
)
from bzlgraph.ops.pytorch.running.left_conditions import below_conditions, undecided, with_others
from bzlgraph.ops.pytorch.running.steps import Step, told
from bzlgraph.ops.pytorch.special_keys import kinds_asked, of_kind, own_names

NOWHERE = "no device"
NONE: Mapping[Place, tuple[str, ...]] = {}
_NO_TENSORS = frozenset({"Scalar", "bool", "sizes", "text", LAYOUT})
_Ways = dict[str, list[Step]]
"""To each operator."""


class Composites:
    """The steps of every entry."""

    def __init__(self, entries: Mapping[str, NativeFunction], definitions: Definitions) -> None:
        self._entries = entries
        self._definitions = definitions
        self._meanings = CallMeanings(entries, definitions)
        self._own = frozenset(name for entry in entries.values() for name in wanted_names(entry))
        """The functions that are some operator's."""
        self._known_inside = KnownInside(self._meanings, definitions)
        self._iterators = Iterators(self._meanings, definitions)
        self._ordinary = OrdinaryResults(entries)
        self._led: dict[tuple[int, Constants, Constants], list[Lead]] = {}
        """By the id of a definition, which is kept alive by what its calls mean."""
        self._shaped: dict[tuple[str, Constants, Constants], _Ways] = {}
        self._worked: dict[tuple[str, Constants, Constants, bool, bool], tuple[_Ways, _Ways]] = {}

    def steps(self, entry: NativeFunction, given: Constants = ()) -> tuple[Step, ...]:
        """What the functions of an entry call where it is given something (rule 9), each operator once, in the order
        of the text."""
        working = of_kind((entry, self._working(entry)), given) or self._working(entry)
        results = [each.name for each in arguments(working.schema)[-working.written :]]
        new = working.structured and (not entry.writes_out or in_place(working) in given)
        alike = new and self._known_inside.takes_one_type(working)
        types = settled_types(entry, working, new=new, alike=alike)
        given = (*given, *results_apart(entry, working, results)) if new else given
        made = [self._iterators.cast_none(each, {}) for each in self._shapes(working)]
        if made and None not in made and meets_numbers(working, given):
            types = (*types, NOT_CAST) if all(map(self._iterators.cast_safely, self._shapes(working))) else types
        sized = new or are_sized(working, given)
        shapes = self._in_shapes(working, (*NOT_RESIZED, *types) if sized else (), given)
        ways: dict[str, list[Step]] = {}
        types = (*types, ALL_REAL) if self._known_inside.gives_real_numbers(working) else types
        members = (*types, ITER_NOT_CAST) if made and all(made) else types
        fresh = new and "!" not in entry.schema
        for found in (shapes, *self._in_work(working, members, given, sized=new, fresh=fresh)):
            for name, more in found.items():
                ways.setdefault(name, []).extend(more)
        for shape in self._shapes(working) if entry.writes_out and not sized and not working.inherits else ():
            for step in restrided(shape) if RESTRIDING in self._entries else ():
                ways.setdefault(step.op, []).append(step)
        ways.pop(entry.full_name, None)
        return told(ways)

    def mattering(self, entry: NativeFunction) -> tuple[str, ...]:
        """The arguments of an entry that decide anything in its functions."""
        working = self._working(entry)
        kinds = kinds_asked((entry, working))
        functions = [*self._shapes(working), *(made for made, _ in self._starts(working))]
        functions += [made for made, _ in self._special_starts(working)]
        names = {name for made in functions for name in self._known_inside.mattering(working, made)}
        return tuple(sorted(names.union(about_results(working), kinds)))

    def _working(self, entry: NativeFunction) -> NativeFunction:
        """The entry whose functions do the work of one."""
        delegate = self._entries.get(entry.delegate)
        return delegate if delegate is not None and not delegate.delegate else entry

    def _shapes(self, working: NativeFunction) -> list[Definition]:
        return self._definitions.named(meta_function(working)) if working.structured else []

    def _in_shapes(self, working: NativeFunction, members: Constants, given: Constants) -> _Ways:
        """The ways from the shape function, which the variants of a structured operator share."""
        at = working.full_name, members, given
        if at not in self._shaped:
            own, known = own_names(working), partial(self._known_inside.in_shapes, working, given=given)
            starts = (Function(each, "", known(each), members, ordinary=True) for each in self._shapes(working))
            self._shaped[at] = self._inside(starts, NONE, working.inherits, own)
        return self._shaped[at]

    def _in_work(
        self, working: NativeFunction, members: Constants, given: Constants, *, sized: bool, fresh: bool
    ) -> tuple[_Ways, _Ways]:
        """The ways from the functions of all tensors and from those of special ones, which they share, too. ``sized``:
        the results have their sizes, ``fresh``: they are new."""
        at = working.full_name, members, given, sized, fresh
        if at not in self._worked:
            conditions, own = self._conditions(working), own_names(working)
            alone = frozenset(key for key, _ in working.kernels) if takes_one_tensor(working) else frozenset()
            known = partial(self._known_inside.at_start, working, given=given)
            ordinary, native = self._for_ordinary(working)
            special = (
                Function(made, where, known(made, sized=False), native=place_of(made) in native)
                for made, where in self._special_starts(working)
            )
            starts = [
                Function(
                    *(made, device, known(made, sized=sized, fresh=fresh), members),
                    ordinary=place_of(made) in ordinary,
                    native=place_of(made) in native,
                )
                for made, device in self._starts(working)
            ]
            started = self._inside(starts, conditions, own=own, alone=alone)
            self._worked[at] = started, self._inside(special, conditions)
        return self._worked[at]

    def of_function(self, name: str) -> tuple[Step, ...]:
        """What a function that no entry names calls."""
        return told(self._inside(map(Function, self._definitions.named(name))))

    def of_definition(self, definition: Definition) -> tuple[Step, ...]:
        """What some function calls."""
        return told(self._inside([Function(definition)]))

    def _inside(
        self,
        starts: Iterable[Function],
        conditions_of: Mapping[Place, tuple[str, ...]] = NONE,
        overridden: str = "",
        own: Collection[str] | None = None,
        alone: Collection[str] = (),
    ) -> _Ways:
        """The ways to each operator from functions that run on a device ("": on any), of which so much is known. The
        virtual functions of the class ``overridden`` are those of a generated class, not of another one below it.
        ``own`` are the operator's functions, None when all that they call is for special tensors, too; ``alone`` are
        the keys of an operator that gets one tensor: where that is, it runs."""
        found: dict[str, list[tuple[Step, At]]] = {}
        search = Search()
        for start in starts:
            search.reach(start, conditions_of.get(place_of(start.definition), ()))
        for at in search.reached():
            here = at.function
            leads = self._leads(here.definition, here.known, here.settled)
            for lead in (each for each in leads if not (here.foreign and each.special)):
                below, device = _where(at, lead, alone)
                if device == NOWHERE:
                    continue
                if lead.operator and (not device or runs_on(self._entries, lead.operator, device)):
                    step = lead.step(at, below, device)
                    found.setdefault(lead.operator, []).append((step, at))
                for called, where in lead.functions:
                    made = called.definition
                    if is_elsewhere(device, made, where) or (overridden and is_sibling(made, overridden)):
                        continue
                    foreign = here.foreign or (own is not None and made.key in self._own and made.key not in own)
                    about = foreign, lead.is_ordinary(here), here.native
                    search.reach(Function(made, device or where, *called[2:4], *about), below, at, made.name)
        return {name: with_others(ways, search) for name, ways in found.items()}

    def _leads(self, definition: Definition, known: Constants, members: Constants) -> list[Lead]:
        """What a function calls when some names are constants, without the calls that lead nowhere."""
        at = (id(definition), known, members)
        if at not in self._led:
            self._led[at] = list(self._found_leads(definition, known, members))
        return self._led[at]

    def _found_leads(self, definition: Definition, known: Constants, members: Constants) -> Iterator[Lead]:
        names = with_locals(definition, known)
        names.update(self._known_inside.types.facts(definition, names))
        made_with = ((text, names.get(name, "")) for text, name in definition.inside.options)
        made = (each for each in made_with if each[1] and not each[1].endswith("nullopt"))
        asked = dict((*names.items(), *members, *made))
        not_chosen = self._known_inside.asking.not_chosen(definition, asked)
        names, asked = names | not_chosen, asked | not_chosen
        set_here = self._set_here(definition, names, members)
        asked.update(each for each in set_here if each == NO_ELEMENT)
        steady, handed, same = steady_names(definition), handed_names(definition), same_names(names)
        elsewhere = self._known_inside.called_elsewhere(definition)
        for meant in self._meanings.of(definition):
            call, operator, functions = meant
            if call.kind == PARAMETER and names.get(call.name):
                call, operator, functions = self._meanings.named(call, names[call.name], definition)
            if (operator is None and not functions) or (call.kind == "value" and call.name in elsewhere):
                continue
            checked = lasting_facts(self._known_inside.asking.made_sure(call.checked, definition), steady)
            known_here = checked | asked if checked else asked
            demanded = self._known_inside.asking.with_demands(call.conditions, definition, known_here)
            conditions = undecided(demanded, known_here, steady, same)
            if conditions is None:
                continue
            implied = lasting_facts(self._known_inside.asking.implied(conditions, definition), steady)
            here = self._more({**checked, **names, **implied, **facts_of(conditions)}, definition, call.line)
            functions = _of_class(functions, names.get(call.name.rpartition("::")[0], ""))
            inside = partial(members_inside, set_here, call, here)
            given = partial(self._known_inside.given, call, definition, here)
            reached = [
                (Function(each, "", given(each, behind_stub=device != ""), inside(each)), device)
                for each, device in functions
            ]
            name = operator.full_name if operator is not None else ""
            moves = operator is not None and is_moved(operator, call, here)
            moving = moves, operator is not None and is_given_its_device(operator, call)
            told = given_to(operator, call, here, definition, handed) if operator is not None else ()
            about = any(map(is_special, conditions)), *moving, self._is_plain(call), call.special
            where = self._device(conditions, definition) or on_cpu(first_tensor(operator), told)
            yield Lead(name, Location(definition.path, call.line, 1), conditions, *about, told, where, reached)

    def _more(self, known: Mapping[str, str], function: Definition, line: int) -> Mapping[str, str]:
        """What is known on a line of a function with what follows of its variables: of their formats, types, shapes."""
        here = with_rows(known)
        here = {**here, **dict(self._known_inside.types.facts(function, here, line))}
        return {**here, **dict(of_shapes(function.inside.shaped, here))}

    def _device(self, conditions: tuple[str, ...], function: Definition) -> str:
        """Where a call runs, as the conditions around it say: on a CPU, on CUDA, "" for anywhere."""
        asked = [self._known_inside.asking.answered(each, function) or each for each in conditions]
        return needed_device(asked, function)

    def _is_plain(self, call: Call) -> bool:
        """Whether a method is called on no tensor of a special kind and is given no other."""
        return {*call.arguments[1:]} <= _NO_TENSORS and self._ordinary.gives_them(call.made_by)

    def _set_here(self, definition: Definition, names: Mapping[str, str], members: Constants) -> Constants:
        """What is known of members in all that a function calls."""
        made = dict(self._iterators.settings(definition, names))
        casts_none = self._iterators.cast_none(definition, names)
        if casts_none is not None or CASTING in made:
            members = tuple(each for each in members if each not in (ITER_NOT_CAST, ITER_SAME_SIZE))
        over = (ITER_NOT_CAST,) if casts_none and CASTING not in made else ()
        if casts_none is not None and self._iterators.keep_their_sizes(definition, names):
            over = (*over, ITER_SAME_SIZE)
        return tuple(dict((*members, *made.items(), *over)).items())

    # ------------------------------------------------------------------------------------------------ where it begins
    def _starts(self, entry: NativeFunction) -> Iterator[tuple[Definition, str]]:
        """Rule 3: the functions that an entry dispatches to, and the device that each is for."""
        followed = [each for each in entry.kernels if each[0] in FOLLOWED or (entry.ufunc and is_special(each[0]))]
        followed = followed or [*entry.kernels]
        own = {key for key, _ in entry.kernels} & {"CPU", "CUDA"}
        without = next(iter({"CPU", "CUDA"} - own), OTHERS) if own else ""
        for key, function in dict.fromkeys(followed):
            devices = {device_of_key(each) for each, same in entry.kernels if same == function}
            device = devices.pop() if len(devices) == 1 else ""
            found = functions_of(entry, key, function, self._definitions)
            written = view_copy_kernel(entry, self._entries, self._definitions.giving or NOTHING) if not found else None
            for made in found or filter(None, [written]):
                yield made, without if key in COMPOSITE_KEYS and not device else device

    def _special_starts(self, entry: NativeFunction) -> Iterator[tuple[Definition, str]]:
        """The functions for special tensors beside those that ``_starts`` gives."""
        known = {each[0] for each in entry.kernels if each[0] in FOLLOWED}
        for key, function in entry.kernels if known else ():
            if is_special(key) and key not in known:
                yield from (
                    (made, device_of_key(key)) for made in functions_of(entry, key, function, self._definitions)
                )

    def _conditions(self, entry: NativeFunction) -> dict[Place, tuple[str, ...]]:
        """The function of keys for special tensors runs for them only: they are its condition."""
        ordinary = {function for key, function in entry.kernels if not is_special(key)}
        if not ordinary and not entry.ufunc:
            return {}  # an operator of special tensors only
        special = [each for each in entry.kernels if is_special(each[0]) and each[1] not in ordinary]
        keys: dict[Place, list[str]] = {}
        for key, function in special:
            for made in functions_of(entry, key, function, self._definitions):
                keys.setdefault(place_of(made), []).append(key)
        return {place: (" || ".join(each),) for place, each in keys.items()}

    def _for_ordinary(self, entry: NativeFunction) -> tuple[set[Place], set[Place]]:
        """The functions that the dispatcher calls for CPUs or CUDA and never for special tensors; those that it calls,
        also for these, on CPUs and CUDA alone, or for what has no data."""
        others = {each for key, each in entry.kernels if key in COMPOSITE_KEYS or is_special(key)}
        elsewhere = {each for key, each in entry.kernels if not key.endswith((*BOTH, META))}
        places = {
            each: {*map(place_of, functions_of(entry, key, each, self._definitions))} for key, each in entry.kernels
        }
        own = (places[each] for key, each in entry.kernels if key in BOTH and each not in others)
        return set().union(*own), set().union(*(found for name, found in places.items() if name not in elsewhere))


def _where(at: At, lead: Lead, alone: Collection[str]) -> tuple[tuple[str, ...], str]:
    """The conditions of a call in a function that was reached, and the device that it runs on."""
    below, device = below_conditions(at.conditions, lead.conditions), at.function.device
    if not device:
        below, device = told_device(below, at.function.definition, () if at.through else alone)
    elif device == "CUDA" and told_device(below, at.function.definition)[1] == "CPU":
        device = NOWHERE
    if device in BOTH and lead.device not in ("", device):
        device = NOWHERE
    return below, device or lead.device


def _of_class(functions: list[tuple[Definition, str]], name: str) -> list[tuple[Definition, str]]:
    """Of functions those of a class, when any are."""
    return [each for each in functions if class_of(each[0]) == name] or functions if name else functions
