"""A configuration over selects: whether each branch holds, and why.

select -> ``Holds`` per branch. Choosing is the work of ``config``; what is added here is a branch inside a branch
(a value that cannot be evaluated in a branch that may be taken), and the words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Condition
from bzlgraph.bazel.selects import Branch, Select
from bzlgraph.config.choice import Choice
from bzlgraph.config.settings import Settings
from bzlgraph.config.verdict import Comparison, Truth


class Holds(NamedTuple):
    """Whether a branch holds: ``yes``, ``no`` or ``unknown``, and in a few words why.

    ``reasons`` are all comparisons that were made, also those that did not decide; ``setting`` is the label that the
    condition stands for, through aliases; ``refused`` is what Bazel says when it refuses the select().
    """

    truth: str
    reason: str
    reasons: tuple[Comparison, ...] = ()
    setting: Label | None = None
    refused: str = ""


class Chooser:
    """Says which branches hold; remembers what was said of the same conditions."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._known: dict[tuple[tuple[Condition, ...], str], tuple[Choice, tuple[Holds, ...]]] = {}

    def __call__(self, select: Select) -> tuple[Holds, ...]:
        """One per branch, in their order."""
        written = select.written
        keys = tuple(condition for condition, _ in written.branches)
        known = self._known.get((keys, written.no_match_error))
        if known is None:
            choice = self.settings.choose(keys, None, written.no_match_error)
            known = self._known[keys, written.no_match_error] = choice, _holds(choice)
        choice, holds = known
        if len(choice.chosen) > 1:  # equal values do not clash, and values differ from select to select
            values = [value for _, value in written.branches]
            holds = _holds(self.settings.choose(keys, values, written.no_match_error))
        return tuple(_inside(holds[branch.number - 1], branch) for branch in select.branches)


class ChooserByTarget:
    """Says which branches hold in the configurations that the target of a select is built in: a transition, its own or
    one on the way to it, may have changed them. ``settings_of`` gives them for a label."""

    def __init__(self, settings_of: Callable[[Label], Sequence[Settings]]) -> None:
        self._settings_of = settings_of
        self._choosers: dict[int, Chooser] = {}

    def __call__(self, select: Select) -> tuple[Holds, ...]:
        """One per branch, in their order."""
        every = [self._chooser(settings)(select) for settings in self._settings_of(select.rule.label)]
        return every[0] if len(every) == 1 else tuple(map(_in_all, zip(*every, strict=True)))

    def _chooser(self, settings: Settings) -> Chooser:
        if id(settings) not in self._choosers:
            self._choosers[id(settings)] = Chooser(settings)
        return self._choosers[id(settings)]


def _in_all(holds: tuple[Holds, ...]) -> Holds:
    """A branch in several configurations: what holds in all of them, or that they do not agree."""
    first = holds[0]
    if all(each.truth == first.truth for each in holds):
        return first
    told = ", ".join(dict.fromkeys(f"{each.truth}: {each.reason}" for each in holds))
    return Holds(Truth.UNKNOWN.value, f"in {len(holds)} configurations of the target; {told}")


def _holds(choice: Choice) -> tuple[Holds, ...]:
    return tuple(_of_key(choice, number) for number in range(len(choice.keys)))


def _of_key(choice: Choice, number: int) -> Holds:
    truth, verdict = choice.truths[number], choice.verdicts[number]
    reason, reasons = verdict.why, verdict.reasons
    if verdict.truth is Truth.YES and truth is not Truth.YES:
        others = [str(key) for key in choice.possible if key != choice.keys[number]]
        word = "is" if truth is Truth.NO else "may be"
        passed_over = f"it holds, but {', '.join(others)} {word} more specific"
        reason = f"{reason}; {passed_over}" if reason else passed_over
        reasons = (*reasons, Comparison("", "", None, truth, missing=passed_over))
    refused = choice.error if truth is Truth.YES or not choice.possible else ""
    return Holds(truth.value, reason, reasons, verdict.label, refused)


def _inside(holds: Holds, branch: Branch) -> Holds:
    """A branch that stands inside another one, if there is one at all, depends on a call that cannot be evaluated."""
    if len(branch.path) == 1 or holds.truth == Truth.NO.value:
        return holds
    missing = f"{branch.conditions[-1]} cannot be evaluated"
    reason = Comparison("", "", None, Truth.UNKNOWN, missing=missing)
    return Holds(Truth.UNKNOWN.value, missing, (*holds.reasons, reason), holds.setting)
