"""What functions of PyTorch make to go over tensors (``TensorIterator``): what is set of it, and what is known of its
results (rule 7 of ``composites.py``).

a function, what is known there -> members of what it makes, whether its results are cast or resized.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from bzlgraph.ops.pytorch.cpp.call import ADDING, ADDING_INPUT, Call
from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.definitions import Definitions, class_of, stem
from bzlgraph.ops.pytorch.cpp.known import handed_on, lasting_facts, simplified
from bzlgraph.ops.pytorch.cpp.questions import (
    CASTING,
    FALSE,
    GIVEN,
    NO_ELEMENT,
    NOT_CAST,
    ONE_ELEMENT,
    ONE_INPUT_TYPE,
    ONE_TYPE,
    SAFELY,
    TRUE,
    Constants,
    has_its_size,
    has_numel,
    is_new,
    like_tensor,
    same_tensor,
    typed_tensor,
)
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR
from bzlgraph.ops.pytorch.running.call_meanings import CallMeanings
from bzlgraph.ops.pytorch.running.known.local_values import steady_names

NOT_RESIZED = ((".will_resize", "false"),)
_ITERATOR = "TensorIterator"


class Iterators:
    """Those that the functions of a tree make."""

    def __init__(self, meanings: CallMeanings, definitions: Definitions) -> None:
        self._meanings = meanings
        self._definitions = definitions
        self._makers: dict[int, list[tuple[Call, Definition]]] = {}
        """By the id of a definition, which is kept alive by what its calls mean."""

    def settings(self, function: Definition, known: Mapping[str, str]) -> Constants:
        """Rule 7: the members of the objects that a function makes, "" for those that are not known; whether the
        results that it names are tensors already."""
        found: dict[str, str] = {}
        adding = [call for call in function.inside.calls if ADDING.fullmatch(call.name.rpartition("::")[2])]
        steady = steady_names(function) if adding else ()
        checked = [{**lasting_facts(call.checked, steady), **known} for call in adding]
        if adding and all(
            facts.get(is_defined(results_of(call))) == TRUE for call, facts in zip(adding, checked, strict=True)
        ):
            found.update([GIVEN])
        found.update(_of_inputs(function, known))
        for name in {each.removesuffix("?") for each in function.inside.makes} & self._definitions.members.keys():
            found.update((f".{member}", value) for member, value in self._members(function, name, known))
        return tuple(sorted(found.items()))

    def _members(self, function: Definition, name: str, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """The members of the objects of a class that a function makes: of a variable, those that functions set which it
        calls are not known, none where no such function is seen."""
        members = dict(self._definitions.members[name])
        made, variable = function.inside.makes, f"{name}?" in function.inside.makes
        called = [*self._set_by_called(function, known)] if variable else []
        seen = {member for member, _ in called} & members.keys()
        changed = (
            {member for member, may_be in called if may_be} & members.keys() if seen else members if variable else ()
        )
        members.update(dict.fromkeys(changed, ""))
        for setter, value in function.inside.sets:
            member = f"{setter.removeprefix('set_')}_"
            if member in members and members[member] != value:
                members[member] = value if made.count(name) == 1 and not variable else ""
        yield from members.items()

    def _set_by_called(self, function: Definition, known: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
        """The members that the functions set which one calls, of an object that it gives them, and whether they may,
        as far as is known."""
        for call, _, functions in self._meanings.of(function):
            for each, _ in functions:
                facts = _handed(call, each, known) if each.inside.sets else {}
                for setter, _ in each.inside.sets:
                    yield f"{setter.removeprefix('set_')}_", _may_be_called(setter, each, facts)

    def cast_none(self, function: Definition, known: Mapping[str, str]) -> bool | None:
        """Whether all that a function makes to go over tensors, by functions of that class, casts no result: those that
        are set so, and those over one tensor alone or with a result that is none yet. None for nothing made."""
        cast = [self._may_cast(*each, known) for each in self._made(function)]
        return not any(cast) if cast else None

    def _made(self, function: Definition) -> list[tuple[Call, Definition]]:
        """The calls that make something to go over tensors, by functions of that class, and these."""
        if id(function) not in self._makers:
            self._makers[id(function)] = [
                (call, each)
                for call, _, functions in self._meanings.of(function)
                for each, _ in functions
                if stem(class_of(each)) == _ITERATOR
                and any(stem(name.rstrip("?")) == _ITERATOR for name in each.inside.makes)
            ]
        return self._makers[id(function)]

    def cast_safely(self, function: Definition) -> bool:
        """Whether all of these cast a result only to what can hold it. It is known that it makes some."""
        return all(self._said(maker, SAFELY, {}) == TRUE for _, maker in self._made(function))

    def _said(self, maker: Definition, member: str, known: Mapping[str, str], depth: int = 2) -> str:
        """What a member is of what a function makes to go over tensors, itself or by others of that class; "" where
        that is not known."""
        told = dict(self.settings(maker, known)).get(member)
        if told is not None or not depth:
            return told or ""
        made = self._made(maker)
        found = {self._said(each, member, _handed(call, each, known), depth - 1) for call, each in made}
        return found.pop() if len(found) == 1 else ""

    def keep_their_sizes(self, function: Definition, known: Mapping[str, str]) -> bool:
        """Whether all of these that a function makes have a result that is one of the others: what is changed in place
        has its size. It is known that it makes some."""
        made = [call.given or ("",) for call, _ in self._made(function)]
        return all(each[0] and any(is_alike(each[0], other, known) for other in each[1:]) for each in made)

    def _may_cast(self, call: Call, maker: Definition, known: Mapping[str, str]) -> bool:
        result, *others = call.given or ("",)
        alike = (is_alike(result, each, known) for each in others)
        set_so = self._said(maker, CASTING, _handed(call, maker, known)) == FALSE
        return not (set_so or (result != "" and others and all(alike)) or result in call.undefined)


def _handed(call: Call, function: Definition, known: Mapping[str, str]) -> dict[str, str]:
    """What is known of the variables that a function is given, in its words."""
    names = {text: name for text, (name, _) in zip(call.written, function.inside.fixed, strict=False) if text}
    return {handed_on(fact, names): value for fact, value in known.items() if names}


def _may_be_called(name: str, function: Definition, known: Mapping[str, str]) -> bool:
    """Whether a function may call another one by its name, as far as is known."""
    calls = [each for each in function.inside.calls if each.name.rpartition("::")[2] == name]
    return not calls or any(FALSE not in (simplified(each, known) for each in call.conditions) for call in calls)


def _of_inputs(function: Definition, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Whether all that is gone over beside the results is of one type, and with these; whether all has one element: ""
    for nobody knows. It is known of parameters that are one tensor each."""
    calls = [(each, each.name.rpartition("::")[2]) for each in function.inside.calls]
    inputs = [each.given[0] if each.given else "" for each, name in calls if ADDING_INPUT.fullmatch(name)]
    results = [each.given[0] if each.given else "" for each, name in calls if ADDING.fullmatch(name)]
    tensors = {
        name for (name, _), text in zip(function.inside.fixed, function.parameters, strict=False) if _is_one(text)
    }
    if inputs:
        yield ONE_INPUT_TYPE[0], TRUE if _are_typed(inputs, tensors, known) else ""
        if results and _are_typed([*inputs, *results], tensors, known):
            yield ONE_TYPE
        numbers = {known.get(has_numel(each), "") for each in (*inputs, *results)}
        yield ONE_ELEMENT[0], TRUE if numbers == {"1"} else ""
        yield NO_ELEMENT[0], TRUE if "0" in numbers else ""


