"""Running a repository rule: a recorded call -> the files that the rule writes, in memory.

Rules
- Whatever decides what happens and is not known (``which``, ``execute``, a path of the host) is first taken for false,
  empty, different. A run that fails is followed by one in which the last such decision goes the other way: a tree that
  people build has repositories that can be made.
- Then the other way of each decision is tried. Where it fails, or writes the same, there was nothing to decide; else
  the decision is a gap, and the repository may hold more than is known.
- A failure that nothing unknown has led to is a problem, as in Bazel. A run has a budget, and so have all together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.files.context import Context, RepositoryCall, WorkspaceContext
from bzlgraph.bazel.files.scope import resolve
from bzlgraph.bazel.repository.attribute_values import attribute_values
from bzlgraph.bazel.repository.context import RunContext
from bzlgraph.bazel.repository.files import Download
from bzlgraph.bazel.repository.host import NominalHost
from bzlgraph.bazel.repository.placeholder import readable
from bzlgraph.bazel.repository.repository_ctx import RepositoryCtx
from bzlgraph.bazel.rules.repository_rule import RepositoryRule
from bzlgraph.facts import fallback_sources
from bzlgraph.starlark.evaluation.budget import Budget
from bzlgraph.starlark.evaluation.callstack import marks_released
from bzlgraph.starlark.evaluation.thread import Thread
from bzlgraph.workspace.options import RepositoryOptions
from bzlgraph.workspace.repositories.nominal_files import OUTPUT_BASE, Contents, NominalFiles
from bzlgraph.workspace.repositories.provision import Provision, mark_root, workspace_text
from bzlgraph.workspace.rule_cache import Journal, Journals, Prints, RunKeeper
from bzlgraph.workspace.sources.source import MemorySource, Source
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


def budget_of_runs(budget: Budget) -> Budget:
    """What one run may use where a file may use ``budget``. Rules and extensions read lock files of half a megabyte
    letter by letter, at 600 steps each, and keep what they have read."""
    return replace(budget, steps=4 * budget.steps, seconds=4 * budget.seconds, megabytes=2 * budget.megabytes)


@dataclass(slots=True)
class RuleRunner:
    """Runs the rules of one workspace. ``thread`` makes an evaluation; ``home`` is where gaps of a cycle are told."""

    workspace_root: str
    repository: Callable[[str], Contents]
    options: RepositoryOptions
    home: Context
    thread: Callable[[Context], Thread]
    archive: Callable[[Path, str], Source]
    """The tree that an archive unpacks to, or one folder of it. Raises LoadProblem."""
    downloaded: Callable[[Download], Path | None] = lambda _download: None
    """Where a file lies that was downloaded before."""
    print: Callable[[str, Location], None] = lambda _text, _location: None
    keeper: RunKeeper | None = None
    """What keeps results of rules; None keeps none."""
    _running: list[str] = field(default_factory=list)
    _cycles: dict[str, Gap] = field(default_factory=dict)

    def provide(self, name: str, call: RepositoryCall) -> Provision | None:
        """What the rule of a call makes; None when its code is not on disk."""
        rule = call.definition
        if rule is None or not self._is_known(rule):
            return None
        if name in self._running:
            cycle = self._running[self._running.index(name) :]
            gap = _cycle_gap(cycle)
            self._cycles.update(dict.fromkeys(cycle, gap))
            return Provision(MemorySource({}), known=False, gaps=(gap,))
        self._running.append(name)
        try:
            key = self.keeper.key(name, call) if self.keeper is not None else None
            again = self._taken_again(name, call, key)
            found, prints = again if again is not None else self._run(name, call, rule, key)
        finally:
            self._running.pop()
        if found.problems and not self._on_disk(rule):
            found = replace(found, known=False, problems=(), gaps=(*found.gaps, *map(stand_in_gap, found.problems)))
        self.tell(prints, found)
        own = self._cycles.get(name)
        return found if own is None else replace(found, known=False, gaps=(*found.gaps, own))

    def tell(self, prints: Prints, found: Provision) -> None:
        """Print what the run that counts has printed; one that may go otherwise may print otherwise."""
        for text, location in prints if not found.gaps else ():
            self.print(readable(text), location)

    def _run(
        self, name: str, call: RepositoryCall, rule: RepositoryRule, key: bytes | None
    ) -> tuple[Provision, Prints]:
        """Run the rule; keep what comes of it under the key, if there is one."""
        journals = Journals()

        def attempt(script: tuple[bool, ...], lenient: bool = False) -> Attempt:
            journal = Journal(self.files(name))
            made = self._attempt(name, call, rule, script, journal, lenient)
            journals.add(journal, made.steps)
            return made

        cycles = len(self._cycles)
        attempts = Attempts(attempt, lambda script: attempt(script, lenient=True))
        found, chosen = attempts.provision(), attempts.chosen
        assert chosen is not None  # by provision()
        if self.keeper is not None and key is not None and len(self._cycles) == cycles:
            self.keeper.keep(key, journals, chosen.run.files, found, chosen.prints)
        return found, chosen.prints

    def _taken_again(self, name: str, call: RepositoryCall, key: bytes | None) -> tuple[Provision, Prints] | None:
        """What is kept under a key, if all that was looked at for it is as it was."""
        if self.keeper is None or key is None:
            return None
        cycles, again = len(self._cycles), self.keeper.again(key, lambda: self.files(name))
        if again is None or len(self._cycles) > cycles:
            return None
        tree, marks = again[0].source, (call.home or self.home).facts.repository_marks
        return again if isinstance(tree, VirtualTree) and _mark_root(tree, marks, call, name) is None else None

    def files(self, name: str) -> NominalFiles:
        """What a run may look at that makes ``name``."""
        base = str(self.options.output_base or OUTPUT_BASE)
        return NominalFiles(name, self.workspace_root, self.repository, self.archive, self.downloaded, base)

    def _is_known(self, rule: RepositoryRule) -> bool:
        """Whether the rule's file is on disk, or one of ours that does the same."""
        family = fallback_sources.family(rule.bzl.repo) if rule.bzl is not None else None
        return self._on_disk(rule) or (family is not None and fallback_sources.is_run(family, rule.name))

    def _on_disk(self, rule: RepositoryRule) -> bool:
        if rule.bzl is None:
            return False
        path = f"{rule.bzl.package}/{rule.bzl.name}" if rule.bzl.package else rule.bzl.name
        return self.repository(rule.bzl.repo).tree.source.is_file(path)

    def _attempt(
        self,
        name: str,
        call: RepositoryCall,
        rule: RepositoryRule,
        script: tuple[bool, ...],
        journal: Journal,
        lenient: bool,
    ) -> Attempt:
        files = journal.files
        home = call.home or self.home
        run = RunContext(
            name,
            "",
            home.mapping,
            home.facts,
            loaded=home.loaded,
            source=f"@{name}",
            files=journal,
            host=NominalHost(self.options.host_os, self.options.host_arch),
            environ=self.options.environment,
            variables=set(rule.environ),
            script=script,
            lenient=lenient,
        )
        thread = self.thread(run)
        prints: list[tuple[str, Location]] = []
        thread.print = lambda text, location: prints.append((text, location))
        problem, final = None, False
        try:
            with marks_released():
                thread.run(_call_rule, rule, call, run, home)
        except BzlgraphError as error:
            problem, final = error.diagnostic, thread.steps_left < 0
        else:
            problem = _mark_root(files.tree, run.facts.repository_marks, call, name)
            final = problem is not None
        return Attempt(run, files.tree, problem, final, thread.budget.steps - thread.steps_left, tuple(prints))


