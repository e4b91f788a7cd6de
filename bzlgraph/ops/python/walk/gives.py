"""What functions give that a call gives something: the dtype of it, and its classes, as their definitions tell.

(a module, a function as it is written there, what is known of the parameters there) -> a text of ``dtypes``, or of
``value_classes``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from bzlgraph.ops.python.resolve import Resolver
from bzlgraph.ops.python.summary import FALSEHOOD, NOTHING, REST, SOMETHING, TRUE, Function
from bzlgraph.ops.python.values.classes import value_classes
from bzlgraph.ops.python.values.classes.calls_told import call_told
from bzlgraph.ops.python.values.dtypes import ANY, DTYPE, outcome

MAX_RETURNS = 4
"""Functions that return what another one does, which are asked for the dtype."""
_LEFT_OUT = frozenset([NOTHING, TRUE, FALSEHOOD])
"""What a parameter is that nobody gives, where that is known."""


def dtype_of(path: str, resolver: Resolver, given: Mapping[str, frozenset[str]], call: str, depth: int = 0) -> str:
    """The dtype of a call (``calls_told``) in the module at ``path``, in a function that was given something."""
    called, arguments = call_told(call)
    symbol = resolver.resolve(path, called)
    function = resolver.function(symbol) if symbol is not None and symbol.kind == "function" else None
    if symbol is None or function is None or depth > MAX_RETURNS:
        return ANY
    here = partial(dtype_of, path, resolver, given, depth=depth + 1)
    known = {slot: text if text == NOTHING else outcome(text, given, here) for slot, text in arguments.items()}
    inside = _inside(function, known)
    key = symbol, frozenset(inside.items()), depth
    if key not in resolver.dtypes:
        there = partial(dtype_of, symbol.path, resolver, inside, depth=depth + 1)
        resolver.dtypes[key] = outcome(function.dtype or ANY, inside, there)
    return resolver.dtypes[key]


def _inside(function: Function, known: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """What is known of the parameters of a function for the dtypes of its arguments."""
    found: dict[str, frozenset[str]] = {}
    for name, parameter in function.parameters.items():
        text = known.get(name, known.get(str(parameter.position)))
        if text is None and REST not in known and parameter.default in _LEFT_OUT:
            found[name] = frozenset([parameter.default])
        elif text == NOTHING:
            found[name] = frozenset([NOTHING])
        elif text is not None and text != ANY:
            found |= {name: frozenset([SOMETHING]), DTYPE + name: frozenset([text])}
    return found


def says(path: str, resolver: Resolver, called: str, depth: int = 0) -> str:
    """What a function says of the classes of what it gives (``value_classes``)."""
    symbol = resolver.resolve(path, called)
    if symbol is None or symbol.kind != "function" or depth > value_classes.MAX_DEPTH:
        return ""
    if symbol not in resolver.classes:
        function = resolver.function(symbol)
        inside = partial(says, symbol.path, resolver, depth=depth + 1)
        resolver.classes[symbol] = value_classes.kept_by(function.made, inside) if function is not None else ""
    return resolver.classes[symbol]
