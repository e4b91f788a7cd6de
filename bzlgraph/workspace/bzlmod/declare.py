"""The repositories that modules bring: what is resolved -> ``RepositoryCall``s, by the name of each repository.

One for each module, for each repository of an extension that somebody takes by ``use_repo``, and for each of
``use_repo_rule``. Those of extensions are known by name only until the extension is run.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.base.span import Location
from bzlgraph.bazel.context.contexts import Context, RepositoryCall, WorkspaceContext
from bzlgraph.bzlmod.module import ROOT, ModuleKey, Tag
from bzlgraph.bzlmod.registry import RepositorySpec
from bzlgraph.bzlmod.resolution import Extension, ResolvedModules
from bzlgraph.workspace.bzlmod.resolution import Modules
from bzlgraph.workspace.repositories.origin import EXTENSION, LOCAL_MODULE, MODULE


def declare(modules: Modules, context: WorkspaceContext) -> None:
    """Put what modules bring into the workspace's context, and what the root's MODULE.bazel says of itself."""
    resolved = modules.resolved
    root = resolved.root.file
    if root is not None:
        context.workspace_name = root.repo_name
        context.toolchains.extend(each.pattern for each in root.toolchains)
        context.platforms.extend(each.pattern for each in root.platforms)
    calls = (*_module_calls(modules, context), *_extension_calls(resolved, context), *_rule_calls(resolved, context))
    for canonical, call in calls:
        context.module_repositories[context.mapping.of_canonical(canonical)] = call
    for key, module in resolved.modules.items():
        if module.file is not None:
            context.modules[context.mapping.of_canonical(module.canonical)] = module.file.name, module.file.version
        elif not module.built_in:
            context.modules[context.mapping.of_canonical(module.canonical)] = key.name, key.version
    _name_modules_of_extensions(resolved, context)
    gap = _summary(resolved)
    if gap is not None:
        context.add_gap(gap)


def _name_modules_of_extensions(resolved: ResolvedModules, context: WorkspaceContext) -> None:
    """A repository that an extension makes belongs to the module of the extension (``native.module_name()``)."""
    for extension in resolved.extensions.values():
        home = resolved.module_of(extension.id.bzl.repo)
        file = home.file if home is not None else None
        for name in extension.imported() if file is not None else ():
            made = context.mapping.of_canonical(extension.canonical(name))
            context.modules.setdefault(made, (file.name, file.version) if file is not None else ("", ""))


_Named = tuple[str, RepositoryCall]
"""A repository's canonical name, and what defines it."""


def _module_calls(modules: Modules, context: WorkspaceContext) -> Iterator[_Named]:
    for key, module in modules.resolved.modules.items():
        if key == ROOT or module.built_in:
            continue
        location = _asked_at(modules.resolved, key)
        spec = modules.specs.get(module.canonical)
        if spec is None:
            written: dict[str, object] = {"module": key.name, "version": key.version}
            yield module.canonical, RepositoryCall(key.name, MODULE, None, written, location)
        else:
            yield module.canonical, _spec_call(key.name, spec, location, context)


def _spec_call(name: str, spec: RepositorySpec, location: Location | None, context: WorkspaceContext) -> RepositoryCall:
    rule = LOCAL_MODULE if spec.rule == "local_repository" else spec.rule
    bzl = parse(spec.bzl, "", "") if spec.bzl else None
    attributes = dict(spec.attributes)
    return RepositoryCall(name, rule, bzl, attributes, location, arguments=attributes, home=context)


def _asked_at(resolved: ResolvedModules, key: ModuleKey) -> Location | None:
    """Where a module is asked for, the root's own ``bazel_dep`` before others."""
    return next((edge.written.location for _, edge in resolved.requesters(key) if edge.written.location), None)


def _extension_calls(resolved: ResolvedModules, context: WorkspaceContext) -> Iterator[_Named]:
    for extension in resolved.extensions.values():
        taken: dict[str, Location | None] = {}
        for usage in extension.usages.values():
            for each in usage.imports:
                taken.setdefault(each.repository, each.location)
        tags = tuple(_tags(extension, resolved, context))
        for repository, location in taken.items():
            if repository not in extension.overrides:
                yield extension.canonical(repository), _extension_call(extension, repository, location, tags)


def _tags(extension: Extension, resolved: ResolvedModules, context: WorkspaceContext) -> Iterator[tuple[Tag, Context]]:
    """What modules say to an extension, the root first, each with what labels in it mean."""
    for key, usage in sorted(extension.usages.items(), key=lambda pair: pair[0] != ROOT):
        home = Context(context.mapping.of_canonical(resolved.modules[key].canonical), "", context.mapping)
        yield from ((tag, home) for tag in usage.tags)


def _extension_call(
    extension: Extension, repository: str, location: Location | None, tags: tuple[tuple[Tag, Context], ...]
) -> RepositoryCall:
    """A repository of an extension, by name only, with what modules say to the extension."""
    attributes: dict[str, object] = {"extension": str(extension.id), "repository": repository}
    return RepositoryCall(repository, EXTENSION, None, attributes, location, arguments={"tags": tags})


def _rule_calls(resolved: ResolvedModules, context: WorkspaceContext) -> Iterator[_Named]:
    for repository in resolved.rule_repositories.values():
        usage = repository.usage
        attributes = dict(usage.attributes)
        home = context.mapping.of_canonical(resolved.modules[repository.module].canonical)
        bzl: Label | None
        try:
            bzl = parse(usage.bzl, home, "", context.mapping)
        except LabelError:
            bzl = None
        call = RepositoryCall(usage.name, usage.rule, bzl, attributes, usage.location, arguments=attributes)
        yield repository.canonical, call


def _summary(resolved: ResolvedModules) -> Gap | None:
    """One gap for all modules whose MODULE.bazel is not on disk: each for itself is in ``ResolvedModules.gaps``."""
    missing = [
        str(key)
        for modules in (resolved.modules, resolved.unused)
        for key, module in modules.items()
        if module.file is None
    ]
    if not missing or not resolved.gaps:
        return None
    shown = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
    return Gap(
        GapKind.REPOSITORY.value,
        f"MODULE.bazel of {shown} is not on disk",
        "the dependencies of these modules and the higher versions they request are unknown (give a clone of their "
        "registry with --registry=file://DIR)",
    )
