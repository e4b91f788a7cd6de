"""Functions that a call gives another one (``reduce(x, lax.add, parallel=psum)``): whether that calls them.

A ``name`` event says which function is given it (``made_by``), and as what (``on``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from bzlgraph.ops.jax import known_before
from bzlgraph.ops.python.arguments import moved
from bzlgraph.ops.python.resolve import Resolver, Symbol
from bzlgraph.ops.python.summary import EITHER, NAME, OR, Event, Given
from bzlgraph.ops.python.values.classes.traced import PARTIAL
from bzlgraph.ops.python.values.classes.value_classes import PARAMETER
from bzlgraph.ops.python.walk.given import ANYTHING, functions_of, handed, may_happen, together


def without_partial(symbol: Symbol, event: Event, resolver: Resolver) -> tuple[Symbol, Event]:
    """``ones = partial(full, value=1)`` of a module: a call of it is one of the function, with what it keeps."""
    value = resolver.function(symbol) if symbol.kind == "value" and event.kind == "call" else None
    made = value.events if value is not None and [each.kind for each in value.events] == ["call", "name"] else ()
    kept = dict(made[0].gives) if made and made[0].text.rpartition(".")[2] == PARTIAL else {}
    named = kept.pop("0", "")
    function = resolver.resolve(symbol.path, named[1:]) if named.startswith(NAME) and named != NAME else None
    if function is None:
        return symbol, event
    before = sum(slot.isdecimal() for slot in kept)
    gives = [(moved(slot, before), source) for slot, source in event.gives]
    gives += [(moved(slot, -1), source) for slot, source in kept.items() if NAME not in source]
    return function, event._replace(gives=tuple(gives))


def made_by(symbol: Symbol, resolver: Resolver) -> tuple[Symbol, Given]:
    """``add = maker(lax.add)`` of a module: the function inside that a call of it runs, with what the maker is given;
    any other definition as it is."""
    value = resolver.function(symbol) if symbol.kind == "value" else None
    call = value.events[0] if value is not None and value.events else None
    once = value is not None and call is not None and call.kind == "call" and call.line == value.line
    maker = resolver.resolve(symbol.path, call.text) if call is not None and once else None
    function = resolver.function(maker) if maker is not None else None
    if call is None or maker is None or function is None or not function.gives_back:
        return symbol, ANYTHING
    inside = Symbol("function", maker.path, function.gives_back)
    made = resolver.function(inside) or function
    named = {str(at): name for at, name in enumerate(made.closed)}
    gives = tuple((named.get(slot, slot), source) for slot, source in call.gives)
    given = handed(made, call._replace(gives=gives), ANYTHING, symbol, maker.path, resolver)
    return inside, {name: values for name, values in given.items() if name in made.closed}


def called_inside(symbol: Symbol, event: Event, given: Given, resolver: Resolver) -> Symbol | None:
    """The function that a call of a parameter runs in a function inside, where the maker was given one (``made_by``);
    None for any other event."""
    function = resolver.function(symbol) if event.kind == "parameter" else None
    if function is None or event.text not in function.closed:
        return None
    found = list(functions_of(event.text, given))
    return Symbol("function", *found[0]) if len(found) == 1 else None


def may_call(symbol: Symbol, event: Event, resolver: Resolver) -> bool:
    """Whether a function calls what it is given there, but not always."""
    called, _ = _calls(symbol, event, resolver)
    return bool(called) and not any(each.certain for each in called)


def is_kept(symbol: Symbol, event: Event, resolver: Resolver) -> bool:
    """Whether an object is made with what an event names, one that is not called itself: it only keeps a function."""
    made = resolver.resolve(symbol.path, event.made_by) if event.made_by else None
    return made is not None and made.kind == "class" and resolver.method(made.path, made.name, "__call__") is None


def taking(symbol: Symbol, event: Event, resolver: Resolver) -> tuple[Symbol | None, list[Event]]:
    """The definition that is given what an event names, and the calls of it there; none of any other event."""
    if event.kind != "name" or not event.made_by:
        return None, []
    function = resolver.function(symbol)
    calls = [each for each in function.events if each.text == event.made_by] if function is not None else []
    return resolver.resolve(symbol.path, event.made_by), calls


def is_never_called(symbol: Symbol, event: Event, given: Sequence[Given], resolver: Resolver) -> bool:
    """Whether a function does not call what it is given there, with what else calls give it, and hands it to nobody."""
    called, handed = _calls(symbol, event, resolver)
    callee = resolver.resolve(symbol.path, event.made_by)
    if callee is None or (handed and not known_before.only_compares(callee)) or not called:
        return False
    return not any(may_happen(each.needs, way, callee.path, resolver) for way in given for each in called)


def given_there(symbol: Symbol, event: Event, ways: Sequence[Given], found: Symbol, resolver: Resolver) -> Given:
    """What a function is given that an event hands to another one, with what else calls give that: what it is called
    with there, where it is handed to nobody else."""
    called, handed_further = _calls(symbol, event, resolver)
    (callee, calls), function = taking(symbol, event, resolver), resolver.function(found)
    as_it_is = all(dict(each.gives).get(event.on, "").startswith(NAME) for each in calls)  # no ``partial`` of it
    if callee is None or function is None or handed_further or not as_it_is:
        return ANYTHING
    given = [
        handed(function, each, way, callee, found.path, resolver)
        for way in ways
        for each in called
        if may_happen(each.needs, way, callee.path, resolver)
    ]
    return reduce(together, given) if given else ANYTHING


def _calls(symbol: Symbol, event: Event, resolver: Resolver) -> tuple[list[Event], bool]:
    """The calls of a parameter that is given what an event names, and whether it is handed on."""
    callee = resolver.resolve(symbol.path, event.made_by) if event.made_by else None
    function = resolver.function(callee) if callee is not None else None
    parameters = function.parameters.items() if function is not None else ()
    name = next((name for name, each in parameters if event.on in (name, str(each.position))), "")
    if function is None or not name:
        return [], False
    sources = {source for each in function.events for _, source in each.gives}
    ways = (one.rpartition("}")[2] for source in sources for one in source.split(EITHER))
    handed = any(name in one.lstrip(PARAMETER).split(OR) for one in ways)
    calls = [each for each in function.events if each.kind == "parameter" and name in each.text.split(OR)]
    return calls, handed
