"""Where a repository comes from: the line of WORKSPACE, or the way of ``bazel_dep``s, extension and tags to it.

(calls of repository rules, resolved modules, a canonical name) -> ``Origin``, from the root to the repository. Nothing
is read here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from bzlgraph.base.words import counted
from bzlgraph.bazel.context.contexts import RepositoryCall
from bzlgraph.bzlmod.module import ROOT, ExtensionUsage, ModuleKey, Tag
from bzlgraph.bzlmod.resolution import Edge, Extension, Reason, ResolvedModules, RuleRepository
from bzlgraph.workspace.repositories.hubs.kinds import places_said
from bzlgraph.workspace.repositories.origin import Origin, OriginStep, of_call


def origin_of(
    name: str, canonical: str, call: RepositoryCall | None, resolved: ResolvedModules | None,
    pinned: RepositoryCall | None = None,
) -> Origin | None:  # fmt: skip
    """Where a repository comes from, None when nobody defines it. ``call``: what defines it, the rule that makes it if
    it is known; ``pinned``: the one that a lock file stands for."""
    if resolved is not None:
        module = resolved.module_of(canonical)
        if module is not None:
            return _of_module(resolved, module.key, name)
        rule = resolved.rule_repositories.get(canonical)
        if rule is not None:
            return _of_rule(resolved, rule, name)
        found = resolved.extension_of(canonical)
        if found is not None:
            return _of_extension(resolved, *found, name, call, pinned)
    return of_call(name, call) if call is not None else None


def _of_module(resolved: ResolvedModules, key: ModuleKey, name: str) -> Origin:
    if resolved.modules[key].built_in:
        return Origin(name, f"module {key}, which is part of Bazel")
    steps = tuple(_way(resolved, key))
    kind = "the root module" if key == ROOT else f"module {key}"
    return Origin(name, kind, steps, tuple(_other_requests(resolved, key, steps)))


def _of_rule(resolved: ResolvedModules, repository: RuleRepository, name: str) -> Origin:
    usage = repository.usage
    step = OriginStep(usage.rule, usage.name, usage.location, "dev_dependency" if usage.dev else "")
    way = tuple(_way(resolved, repository.module))
    kind = f"made by {usage.rule} of {usage.bzl}, called in {_file_of(repository.module)}"
    return Origin(name, kind, (*way, step))


def _of_extension(
    resolved: ResolvedModules, extension: Extension, inside: str, name: str,
    call: RepositoryCall | None, pinned: RepositoryCall | None,
) -> Origin:  # fmt: skip
    """The nearest module that takes the repository, else the nearest that uses the extension at all."""
    takers = extension.imported().get(inside, ())
    ways = {key: tuple(_way(resolved, key)) for key in takers or extension.usages}
    nearest = min(ways, key=lambda key: len(ways[key]))
    others = [step for key in takers if key != nearest for step in _takes(extension.usages[key], inside, key)]
    made = tuple(_made(inside, call, pinned))
    rule = f"{made[0].word} of " if made else ""
    said = _says(extension, extension.usages[nearest], inside, call, known=bool(made))
    return Origin(name, f"made by {rule}the extension {extension.id}", (*ways[nearest], *said, *made), tuple(others))


def _made(name: str, call: RepositoryCall | None, pinned: RepositoryCall | None) -> Iterator[OriginStep]:
    """The rule that makes a repository; with the package that it is of where a lock file pins it."""
    if pinned is not None:
        yield OriginStep(pinned.rule, " ".join(map(str, pinned.attributes.values())), pinned.location)
    elif call is not None and call.bzl is not None:
        yield OriginStep(call.rule, name, call.location)


def _says(
    extension: Extension, usage: ExtensionUsage, name: str, call: RepositoryCall | None, known: bool
) -> Iterator[OriginStep]:
    """What a module says to an extension about a repository: the tags that mean it or, when none does, that there are
    some. ``known``: whether one knows what the extension makes of them."""
    taking = [call for call in usage.calls if any(each.repository == name for each in call.imports)]
    for used in taking or usage.calls:
        yield OriginStep("use_extension", str(extension.id), used.location, "dev_dependency" if used.dev else "")
    meant = places_said(call) if call is not None else ()
    named: dict[str, list[Tag]] = {}
    for tag in usage.tags:
        if name in _texts(tag) or tag.location in meant:
            named.setdefault(tag.name, []).append(tag)
    for tags in named.values():
        more = f"and {counted(len(tags) - 1, 'more tag')}" if len(tags) > 1 else ""
        yield OriginStep("tag", f"{usage.name}.{tags[0].name}", tags[0].location, more)
    if usage.tags and not named:
        note = "" if known else "none names it"
        yield OriginStep("tag", counted(len(usage.tags), "tag"), usage.tags[0].location, note)
    yield from _takes(usage, name)


def _takes(usage: ExtensionUsage, name: str, by: ModuleKey | None = None) -> Iterator[OriginStep]:
    for each in usage.imports:
        if each.repository == name:
            renamed = f" as @{each.apparent}" if each.apparent != name else ""
            yield OriginStep("use_repo", f"{name}{renamed}", each.location, str(by) if by is not None else "")


def _texts(tag: Tag) -> list[object]:
    """The values that a tag was given, texts in lists too."""
    return [
        item for value in tag.attributes.values() for item in (value if isinstance(value, list | tuple) else (value,))
    ]


def _way(resolved: ResolvedModules, key: ModuleKey) -> Iterator[OriginStep]:
    """The shortest way of ``bazel_dep``s from the root to a module."""
    came_by: dict[ModuleKey, tuple[ModuleKey, Edge] | None] = {ROOT: None}
    waiting = deque([ROOT])
    while waiting and key not in came_by:
        current = waiting.popleft()
        for edge in resolved.modules[current].edges:
            if edge.target is not None and edge.target not in came_by:
                came_by[edge.target] = (current, edge)
                waiting.append(edge.target)
    steps: list[OriginStep] = []
    found = came_by.get(key)
    while found is not None:
        parent, edge = found
        steps.append(_step(resolved, edge))
        found = came_by[parent]
    yield from reversed(steps)


def _step(resolved: ResolvedModules, edge: Edge) -> OriginStep:
    notes = ["dev_dependency"] if edge.written.dev else []
    if edge.reason is not Reason.ORIGINAL:
        notes.append(f"requests {edge.written.version or '_'}: {_change(resolved, edge)}")
    return OriginStep("bazel_dep", str(edge.target), edge.written.location, ", ".join(notes))


def _change(resolved: ResolvedModules, edge: Edge) -> str:
    """What gave a dependency another version than the one that is written."""
    if edge.target is None:
        return edge.reason.value
    override = resolved.modules[edge.target].override
    if edge.reason is not Reason.SELECTED:
        place = override.location if override is not None else None
        return f"{edge.reason.value}{f' at {place.short}' if place is not None else ''}"
    askers = [str(key) for key, each in resolved.asking(edge.target) if each.target is not None]
    return f"{edge.target.version} is requested by {', '.join(askers)}"


def _other_requests(resolved: ResolvedModules, key: ModuleKey, steps: tuple[OriginStep, ...]) -> Iterator[OriginStep]:
    """The other modules that depend on it."""
    shown = steps[-1].location if steps else None
    for asking, edge in resolved.requesters(key):
        if edge.written.location != shown or edge.written.location is None:
            yield OriginStep("bazel_dep", f"{asking} requests {edge.written.version or 'it'}", edge.written.location)


def _file_of(key: ModuleKey) -> str:
    return "the root's MODULE.bazel" if key == ROOT else f"the MODULE.bazel of {key}"
