"""Budgets: steps and sizes a Starlark program may use, so that a hostile file ends with a clear error.

Theory of operation. One counter (``STEPS``) belongs to the evaluation that is running; ``Thread`` swaps it in and out.
Generated code subtracts the weight of a function body at every call and the weight of a loop body times its length at
every loop. The general rule for everything else: **what makes a value charges its size, what works in C charges the
size of its operands**, before it works where that is possible, because nothing can interrupt it. Values of less than
``FREE`` characters are paid for by the weight of the code that makes them. A step is about 30 to 60 ns of work and at
most 16 bytes, so the default budget is three seconds or more; what nobody foresaw ends by the limits of ``watchdog``.

>>> before = STEPS[0]
>>> charge(10)
>>> before - STEPS[0]
10
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import EvalProblem

UNLIMITED = 1 << 60

BYTES_PER_STEP = 16
COMPARED_PER_STEP = 9
"""Binary logarithm of the characters that a step compares or copies."""
ITEMS_PER_STEP = 2

MAX_STRING = 64 << 20
MAX_ITEMS = 4 << 20
MAX_INT_BITS = 1 << 16
"""Sizes that no build needs: longest string, longest list, widest integer."""


class OverBudget(EvalProblem):
    """A program does more than any build needs. No EvalError: nobody goes on after it, or adds words to it."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(Diagnostic(message, hint=hint))
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Budget:
    """What one evaluation may use: steps of work (of one file) and depth of the call stack; and with all that it loads:
    seconds of processor time and megabytes of memory (``watchdog``).

    The defaults are more than five times what any package of TensorFlow 1.8 to 2.12 takes: 6.5 million steps, 1.1 s and
    33 MB are the most. The largest packages known to us are //test of Sorbet, where a macro makes 8,500 targets with
    five globs each (27 million steps, 1.7 s, less than 100 MB), and //arolla/codegen/io/testing of Arolla, whose macros
    make 90,000 depsets (31 million steps, 3.1 s).
    """

    steps: int = 100_000_000
    depth: int = 2_000
    seconds: float = 8.0
    megabytes: int = 256

    def part(self, divisor: int) -> Budget:
        """The same with a part of the time."""
        return replace(self, seconds=self.seconds / divisor)


DEFAULT = Budget()

STEPS: list[int] = [UNLIMITED]
"""The steps left to the running evaluation; a list of one, because generated code subtracts from it in place."""
_AGAIN = 16
_breach: list[OverBudget] = []
"""The limit of the watchdog that the running evaluation has broken."""
_SPENT = -UNLIMITED


def exhausted() -> OverBudget:
    """The error of a program that does too much."""
    if _breach:
        return OverBudget(_breach[0].message, _breach[0].hint)
    return OverBudget(
        "the evaluation takes too many steps",
        "simplify the loop or recursion, split the file, or raise the limit with --max_steps",
    )


def spend_all(error: OverBudget) -> None:
    """Leave the running evaluation no steps: ``error`` is raised where it pays next."""
    _breach[:] = [error]
    STEPS[0] = _SPENT


def breached() -> bool:
    """Whether the running evaluation has broken a limit of the watchdog."""
    return bool(_breach)


def forget_breach() -> list[OverBudget]:
    """Let another evaluation begin; what the one before has broken."""
    broken = list(_breach)
    _breach.clear()
    return broken


def charge(steps: int) -> None:
    """Pay ``steps``; raises EvalError when the budget is used up."""
    STEPS[0] -= steps
    if STEPS[0] < 0:  # stays negative: whoever catches the error cannot go on either
        raise exhausted()


FREE = 64
"""Strings up to this length cost no more than any value does: who makes them has paid."""
LONG = 512
"""Strings up to this length are compared and searched for what any operation costs."""
LOOK = 10
"""Steps for looking at one element of a container in Python code (printing, comparing, hashing)."""


def charge_string(length: int) -> None:
    """Pay for making a string of ``length`` characters, before it is made where that is possible."""
    if length > MAX_STRING:
        raise OverBudget(f"the string would be too long: {length} characters (limit {MAX_STRING})")
    charge(length // BYTES_PER_STEP)


def charge_compare(length: int) -> None:
    """Pay for comparing, copying or hashing ``length`` characters, without making a value."""
    charge(length >> COMPARED_PER_STEP)


def charge_search(length: int, sought: int, backwards: bool = False) -> None:
    """Pay for looking for ``sought`` characters in ``length``; from the right, all are looked at again and again."""
    again = sought if backwards else min(sought, _AGAIN)
    charge(length * (1 + again) >> COMPARED_PER_STEP - 2)


def charge_items(count: int) -> None:
    """Pay for making or walking a sequence of ``count`` items in C code."""
    if count > MAX_ITEMS:
        raise OverBudget(f"the sequence would be too long: {count} items (limit {MAX_ITEMS})")
    charge(count // ITEMS_PER_STEP)


def charge_int(bits: int) -> None:
    """Pay for an integer of ``bits`` bits, before it is made where that is possible."""
    if bits > MAX_INT_BITS:
        raise OverBudget(f"the integer would be too large: {bits} bits (limit {MAX_INT_BITS})")
    charge(bits >> 7)


def charge_digits(left: int, right: int) -> None:
    """Pay for work on each pair of digits of two integers, of so many bits: products, quotients, decimal digits."""
    charge(left * right >> 15)
