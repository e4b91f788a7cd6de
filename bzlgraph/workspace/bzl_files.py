"""The .bzl files: ``load("//pkg:file.bzl", "name")`` -> the frozen globals of that file.

Every file is evaluated once. What cannot be loaded never stops the file that asks for it:
* its repository is not on disk: a fallback for well-known rule sets, else every name is an Unknown value and a gap;
* it is missing, broken or part of a load cycle: its names are Unknown, and the problem is reported with the package.
What a file gives does not depend on who loads it first: workers begin with different packages.
Rules: https://bazel.build/extending/concepts#loading_an_extension
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import UNKNOWN_REPOSITORY, Label, LabelError, RepoMapping, unknown_repository_words
from bzlgraph.base.span import Location
from bzlgraph.base.spell import did_you_mean, nearest
from bzlgraph.base.words import override_option
from bzlgraph.bazel.context.contexts import EVERYWHERE, BzlContext, Context, PackageContext
from bzlgraph.bazel.files.environment import dialect_of, operators_of, scl_environment
from bzlgraph.bazel.files.fallbacks import NativeNames, fallback_module
from bzlgraph.bazel.files.old_functions import language_of
from bzlgraph.bazel.files.run_file import run_file
from bzlgraph.bazel.files.unknown import Unknown, UnknownModule
from bzlgraph.bazel.files.workspace_functions import unread_hint
from bzlgraph.bazel.repository.host import NominalHost
from bzlgraph.bazel.repository.placeholder import readable, unknown_values
from bzlgraph.bazel.rules.load_visibility import may_load
from bzlgraph.cache.freshness import key_of
from bzlgraph.facts import Facts, known_versions
from bzlgraph.starlark.evaluation.budget import DEFAULT, Budget, breached
from bzlgraph.starlark.evaluation.thread import NOWHERE, Thread, current_thread
from bzlgraph.starlark.module import Module
from bzlgraph.syntax.dialect import BZL, SCL
from bzlgraph.workspace.program_cache import ProgramCache
from bzlgraph.workspace.repositories.table import Repositories, Repository
from bzlgraph.workspace.sources.source import ContentUnknown, joined

PRELUDE = ("tools/build_rules", "prelude_bazel")
"""Package and name of the file whose names all BUILD files of its repository have (``loading/prelude.py``)."""
_EXTENSIONS = (".bzl", ".scl")
_OF_HOST = b"%{host_constraints}"
"""What a source of ours says of the machine that builds."""


@dataclass(slots=True)
class LoadedFile:
    """A .bzl file after evaluation: its names, what it loads (directly, in order), its problems and gaps."""

    label: Label
    names: Mapping[str, object]
    loads: list[Label] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    context: BzlContext | None = None
    guessed: bool = False
    """Whether something unknown has decided on its values."""
    over_budget: bool = False
    """Whether a budget ended it."""

    def problems(self, location: Location) -> Iterator[Diagnostic]:
        """What is wrong with it, for the file that loads it at ``location``."""
        return (each if each.location else replace(each, location=location) for each in self.diagnostics)


@dataclass(slots=True)
class BzlLoader:
    """Loads .bzl files of all repositories of a workspace."""

    repositories: Repositories
    programs: ProgramCache
    environment: Mapping[str, object]
    facts: Facts
    mapping: RepoMapping
    print: Callable[[str, Location], None]
    budget: Budget = DEFAULT
    contexts: dict[str, Context] = field(default_factory=dict)
    _files: dict[Label, LoadedFile] = field(default_factory=dict)
    _digests: dict[Label, bytes] = field(default_factory=dict)
    _loading: dict[Label, Location] = field(default_factory=dict)
    """The files being evaluated, and where each is loaded by the one before."""
    _cycles: dict[Label, Diagnostic] = field(default_factory=dict)

    def callback(self, loads: list[Label], diagnostics: list[Diagnostic]) -> Callable[..., Mapping[str, object]]:
        """The ``load`` callback for a thread that runs one file: notes which files it loads, and their problems."""

        def load(text: str, thread: Thread, location: Location) -> Mapping[str, object]:
            context: Context = thread.host
            try:
                label = context.label(self._label_of_path(text, context.repo, location.path))
            except LabelError as error:
                diagnostics.append(Diagnostic(f"in load statement: {error}", location))
                return UnknownModule(text)
            if not label.name.endswith(_EXTENSIONS) and (label.package, label.name) != PRELUDE:
                words = 'in load statement: The label must reference a file with extension ".bzl"'
                diagnostics.append(Diagnostic(words, location))
                return UnknownModule(text)
            loads.append(label)
            loaded = self.file(label, location)
            diagnostics.extend(loaded.problems(location))
            if self.facts.load_visibility_enforced:
                diagnostics.extend(_refusals(loaded, context, location))
            if loaded.guessed:
                context.choices.add(EVERYWHERE)
            if not isinstance(context, PackageContext) and not isinstance(loaded.names, UnknownModule):
                return _NamesGoingOn(loaded, context, diagnostics)
            return loaded.names

        return load

    def _label_of_path(self, text: str, repo: str, file: str) -> str:
        """The label of what ``file`` loads: ``//a:b.bzl`` for ``/a/b`` or, beside it, ``b``. Such paths are those of
        Bazels older than any that is known here, of which a tree without a version may be."""
        if not self.facts.tolerant or text.startswith(("//", ":", "@")) or text.endswith(_EXTENSIONS):
            return text
        repository = self.repositories.get(repo)
        path = f"{text[1:]}.bzl"
        if not text.startswith("/"):
            folder = file.removeprefix(repository.path_of("")).rpartition("/")[0]
            path = f"{folder}/{text}.bzl".lstrip("/")
            if not repository.tree.source.is_file(path):  # nothing says that a path is meant
                return text
        package = repository.tree.package_of(path)
        if package is None:  # it may be in a submodule that is not checked out
            package = path.rpartition("/")[0]
        return f"//{package}:{path.removeprefix(package).lstrip('/')}"

    def thread(
        self, host: Context, loads: list[Label], diagnostics: list[Diagnostic], budget: Budget | None = None
    ) -> Thread:
        """An evaluation of one file, which notes what it loads and what goes wrong with that."""
        facts = self.facts
        return Thread(
            self.print,
            self.callback(loads, diagnostics),
            budget=budget or self.budget,
            host=host,
            operators=operators_of(facts),
            language=language_of(facts),
        )

    def file(self, label: Label, location: Location = NOWHERE) -> LoadedFile:
        """The .bzl file of a label that is loaded at ``location``, evaluated on first use."""
        loaded = self._files.get(label)
        if loaded is not None:
            return loaded
        if label in self._loading:
            self._note_cycle(label, location)
            return LoadedFile(label, UnknownModule(str(label)))
        self._loading[label] = location
        try:
            loaded = self._load(label)
        finally:
            del self._loading[label]
        if label in self._cycles:
            gap = Gap(
                GapKind.LOAD.value,
                f"{label} is in a cycle of load() statements",
                "the rules and values it defines are unknown",
            )
            names = UnknownModule(str(label))
            loaded = LoadedFile(label, names, loaded.loads, [self._cycles[label]], [gap])
        self._files[label] = loaded
        return loaded

    def transitive(self, loads: list[Label]) -> list[LoadedFile]:
        """The loaded files that ``loads`` need, directly or not, each once, in load order."""
        seen: dict[Label, LoadedFile] = {}
        stack = list(reversed(loads))
        while stack:
            label = stack.pop()
            if label not in seen and (loaded := self._files.get(label)) is not None:
                seen[label] = loaded
                stack.extend(reversed(loaded.loads))
        return list(seen.values())

    def content(self, label: Label) -> dict[str, bytes] | None:
        """Digests of a file and of all that it loads, by label, b"" for one that is not there; None where it is not
        known what one does."""
        found: dict[str, bytes] = {}
        for loaded in self.transitive([label]):
            if loaded.guessed or loaded.diagnostics or loaded.over_budget:
                return None
            if loaded.label not in self._digests:
                self._digests[loaded.label] = self._digest(loaded.label)
            found[str(loaded.label)] = self._digests[loaded.label]
        return found if str(label) in found else None

    def _digest(self, label: Label) -> bytes:
        try:
            return key_of("file", (self.repositories.get(label.repo).tree.source.read(label.path),))
        except OSError:
            return b""

    def _load(self, label: Label) -> LoadedFile:
        repository = self.repositories.get(label.repo)
        try:
            data = repository.tree.source.read(label.path)
        except OSError as error:
            return self._missing(repository, label, error)
        loaded = self._evaluate(repository, label, data)
        crossing = self._crossing(repository, label)
        if crossing is not None:
            loaded.diagnostics.append(crossing)
        if repository.present and repository.tree.build_file(label.package) is None:
            folder = label.path.rpartition("/")[0] or "."
            loaded.diagnostics.append(
                Diagnostic(
                    f"cannot load '{label}': '{label.package}' is not a package",
                    hint=f"a .bzl file needs a BUILD file beside it: create {folder}/BUILD",
                )
            )
        return loaded

    def _crossing(self, repository: Repository, label: Label) -> Diagnostic | None:
        """That the file belongs to a package below the one that its label names; None where that is no fault."""
        if "/" not in label.name or not repository.present or self.facts.load_across_a_boundary:
            return None
        folder = label.name
        while "/" in folder:
            folder = folder.rpartition("/")[0]
            below = joined(label.package, folder)
            if repository.tree.build_file(below) is not None:
                meant = Label(label.repo, below, label.name[len(folder) + 1 :])
                return Diagnostic(
                    f"Label '{label}' is invalid because '{below}' is a subpackage",
                    hint=f"perhaps you meant to put the colon here: '{meant}'?",
                )
        return None

    def _evaluate(self, repository: Repository, label: Label, data: bytes) -> LoadedFile:
        path = repository.path_of(label.path)
        context = self._context(label, path)
        loaded = LoadedFile(label, {}, diagnostics=list(repository.problems), gaps=context.gaps, context=context)
        context.gaps.extend(repository.gaps)
        unknown = unknown_values(data)
        try:
            dialect = dialect_of(SCL if label.name.endswith(".scl") else BZL, self.facts)
            environment = scl_environment(self.facts) if dialect.name == SCL.name else self.environment
            names = {**environment, **unknown} if unknown else environment
            text = (data, path, dialect, names.keys())
            module = Module(self.programs.program(*text), names, self._home_text(label))
            thread = self.thread(context, loaded.loads, loaded.diagnostics)
            try:
                run_file(module, thread, context, partial(self.programs.prefix, *text))
            finally:
                loaded.over_budget = thread.steps_left < 0 or breached()
                module.freeze()
                loaded.names = self._exported(module, label)
        except BzlgraphError as error:
            loaded.diagnostics.extend(error.diagnostics)
            loaded.names = UnknownModule(str(label), loaded.names)
            hides = "the names defined after the error are unknown"
            loaded.gaps.append(Gap(GapKind.LOAD.value, f"{label} is broken", hides))
        if unknown:
            loaded.names = UnknownModule(str(label), loaded.names)
            _doubt(loaded)
        loaded.guessed = repository.guessed or not context.choices.issubset({EVERYWHERE})
        return loaded

    def _run_fallback(self, repository: Repository, label: Label, source: bytes) -> Mapping[str, object]:
        """Run a source of ours as the file ``label``."""
        if _OF_HOST in source:
            options = self.repositories.options
            source = source.replace(
                _OF_HOST, repr(NominalHost(options.host_os, options.host_arch).constraints).encode()
            )
        path = repository.path_of(label.path)
        module = Module(self.programs.program(source, path, BZL, self.environment.keys()), self.environment)
        context = self._context(label, path)
        context.stand_in = True
        module.run(self.thread(context, [], []))
        module.freeze()
        return module.globals

    def _context(self, label: Label, path: str) -> BzlContext:
        context = BzlContext(label.repo, label.package, self.mapping, self.facts, loaded=self.contexts, path=path)
        self.contexts[path] = context
        return context

    def _exported(self, module: Module, label: Label) -> Mapping[str, object]:
        """What other files may load; of a prelude, and in old Bazels of each file, also what the file itself loads."""
        loaded_too = self.facts.reexports or (label.package, label.name) == PRELUDE
        return {**module.loaded, **module.globals} if loaded_too else module.globals

    def _missing(self, repository: Repository, label: Label, error: OSError) -> LoadedFile:
        """A file that cannot be read: fallback, Unknown with a gap, or an error when its repository is on disk."""
        name = readable(str(label))
        if isinstance(error, ContentUnknown) or name != str(label):
            why = error.strerror if isinstance(error, ContentUnknown) else "it is not known which file that is"
            gap = Gap(GapKind.LOAD.value, f"{name}: {why}", "the rules and values it defines are unknown")
            return LoadedFile(label, UnknownModule(name), gaps=[gap])
        if repository.present:
            absent = isinstance(error, FileNotFoundError | NotADirectoryError)
            why = "no such file" if absent else f"it cannot be read: {error.strerror}"
            if label.repo.startswith(UNKNOWN_REPOSITORY):
                why = unknown_repository_words(label.repo)
            hint = _nearby_hint(repository, label) if absent else None
            if label.repo.startswith(UNKNOWN_REPOSITORY):
                hint = unread_hint(self.facts, self.repositories.main.tree.source.is_file)
            gap = Gap(GapKind.LOAD.value, f"{label} cannot be loaded", "the rules and values it defines are unknown")
            problem = Diagnostic(f"cannot load '{label}': {why}", hint=hint)
            return LoadedFile(label, UnknownModule(str(label)), [], list(repository.problems) or [problem], [gap])
        run = partial(self._run_fallback, repository, label)
        known = label._replace(repo=self._module_name(label.repo))
        fallback = fallback_module(known, self.environment, self.facts, run, label.repo)
        if fallback is not None:
            return LoadedFile(label, fallback, gaps=_stand_in_gaps(label, fallback, repository.canonical))
        gap = Gap(
            GapKind.LOAD.value,
            f"{label} is not on disk",
            "the rules and values it defines are unknown (give "
            f"@{label.repo} with {override_option(repository.canonical)})",
            repository=label.repo,
        )
        return LoadedFile(label, UnknownModule(str(label)), gaps=[gap])

    def _home_text(self, label: Label) -> str:
        """The home of a function as ``str()`` of one shows it: 4.2.3 and 7.7.1 were asked."""
        if not label.repo:
            return str(label)
        marks = "@@" if self.facts.labels_unambiguous else "@"
        return f"{marks}{self.mapping.canonical(label.repo)}//{label.package}:{label.name}"

    def _module_name(self, repo: str) -> str:
        """The name of the module that a repository is, whatever a file calls it; its own where it is none."""
        canonical = self.mapping.canonical(repo)
        module, *rest = re.split("[~+]", canonical)
        return module if len(rest) == 1 or repo.startswith("@") else repo

    def _note_cycle(self, label: Label, location: Location) -> None:
        """No file of a cycle can be loaded; the cycle is told from its first label on, wherever it was entered."""
        loading = list(self._loading)
        files = loading[loading.index(label) :]
        places = {**self._loading, label: location}
        first = files.index(min(files))
        chain = [*files[first:], *files[: first + 1]]
        problem = Diagnostic(f"cycle of load() statements: {' -> '.join(map(str, chain))}", places[chain[1]])
        for each in files:
            self._cycles.setdefault(each, problem)


class _NamesGoingOn(dict[str, object]):
    """The names of a file that WORKSPACE or a .bzl file loads: one that it does not have is a problem, and Unknown, so
    that the repositories and rules after it are not lost. (In a BUILD file it ends the package, as in Bazel.)"""

    def __init__(self, file: LoadedFile, context: Context, problems: list[Diagnostic]) -> None:
        super().__init__(file.names)
        self._file, self._context, self._problems = file.label, context, problems

    def __missing__(self, name: str) -> object:
        message = f"file '{self._file}' does not contain symbol '{name}'{did_you_mean(name, self)}"
        self._problems.append(Diagnostic(message, current_thread().innermost_location()))
        self._context.add_gap(Gap(GapKind.LOAD.value, f"{name} of {self._file} does not exist", "its value is unknown"))
        return Unknown(name, str(self._file))


def _stand_in_gaps(label: Label, names: UnknownModule, canonical: str) -> list[Gap]:
    """That a rule set has rules of its own, where native ones stand in; ``canonical``: its name in options."""
    if not isinstance(names, NativeNames) or not names.apart:
        return []
    hides = f"treated as the native rules of Bazel {known_versions()[-1]} (give @{label.repo} with "
    hides += f"{override_option(canonical)})"
    return [Gap(GapKind.LOAD.value, f"{label} is not on disk", hides, repository=label.repo)]


def _doubt(loaded: LoadedFile) -> None:
    """Make the problems of a file that holds unknown text gaps: the true text may have none."""
    for each in loaded.diagnostics:
        what = f"caused by an unknown string: {readable(each.message)}"
        loaded.gaps.append(Gap(GapKind.LOAD.value, what, "the names it defines are unknown", each.location))
    loaded.diagnostics.clear()


def _nearby_hint(repository: Repository, label: Label) -> str | None:
    """The .bzl file that was probably meant."""
    names = [name for name in repository.tree.entries(label.package)[0] if name.endswith(".bzl")]
    near = nearest(label.name, names)
    return f"did you mean {label._replace(name=near)}?" if near else None


def _refusals(loaded: LoadedFile, context: Context, location: Location) -> Iterator[Diagnostic]:
    """That a file may not be loaded from where it is; Bazel then has nothing of the package."""
    if loaded.context is not None and not may_load(loaded.context, context.repo, context.package):
        home = Label(context.repo, context.package, "")
        package = str(home).removesuffix(":")
        yield Diagnostic(
            f"Starlark file {loaded.label} is not visible for loading from package {package}",
            location,
            hint="check the file's visibility() declaration",
        )
