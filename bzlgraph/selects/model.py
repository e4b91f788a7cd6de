"""What a configuration says of the branches of a select, and the macros that a rule was made in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import Rule
from bzlgraph.config.verdict import Reason


class Holds(NamedTuple):
    """Whether a branch holds: ``yes``, ``no`` or ``unknown``, and in a few words why.

    ``reasons`` are all comparisons that were made, also those that did not decide; ``setting`` is the label that the
    condition stands for, through aliases; ``refused`` is what Bazel says when it refuses the select().
    """

    truth: str
    reason: str
    reasons: tuple[Reason, ...] = ()
    setting: Label | None = None
    refused: str = ""


def macro_calls(rule: Rule) -> Iterator[tuple[str, Location]]:
    """The macros a rule was made in, outermost first: each with the place it was called at."""
    frames = rule.stack
    for outer, inner in zip(frames[:0:-1], frames[-2::-1], strict=True):
        yield inner.function, outer.location
