"""A function of JAX -> the primitives that it binds, directly or through other functions, nearest first.

Rules
1. ``x_p.bind(...)`` binds a primitive, and so does ``x_p.bind`` that is handed on; a function of the tree is followed,
   breadth first.
2. Not followed: what JAX is made of below its functions (tracing, transformations, types, conversions of arguments),
   but for the primitives that such a function binds itself (``device_put``);
   a value ``ufunc(f, ...)`` is its first function only. The namesake of what is asked for comes first.
3. A call below an ``if`` may happen: it counts, as uncertain.
4. An operator, a method or an index of an array runs what the tree's own tables say (``array_methods``,
   ``known_before``); an operator on what the caller gave, of which nothing is known, may be one.
5. A method is that of the class which made the object, itself or by a method of its own.
6. What runs inside of a kernel of Pallas is told apart (``pallas_kernels``).
7. What needs something of a parameter (``if where is not None``, ``if mode == "edge"``, ``if op is lax.add``) counts
   when that may be given on the way: not below a call that leaves it out or gives something else, or hands on what was
   left out, or something else, itself.
8. What runs only for extended types (keys of random numbers) counts where it is asked for itself.
9. Of the function asked for, what it gives back (``def init(key): ...; return init``) runs when that is called.
10. What only lifts values of Python into a trace (``stage``) comes last.
11. ``add = maker(lax.add)`` runs what the maker gives back, with what it was given (``handed_on.made_by``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from bzlgraph.ops.jax import known_before
from bzlgraph.ops.jax.accepted import Accepted
from bzlgraph.ops.jax.array_methods import METHODS, ArrayMethods
from bzlgraph.ops.jax.code import PythonCode
from bzlgraph.ops.jax.handed_on import (
    called_inside,
    given_there,
    is_kept,
    is_never_called,
    made_by,
    may_call,
    taking,
    without_partial,
)
from bzlgraph.ops.jax.pallas_kernels import KernelCall, kernel_calls
from bzlgraph.ops.jax.primitives import FOLDER, Primitive, primitive_of
from bzlgraph.ops.jax.uses import PrimitiveUse, Steps, Told, Waiting, is_among
from bzlgraph.ops.model import Condition
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.python.summary import Event, Function, Given
from bzlgraph.ops.python.values.classes.value_classes import ARRAY, CLASS
from bzlgraph.ops.python.walk.conditions import conditions_of, passing
from bzlgraph.ops.python.walk.given import (
    ANYTHING,
    entering,
    handed,
    is_numbers,
    is_open,
    is_tensor,
    may_happen,
    on_tensors,
    traced,
)
from bzlgraph.ops.python.walk.gives import says

RULES_OF_TRANSFORMATIONS = ("jax/_src/interpreters/ad.py", "jax/_src/interpreters/batching.py")
"""Rule 2: rules of transformations are made with functions of these, so from them they are followed."""
RULE_DEPTH = 5
"""The depth for what a lowering rule traces: its own operators are between sizes, and its promotions say nothing. In
rules of transformations the tree's table of methods is no step: ``bdim_at_front`` ends in ``x.transpose(perm)``."""
ARRAYS = ("jax.Array.", "jax.numpy.ndarray.")
"""The names of the class of arrays: its methods are those of the tree's tables (rule 4)."""
BIND = ".bind"
UFUNC = "ufunc"
FOLDERS = ("jax/",)
BELOW = tuple(
    "jax/_src/interpreters/ jax/_src/core.py jax/_src/api jax/_src/array.py jax/_src/config.py jax/_src/custom_"
    " jax/_src/checkify.py jax/_src/debugging.py jax/_src/error_check.py"
    " jax/_src/dispatch.py jax/_src/dtypes.py jax/_src/lib/ jax/_src/linear_util.py"
    " jax/_src/numpy/error.py"
    " jax/_src/pjit.py jax/_src/sharding jax/_src/tree_util.py jax/_src/util.py jax/_src/ad_"
    " jax/_src/traceback_util.py jax/_src/xla_bridge.py jax/_src/deprecations.py jax/_src/state/"
    " jax/_src/typing.py".split()
)
"""Rule 2: of functions in paths that begin so only what they bind themselves counts, unless they are asked for."""
PROMOTIONS = ("jax/_src/numpy/util.py",)
CONVERSIONS = ("asarray", "array")
"""Rule 2: functions that only make arguments fit, unless they are asked for themselves, or are given a list of arrays,
or are all that a function does."""
SAME = ("asarray",)
"""Conversions that give back an array which needs none."""
KEYS = ("_check_prng_key",)
"""Checks that make keys of random numbers of what they are given."""
CHECKS = ("check_", "_check_", "_is_")
"""Rule 2: how functions begin that only ask about their arguments; some compute when a debugging flag is set."""
_PROMOTION = "_convert_element_type"
OF_OBJECTS = ("method", "unknown")
USES = ("call", "name", "own", "attribute", *OF_OBJECTS)
PACKED = "packed"
ON_ARRAYS = ("operator", "maybe")
"""Kinds of events that are operators; those on what the caller gave ("maybe") count as uncertain."""


