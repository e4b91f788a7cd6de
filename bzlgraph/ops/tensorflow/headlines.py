"""The ops that a function of Python is about, of all that it may make: what an answer begins with."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bzlgraph.ops.model import OpUse, PythonStep
from bzlgraph.ops.tensorflow.python.call_rules import LOOPS, MOVING

MAX_MAIN = 8
"""Ops that a Python function is explained with; the others are named with the way to them."""


def main_ops(uses: Sequence[OpUse], namesakes: Collection[str] = (), returned: Collection[str] = ()) -> tuple[str, ...]:
    """The ops that a function is about: its namesake, else those of the nearest wrappers.

    Those that its result is made of (``returned``) come first, or the loop that gives it, then operators that surely
    do; what only moves values is left out behind them, or where operators surely compute, and so is what checks values,
    and what only may be made beside a result that surely is.
    """
    uses = _without_checks(uses)
    near = _nearest(uses)
    nearest = min((use.depth for use in uses if use.generated), default=0)
    close = {*near, *(use.op for use in uses if use.certain or (use.op in returned and use.depth <= nearest + 1))}
    if named := tuple(use.op for use in uses if use.op in namesakes and use.op in close):
        return named
    result = [use for use in uses if use.op in returned and use.op not in MOVING]
    made, operators = _wrapped(result), [use for use in result if not use.generated and use.certain]
    nearest = min((use.depth for use in made), default=0)
    loops = [use for op in LOOPS if op in returned for use in uses if use.op == op]
    if made and loops and (any(use.certain for use in made) or nearest < min(use.depth for use in loops)):
        loops = []  # what one does is as far away, and not sure
    if first := [*loops, *made, *(use for use in operators if use.depth <= nearest)]:
        sure = any(use.certain for use in first)
        beside = {use.op for use in uses if use.certain or not sure}.union(returned) - MOVING
        near = list(dict.fromkeys([*(use.op for use in first), *(op for op in near if op in beside)]))
    elif MOVING.issuperset(near):
        near = [use.op for use in uses if use.certain and use.op not in MOVING] or near
    return tuple(near or [use.op for use in uses])[:MAX_MAIN]


def _wrapped(uses: Sequence[OpUse]) -> list[OpUse]:
    """Those that the nearest wrappers make, or those one function further."""
    wrapped = [use for use in uses if use.generated]
    nearest = min((use.depth for use in wrapped), default=0)
    return [use for use in wrapped if use.depth <= nearest + 1]


def _without_checks(uses: Sequence[OpUse]) -> Sequence[OpUse]:
    """Without what functions that check something make, where something else is surely made that computes."""
    others = [use for use in uses if not any(map(_checks, use.steps))]
    return others if any(use.certain and use.op not in MOVING for use in others) else uses


def _checks(step: PythonStep) -> bool:
    return step.name.rpartition(".")[2].lstrip("_").lower().startswith(("assert", "check", "verify"))


def _nearest(uses: Sequence[OpUse]) -> list[str]:
    """The ops that the nearest wrappers make, and one function further those that surely are made; where one alone is
    nearest, those too for which the test that decides on it goes the other way."""
    wrapped = [use for use in uses if use.generated]
    nearest = min((use.depth for use in wrapped), default=0)
    alone = [use for use in wrapped if use.depth == nearest]
    asked = [(each.location, each.test) for use in alone for each in use.conditions[:1]] if len(alone) == 1 else []
    found = []
    for use in wrapped:
        instead = any(each.location == place and each.test != test for each in use.conditions for place, test in asked)
        if use.depth == nearest or (use.depth == nearest + 1 and (use.certain or (instead and use.op not in MOVING))):
            found.append(use.op)
    return found
