"""Budgets: steps and sizes a Starlark program may use, so that a hostile file ends with a clear error.

Theory of operation. One counter (``STEPS``) belongs to the evaluation that is running; ``Thread`` swaps it in and out.
Generated code subtracts the weight of a function body at every call and the weight of a loop body times its length at
every loop; operations whose result grows (``s * n``, ``join``, ``sorted``, ...) charge by size. A step is about
30 to 60 ns of work, so the default budget is about one second; memory is bounded by the same count.

>>> before = STEPS[0]
>>> charge(10)
>>> before - STEPS[0]
10
"""

from __future__ import annotations

from dataclasses import dataclass

from bzlgraph.starlark.value import EvalError

UNLIMITED = 1 << 60

BYTES_PER_STEP = 16
ITEMS_PER_STEP = 2

MAX_STRING = 64 << 20
MAX_ITEMS = 4 << 20
MAX_INT_BITS = 1 << 16
"""Sizes that no build needs: longest string, longest list, widest integer."""


class OverBudget(EvalError):
    """A program does more than any build needs; nobody adds words to this error."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one evaluation (one ``Thread``) may use: steps of work and depth of the call stack."""

    steps: int = 14_000_000
    depth: int = 2_000


DEFAULT = Budget()

STEPS: list[int] = [UNLIMITED]
"""The steps left to the running evaluation; a list of one, because generated code subtracts from it in place."""


def exhausted() -> OverBudget:
    """The error of a program that does too much."""
    return OverBudget(
        "the evaluation takes too many steps",
        "a loop or a recursion does more work than any build needs; split the file or make it do less",
    )


def charge(steps: int) -> None:
    """Pay ``steps``; raises EvalError when the budget is used up."""
    STEPS[0] -= steps
    if STEPS[0] < 0:  # stays negative: whoever catches the error cannot go on either
        raise exhausted()


LOOK = 10
"""Steps for looking at one element of a container in Python code (printing, comparing, hashing)."""


def charge_string(length: int) -> None:
    """Pay for making a string of ``length`` characters, before it is made where that is possible."""
    if length > MAX_STRING:
        raise OverBudget(f"the string would be too long: {length} characters (limit {MAX_STRING})")
    charge(length // BYTES_PER_STEP)


def charge_items(count: int) -> None:
    """Pay for making or walking a sequence of ``count`` items in C code."""
    if count > MAX_ITEMS:
        raise OverBudget(f"the sequence would be too long: {count} items (limit {MAX_ITEMS})")
    charge(count // ITEMS_PER_STEP)
