"""What is left of the conditions of a way to an operator where some of them decide others.

conditions around calls, what is known there -> conditions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from bzlgraph.ops.pytorch.cpp.known import facts_of, lasting_facts, simplified
from bzlgraph.ops.pytorch.cpp.questions import FALSE, TRUE
from bzlgraph.ops.pytorch.running.function_search import At, Search
from bzlgraph.ops.pytorch.running.steps import Step


@cache
def below_conditions(outer: tuple[str, ...], inner: tuple[str, ...]) -> tuple[str, ...]:
    """The conditions of a way and of a call at its end: one that the call's own decide against asks for another
    variable of that name.

    >>> below_conditions(("n > 1", "ok"), ("n == 0",))
    ('ok', 'n == 0')
    """
    known = facts_of(inner) if outer else {}
    kept = [each for each in outer if simplified(each, known) != FALSE] if known else outer
    return tuple(dict.fromkeys((*kept, *inner)))


def undecided(conditions: Sequence[str], known: Mapping[str, str], steady: frozenset[str]) -> tuple[str, ...] | None:
    """What is left of conditions, None when one does not hold, or not where the others do: of variables that stay
    what they are (``steady``).

    >>> undecided(("!(up && a.is_cpu())", "a.is_cpu() || n", "m > 1"), {"up": "true"}, frozenset("an"))
    ('!(a.is_cpu())', 'n', 'm > 1')
    >>> undecided(("a.dim() == 1", "m", "a.dim() > 2"), {}, frozenset("a"))
    """
    left = [simplified(each, known) for each in conditions]
    if len(left) > 1 and FALSE not in left:
        facts = {at: _lasting(each, steady) for at, each in enumerate(left)}
        for at in sorted(facts, key=lambda at: _JOINED.search(left[at]) is not None):
            others = {name: value for each, told in facts.items() if each != at for name, value in told.items()}
            left[at] = simplified(left[at], others) if others else left[at]
            facts[at] = _lasting(left[at], steady)
    return None if FALSE in left else tuple(each for each in left if each != TRUE)


_JOINED = re.compile(r"&&|\|\|")


@cache
def _lasting(condition: str, steady: frozenset[str]) -> Mapping[str, str]:
    return lasting_facts((condition,), steady)


def with_others(ways: Sequence[tuple[Step, At]], search: Search) -> list[Step]:
    """Steps that say whether a function on the way is reached otherwise, too."""
    return [
        replace(step, otherwise=True) if step.conditions and search.has_others(at.path) else step for step, at in ways
    ]
