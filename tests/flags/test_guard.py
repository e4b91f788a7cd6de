"""flags/script/guard: guards as sets of worlds, compared with an enumeration of all worlds."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.flags.script.guard import ALL, ALWAYS, NEVER, Guard, fact, variable

NAMES = ("A", "B")
SYSTEMS = ("Linux", "Darwin", "Other")
UNDERSTOOD = sorted(state for state in ALL if "something" not in state)
WORLDS = list(itertools.product(UNDERSTOOD, UNDERSTOOD, SYSTEMS))

atoms = st.one_of(
    st.builds(variable, st.sampled_from(NAMES), st.sets(st.sampled_from(UNDERSTOOD), min_size=1)),
    st.builds(
        lambda name, holds: fact("system", frozenset({name}), holds), st.sampled_from(SYSTEMS[:2]), st.booleans()
    ),
)
guards = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a.also(b), inner, inner), st.builds(lambda a, b: a.either(b), inner, inner)
    ),
    max_leaves=5,
)


def worlds(guard: Guard) -> set[tuple[str, str, str]]:
    return {
        world
        for world in WORLDS
        if any(
            all(
                among.allows(dict(zip(("$A", "$B", "system"), world, strict=True))[symbol])
                for symbol, among in way.items()
            )
            for way in guard.ways
        )
    }


@given(guards, guards)
def test_also_and_either_are_intersection_and_union(left: Guard, right: Guard) -> None:
    """A guard of too many ways becomes one that holds at least as often."""
    assert worlds(left.also(right)) >= worlds(left) & worlds(right)
    assert worlds(left.either(right)) >= worlds(left) | worlds(right)
    if len(left.ways) * len(right.ways) <= 4:
        assert worlds(left.also(right)) == worlds(left) & worlds(right)
    if len(left.ways) + len(right.ways) <= 4:
        assert worlds(left.either(right)) == worlds(left) | worlds(right)


@given(guards, guards)
def test_within_changes_nothing_where_the_path_holds(guard: Guard, path: Guard) -> None:
    assert worlds(guard.within(path)) & worlds(path) >= worlds(guard) & worlds(path)


def test_ends() -> None:
    assert ALWAYS.also(NEVER) is NEVER
    assert NEVER.either(ALWAYS) is ALWAYS
    assert (str(ALWAYS), str(NEVER)) == ("always", "never")


@given(guards, guards)
def test_guards_meet_where_both_can_hold(left: Guard, right: Guard) -> None:
    assert left.meets(right) is bool(left.also(right).ways)


@given(guards, guards)
def test_guards_of_the_same_ways_are_equal(left: Guard, right: Guard) -> None:
    again = Guard(tuple(dict(reversed(way.items())) for way in left.ways))
    assert again == left
    assert hash(again) == hash(left)
    assert again.also(right) == left.also(right)
    assert (left == right) is (left.ways == right.ways)
