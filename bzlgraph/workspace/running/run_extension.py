"""Running a module extension: what modules say to it -> the repositories that it makes, by the rules that it calls.

``ExtensionRunner.define(name, call)`` -> what defines a repository, for one that an extension or ``use_repo_rule``
makes; any other call as it is. An extension is run when a repository of it is first asked for, once, as repository
rules are run (``run_rule``): what is unknown is tried both ways. Where its .bzl file is not on disk the lock file says
what it made; where that says nothing its repositories are known by name only.
Rules: https://bazel.build/external/extension; ``SingleExtensionEvalFunction.java`` of Bazel's package ``bazel.bzlmod``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError, LoadProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.bazel.context.contexts import Context, RepositoryCall
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.repository.context import ExtensionContext
from bzlgraph.bazel.repository.host import NominalHost
from bzlgraph.bazel.repository.module_ctx import BazelModule, ExtensionMetadata, ModuleCtx
from bzlgraph.bazel.rules.extension import ModuleExtension
from bzlgraph.bazel.rules.repository_rule import RepositoryRule, RuleCall
from bzlgraph.bzlmod.lockfile import LockFile
from bzlgraph.bzlmod.module import ROOT
from bzlgraph.bzlmod.registry import RepositorySpec
from bzlgraph.bzlmod.resolution import Extension, ResolvedModules, RuleRepository
from bzlgraph.facts.built_in import is_own_tool, named_repositories
from bzlgraph.starlark.values import type_name
from bzlgraph.workspace.bzl_files import BzlLoader
from bzlgraph.workspace.repositories.mapping import RepositoryMapping
from bzlgraph.workspace.repositories.provision import Definition
from bzlgraph.workspace.running.attempts import Attempt, Attempts, ended
from bzlgraph.workspace.running.nominal_files import NominalFiles
from bzlgraph.workspace.running.run_rule import RuleRunner, stand_in_gap
from bzlgraph.workspace.running.tags import bazel_modules


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an extension made, by the names it gave. ``known``: whether there can be no others."""

    calls: Mapping[str, RepositoryCall] = field(default_factory=dict)
    known: bool = False
    gaps: tuple[Gap, ...] = ()
    problems: tuple[Diagnostic, ...] = ()


@dataclass(slots=True)
class _InsideExtension:
    """Names of repositories as the code of an extension means them: those it makes, then those its module sees."""

    names: RepositoryMapping
    extension: Extension
    made: Callable[[], Mapping[str, RepositoryCall]]

    def __call__(self, current: str, apparent: str) -> str:
        own = apparent in self.extension.overrides or apparent in self.made()
        return self.names.of_canonical(self.extension.canonical(apparent)) if own else self.names(current, apparent)

    def of_canonical(self, canonical: str) -> str:
        """As everywhere."""
        return self.names.of_canonical(canonical)

    def canonical(self, repo: str) -> str:
        """As everywhere."""
        return self.names.canonical(repo)

    def of_module(self, module: str, repository: str) -> str | None:
        """As everywhere."""
        return self.names.of_module(module, repository)


