"""Entering functions and files: recursion marks, step payment, loads.

Every function of a file has a mark (``$r0``, ``$r1``, ...), a list of one number: 0, or ``ACTIVE`` while the function
runs. Its first lines are generated as ``$B[0] -= weight; if $B[0] < $r0[0]: $stop($r0, name); $r0[0] = ACTIVE``: one
comparison tells "budget used up" (below 0) and "already running" (below ACTIVE).
"""

from __future__ import annotations

from collections.abc import Mapping

from bzlgraph.base.spell import did_you_mean
from bzlgraph.starlark.evaluation.budget import STEPS, exhausted
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import EvalError, Value

ACTIVE = 1 << 61
"""More than any number of steps left."""


def stop(mark: list[int], name: str) -> None:
    """A function could not be entered: say why."""
    if STEPS[0] < 0:
        raise exhausted()
    raise EvalError(f"function '{name}' called recursively")


def enter(mark: list[int], weight: int) -> None:
    """Enter a lambda."""
    STEPS[0] -= weight
    if STEPS[0] < mark[0]:
        stop(mark, "lambda")
    mark[0] = ACTIVE


def leave(mark: list[int], _entered: None, result: object) -> object:
    """Leave a lambda with its result."""
    mark[0] = 0
    return result


def second(_first: None, result: object) -> object:
    """The result of a lambda that may recurse, after its steps were paid."""
    return result


def discard(value: object) -> None:
    """The value of a call that stands as a statement."""
    if isinstance(value, Value):
        value.discard()


def load(module: str) -> Mapping[str, object]:
    """The exported names of another file."""
    thread = current_thread()
    return thread.load(module, thread, thread.innermost_location())


def loaded(names: Mapping[str, object], module: str, name: str) -> object:
    """One name of a loaded file."""
    try:
        return names[name]
    except KeyError:
        suggestion = did_you_mean(name, names)
        raise EvalError(f"file '{module}' does not contain symbol '{name}'{suggestion}") from None
