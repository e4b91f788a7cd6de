"""Which dtypes functions of arrays accept: with others no call succeeds, so nothing else of them happens either.

Rules
1. A primitive of numbers says what it accepts (``primitives``).
2. A parameter that a function surely gives one of these is of such a dtype, and so is each that is promoted with
   others before: what the whole accepts at most, it has at most.
3. So is one that it surely gives a function which asks that of it (``jnp.real``, a cast of another name's, may be
   anything: its text says so).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bzlgraph.ops.jax.code import PythonCode
from bzlgraph.ops.jax.primitives import Primitive
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.python.summary import EITHER, OR, REST, UNSURE, Event, Given
from bzlgraph.ops.python.values.classes import type_ways
from bzlgraph.ops.python.values.classes.guards import GUARD
from bzlgraph.ops.python.values.dtypes import ANY, BOOL, CALLED, DTYPE, ORDER

MAX_CALLS = 6
"""Functions between a parameter and the primitive that it is given."""
Accepting = Mapping[str, str]
"""Parameter -> the kinds of dtypes one of which it has."""


class Accepted:
    """``named``: the definition that an event of a function uses; ``bound``: the primitive that it binds."""

    def __init__(
        self,
        code: PythonCode,
        named: Callable[[Symbol, Event], Symbol | None],
        bound: Callable[[str, Event], Primitive | None],
    ) -> None:
        self._code, self._named, self._bound = code, named, bound
        self._of_functions: dict[Symbol, Accepting] = {}

    def narrowed(self, symbol: Symbol, given: Given) -> Given:
        """What a function is given whose calls succeed."""
        found = self._of(symbol, 0)
        if not found:
            return given
        known = {DTYPE + name: given.get(DTYPE + name, [ANY]) for name in found}
        narrow = {
            DTYPE + name: frozenset(_narrowed(each, found[name]) for each in known[DTYPE + name]) for name in found
        }
        return {**given, **narrow}

    def _of(self, symbol: Symbol, depth: int) -> Accepting:
        """Rules 2 and 3."""
        if symbol in self._of_functions or depth > MAX_CALLS:
            return self._of_functions.get(symbol, {})
        self._of_functions[symbol] = {}  # what calls itself asks nothing more
        function = self._code.resolver.function(symbol) if symbol.kind == "function" else None
        made: dict[str, str] = {}
        for event in function.events if function is not None else ():
            if event.certain and event.branch < 0 and not (event.special or event.inside or event.needs):
                for text, kinds in self._asked(symbol, event, depth):
                    for name, left in _asked_of_parameters(text, kinds):
                        both = "".join(each for each in made.get(name, ORDER) if each in left)
                        made[name] = both or left
        self._of_functions[symbol] = {name: kinds for name, kinds in made.items() if kinds != ORDER}
        return self._of_functions[symbol]

    def _asked(self, symbol: Symbol, event: Event, depth: int) -> Iterator[tuple[str, str]]:
        """(the dtype of an argument, the kinds one of which it must be) for an event of a function."""
        sources = dict(event.gives)
        if not any(slot.startswith(DTYPE) for slot in sources) or REST in sources:
            return
        primitive = self._bound(symbol.path, event)
        if primitive is not None:
            for at, kinds in enumerate(primitive.accepts):
                yield sources.get(f"{DTYPE}{at}", ANY), kinds
            return
        found = self._named(symbol, event)
        function = self._code.resolver.function(found) if found is not None else None
        if found is None or function is None or function.closed:
            return
        for name, kinds in self._of(found, depth + 1).items():
            at = function.parameters[name].position if name in function.parameters else -1
            yield sources.get(DTYPE + name, sources.get(f"{DTYPE}{at}", ANY)), kinds


def _asked_of_parameters(text: str, kinds: str) -> Iterator[tuple[str, str]]:
    """(parameter, the kinds one of which it has) where what is promoted of some is of some kinds.

    >>> list(_asked_of_parameters("bb:x", "if")), list(_asked_of_parameters("ff:x|y", "f"))
    ([('x', 'if')], [('x', 'bif'), ('y', 'bif')])
    >>> list(_asked_of_parameters("bbf:x", "if")), list(_asked_of_parameters("cc:x", "f"))
    ([], [])
    """
    head, _, rest = text.partition(":")
    told = EITHER in text or GUARD in text or type_ways.MARK in text or len(head) != 2 or not rest
    if told or ORDER.index(head[0]) > ORDER.index(kinds[-1]):
        return
    names = rest.split(OR)
    for name in names:
        if not name.startswith(CALLED):
            yield name, kinds if head == BOOL and len(names) == 1 else ORDER[: ORDER.index(kinds[-1]) + 1]


def _narrowed(known: str, kinds: str) -> str:
    """What a dtype between two may be that is one of some kinds; as it was where it is none."""
    known = known if known != UNSURE else ANY
    possible = [each for each in ORDER[ORDER.index(known[0]) : ORDER.index(known[1]) + 1] if each in kinds]
    return f"{possible[0]}{possible[-1]}" if possible else known