def _are_typed(names: Sequence[str], tensors: Collection[str], known: Mapping[str, str]) -> bool:
    """Whether variables are tensors of one type."""
    first, *others = names
    alike = (is_alike(first, each, known) or known.get(typed_tensor(first, each)) == TRUE for each in others)
    return {*names} <= {*tensors} - {""} and all(alike)


def _is_one(parameter: str) -> bool:
    """Whether a parameter is a tensor, and no list."""
    return not {TENSOR, "TensorBase"}.isdisjoint(parameter.split()) and "<" not in parameter


def members_inside(members: Constants, call: Call, known: Mapping[str, str], function: Definition) -> Constants:
    """What is known of members inside of a function that goes over tensors: a result that is one of them (``unary_op(t,
    t)``), or made like one, is not made and not resized; where all are, its type is the one that is computed with. One
    that is a tensor already is not made, one that is none yet not resized, and has the type that is computed with."""
    result, *others = call.given or ("",)
    if not result or stem(class_of(function)) != _ITERATOR:
        return members
    more: Constants = ()
    alike = [is_alike(result, each, known) for each in others]
    if any(alike) or known.get(has_its_size(result)) == TRUE:
        more = (*NOT_RESIZED, GIVEN, *((NOT_CAST, ONE_TYPE) if alike and all(alike) else ()))
    elif result in call.undefined:
        more = (*NOT_RESIZED, NOT_CAST)
    else:
        typed = bool(others) and all(known.get(typed_tensor(result, each)) == TRUE for each in others)
        made = TRUE in (known.get(is_defined(result)), known.get(is_new(result)))
        more = (*((NOT_CAST, ONE_TYPE) if typed else ()), *((GIVEN,) if made else ()))
    return tuple(dict((*members, *more)).items())


def is_alike(one: str, other: str, known: Mapping[str, str]) -> bool:
    """Whether two variables are the same tensor, or one that is made like the other."""
    return one == other or TRUE in (known.get(same_tensor(one, other)), known.get(like_tensor(one, other)))


def is_defined(name: str) -> str:
    """The condition that asks whether a variable is a tensor."""
    return f"{name}.defined()"


def results_of(call: Call) -> str:
    """The variable that a call names as the result of what goes over tensors; "" for none."""
    owner, _, name = call.name.rpartition("::")
    return call.given[0] if call.given and (stem(owner) == _ITERATOR or ADDING.fullmatch(name)) else ""
