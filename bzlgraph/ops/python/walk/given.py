"""What is known of a function's arguments on a walk: parameter -> the values that it may have.

(what a call gives, what its caller was given) -> ``Given`` of what is called; ``Given`` -> which of its events may
happen. The spellings are those of ``summary``, but that a function is told by where it is defined ("@PATH:NAME"). A
parameter that is not in it may be anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce

from bzlgraph.ops.python import bodies
from bzlgraph.ops.python.resolve import Resolver, Symbol
from bzlgraph.ops.python.summary import (
    ASSUMED,
    COUNT,
    ELSE,
    FALSE,
    FALSEHOOD,
    MADE_OF,
    MEMBER,
    NAME,
    NOT,
    NOTHING,
    OR,
    PARTLY,
    PLAIN,
    PYTHON,
    RANK,
    REPEATING,
    REST,
    SOMETHING,
    START,
    TENSOR,
    TENSORS,
    TEXT,
    THROUGH,
    TRUE,
    TRULY,
    UNSURE,
    VALUE,
    Branch,
    Event,
    Function,
    Given,
    name_of,
)
from bzlgraph.ops.python.values.classes import value_classes
from bzlgraph.ops.python.values.classes.guards import opened
from bzlgraph.ops.python.values.classes.value_classes import CLASS
from bzlgraph.ops.python.values.dtypes import ANY, DTYPE, may_be, outcome
from bzlgraph.ops.python.walk.counted import NO_RANK, count_of, is_number, of_rest
from bzlgraph.ops.python.walk.gives import dtype_of, says

MAX_WAYS = 4
"""Calls of one definition that are judged each by itself; more are put together."""
ANYTHING: Given = {}
_ANY, _SURELY = frozenset([UNSURE]), frozenset([SOMETHING])
_PUT_BETWEEN = str.maketrans("", "", "-_ ")
_ONE_OBJECT = ("function", "class")
"""Kinds of definitions that are one object, and no other: a value may be what another name stands for too."""


def may_happen(needs: Iterable[str], given: Given, path: str, resolver: Resolver) -> bool:
    """Whether what needs something of the parameters of a function in the module at ``path`` may happen."""
    asked = [need for need in needs if given or DTYPE in need or CLASS in need]
    if not all(_may_be(need, given, path, resolver) for need in asked):
        return False
    if len(asked) < 2 or all(len(values) == 1 for values in given.values()):
        return True
    several = {name for name, number in Counter(map(name_of, asked)).items() if number > 1}
    return all(_is_one_for_all(name, asked, given, path, resolver) for name in several if len(given.get(name, ())) > 1)


def _is_one_for_all(name: str, needs: Iterable[str], given: Given, path: str, resolver: Resolver) -> bool:
    """Whether one of the values that a parameter may have is all that is needed of it."""
    of_it = [need for need in needs if name_of(need) == name]
    ways: list[Given] = [{**given, name: frozenset([value])} for value in given[name]]
    return any(all(_may_be(need, way, path, resolver) for need in of_it) for way in ways)


def entered(event: Event, function: Function, given: Given, path: str, resolver: Resolver) -> Event | None:
    """An event with the branches that are surely entered, because nothing that keeps from them may happen; one of which
    nothing else decides is certain. None for one that may not happen."""
    if not may_happen(event.needs, given, path, resolver):
        return None
    if not given or event.branch < 0:
        return event
    if not is_open(function, event.branch, given, path, resolver):
        return None
    around = function.around(event.branch)
    sure = {number for number in around if _is_sure(function.branches[number], given, path, resolver)}
    deciding = [number for number in around if number not in sure]
    certain = event.certain or all(function.branches[number].kind in REPEATING for number in deciding)
    return event._replace(certain=certain, branch=event.branch if deciding else -1, sure=tuple(sorted(sure)))


def is_open(function: Function, number: int, given: Given, path: str, resolver: Resolver) -> bool:
    """Whether each of the branches around something may be entered on one of the ways that it has."""
    ways = (function.branches[each].ways for each in function.around(number))
    return all(any(may_happen(way, given, path, resolver) for way in each) for each in ways if each)


def _is_sure(branch: Branch, given: Given, path: str, resolver: Resolver) -> bool:
    return bool(branch.against) and not any(may_happen(way, given, path, resolver) for way in branch.against)


def said(function: Function | None) -> Given:
    """What users give a function: what it says itself, if it says anything of its parameters."""
    parameters = function.parameters if function is not None else {}
    if not any(each.described for each in parameters.values()):
        left = (NOTHING, FALSEHOOD, UNSURE)
        return {name: frozenset([ASSUMED]) for name, each in parameters.items() if each.default in left}
    return {
        name: frozenset([each.described] if each.described == PYTHON else [each.described, NOTHING])
        for name, each in parameters.items()
        if each.described != UNSURE
    }


def handed(
    function: Function, event: Event, given: Given, caller: Symbol, path: str, resolver: Resolver, bound: bool = False
) -> Given:
    """What a call in the body of ``caller``, which was given something itself, gives a function of the module at
    ``path``. ``bound``: its first parameter is the object that it is a method of."""
    sources = dict(event.gives)
    classed = any(slot.startswith(CLASS) for slot in sources)
    found: dict[str, frozenset[str]] = {}
    for name, parameter in function.parameters.items():
        position, default = parameter.position, parameter.default
        slot = str(position - bound)
        source = sources.get(name, sources.get(slot) if position >= bound else None)
        if source is None:
            found[name] = _ANY if REST in sources else frozenset([_value(default, path, resolver)])
            if classed and REST not in sources and (kind := value_classes.of_default(default)) != value_classes.ANY:
                found[CLASS + name] = frozenset([kind])
        else:
            ways = [_meant(each, given, caller.path, resolver) for each in opened(source, given)]
            found[name] = _ANY if _ANY in ways else frozenset[str]().union(*ways)
        count = sources.get(COUNT + name, sources.get(COUNT + slot) if position >= bound else None)
        found |= count_of(name, count, caller.path, resolver)
        dtype = sources.get(DTYPE + name, sources.get(DTYPE + slot) if position >= bound else None)
        if dtype is None and position >= bound and default == UNSURE:
            dtype = sources.get(DTYPE + REST)  # one of ``f(a, *promoted(b, c))``
        if source is None and dtype is None and REST not in sources:
            dtype = parameter.dtype
        if dtype and (known := outcome(dtype, given, partial(dtype_of, caller.path, resolver, given))) != ANY:
            found[DTYPE + name] = frozenset([known])
        kinds = sources.get(CLASS + name, sources.get(CLASS + slot) if position >= bound else None)
        letters = value_classes.outcome(kinds or value_classes.ANY, given, partial(says, caller.path, resolver))
        if letters != value_classes.ANY:
            found[CLASS + name] = frozenset([letters])
            found[name] = _SURELY if found[name] == _ANY and value_classes.NONE not in letters else found[name]
        if is_number(kinds or "", letters, given):
            found[RANK + name] = NO_RANK
    if function.rest.name:
        found |= of_rest(function.rest, sources, given, int(bound), caller.path, resolver)
    return {name: values for name, values in found.items() if values != _ANY}


def _meant(source: str, given: Given, path: str, resolver: Resolver) -> frozenset[str]:
    """What a call in the module at ``path`` gives by what is written for it, in a function that was given something."""
    if source.startswith(MADE_OF):
        return frozenset([_made_of(source[1:], given)])
    if THROUGH in source and source[:1].isidentifier():
        instead = frozenset([TENSOR]) if source.endswith(TENSOR) else _outcome(source, given, path, resolver)
        return frozenset([NOTHING]) if _is_left_out(source.removesuffix(TENSOR), given, path, resolver) else instead
    if source[:1].isidentifier():
        return values_of(source, given) or _ANY
    return frozenset([_value(source, path, resolver)])


def _outcome(source: str, given: Given, path: str, resolver: Resolver) -> frozenset[str]:
    """What a function gives for what some parameters are ("a|b>f"), where its returns say so (``outcomes``)."""
    listed, _, called = source.partition(THROUGH)
    symbol = resolver.resolve(path, called)
    function = resolver.function(symbol) if symbol is not None else None
    if symbol is None or function is None or not function.outcomes:
        return _ANY
    values = dict(enumerate(values_of(each, given) for each in listed.split(OR)))
    inside = {name: known for name, each in function.parameters.items() if (known := values.get(each.position))}
    ways = [gives for needs, gives in function.outcomes if may_happen(needs, inside, symbol.path, resolver)]
    found = [values_of(each, inside) if each[:1].isidentifier() else frozenset([each]) for each in ways]
    return frozenset[str]().union(*(each or _ANY for each in found)) if inside else _ANY


def values_of(names: str, given: Given) -> frozenset[str] | None:
    """What some parameters ("a|b", "a:b", "a:=text", "&a|b") may be, None for nobody knows."""
    found: frozenset[str] = frozenset()
    for name in names.split(OR):
        first, instead, other = name.removeprefix(TRULY).partition(ELSE)
        values = given.get(first)
        if values is not None and instead and NOTHING in values:
            otherwise = frozenset([other]) if other.startswith(TEXT) else given.get(other)
            values = (values - {NOTHING}) | otherwise if otherwise is not None else None
        if values is None:
            return None
        if name.startswith(TRULY) and FALSEHOOD in values:  # it is as if it were not given
            values = (values - {FALSEHOOD}) | {NOTHING}
        found |= values
    return found


def traced(function: Function, given: Given) -> Given:
    """What the body of a function gets that is given something: arrays, where it is traced with what it is given."""
    found = dict(given)
    for name in function.traced:
        letters = set("".join(given.get(CLASS + name, [value_classes.ANY])))
        kinds = value_classes.ARRAY * (letters != {value_classes.NONE}) + value_classes.NONE * (
            value_classes.NONE in letters
        )
        found[CLASS + name] = frozenset([kinds])
    return found


def covers(seen: Given, new: Given) -> bool:
    """Whether everything that may be given now was possible before: that anything was says nothing of tensors, nor what
    is called where a function is."""
    return all(_has(seen.get(name, _ANY), new.get(name, _ANY)) for name in seen.keys() | new.keys())


def _has(seen: frozenset[str], new: frozenset[str]) -> bool:
    more = new - seen
    functions = any(each.startswith(NAME) and each != NAME for each in more)
    return not more or (UNSURE in seen and not functions and more.isdisjoint((TENSOR, TENSORS, ASSUMED)))


def together(one: Given, other: Given) -> Given:
    """What may be given by one call or another."""
    return {name: one.get(name, _ANY) | other.get(name, _ANY) for name in one.keys() | other.keys()}


def entering(seen: list[Given], new: Given, other: bool) -> Given | None:
    """What a definition is entered with on one way more; None where that adds nothing, not even an ``other`` way."""
    now = _more(seen, new)
    if now is not None:
        seen.append(now)
        return now
    return new if other else None


def _more(seen: Sequence[Given], new: Given) -> Given | None:
    """What a definition is followed with for one call more: all that calls have given where there are many; None where
    that adds nothing."""
    if any(covers(each, new) for each in seen):
        return None
    return new if len(seen) < MAX_WAYS else reduce(together, seen, new)


def is_tensor(names: str, given: Given) -> bool | None:
    """Whether one of some parameters ("a|b") is given a tensor, or one of which a member is meant ("a[]") a list of
    them; None where nobody knows."""
    known = [given.get(name.removesuffix(MEMBER)) for name in names.split(OR)]
    tensors = [(TENSOR, ASSUMED, *([TENSORS] if name.endswith(MEMBER) else [])) for name in names.split(OR)]
    if any(values is not None and not values.isdisjoint(wanted) for values, wanted in zip(known, tensors, strict=True)):
        return True
    return (
        None
        if any(values is None or not values.isdisjoint((VALUE, UNSURE, SOMETHING, TENSORS)) for values in known)
        else False
    )


def on_tensors(names: str) -> str:
    """What must be so for an operator on parameters ("a|b[]") to make an op, "" for none.

    >>> on_tensors("a|b[]"), on_tensors("a|?"), on_tensors("?"), on_tensors("")
    ('a or a member of b is a tensor', 'a or another operand is a tensor', 'an operand is a tensor', '')
    """
    named = [each for each in names.split(OR) if each and each != UNSURE]
    known = [f"a member of {each.removesuffix(MEMBER)}" if each.endswith(MEMBER) else each for each in named]
    known += ["another operand" if known else "an operand"] if UNSURE in names.split(OR) else []
    what = " or ".join(known)
    return f"{what} is a tensor" if what else ""


def is_numbers(function: Function, given: Given) -> bool:
    """Whether the first parameter is given numbers, or collections of such, and nothing else."""
    first = next((name for name, each in function.parameters.items() if each.position == 0), "")
    return value_classes.NO_TEXTS.issuperset("".join(given.get(CLASS + first, [value_classes.ANY])))


def functions_of(names: str, given: Given) -> dict[tuple[str, str], frozenset[str]]:
    """(path, name) of the functions that some parameters ("a|b") are given -> the parameters that each has already."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for value in sorted(value for name in names.split(OR) for value in values_of(name, given) or ()):
        if value.startswith(NAME) and value != NAME:
            path, _, called = value[1:].partition(":")
            name, _, bound = called.partition(PARTLY)
            found[path, name] = found.get((path, name), frozenset()) | {*filter(None, bound.split(","))}
    return found