@dataclass(slots=True)
class ExtensionRunner:
    """Runs the extensions of one workspace, each once."""

    names: RepositoryMapping
    loader: BzlLoader
    rules: RuleRunner
    lock: LockFile = field(default_factory=LockFile)
    _outcomes: dict[str, Outcome] = field(default_factory=dict)
    _running: dict[str, Extension] = field(default_factory=dict)
    """By prefix, each asked for by the one before."""

    def define(self, name: str, call: RepositoryCall | None) -> Definition:
        """What defines a repository of a module extension or of ``use_repo_rule``; of others the call itself."""
        resolved = self.names.modules
        if resolved is None or not name:
            return Definition(call)
        canonical = self.names.canonical(name)
        rule = resolved.rule_repositories.get(canonical)
        if rule is not None and call is not None:
            return self._by_rule(resolved, rule, call)
        found = resolved.extension_of(canonical)
        if found is None:
            return Definition(call, problems=tuple(self._undefined(resolved, canonical)) if call is None else ())
        outcome = self.outcome(found[0])
        return Definition(outcome.calls.get(found[1], call), outcome.gaps, outcome.problems)

    def outcome(self, extension: Extension) -> Outcome:
        """What an extension makes; run at the first call. Raises LoadProblem inside the run of one that needs what it
        makes itself."""
        known = self._outcomes.get(extension.prefix)
        if known is not None:
            return known
        if extension.prefix in self._running:
            raise LoadProblem(self._circle(extension))
        self._running[extension.prefix] = extension
        try:
            outcome = self._run(extension)
        finally:
            del self._running[extension.prefix]
        self._outcomes[extension.prefix] = outcome
        self.names.note_generated(extension, tuple(outcome.calls))
        return outcome

    def _circle(self, extension: Extension) -> Diagnostic:
        """That extensions need each other, told from the same one on wherever it was met."""
        running = list(self._running)
        circle = running[running.index(extension.prefix) :]
        first = circle.index(min(circle))
        names = (self._running[each].id for each in (*circle[first:], *circle[: first + 1]))
        chain = " -> ".join(f"extension '{each.name}' defined in {self._label_text(each.bzl)}" for each in names)
        words = "Circular definition of repositories generated by module extensions and/or .bzl files"
        return Diagnostic(f"{words}: {chain}")

    def _undefined(self, resolved: ResolvedModules, canonical: str) -> Iterator[Diagnostic]:
        """That there is no repository of a canonical name; not where modules or names of WORKSPACE are not known."""
        known = all(module.file is not None for module in resolved.modules.values())
        given = canonical in self.loader.repositories.overrides or resolved.module_of(canonical) is not None
        # Without a WORKSPACE only @bazel_tools may name these: our model of it is of a Bazel that still had one.
        named = named_repositories(self.loader.facts.version).difference(key.name for key in resolved.modules)
        modelled = not self.names.workspace_counts and (canonical in named or is_own_tool(canonical))
        if known and not given and not modelled and not self.names.may_be_of_workspace(canonical):
            yield Diagnostic(f"Repository '@@{canonical}' is not defined")

    # Repositories of use_repo_rule

    def _by_rule(self, resolved: ResolvedModules, made: RuleRepository, call: RepositoryCall) -> Definition:
        usage, bzl = made.usage, call.bzl
        if bzl is None:
            return Definition(call)
        value, problem = self._value(bzl, usage.rule, usage.location)
        if isinstance(value, RepositoryRule):
            home = Context(self.names.of_canonical(resolved.modules[made.module].canonical), "", self.names)
            home.facts, home.loaded = self.loader.facts, self.loader.contexts
            try:
                value.check(call.arguments)
            except BzlgraphError as error:
                return Definition(call, problems=(replace(error.diagnostic, location=usage.location),))
            return Definition(value.called(call, call.arguments, home), self._doubts(bzl))
        if problem is None and value is not None:
            words = (
                f"does not export a repository_rule called {usage.rule}, yet its use is requested at {usage.location}"
            )
            problem = Diagnostic(f"{self._label_text(bzl)} {words}", usage.location)
        return Definition(call, problems=(problem,) if problem is not None else ())

    # Extensions

    def _run(self, extension: Extension) -> Outcome:
        """Run it; with what cannot be known, or what Bazel says is wrong with it."""
        identity = extension.id
        usage = next(iter(extension.usages.values()))
        value, problem = self._value(identity.bzl, identity.name, usage.location)
        if problem is not None:
            return Outcome(problems=(problem,))
        if value is None:
            return self._from_lock(extension)
        if not isinstance(value, ModuleExtension):
            words = f"does not export a module extension called {identity.name}, yet its use is requested at"
            message = f"{self._label_text(identity.bzl)} {words} {usage.location}"
            return Outcome(problems=(Diagnostic(message, usage.location),))
        resolved = self.names.modules
        assert resolved is not None  # it has this extension
        try:
            modules = bazel_modules(extension, value, resolved, self.names)
        except LoadProblem as error:
            return self._blamed(extension, Outcome(problems=error.diagnostics))
        outcome = self._attempted(extension, value, modules)
        if doubts := self._doubts(identity.bzl):
            outcome = replace(outcome, known=False, gaps=(*outcome.gaps, *doubts))
        problems = tuple(self._not_generated(extension, outcome)) if outcome.known and not outcome.problems else ()
        return self._blamed(extension, Outcome(problems=problems) if problems else outcome)

    def _blamed(self, extension: Extension, outcome: Outcome) -> Outcome:
        """The outcome; problems of a file of ours, which stands in for the extension's, are gaps."""
        home = self.loader.repositories.get(self.names.of_canonical(extension.id.bzl.repo))
        if home.present or not outcome.problems:
            return outcome
        return Outcome(outcome.calls, gaps=(*outcome.gaps, *map(stand_in_gap, outcome.problems)))

    def _attempted(self, extension: Extension, value: ModuleExtension, modules: list[BazelModule]) -> Outcome:
        attempts = Attempts(lambda script: self._attempt(extension, value, modules, script))
        found = attempts.provision()
        assert attempts.chosen is not None  # by provision()
        self.rules.tell(attempts.chosen.prints, found)
        run = attempts.chosen.run
        if found.problems:
            return Outcome(problems=found.problems)
        if found.known and not run.reproducible and self._must_be_locked() and not self.lock.has(str(extension.id)):
            return Outcome(
                problems=(Diagnostic(f"The module extension '{extension.id}' does not exist in the lockfile"),)
            )
        return Outcome(run.repositories, found.known, found.gaps, found.problems)

    def _must_be_locked(self) -> bool:
        """Whether Bazel takes extensions from the lock file only, but for those that are the same everywhere."""
        return self.rules.options.lockfile_mode == "error" and not self.lock.mismatch

    def _attempt(
        self, extension: Extension, value: ModuleExtension, modules: list[BazelModule], script: tuple[bool, ...]
    ) -> Attempt:
        """One run. Its tree is a listing of what was made, so that runs can be compared."""
        rules, bzl = self.rules, extension.id.bzl
        home = self.names.of_canonical(bzl.repo)
        run = ExtensionContext(
            home,
            "",
            self.names,
            self.loader.facts,
            loaded=self.loader.contexts,
            source=f"the module extension {extension.id.name} of {self._label_text(bzl)}",
            files=rules.files(f"modextwd~{extension.prefix}"),
            host=NominalHost(rules.options.host_os, rules.options.host_arch),
            environ=rules.options.environment,
            variables=set(value.environ),
            script=script,
        )
        run.mapping = _InsideExtension(self.names, extension, lambda: run.repositories)
        root = extension.usages.get(ROOT)
        non_dev = root is not None and any(not each.dev for each in root.calls)
        flag = rules.options.isolated_extension_usages or self.loader.facts.tolerant
        isolated = extension.id.isolation is not None if flag else None
        facts = self.lock.facts_of(str(extension.id))
        ctx = ModuleCtx(run, modules=modules, non_dev=non_dev, isolated=isolated, facts=facts)
        thread = rules.thread(run)
        problem, final, prints, given = ended(thread, value.implementation, ctx)
        problem = problem or self._refused(extension, given)
        assert isinstance(run.files, NominalFiles)
        for name, call in run.repositories.items():
            run.files.tree.write(f"{_LISTING}/{name}", utf8(repr((call.rule, call.bzl, call.attributes))))
        return Attempt(run, run.files.tree, problem, final, thread.budget.steps - thread.steps_left, prints)

    def _refused(self, extension: Extension, given: object) -> Diagnostic | None:
        """What Bazel says of what an extension gives back, None for what it takes."""
        root = extension.usages.get(ROOT)
        if isinstance(given, ExtensionMetadata):
            message = given.refusal({each.dev for each in root.calls}) if root is not None else ""
            return Diagnostic(message) if message else None
        if given is None or isinstance(given, Uncertain):
            return None
        name = f"module extension {extension.id.name} in {self._label_text(extension.id.bzl)}"
        return Diagnostic(f"expected {name} to return None or extension_metadata, got {type_name(given)}")

    def _not_generated(self, extension: Extension, outcome: Outcome) -> Iterator[Diagnostic]:
        """What modules want of it that it does not make. What is called there and not known may be a macro that makes
        more than the repository of its name."""
        may_make_more = any(not isinstance(call, RuleCall) for call in outcome.calls.values())
        name = f'module extension "{extension.id.name}" from "{self._label_text(extension.id.bzl)}"'
        for usage in extension.usages.values():
            for each in usage.imports:
                made = each.repository in outcome.calls or each.repository in extension.overrides
                if not made and not may_make_more:
                    yield Diagnostic(
                        f'{name} does not generate repository "{each.repository}", yet it is imported as '
                        f'"{each.apparent}" in the usage at {usage.location}',
                        each.location,
                    )
        for override in extension.usages[ROOT].overrides if ROOT in extension.usages else ():
            made = override.repository in outcome.calls
            if override.must_exist and not made and not may_make_more:
                yield Diagnostic(
                    f'{name} does not generate repository "{override.repository}", yet it is overridden via '
                    f"override_repo() at {override.location}. Use inject_repo() instead to inject a new repository.",
                    override.location,
                )
            elif made and not override.must_exist:
                yield Diagnostic(
                    f'{name} generates repository "{override.repository}", yet it is injected via inject_repo() at '
                    f"{override.location}. Use override_repo() instead to override an existing repository.",
                    override.location,
                )

    def _from_lock(self, extension: Extension) -> Outcome:
        """What the lock file says that an extension made whose code is not on disk."""
        specs = self.lock.repositories_of(str(extension.id))
        if specs is None:
            return Outcome()
        calls = {name: self._locked_call(extension, name, spec) for name, spec in specs.items()}
        return Outcome(calls, known=True, gaps=self.lock.gaps)

    def _locked_call(self, extension: Extension, name: str, spec: RepositorySpec) -> RepositoryCall:
        home = Context(self.names.of_canonical(extension.id.bzl.repo), "", self.names)
        home.facts, home.loaded = self.loader.facts, self.loader.contexts
        attributes = dict(spec.attributes)
        location = next((each.location for usage in extension.usages.values() for each in usage.imports), None)
        bzl = home.label(spec.bzl) if spec.bzl else None
        value = self._value(bzl, spec.rule, location)[0] if bzl is not None else None
        call = RepositoryCall(name, spec.rule, bzl, attributes, location, attributes, home)
        return value.called(call, attributes, home) if isinstance(value, RepositoryRule) else call

    def _value(self, bzl: Label, name: str, location: Location | None) -> tuple[object, Diagnostic | None]:
        """A global of a .bzl file: (None, None) where it is not known, as when the file is not on disk; a problem where
        the file cannot be loaded."""
        label = bzl._replace(repo=self.names.of_canonical(bzl.repo)) if bzl.repo else bzl
        loaded = self.loader.file(label, location) if location is not None else self.loader.file(label)
        value = loaded.names.get(name)
        is_absent = not self.loader.repositories.get(label.repo).present
        if is_absent:  # a file of ours stands in for it at most, whose other values say nothing of the true one
            return value if isinstance(value, ModuleExtension | RepositoryRule) else None, None
        unknown = isinstance(value, Uncertain)
        if value is not None and not unknown:
            return value, None
        if loaded.diagnostics:
            first = loaded.diagnostics[0]
            where = f"requested by {location}" if location is not None else "requested"
            message = f"Error loading '{self._label_text(bzl)}' for module extensions, {where}: {first.message}"
            return None, replace(first, message=message, location=first.location or location)
        return (None if unknown else self), None

    def _doubts(self, bzl: Label) -> tuple[Gap, ...]:
        """That a file which defines what is run has problems, as where a file that it loads is missing: Bazel runs
        nothing then."""
        label = bzl._replace(repo=self.names.of_canonical(bzl.repo)) if bzl.repo else bzl
        told = self.loader.file(label).diagnostics if self.loader.repositories.get(label.repo).present else []
        hides = "Bazel makes no repository by it, and what is made here may be wrong"
        return tuple(
            Gap(GapKind.LOAD.value, f"{self._label_text(bzl)}: {each.message}", hides, each.location)
            for each in told[:1]
        )

    def _label_text(self, bzl: Label) -> str:
        """A label as messages of Bazel have it."""
        return f"{f'@@{bzl.repo}' if bzl.repo else ''}//{bzl.package}:{bzl.name}"


_LISTING = ".made"
