"""Two runners in turns -> figures: medians, spreads, and the median of the ratios of each turn.

A busy moment of the machine hits both runs of a turn, so that ratios say more than the times they are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isinf
from statistics import median

from benchmarks.measure import Run

ANSWERED = (0, 3)
"""3: with gaps, or with the errors that the tree really has."""


class Failed(Exception):
    """A run of bzlgraph that gave no answer."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What a question costs: seconds, or bytes where ``unit`` is "MB", of bzlgraph and of the other in each turn."""

    what: str
    cores: int
    own: tuple[float, ...]
    other: tuple[float, ...] = ()
    own_lines: int = 0
    other_lines: int = 0
    unit: str = "s"

    @property
    def ratio(self) -> float | None:
        """Of bzlgraph to the other: less than 1 is in its favour."""
        ratios = [own / other for own, other in zip(self.own, self.other, strict=False) if other]
        return median(ratios) if ratios else None


def in_turns(what: str, cores: int, rounds: int, own: Callable[[], Run], other: Callable[[], Run] | None) -> Figure:
    """So many runs of each. Raises Failed."""
    owns, others = list[Run](), list[Run]()
    for _ in range(rounds):
        owns.append(_checked(own()))
        if other is not None and not (others and isinf(others[-1].seconds)):  # nobody waits for that again
            others.append(other())
    lines = owns[-1].lines, others[-1].lines if others and not isinf(others[-1].seconds) else owns[-1].lines
    return Figure(what, cores, tuple(each.seconds for each in owns), tuple(each.seconds for each in others), *lines)


def _checked(run: Run) -> Run:
    if run.exit_code not in ANSWERED and not run.lines:
        raise Failed(f"exit code {run.exit_code}\n{run.errors[-2000:]}")
    return run


def shown(values: Sequence[float], unit: str) -> str:
    """The median, and the smallest and largest where they are far from it.

    >>> shown((float("inf"),), "s")
    'stopped'
    >>> shown((1.0, 1.21, 1.2), "s"), shown((0.031,), "s"), shown((2.5e9,), "MB"), shown((), "s")
    ('1.20 s (1.00 to 1.21)', '0.031 s', '2,500 MB', '')
    """
    if not values:
        return ""
    middle, least, most = median(values), min(values), max(values)
    if isinf(most):
        return "stopped"
    spread = f" ({_number(least, unit)} to {_number(most, unit)})" if most - least > 0.1 * middle else ""
    return f"{_number(middle, unit)} {unit}{spread}"


def _number(value: float, unit: str) -> str:
    if unit == "MB":
        return f"{value / 1e6:,.0f}"
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}"