def _is_left_out(source: str, given: Given, path: str, resolver: Resolver) -> bool:
    """Whether what a function gave for parameters ("x>f", "a|b>f") is None because these are not given."""
    listed, _, called = source.partition(THROUGH)
    nothing = {at for at, name in enumerate(listed.split(OR)) if given.get(name, _ANY) == frozenset([NOTHING])}
    symbol = resolver.resolve(path, called) if nothing else None
    function = resolver.function(symbol) if symbol is not None else None
    return function is not None and bool(function.none_without) and nothing.issuperset(function.none_without)


def _made_of(names: str, given: Given) -> str:
    return {True: TENSOR, False: PLAIN, None: VALUE}[is_tensor(names, given)]


def _value(source: str, path: str, resolver: Resolver) -> str:
    """A source with a function as where it is defined; a name of anything else is nobody knows what."""
    if not source.startswith(NAME) or source == NAME:
        return source
    called, partly, bound = source[1:].partition(PARTLY)
    found = resolver.resolve(path, called)
    known = found is not None and found.kind in _ONE_OBJECT
    return f"{NAME}{found.path}:{found.name}{partly}{bound}" if found is not None and known else UNSURE


def _may_be(need: str, given: Given, path: str, resolver: Resolver) -> bool:
    if bodies.is_of_state(need):
        return bodies.may_be(need, given)
    if need.startswith(RANK):
        name, _, least = need.partition(TEXT)
        return any(each == UNSURE or int(each[1:]) >= int(least[1:]) for each in given.get(name, _ANY))
    if CLASS in need:
        return value_classes.may_be(need, given, partial(says, path, resolver))
    if DTYPE in need:
        return may_be(need, given, partial(dtype_of, path, resolver, given))
    if THROUGH in need:
        return not _is_left_out(need, given, path, resolver)
    values = values_of(name_of(need), given)
    if values is None:
        return True
    if SOMETHING in values and need != NOT + name_of(need):
        return True
    if need.partition(TEXT)[2] == TENSOR and not need.startswith(NOT):
        values -= {PYTHON}  # which is no tensor, whatever it is
    return not values.isdisjoint((PYTHON, ASSUMED, UNSURE)) or any(map(_tester(need, path, resolver), values))


