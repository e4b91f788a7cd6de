"""The runs of one repository rule or module extension: which way to go where something unknown decides.

Rules
- Whatever decides what happens and is not known (``which``, ``execute``, a path of the host) is first taken for false,
  empty, different. A run that fails is followed by one in which the last such decision goes the other way: a tree that
  people build has repositories that can be made.
- Then the other way of each decision is tried. Where it fails, or writes the same, there was nothing to decide; else
  the decision is a gap, and the repository may hold more than is known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.bazel.repository.context import RunContext
from bzlgraph.bazel.repository.placeholder import readable
from bzlgraph.starlark.evaluation.callstack import marks_released
from bzlgraph.starlark.evaluation.thread import Thread
from bzlgraph.workspace.repositories.provision import Provision
from bzlgraph.workspace.running.rule_cache import Prints
from bzlgraph.workspace.sources.virtual_tree import VirtualTree

MAX_MESSAGE = 300
"""What is told of a message; some print all that a command printed."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
MAX_RUNS = 128
"""Runs of one rule until one does not fail, with what is unknown taken one way or the other."""
MAX_FAILURES = 24
"""Failures at one place, after which no other way is looked for."""
MAX_CHECKS = 48
MAX_CHECKS_OF_ONE = 4
"""Further runs, all together and for one decision, that tell whether its other way makes any difference."""
MAX_GAPS = 8
"""Decisions told one by one; where there are more it is the first of them that somebody has to look into."""
MAX_STEPS = 20_000_000
"""Steps of all runs together after the first."""


class Attempt(NamedTuple):
    """One run: what it wrote, what was noted, and the problem it ended with."""

    run: RunContext
    tree: VirtualTree
    problem: Diagnostic | None
    final: bool
    """Whether the problem is none that another way would avoid."""
    steps: int
    prints: Prints = ()


class Ended(NamedTuple):
    """How the code of one run ended: with which problem, whether none that another way would avoid; what it printed,
    what it gave."""

    problem: Diagnostic | None
    final: bool
    prints: Prints
    value: object = None


def ended(thread: Thread, code: Callable[..., object], *arguments: object) -> Ended:
    """Run code to its end, or its problem; what it prints is kept."""
    prints: list[tuple[str, Location]] = []
    thread.print = lambda text, location: prints.append((text, location))
    try:
        with marks_released():
            value = thread.run(code, *arguments)
    except BzlgraphError as error:
        return Ended(error.diagnostic, thread.steps_left < 0, tuple(prints))
    return Ended(None, False, tuple(prints), value)


@dataclass(slots=True)
class Attempts:
    """All runs of one rule; ``attempt`` makes one."""

    attempt: Callable[[tuple[bool, ...]], Attempt]
    lenient: Callable[[tuple[bool, ...]], Attempt] | None = None
    """One that goes on behind fail()."""
    runs_left: int = MAX_RUNS
    steps_left: int = MAX_STEPS
    furthest: Attempt | None = None
    """The failed run that came furthest: what it wrote is there whatever comes next."""
    chosen: Attempt | None = None
    """The run whose outcome counts, after ``provision``."""

    def provision(self) -> Provision:
        """What can be said of the repository after all of them."""
        first = self.attempt(())
        best = first if first.problem is None else self._success(first, 0)
        self.chosen = best or self._leniently(self.furthest or first)
        if best is None:
            return _failed(self.chosen)
        return _provision(best, list(self._open(best)))

    def _leniently(self, failed: Attempt) -> Attempt:
        """A run like a failed one that goes on behind fail(), where that comes further."""
        if failed.final or self.lenient is None or not failed.run.decisions:
            return failed
        attempt = self.lenient(tuple(each.other for each in failed.run.decisions))
        further = attempt.problem is None or len(attempt.tree.snapshot()) > len(failed.tree.snapshot())
        return attempt if further and not attempt.final else failed

    def _open(self, best: Attempt) -> Iterator[Gap]:
        """The decisions whose other way makes another repository, or may make one."""
        made = best.tree.snapshot()
        checks = MAX_CHECKS
        for number, decision in enumerate(best.run.decisions):
            if decision.other:
                continue  # the first way fails
            self.runs_left = granted = min(MAX_CHECKS_OF_ONE, checks)
            if self._matters(best, made, best, number):
                yield decision.gap
            checks -= granted - self.runs_left

    def _matters(self, best: Attempt, made: dict[str, object], taken: Attempt, number: int) -> bool:
        """Whether some run that goes the other way at one decision of ``taken`` makes another repository than the best
        one, which ``made`` this; so it is where there would be too many."""
        script = (*(each.other for each in taken.run.decisions[:number]), True)
        other = self._again(script)
        if other is not None and other.problem is not None:
            other = self._success(other, number + 1)
            if other is None and self.runs_left > 0:
                return False
        if other is None or not _alike(other, best, made):
            return True
        later = enumerate(other.run.decisions[number + 1 :], number + 1)
        return any(not each.other and self._matters(best, made, other, at) for at, each in later)

    def _success(self, failed: Attempt, fixed: int) -> Attempt | None:
        """The nearest run that does not fail, the first ``fixed`` decisions being as they are; None when none does."""
        failures: Counter[Location | None] = Counter()
        while failed.problem is not None:
            if failed.final:
                return None
            failures[failed.problem.location] += 1
            if failures[failed.problem.location] > MAX_FAILURES:
                self.runs_left = 0  # what fails there does so for another reason than the last decisions
            taken = [each.other for each in failed.run.decisions]
            turn = next((at for at in reversed(range(fixed, len(taken))) if not taken[at]), None)
            if turn is None:
                return None
            again = self._again((*taken[:turn], True))
            if again is None:
                return None
            failed = again
        return failed

    def _again(self, script: tuple[bool, ...]) -> Attempt | None:
        """One more run, None when there were too many."""
        if self.runs_left <= 0 or self.steps_left <= 0:
            return None
        attempt = self.attempt(script)
        if self.furthest is None or attempt.steps > self.furthest.steps:
            self.furthest = attempt
        self.runs_left -= 1
        self.steps_left -= attempt.steps
        return attempt