def _call_rule(rule: RepositoryRule, call: RepositoryCall, run: RunContext, home: Context) -> None:
    name = run.mapping.canonical(run.repo)
    attributes = attribute_values(rule.attrs, call.arguments, lambda text: _label(text, home), name)
    rule.implementation(RepositoryCtx(run, name, call.name, attributes))


def _label(text: str, home: Context) -> Label:
    """A label in the arguments of a call; relative ones of WORKSPACE are in the package of its repositories."""
    relative = isinstance(home, WorkspaceContext) and not text.startswith(("@", "//"))
    return resolve(f"//external:{text.removeprefix(':')}" if relative else text, home)


def _mark_root(tree: VirtualTree, marks: Sequence[str], call: RepositoryCall, name: str) -> Diagnostic | None:
    """Write what Bazel adds to a repository that has no file of that kind; the problem of one that is no folder."""
    try:
        mark_root(tree, marks, workspace_text(call.rule, name))
    except OSError as error:
        return Diagnostic(
            f"the rule {call.rule} makes @{name} something that is not a folder: {error.strerror}", call.location
        )
    return None


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


def stand_in_gap(problem: Diagnostic) -> Gap:
    """The gap of a failure of our own code, which stands in for what is not on disk: the true one may not fail."""
    return Gap(
        GapKind.REPOSITORY.value,
        readable(problem.message),
        "the content of the repository is unknown",
        problem.location,
    )


def _cycle_gap(names: list[str]) -> Gap:
    first = names.index(min(names))
    chain = " -> ".join(f"@{name}" for name in (*names[first:], *names[: first + 1]))
    return Gap(
        GapKind.REPOSITORY.value,
        f"repositories depend on each other: {chain}",
        "the files they write are unknown",
        repository=names[first],
    )