def _tester(need: str, path: str, resolver: Resolver) -> Callable[[str], bool]:
    """Whether one value is what is needed."""
    plain = need.lstrip(NOT + FALSE)
    rest = plain[len(name_of(need)) :]
    if not rest:
        if need.startswith(FALSE):
            falsy = (NOTHING, FALSEHOOD, VALUE, TENSOR, TENSORS, PLAIN)
            return lambda value: value in falsy or value.startswith(TEXT + PLAIN)
        return (lambda value: value == NOTHING) if need.startswith(NOT) else (lambda value: value != NOTHING)
    wanted = {TEXT + each for each in rest[1:].split(OR)} if rest[0] == TEXT else {_value(rest, path, resolver)}
    if rest == TEXT + PLAIN and need.startswith(NOT):
        return lambda value: not value.startswith(rest)
    if rest == TEXT + PLAIN:
        return lambda value: not value.startswith(TEXT) or value.startswith(rest) or "." in value
    if rest.endswith(START):
        return lambda value: not value.startswith(TEXT) or value.startswith(rest[:-1]) is not need.startswith(NOT)
    if TEXT + TENSORS in wanted:
        return lambda value: value != TENSORS
    if UNSURE in wanted:
        return lambda _value: True
    if TEXT + TENSOR in wanted:
        return lambda value: value in (TENSOR, TENSORS, VALUE)
    if any(each.startswith(TEXT + PLAIN) for each in wanted):  # some number may be the one that is asked for
        unsure = (VALUE, PLAIN, TRUE, FALSEHOOD, NOTHING)
        return lambda value: value in unsure or (value in wanted) is not need.startswith(NOT)
    wanted |= {PLAIN} if not need.startswith(NOT) else set()
    if need.startswith(NOT):
        return lambda value: value not in wanted
    anyhow = set(map(_anyhow, wanted))
    members = any("." in each for each in wanted)  # of an enumeration, which may be made of a text
    return lambda value: (value.startswith(TEXT) and ("." in value) is not members) or _anyhow(value) in anyhow


def _anyhow(value: str) -> str:
    """A text without what functions may have made of it before it is compared: ``text.lower().replace("_", "")``."""
    return value.lower().translate(_PUT_BETWEEN) if value.startswith(TEXT) else value