class Follower:
    """Follows functions of a tree, those whose paths begin with one of the ``folders``."""

    def __init__(self, code: PythonCode, folders: tuple[str, ...] = FOLDERS) -> None:
        self._code = code
        self._folders = folders
        self._methods = ArrayMethods(code)
        self._accepted = Accepted(code, self._named, self._primitive)
        self._known: Mapping[tuple[str, str], Primitive] | None = None

    def know(self, primitives: Iterable[Primitive]) -> None:
        """Take in every primitive of the tree: modules need not be read for their names again."""
        self._known = {each.key: each for each in primitives}
        self._accepted = Accepted(self._code, self._named, self._primitive)

    def symbol(self, name: str) -> tuple[Symbol, Function] | None:
        """The function or value that a public name stands for, a method of arrays too."""
        found = self._code.resolver.absolute(name)
        if found is None and (arrays := next((each for each in ARRAYS if name.startswith(each)), None)) is not None:
            found = self._methods.function(name.removeprefix(arrays))
        if found is None:
            return None
        function = self._code.resolver.function(found)
        return (found, function) if function is not None else None

    def from_name(self, name: str, kernels: dict[KernelCall, None] | None = None) -> list[PrimitiveUse]:
        """The primitives behind a public name; ``kernels`` takes in the kernels of Pallas that are met."""
        found = self.symbol(name)
        if found is None:
            return []
        last = name.rpartition(".")[2]
        symbol, function = found
        begin = self._begin(symbol)
        given = {**traced(self._code.resolver.function(begin.symbol) or function, ANYTHING), **begin.given}
        start = [begin._replace(given=given, gives_back=symbol.kind == "function")]
        met = {} if kernels is None else kernels
        bound = self._bound(start, public=True, kernels=met)
        converting = all(any(name in CONVERSIONS for name, _path, _line in each.through) for each in bound)
        bound = self._bound(start, public=True, converting=True) if converting else bound
        if not all(each.certain for each in bound):
            surely = self._bound(start, public=True, converting=converting, kernels=met, surely=True)
            sure = {each.primitive.key: each for each in surely}
            bound = [each if each.certain else sure.get(each.primitive.key, each) for each in bound]
        return sorted(bound, key=lambda each: (each.primitive.lifts, each.primitive.name != last))

    def conditions(self, use: PrimitiveUse) -> tuple[Condition, ...]:
        """What must be so for a primitive to be bound."""
        return conditions_of(use.ways[0], self._code.resolver)

    def from_symbol(self, symbol: Symbol) -> list[PrimitiveUse]:
        """The primitives behind a definition."""
        return self._bound([self._begin(symbol)], public=True)

    def from_names(self, path: str, names: Iterable[str]) -> list[PrimitiveUse]:
        """The primitives behind names of functions that are traced, as they are written in a module: what they call and
        what their operators make."""
        symbols = [found for name in dict.fromkeys(names) if (found := self._code.resolver.resolve(path, name))]
        return self._bound([self._begin(each) for each in symbols], operators=True)

    def from_events(self, starts: Iterable[tuple[Symbol, Sequence[Event]]]) -> list[PrimitiveUse]:
        """The primitives behind what rules of transformations use, of which just these events are known."""
        return self._bound([Waiting(symbol, events) for symbol, events in starts], RULES_OF_TRANSFORMATIONS)

    def direct(self, path: str, function: Function) -> list[Primitive]:
        """The primitives that a function of a module binds itself."""
        return [found for event in function.events if (found := self._primitive(path, event)) is not None]

    def _begin(self, symbol: Symbol) -> Waiting:
        made, kept = made_by(symbol, self._code.resolver)
        return Waiting(made, given=kept, named=symbol.name)

    def _bound(
        self,
        start: list[Waiting],
        entered: tuple[str, ...] = (),
        public: bool = False,
        converting: bool = False,
        kernels: dict[KernelCall, None] | None = None,
        operators: bool = False,
        surely: bool = False,
    ) -> list[PrimitiveUse]:
        """``entered`` are paths that are followed although they are below JAX's functions. ``surely``: only what every
        call reaches."""
        waiting = deque(start)
        seen: dict[Symbol, list[Given]] = {each.known: [each.given] for each in start}
        told = Told()
        while waiting:
            at = self._accepting(waiting.popleft())
            symbol, certain, here = at.symbol, at.certain, self._here(at)
            for event in (e for e in self._happening(at, public or operators, kernels) if e.certain or not surely):
                primitive = self._primitive(symbol.path, event)
                if primitive is not None:
                    use = PrimitiveUse(primitive, symbol.path, event.line, certain and event.certain, here)
                    told.take(use, at.known, passing(at.way, symbol, event, at.later(event)))
                    continue
                found = self._entered(at, event, entered)
                reason = (self._undecided(symbol, event, found) if found is not None else "") or at.later(event)
                if found is None or (surely and reason):
                    continue
                found, event = without_partial(found, event, self._code.resolver)
                if found.name in CONVERSIONS and not (converting or event.kind == PACKED):
                    waiting.extend(self._whole(at, found, event, told) if public else ())
                    continue
                if not self._goes_on(found, here, public, entered) or told.is_too_far(found, here, seen):
                    continue
                to = self._gone_into(at, found, event, reason)
                other = told.passed.again(to.known, at.known, to.way) and not surely and not is_among(to.known, here)
                now = entering(seen.setdefault(to.known, []), to.given, other)
                if now is not None:
                    waiting.append(to._replace(given=now))
        return list(told.all())

    def _gone_into(self, at: Waiting, found: Symbol, event: Event, reason: str) -> Waiting:
        """A definition with what an event of another one gives it, and what decides on the way."""
        to, sure = self._begin(found), at.certain and event.certain and not reason
        given = {**self._handed(to.symbol, event, at.given, at.symbol), **to.given}
        way = passing(at.way, at.symbol, event, reason)
        return to._replace(certain=sure, through=self._here(at), given=given, way=way)

    def _accepting(self, at: Waiting) -> Waiting:
        """A definition with what it accepts of what it is given (``accepted``)."""
        return at._replace(given=self._accepted.narrowed(at.symbol, at.given))

    def _here(self, at: Waiting) -> Steps:
        """What leads to what a definition does."""
        function = self._code.resolver.function(at.symbol)
        line = function.line if function is not None else 0
        return (*at.through, (at.named or at.symbol.name, at.symbol.path, line))

    def _entered(self, at: Waiting, event: Event, entered: tuple[str, ...]) -> Symbol | None:
        """The definition that an event uses, none below JAX's functions."""
        below = at.through and _is_below(at.symbol, entered) and not _is_method(event)
        called = called_inside(at.symbol, event, at.given, self._code.resolver)
        return None if below else called or self._named(at.symbol, event)

    def _whole(self, at: Waiting, found: Symbol, event: Event, told: Told) -> Iterator[Waiting]:
        """What a conversion (rule 2) does with an array as it is: of ``array(x)`` the copy; of numbers nothing but what
        asks for them. Once in each function."""
        function = self._code.resolver.function(found)
        if function is None or event.kind != "call" or found.name in SAME:
            return
        given = self._handed(found, event, at.given, at.symbol)
        numbers = is_numbers(function, given)
        if (found, at.symbol, numbers) in told.converted:
            return
        told.converted.add((found, at.symbol, numbers))
        events = []
        for each in function.events:
            takes = [place for place, _ in each.gives if " " not in place]
            called = self._named(found, each) if each.kind == "call" and takes == ["0"] else None
            asked = not numbers or any(CLASS in need for need in each.needs)
            if called is not None and not each.certain and asked and self._binds(called) and not _is_below(called, ()):
                events.append(each)
        yield Waiting(found, tuple(events), False, self._here(at), given, passing(at.way, at.symbol, event, ""))

    def _undecided(self, symbol: Symbol, event: Event, found: Symbol) -> str:
        """What decides whether a definition that an event names runs, "" for nothing."""
        if event.kind in OF_OBJECTS and self._of_made(symbol, event) is None:
            return f"the object is a {found.name.rpartition('.')[0]}"
        if event.kind == "maybe":
            return on_tensors(event.on).replace("a tensor", "an array") or "an operand is an array"
        resolver = self._code.resolver
        decides = is_kept(symbol, event, resolver) or may_call(symbol, event, resolver) or self._binds(found)
        return f"{event.text} is called" if event.kind == "name" and decides else ""

    def _happening(self, at: Waiting, operators: bool, kernels: dict[KernelCall, None] | None) -> Iterator[Event]:
        """What a definition uses by itself, not in a kernel of Pallas, and may come to with what it is given."""
        function = self._code.resolver.function(at.symbol)
        read = _used(function, operators) if function is not None and at.events is None else ()
        compiled = kernel_calls(self._code, at.symbol) if kernels is not None else []
        if kernels is not None:
            kernels.update(dict.fromkeys(compiled))
        for event in at.events if at.events is not None else read:
            left_out = not may_happen(event.needs, at.given, at.symbol.path, self._code.resolver)
            on_numbers = event.kind == "maybe" and is_tensor(event.on, at.given) is False
            left_out = left_out or (event.special and bool(at.through)) or self._is_never_called(at, event)
            left_out = left_out or (function is not None and self._is_unreached(at, function, event))
            if not (left_out or on_numbers or any(each.uses(event) for each in compiled)):
                yield event._replace(certain=False) if at.later(event) else event

    def _is_unreached(self, at: Waiting, function: Function, event: Event) -> bool:
        """Whether something does not happen on what leads to a definition, or with what it is given."""
        if known_before.is_unreached(at.symbol, function, event, at.given, at.through):
            return True
        return not is_open(function, event.branch, at.given, at.symbol.path, self._code.resolver)

    def _is_never_called(self, at: Waiting, event: Event) -> bool:
        """Whether a function that a call gives another one is not called with what else that is given."""
        ways = self._taken(at.symbol, event, at.given)
        return bool(ways) and is_never_called(at.symbol, event, ways, self._code.resolver)

    def _handed(self, found: Symbol, event: Event, given: Given, caller: Symbol) -> Given:
        """Rule 7: what a call gives a definition."""
        parts = known_before.also(found, caller, given)
        if event.kind == "operator" and event.on:
            parts = known_before.written(event, given, partial(says, caller.path, self._code.resolver))
        function = self._code.resolver.function(found)
        if function is None or found.kind != "function" or ("." in found.name and not function.closed):
            return parts
        calls = event.kind in ("call", "parameter") or (event.kind in ON_ARRAYS and event.gives)
        gives = handed(function, event, given, caller, found.path, self._code.resolver) if calls else ANYTHING
        if event.kind == "name" and (ways := self._taken(caller, event, given)):
            gives = given_there(caller, event, ways, found, self._code.resolver)
        return {**traced(function, gives), **parts}

    def _taken(self, symbol: Symbol, event: Event, given: Given) -> list[Given]:
        """What each call gives a definition that is given what an event names."""
        found, calls = taking(symbol, event, self._code.resolver)
        return [self._handed(found, each, given, symbol) for each in calls] if found is not None else []

    def _binds(self, found: Symbol) -> bool:
        """Whether a function binds a primitive itself: one that is only given to another (``lax.mul`` to a reduction)
        may tell it what to do, and never run."""
        function = self._code.resolver.function(found)
        return function is not None and bool(self.direct(found.path, function))

    def _gives_array(self, found: Symbol) -> bool:
        """Whether a function says that it gives an array: ``_is_simplex(x) -> Array`` compares its members."""
        function = self._code.resolver.function(found)
        return function is not None and function.made == ARRAY

    def _arranges(self, found: Symbol) -> bool:
        """Whether a function works on an array by one of its methods (``x.transpose(axes)``), which rules use."""
        function = self._code.resolver.function(found)
        used = filter(_is_method, function.events if function is not None else ())
        return any(self._methods.function(event.text) is not None for event in used)

    def _named(self, symbol: Symbol, event: Event) -> Symbol | None:
        """The definition that an event of a symbol uses (rule 4 for operators, rule 5 for methods)."""
        if event.kind in ON_ARRAYS:
            written = known_before.taking(event, self._code) or self._methods.function(event.text)
            return None if self._is_member(symbol, event) else written
        if event.kind in ("own", "attribute"):
            return self._method(Symbol("class", symbol.path, symbol.name.rpartition(".")[0]), event.text)
        if event.kind in OF_OBJECTS:
            found = self._of_made(symbol, event)
            return found or self._methods.of_file(symbol.path, event.text.rpartition("|")[2].rpartition(".")[2])
        return self._code.resolver.resolve(symbol.path, event.text) if event.kind != "parameter" else None

    def _of_made(self, symbol: Symbol, event: Event) -> Symbol | None:
        """The method of an object of which it is known what makes it."""
        made, _, method = event.text.rpartition("|")
        return self._method(self._code.resolver.resolve(symbol.path, made), method) if made else None

    def _is_member(self, symbol: Symbol, event: Event) -> bool:
        """Whether an index takes a member out of what a function says is a list."""
        made = self._code.resolver.resolve(symbol.path, event.made_by) if event.made_by else None
        function = self._code.resolver.function(made) if made is not None else None
        return function is not None and function.several

    def _method(self, made: Symbol | None, method: str) -> Symbol | None:
        """The method of what a class, or a method of a class, gives."""
        owner = made.name if made is not None and made.kind == "class" else made.name.rpartition(".")[0] if made else ""
        return self._code.resolver.method(made.path, owner, method) if made is not None and owner else None

    def _goes_on(self, found: Symbol, here: Steps, public: bool, entered: tuple[str, ...]) -> bool:
        depth = len(here) if not entered else sum(path != METHODS for _name, path, _line in here)
        if not public and (depth >= RULE_DEPTH or found.path.startswith(PROMOTIONS) or found.name == _PROMOTION):
            return False
        if found.name.startswith(CHECKS) and found.name not in KEYS and not self._gives_array(found):
            return False
        if _is_below(found, entered) and not (self._binds(found) or self._arranges(found)):
            return False
        return found.path.startswith(self._folders) and found.kind in ("function", "value")

    def _primitive(self, path: str, event: Event) -> Primitive | None:
        name = event.text.removesuffix(BIND)
        if event.kind not in ("call", "name") or name == event.text:
            return None
        found = self._code.resolver.resolve(path, name) if self._known is not None else None
        if self._known is not None and found is not None and found.path.startswith(f"{FOLDER}/"):
            return self._known.get((found.path, found.name))
        return primitive_of(self._code.definition(path, name))


def _is_below(symbol: Symbol, entered: tuple[str, ...]) -> bool:
    return symbol.path.startswith(BELOW) and not symbol.path.startswith(entered)


def _is_method(event: Event) -> bool:
    """Whether an event is a method of what is surely an array, no operator: that may be one between sizes in rules."""
    return event.kind == "operator" and not event.text.startswith("__")


def _converts(event: Event) -> bool:
    return event.text.rpartition(".")[2] in CONVERSIONS


def _used(function: Function, operators: bool) -> Iterator[Event]:
    """What a function uses, rule 2 for ``ufunc`` included."""
    kinds = (*USES, *ON_ARRAYS, PACKED) if operators else USES
    events = [each for each in function.events if each.text and (each.kind != PACKED or _converts(each))]
    closed = [event for event in events if event.kind == "parameter" and event.text in function.closed]
    used = [event for event in events if event.kind in kinds or _is_method(event) or event in closed]
    if any(event.text.rpartition(".")[2] == UFUNC for event in used):
        used = [event for event in used if event.text.rpartition(".")[2] != UFUNC][:1]
    yield from used
