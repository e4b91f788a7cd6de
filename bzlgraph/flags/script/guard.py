"""Guards: under which answers and facts something happens, as a disjunction of conjunctions over symbols.

A symbol is ``$NAME`` (an environment variable and the answer to its question, with the states below) or the text of
something unknown (``platform.system()``). A conjunction maps symbols to the values they may have.

>>> yes = variable("TF_NEED_X", YES)
>>> str(yes), str(yes.also(variable("TF_NEED_X", NO))), str(yes.either(variable("TF_NEED_X", ALL - YES)))
('TF_NEED_X is yes', 'never', 'always')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

SET_YES, SET_NO, SET_OTHER = "set to yes", "set to no", "set to something"
SAID_YES, SAID_NO, SAID_OTHER, ENTER = "answered yes", "answered no", "answered something", "left at the default"
SET = frozenset({SET_YES, SET_NO, SET_OTHER})
ASKED = frozenset({SAID_YES, SAID_NO, SAID_OTHER, ENTER})
ALL = SET | ASKED
YES = frozenset({SET_YES, SAID_YES})
NO = frozenset({SET_NO, SAID_NO})
GIVEN = YES | NO | {SET_OTHER, SAID_OTHER}
LIKELY = (ENTER, SAID_YES, SET_YES, SAID_NO, SET_NO, SAID_OTHER, SET_OTHER)
"""All states, the most usual first."""
_UNDERSTOOD = YES | NO | {ENTER}
_SYSTEMS = frozenset({"Darwin", "Linux", "Windows"})
"""A script that tells these apart has thought of every machine."""
_MAX_WAYS = 6
_KEPT = 16_384
"""Answers about guards that are remembered: a script asks each five times, and TensorFlow's has three thousand."""


class Among(NamedTuple):
    """One of ``values``; or, when not ``inside``, anything else. A tuple: very many are compared."""

    values: frozenset[object]
    inside: bool = True

    def also(self, other: Among) -> Among:
        """Both."""
        if self is other:
            return self
        if self.inside and other.inside:
            return Among(self.values & other.values)
        if self.inside or other.inside:
            inner, outer = (self, other) if self.inside else (other, self)
            return Among(inner.values - outer.values)
        return Among(self.values | other.values, False)

    def excludes(self, other: Among) -> bool:
        """Whether no value is both: whether ``also`` is impossible."""
        if self.inside and other.inside:
            return self.values.isdisjoint(other.values)
        if self.inside:
            return self.values <= other.values
        return other.inside and other.values <= self.values

    def either(self, other: Among) -> Among:
        """One of the two: not both opposites."""
        both = Among(self.values, not self.inside).also(Among(other.values, not other.inside))
        return Among(both.values, not both.inside)

    def allows(self, value: object) -> bool:
        """Whether it may be this value."""
        return (value in self.values) is self.inside

    @property
    def impossible(self) -> bool:
        """No value is left."""
        return self.inside and not self.values

    @property
    def anything(self) -> bool:
        """No value is excluded. The states of a variable are finite; answers that make no sense are no condition: a
        script that stops at them says nothing about what comes after."""
        if not self.inside:
            return not self.values
        return self.values >= _UNDERSTOOD or self.values >= _SYSTEMS


Way = Mapping[str, Among]


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """A disjunction of ``ways``; none: never. Guards of the same ways, in the same order, are equal."""

    ways: tuple[Way, ...]
    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(tuple(frozenset(way.items()) for way in self.ways)))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Guard) and self.ways == other.ways)

    def __hash__(self) -> int:
        return self._hash

    @lru_cache(_KEPT)  # noqa: B019  # a guard is a value, not what lives as long as its answers
    def also(self, other: Guard) -> Guard:
        """Both guards hold."""
        if other is ALWAYS or self is NEVER:
            return self
        if self is ALWAYS or other is NEVER:
            return other
        return _guard(way for left in self.ways for right in other.ways if (way := _meet(left, right)) is not None)

    @lru_cache(_KEPT)  # noqa: B019
    def meets(self, other: Guard) -> bool:
        """Whether both guards can hold: whether ``also`` is not never."""
        return any(_can_meet(left, right) for left in self.ways for right in other.ways)

    @lru_cache(_KEPT)  # noqa: B019
    def either(self, other: Guard) -> Guard:
        """One of the guards holds."""
        if self is ALWAYS or other is NEVER:
            return self
        if other is ALWAYS or self is NEVER:
            return other
        return _guard((*self.ways, *other.ways))

    def within(self, path: Guard) -> Guard:
        """The same guard where ``path`` holds anyway: what the path already says is left out."""
        known = _hull(path.ways) if path.ways else {}
        if not known:
            return self
        return _guard(
            {symbol: among for symbol, among in way.items() if not _covers(among, known.get(symbol))}
            for way in self.ways
        )

    def states(self, symbol: str) -> Among:
        """The values of a symbol under which this may happen."""
        found = Among(frozenset())
        for way in self.ways:
            found = found.either(way.get(symbol, EVERYTHING))
        return found

    def common(self) -> Way:
        """What is true of each symbol in all ways."""
        return _hull(self.ways)

    def __str__(self) -> str:
        if self is NEVER or not self.ways:
            return "never"
        ways = (" and ".join(atom_text(symbol, way[symbol]) for symbol in sorted(way)) for way in self.ways)
        return " or ".join(way or "always" for way in ways)