def _alike(other: Attempt, best: Attempt, made: dict[str, object]) -> bool:
    """Whether another run makes the same repository as the best one, which ``made`` this."""
    return other.run.complete >= best.run.complete and other.tree.snapshot() == made


def _failed(attempt: Attempt) -> Provision:
    """What a rule that cannot be run to its end has left."""
    run, problem = attempt.run, attempt.problem
    if problem is None:
        return _provision(attempt, [each.gap for each in run.decisions])
    loaded = (run.loaded.get(frame.location.path) for frame in problem.stack)
    choices = run.choices or any(file is not None and file.choices for file in loaded)
    guessed = bool(run.decisions or choices or not run.complete)
    assumptions = tuple(run.assumptions)
    if attempt.final or not (guessed or run.assumptions):
        return Provision(attempt.tree, known=True, problems=(problem,), assumptions=assumptions)
    said = _said(problem.message)
    why = f"caused by an unknown value: {said}" if guessed else said
    gap = Gap(
        GapKind.CHOICE.value,
        f"{run.source} cannot be created: {why}",
        "the files it writes are unknown",
        problem.location,
        run.repo,
    )
    gaps = tuple(dict.fromkeys((*_told(run), *_shortened([each.gap for each in run.decisions]), gap)))
    return Provision(attempt.tree, known=False, gaps=gaps, assumptions=assumptions, lacks=_lacks(run, gaps))


def _provision(attempt: Attempt, decided: list[Gap]) -> Provision:
    run = attempt.run
    gaps = tuple(dict.fromkeys((*_told(run), *_shortened(decided))))
    known = run.complete and not gaps
    return Provision(attempt.tree, known=known, gaps=gaps, assumptions=tuple(run.assumptions), lacks=_lacks(run, gaps))


def _shortened(gaps: list[Gap]) -> list[Gap]:
    """The first of many gaps, and how many there are."""
    if len(gaps) <= MAX_GAPS:
        return gaps
    rest = replace(gaps[MAX_GAPS], what=f"{gaps[MAX_GAPS].what}, and {len(gaps) - MAX_GAPS - 1} more decisions")
    return [*gaps[:MAX_GAPS], rest]


def _lacks(run: RunContext, gaps: Sequence[Gap]) -> str:
    """The first reason why files of the repository may be missing."""
    untold = (_said(each.what) for each in run.gaps if each.kind == GapKind.REPOSITORY.value)
    return next(untold, gaps[0].what if gaps else "")


def _told(run: RunContext) -> tuple[Gap, ...]:
    """The gaps of a run; that of sources which are not on disk is told by who asks for one of them."""
    return tuple(replace(each, what=_said(each.what)) for each in run.gaps if each.kind != GapKind.REPOSITORY.value)


def _said(message: str) -> str:
    """A message of a rule, on one line."""
    said = " ".join(_COLOUR.sub("", readable(message)).split())
    return said if len(said) <= MAX_MESSAGE else f"{said[:MAX_MESSAGE]}..."
