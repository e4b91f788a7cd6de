"""How many members lists have that a call gives, and how many ``*args``; how many of these are more than numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from bzlgraph.ops.python.counts import given_counts
from bzlgraph.ops.python.resolve import Resolver
from bzlgraph.ops.python.summary import COUNT, EITHER, MEMBER, PLAIN, RANK, REST, THROUGH, UNSURE, Given, Rest
from bzlgraph.ops.python.values.classes import value_classes
from bzlgraph.ops.python.values.classes.value_classes import CLASS
from bzlgraph.ops.python.walk.gives import says

NO_RANK = frozenset([f"{PLAIN}0"])
"""The rank of what is a number."""
_ANY = frozenset([UNSURE])


def count_of(name: str, count: str | None, path: str, resolver: Resolver) -> Given:
    """How many members a parameter has that a call in the module at ``path`` gives a list."""
    if count and count.startswith(THROUGH):
        symbol = resolver.resolve(path, count[1:])
        function = resolver.function(symbol) if symbol is not None else None
        count = PLAIN if function is not None and function.several else ""
    return {COUNT + name: frozenset([count])} if count else {}


def of_rest(rest: Rest, sources: Mapping[str, str], given: Given, shift: int, path: str, resolver: Resolver) -> Given:
    """How many ``*args`` a call in the module at ``path`` gives, and of which classes they are."""
    counts = given_counts(rest, sources, shift, _counted(sources.get(COUNT + REST, ""), given, path, resolver))
    more = [str(at) for at in range(rest.position - shift, len(sources)) if str(at) in sources]
    more += [REST] if REST in sources else []
    classes = EITHER.join(sources.get(CLASS + slot, value_classes.ANY) for slot in more)
    letters = value_classes.outcome(classes, given, partial(says, path, resolver)) if more else ""
    found = {COUNT + rest.name: counts} if counts else {}
    if (ranked := _ranked(sources, more, given, path, resolver)) is not None:
        found[RANK + rest.name] = frozenset([f"{PLAIN}{ranked}"])
    return {**found, **({CLASS + rest.name + MEMBER: frozenset([letters])} if letters else {})}


def _counted(source: str, given: Given, path: str, resolver: Resolver) -> frozenset[str]:
    """How many members what has as many as a parameter ("args", "args>f") may have."""
    name, through, called = source.partition(THROUGH)
    symbol = resolver.resolve(path, called) if through else None
    function = resolver.function(symbol) if symbol is not None else None
    if through and (function is None or not function.rest.returned or function.rest.position):
        return _ANY
    return given.get(COUNT + name, _ANY)


def _ranked(
    sources: Mapping[str, str], slots: Iterable[str], given: Given, path: str, resolver: Resolver
) -> int | None:
    """How many of the arguments in some slots may be more than numbers, None for nobody knows."""
    found = 0
    for slot in slots:
        kinds = sources.get(CLASS + slot, value_classes.ANY)
        if slot == REST:
            ranked = given.get(RANK + sources.get(COUNT + REST, "").partition(THROUGH)[0], _ANY)
            counted = _counted(sources.get(COUNT + REST, ""), given, path, resolver)
            if len(ranked) != 1 or _ANY in (ranked, counted):
                return None
            found += int(next(iter(ranked))[1:])
        else:
            letters = value_classes.outcome(kinds, given, partial(says, path, resolver))
            found += not is_number(kinds, letters, given)
    return found


def is_number(kinds: str, letters: str, given: Given) -> bool:
    """Whether what is of some classes is a number, or one that is traced."""
    one = kinds.removeprefix(value_classes.PARAMETER).partition(value_classes.ONLY)[0]
    return letters == value_classes.NUMBER or given.get(RANK + one) == NO_RANK
