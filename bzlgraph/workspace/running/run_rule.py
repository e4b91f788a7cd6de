"""Running a repository rule: a recorded call -> the files that the rule writes, in memory.

A failure that nothing unknown has led to is a problem, as in Bazel. A run has a budget, and so have all together.
What is unknown makes for several runs (``attempts.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.context.contexts import Context, RepositoryCall, WorkspaceContext
from bzlgraph.bazel.context.scope import resolve
from bzlgraph.bazel.repository.attribute_values import attribute_values
from bzlgraph.bazel.repository.context import RunContext
from bzlgraph.bazel.repository.files import Download
from bzlgraph.bazel.repository.host import NominalHost
from bzlgraph.bazel.repository.placeholder import readable
from bzlgraph.bazel.repository.repository_ctx import RepositoryCtx
from bzlgraph.bazel.rules.repository_rule import RepositoryRule, RuleCall
from bzlgraph.facts import fallback_sources
from bzlgraph.starlark.evaluation.budget import Budget
from bzlgraph.starlark.evaluation.thread import Thread
from bzlgraph.workspace.options import RepositoryOptions
from bzlgraph.workspace.repositories.provision import Provision, mark_root, workspace_text
from bzlgraph.workspace.running.attempts import Attempt, Attempts, ended
from bzlgraph.workspace.running.nominal_files import OUTPUT_BASE, Contents, NominalFiles
from bzlgraph.workspace.running.rule_cache import Journal, Journals, Prints, RunKeeper
from bzlgraph.workspace.sources.source import MemorySource, Source
from bzlgraph.workspace.sources.virtual_tree import VirtualTree


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
        if not isinstance(call, RuleCall) or not self._is_known(call.definition):
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
            found, prints = again if again is not None else self._run(name, call, key)
        finally:
            self._running.pop()
        if found.problems and not self._on_disk(call.definition):
            found = replace(found, known=False, problems=(), gaps=(*found.gaps, *map(stand_in_gap, found.problems)))
        self.tell(prints, found)
        own = self._cycles.get(name)
        return found if own is None else replace(found, known=False, gaps=(*found.gaps, own))

    def tell(self, prints: Prints, found: Provision) -> None:
        """Print what the run that counts has printed; one that may go otherwise may print otherwise."""
        for text, location in prints if not found.gaps else ():
            self.print(readable(text), location)

    def _run(self, name: str, call: RuleCall, key: bytes | None) -> tuple[Provision, Prints]:
        """Run the rule; keep what comes of it under the key, if there is one."""
        journals = Journals()

        def attempt(script: tuple[bool, ...], lenient: bool = False) -> Attempt:
            journal = Journal(self.files(name))
            made = self._attempt(name, call, script, journal, lenient)
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
        return self.repository(rule.bzl.repo).tree.source.is_file(rule.bzl.path)

    def _attempt(
        self,
        name: str,
        call: RuleCall,
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
            variables=set(call.definition.environ),
            script=script,
            lenient=lenient,
        )
        thread = self.thread(run)
        problem, final, prints, _ = ended(thread, _call_rule, call, run, home)
        if problem is None:
            problem = _mark_root(files.tree, run.facts.repository_marks, call, name)
            final = problem is not None
        return Attempt(run, files.tree, problem, final, thread.budget.steps - thread.steps_left, prints)


def _call_rule(call: RuleCall, run: RunContext, home: Context) -> None:
    name = run.mapping.canonical(run.repo)
    attributes = attribute_values(call.definition.attrs, call.arguments, lambda text: _label(text, home), name)
    call.definition.implementation(RepositoryCtx(run, name, call.name, attributes))


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