EVERYTHING = Among(frozenset(), False)
ALWAYS = Guard(({},))
NEVER = Guard(())


def variable(name: str, states: Iterable[str]) -> Guard:
    """The variable, or the answer to its question, is in one of these states."""
    return _single(f"${name}", Among(frozenset(states)))


def fact(text: str, values: frozenset[str], holds: bool = True) -> Guard:
    """Something unknown is (or is not) one of ``values``."""
    return _single(text, Among(values, holds))


def atom_text(symbol: str, among: Among) -> str:
    """``TF_NEED_CUDA is yes``, ``platform.system() is not Windows``."""
    if symbol.startswith("$"):
        return f"{symbol[1:]} is {_states_text(among.values)}"
    return f"{symbol} is {'' if among.inside else 'not '}{' or '.join(sorted(map(str, among.values)))}"


_STATE_WORDS: dict[frozenset[object], str] = {
    YES: "yes",
    NO: "no",
    SET: "set",
    ASKED: "not set",
    frozenset({ENTER}): "left at the default",
}


def _states_text(states: frozenset[object]) -> str:
    if states in _STATE_WORDS:
        return _STATE_WORDS[states]
    if ALL - states in _STATE_WORDS:
        return f"not {_STATE_WORDS[ALL - states]}"
    known = [word for each, word in _STATE_WORDS.items() if each <= states]
    rest = states.difference(*(each for each in _STATE_WORDS if each <= states))
    return " or ".join([*known, *sorted(map(str, rest))])


def _single(symbol: str, among: Among) -> Guard:
    if among.impossible:
        return NEVER
    return ALWAYS if among.anything else Guard(({symbol: among},))


def _meet(left: Way, right: Way) -> Way | None:
    """Both conjunctions, None when they exclude each other."""
    if len(left) < len(right):
        left, right = right, left
    found = dict(left)
    for symbol, among in right.items():
        both = found[symbol].also(among) if symbol in found else among
        if both.impossible:
            return None
        found[symbol] = both
    return found


def _can_meet(left: Way, right: Way) -> bool:
    """Whether two conjunctions do not exclude each other."""
    return not any(left[symbol].excludes(right[symbol]) for symbol in left.keys() & right.keys())


def _covers(among: Among, known: Among | None) -> bool:
    """Whether everything ``known`` allows is in ``among``."""
    if known is None:
        return False
    if not known.inside:
        return not among.inside and among.values <= known.values
    return known.values <= among.values if among.inside else known.values.isdisjoint(among.values)


def _guard(ways: Iterable[Way]) -> Guard:
    """The ways, simplified: none that another covers, none that differ in one symbol only; too many become their hull,
    which holds at least as often."""
    kept: list[Way] = []
    for way in ways:
        _insert(way, kept)
        if len(kept) > _MAX_WAYS:
            kept = [_hull(kept)]
    if not kept:
        return NEVER
    return ALWAYS if not kept[0] else _first(Guard(tuple(kept)))


@lru_cache(_KEPT)
def _first(guard: Guard) -> Guard:
    """The first of equal guards: what is one object is compared at once."""
    return guard


def _insert(way: Way, kept: list[Way]) -> None:
    """Add a way to a list that is simple, and keep it so."""
    while True:
        for index, other in enumerate(kept):
            merged = _merge(way, other)
            if merged is not None:
                del kept[index]
                way = merged
                break
        else:
            kept.append(way)
            return


def _merge(left: Way, right: Way) -> Way | None:
    """One conjunction that says the same as two, if there is one."""
    more = left if len(left) > len(right) else right
    if not (left if more is right else right).keys() <= more.keys():
        return None  # each says something of a symbol that the other one leaves open
    differing = [symbol for symbol in more if left.get(symbol) != right.get(symbol)]
    if len(differing) > 1:
        if all(_covers(left.get(each, EVERYTHING), right.get(each, EVERYTHING)) for each in differing):
            return left
        if all(_covers(right.get(each, EVERYTHING), left.get(each, EVERYTHING)) for each in differing):
            return right
        return None
    found = dict(left)
    for symbol in differing:
        both = left.get(symbol, EVERYTHING).either(right.get(symbol, EVERYTHING))
        found.pop(symbol, None)
        if not both.anything:
            found[symbol] = both
    return found


def _hull(ways: Iterable[Way]) -> Way:
    """The smallest conjunction that holds whenever one of ``ways`` does."""
    listed = list(ways)
    found: dict[str, Among] = {}
    for symbol in set.intersection(*(set(way) for way in listed)) if listed else ():
        among = listed[0][symbol]
        for way in listed[1:]:
            among = among.either(way[symbol])
        if not among.anything:
            found[symbol] = among
    return found
