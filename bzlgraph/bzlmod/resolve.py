"""Resolution: the root's MODULE.bazel and a way to find others -> ``ResolvedModules``.

discover, select, then name the repositories and bring together what modules say to extensions. Nothing is read here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.base.span import Location
from bzlgraph.bzlmod.discovery import Candidate, Get, ModuleSource, Request, discover
from bzlgraph.bzlmod.module import (
    ROOT,
    Dependency,
    ExtensionUsage,
    ModuleFile,
    ModuleKey,
    MultipleVersionOverride,
    Override,
    RepositoryOverride,
    SingleVersionOverride,
    UseExtension,
    UseRepo,
    without_dev,
)
from bzlgraph.bzlmod.name_uses import entangled, taken
from bzlgraph.bzlmod.repository_names import Names
from bzlgraph.bzlmod.resolution import (
    Edge,
    Extension,
    ExtensionId,
    Isolation,
    Reason,
    ResolvedModule,
    ResolvedModules,
    RuleRepository,
)
from bzlgraph.bzlmod.selection import Selection, select
from bzlgraph.facts.modules import BuiltInModule, ModuleFacts

_REASONS = {
    "archive_override": Reason.ARCHIVE,
    "git_override": Reason.GIT,
    "local_path_override": Reason.LOCAL_PATH,
}


def resolve(
    root: ModuleFile,
    get: Get,
    facts: ModuleFacts,
    overrides: Mapping[str, Override] | None = None,
    *,
    ignore_dev: bool = False,
    locked: Collection[ModuleKey] = (),
) -> ResolvedModules:
    """The modules that follow from ``root``. ``overrides`` (those of the command line) win over those of the file.

    ``locked``, the versions that a lock file tells, count only where not all files are known that could raise them.
    """
    root = without_dev(root) if ignore_dev else root
    built_in = {each.name: built_in_file(each) for each in facts.built_in}
    of_root = {**root.overrides, **(overrides or {})}
    problems = []
    if root.name in of_root and root.name:
        location = of_root.pop(root.name).location
        problems.append(Diagnostic(f"invalid override for the root module found: {root.name}", location))

    def found(key: ModuleKey) -> ModuleSource:
        if key.name in built_in and not key.version:
            return ModuleSource(built_in[key.name])
        source = get(key)
        return replace(source, file=without_dev(source.file)) if source.file is not None else source

    candidates = discover(root, found, of_root, built_in)
    problems += _useless(of_root, candidates)
    if all(each.source.file is not None for each in candidates.values()):
        locked = ()
    elif locked:
        candidates = discover(root, found, of_root, built_in, locked)
    selection = select(candidates, of_root, levels_count=facts.compatibility_levels, locked=locked)
    resolver = _Resolver(facts, of_root, candidates, selection)
    resolver.problems += (*problems, *selection.problems)
    return resolver.resolved()


def _useless(overrides: Mapping[str, Override], candidates: Mapping[ModuleKey, Candidate]) -> Iterator[Diagnostic]:
    """Overrides of modules that nobody asks for; unknown where not all files are known."""
    names = {key.name for key in candidates}
    if all(each.source.file is not None for each in candidates.values()):
        for name, override in overrides.items():
            if name not in names:
                message = f"the root module specifies overrides on nonexistent module(s): {name}"
                yield Diagnostic(message, override.location)


def built_in_file(fact: BuiltInModule) -> ModuleFile:
    """The MODULE.bazel of a module inside Bazel, as far as it matters outside."""
    usages = (
        ExtensionUsage(
            each.bzl,
            each.name,
            (UseExtension("", imports=tuple(UseRepo(name, name) for name in each.repositories)),),
        )
        for each in fact.extensions
    )
    dependencies = tuple(Dependency(each.name, each.version, each.repo_name) for each in fact.dependencies)
    return ModuleFile(fact.name, repo_name=fact.name, dependencies=dependencies, usages=tuple(usages))


@dataclass(slots=True)
class _Resolver:
    facts: ModuleFacts
    overrides: Mapping[str, Override]
    candidates: Mapping[ModuleKey, Candidate]
    selection: Selection
    problems: list[Diagnostic] = field(default_factory=list)

    def resolved(self) -> ResolvedModules:
        used = self.selection.order
        names = Names(self.facts, _several(used))
        modules = {key: self._module(key, names) for key in used}
        unused = {key: self._module(key, names) for key in self.candidates if key not in modules}
        known = [self.candidates[key].source for key in used]
        files = [each.source.file for each in self.candidates.values() if each.source.file is not None]
        own = {each.name for each in self.facts.built_in}
        self.problems += (problem for file in files for problem in taken(file, own))
        self.problems += entangled(root.usages if (root := self.candidates[ROOT].source.file) is not None else ())
        self.problems += (self._missing(each) for each in self.candidates.values() if each.source.problem)
        self.problems += (each for source in known for each in source.diagnostics)
        self.problems += (self._yanked(key) for key in used if self.candidates[key].source.yanked)
        plain = ResolvedModules(modules, unused)
        extensions = self._extensions(plain, names)
        rules = self._rule_repositories(plain, names)
        named = replace(plain, extensions=extensions, rule_repositories=rules)
        return replace(
            named,
            extensions=self._with_overrides(named),
            problems=tuple(self.problems),
            warnings=tuple(self._warnings(modules)),
            gaps=tuple(dict.fromkeys(each.source.gap for each in self.candidates.values() if each.source.gap)),
        )

    def _module(self, key: ModuleKey, names: Names) -> ResolvedModule:
        candidate = self.candidates[key]
        edges = [self._edge(each, self.selection.target(each)) for each in candidate.requests]
        edges += (self._edge(each, None) for each in candidate.wishes)
        built_in = any(each.name == key.name for each in self.facts.built_in)
        source = candidate.source
        override = self.overrides.get(key.name)
        return ResolvedModule(key, source.file, names.module(key), tuple(edges), override, source.registry, built_in)

    def _edge(self, request: Request, target: ModuleKey | None) -> Edge:
        return Edge(request.written, target, self._reason(request, target))

    def _reason(self, request: Request, target: ModuleKey | None) -> Reason:
        override = self.overrides.get(request.key.name)
        if target is None or target.version == request.written.version:  # the root's version counts as none
            return Reason.ORIGINAL
        if isinstance(override, RepositoryOverride):
            return _REASONS[override.rule]
        if isinstance(override, SingleVersionOverride) and override.version:
            return Reason.SINGLE_VERSION
        if isinstance(override, MultipleVersionOverride):
            return Reason.MULTIPLE_VERSION
        return Reason.SELECTED

    def _missing(self, candidate: Candidate) -> Diagnostic:
        """Bazel's words for a module that is missing or broken, with a way that leads to it."""
        chain = " -> ".join(map(str, candidate.chain))
        source = candidate.source
        return Diagnostic(
            f"in module dependency chain {chain}: {source.problem}", self._place(candidate), hint=source.hint
        )

    def _place(self, candidate: Candidate) -> Location | None:
        """Where the last module but one of its chain asks for it."""
        requests = self.candidates[candidate.chain[-2]]
        asked = (each for each in (*requests.requests, *requests.wishes) if each.key == candidate.key)
        return next((each.written.location for each in asked), None)

    def _yanked(self, key: ModuleKey) -> Diagnostic:
        candidate = self.candidates[key]
        message = (
            f"Yanked version detected in your resolved dependency graph: {key}, for the reason: "
            f"{candidate.source.yanked}.\nYanked versions may contain serious vulnerabilities and should not be used. "
            "To fix this, use a bazel_dep on a newer version of this module. To continue using this version, allow it "
            "using the --allow_yanked_versions flag or the BZLMOD_ALLOW_YANKED_VERSIONS env variable."
        )
        return Diagnostic(message, self._place(candidate))

    def _warnings(self, modules: Mapping[ModuleKey, ResolvedModule]) -> Iterator[Diagnostic]:
        """Where the root gets another version than the one it asks for."""
        for edge in modules[ROOT].edges:
            if edge.reason is Reason.SELECTED and edge.written.version:
                message = (
                    f"For repository '{edge.repo_name}', the root module requires module version {edge.written.key}, "
                    f"but got {edge.target} in the resolved dependency graph."
                )
                yield Diagnostic(message, edge.written.location, severity="warning")

    def _extensions(self, plain: ResolvedModules, names: Names) -> dict[ExtensionId, Extension]:
        usages: dict[ExtensionId, dict[ModuleKey, ExtensionUsage]] = {}
        for key, module in plain.modules.items():
            for usage in module.file.usages if module.file is not None else ():
                label = self._extension_label(plain, module, usage)
                if label is not None:
                    isolation = Isolation(key, usage.isolation, names.facts.separator) if usage.isolated else None
                    usages.setdefault(ExtensionId(label, usage.name, isolation), {})[key] = usage
        return {each: Extension(each, names.extension(each), by_module) for each, by_module in usages.items()}

    def _extension_label(self, plain: ResolvedModules, module: ResolvedModule, usage: ExtensionUsage) -> Label | None:
        try:
            label = parse(usage.bzl, "", "")
        except LabelError as error:
            self.problems.append(Diagnostic(f"invalid label for module extension found: {error}", usage.location))
            return None
        if usage.bzl.startswith("@@"):
            return label
        repository = plain.module_mapping(module.key).get(label.repo)
        if repository is None:
            message = f"invalid label for module extension found: no repo visible as '@{label.repo}' here"
            self.problems.append(Diagnostic(message, usage.location))
        return label._replace(repo=label.repo if repository is None else repository)

    def _rule_repositories(self, plain: ResolvedModules, names: Names) -> dict[str, RuleRepository]:
        repositories: dict[str, RuleRepository] = {}
        for key, module in plain.modules.items():
            home = Label(module.canonical, "", "MODULE.bazel")
            for usage in module.file.repo_rules if module.file is not None else ():
                extension = ExtensionId(home, names.rule_extension(usage.bzl, usage.rule))
                name = names.extension(extension) + usage.name
                repositories[name] = RuleRepository(name, key, usage, extension)
        return repositories

    def _with_overrides(self, named: ResolvedModules) -> dict[ExtensionId, Extension]:
        """The extensions with what the root's ``override_repo`` and ``inject_repo`` say."""
        mapping = named.module_mapping(ROOT)
        extensions: dict[ExtensionId, Extension] = {}
        for identity, extension in named.extensions.items():
            usage = extension.usages.get(ROOT)
            overrides: dict[str, str] = {}
            for each in usage.overrides if usage is not None else ():
                if each.overriding in mapping:
                    overrides[each.repository] = mapping[each.overriding]
                else:
                    message = (
                        f"The repo exported as '{each.repository}' by module extension '{identity.name}' is overridden "
                        f"with '{each.overriding}', but no repo is visible under this name"
                    )
                    self.problems.append(Diagnostic(message, each.location))
            extensions[identity] = replace(extension, overrides=overrides)
        return extensions


def _several(used: Iterable[ModuleKey]) -> frozenset[str]:
    """The names of modules of which several versions are used."""
    names = [key.name for key in used]
    return frozenset(name for name in names if names.count(name) > 1)
