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
from bzlgraph.ops.pytorch.cpp.truth import parts_of
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


def undecided(
    conditions: Sequence[str], known: Mapping[str, str], steady: frozenset[str], same: Pairs = ()
) -> tuple[str, ...] | None:
    """What is left of conditions, None when one does not hold, or not where the others do: of variables that stay
    what they are (``steady``), of which some are the ``same`` tensor.

    >>> undecided(("!(up && a.is_cpu())", "a.is_cpu() || n", "m > 1"), {"up": "true"}, frozenset("an"))
    ('!(a.is_cpu())', 'n', 'm > 1')
    >>> undecided(("a.dim() == 1", "m", "a.dim() > 2"), {}, frozenset("a"))
    >>> undecided(("a.is_complex() && !b.is_complex()",), {}, frozenset("ab"), (("b", "a"),))
    """
    left = [simplified(each, known) for each in conditions]
    if len(left) > 1 and FALSE not in left:
        facts = {at: _lasting(each, steady) for at, each in enumerate(left)}
        for at in sorted(facts, key=lambda at: _JOINED.search(left[at]) is not None):
            others = {name: value for each, told in facts.items() if each != at for name, value in told.items()}
            left[at] = simplified(left[at], others) if others else left[at]
            facts[at] = _lasting(left[at], steady)
    if FALSE in left or (same and _contradict(tuple(left), steady, same)):
        return None
    return tuple(each for each in left if each != TRUE)


Pairs = tuple[tuple[str, str], ...]
"""Two names of one tensor each."""


@cache
def _contradict(conditions: tuple[str, ...], steady: frozenset[str], same: Pairs) -> bool:
    """Whether conditions say the opposite of each other, with one name for each tensor."""
    names = {one: other for one, other in same if {one, other} <= steady}
    asked = {_VARIABLE.sub(lambda word: names.get(word.group(), word.group()), each) for each in conditions}
    parts = [part.strip() for each in asked for part in parts_of(each, "&&")] if names else []
    facts = [_lasting(each, steady) for each in parts]
    return any(simplified(part, told) == FALSE for part in parts for told in facts if told)


_VARIABLE = re.compile(r"(?<![\w.:>])[A-Za-z_]\w*(?![\w:(<])")
_JOINED = re.compile(r"&&|\|\|")


@cache
def _lasting(condition: str, steady: frozenset[str]) -> Mapping[str, str]:
    return lasting_facts((condition,), steady)


def with_others(ways: Sequence[tuple[Step, At]], search: Search) -> list[Step]:
    """Steps that say whether a function on the way is reached otherwise, too."""
    return [
        replace(step, otherwise=True) if step.conditions and search.has_others(at.path) else step for step, at in ways
    ]
