"""Whether a condition holds, in three values, and why: what settings and conditions come down to.

>>> all_of([Truth.YES, Truth.UNKNOWN]), all_of([Truth.UNKNOWN, Truth.NO]), all_of([])
(<Truth.UNKNOWN: 'unknown'>, <Truth.NO: 'no'>, <Truth.YES: 'yes'>)
>>> print(Comparison("--cpu", "arm", "k8", Truth.NO))
--cpu is k8, not arm
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from bzlgraph.base.label import Label

if TYPE_CHECKING:
    from bzlgraph.config.option_use import Origin


class Truth(Enum):
    """It holds, it does not, or a fact is missing to tell. The value is the word shown to people."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


def all_of(truths: Iterable[Truth]) -> Truth:
    """The conjunction: one NO decides, else one UNKNOWN."""
    found = Truth.YES
    for truth in truths:  # each is asked for, also behind a NO: what was asked is remembered
        if truth is Truth.NO or found is Truth.YES:
            found = truth
    return found


def truth_of(holds: bool) -> Truth:
    """YES or NO."""
    return Truth.YES if holds else Truth.NO


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison: ``what`` (``--cpu``, ``//pkg:flag``) was ``wanted`` to be this and was ``found`` to be that.

    ``found`` is None when nothing is set. ``missing`` names the fact that an UNKNOWN lacks, or the error.
    """

    what: str
    wanted: str
    found: str | None
    truth: Truth
    origin: Origin | None = None
    missing: str = ""

    def __str__(self) -> str:
        if self.missing:
            return self.missing
        by = f" ({self.origin})" if self.origin is not None else ""
        if self.found is None:
            return f"{self.what} is not set{by}" + (f"; must be {self.wanted}" if self.wanted else "")
        return f"{self.what} is {self.found}{by}" + (f", not {self.wanted}" if self.truth is Truth.NO else "")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a condition.

    ``label`` is the setting it comes down to, through aliases. ``settings``, ``flags`` and ``constraints`` are what
    that setting asks for: the more it asks, the more special it is. ``error`` is what Bazel refuses the target with.
    """

    truth: Truth
    reasons: tuple[Comparison, ...] = ()
    label: Label | None = None
    settings: frozenset[tuple[str, str]] = frozenset()
    flags: frozenset[tuple[Label, str]] = frozenset()
    constraints: frozenset[Label] = frozenset()
    error: str = ""

    @property
    def deciding(self) -> tuple[Comparison, ...]:
        """The reasons that made it so: of a NO those that fail, of an UNKNOWN those that are not known."""
        return tuple(reason for reason in self.reasons if reason.truth is self.truth) or self.reasons

    @property
    def why(self) -> str:
        """The deciding reasons in one line."""
        return self.error or "; ".join(str(reason) for reason in self.deciding)


def unknown(missing: str, label: Label | None = None, what: str = "") -> Verdict:
    """The verdict when a fact is missing, which ``missing`` says in words."""
    return Verdict(Truth.UNKNOWN, (Comparison(what, "", None, Truth.UNKNOWN, missing=missing),), label)


def invalid(error: str, label: Label | None = None) -> Verdict:
    """The verdict on what Bazel refuses: it never holds."""
    return Verdict(Truth.NO, (Comparison("", "", None, Truth.NO, missing=error),), label, error=error)
