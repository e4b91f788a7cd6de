"""Why a module, an extension or a repository stands in a tree: who asked for it, in which line of which file.

Bazel tells only that a version was changed, and by whom (``--verbose``); the places are ours (``--reasons``).
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.span import Location, place_text
from bzlgraph.bzlmod.module import ROOT, ModuleKey
from bzlgraph.bzlmod.resolution import Edge, ExtensionId, Reason
from bzlgraph.mod.answer import Change, ModTree

OVERRIDES = {
    Reason.SINGLE_VERSION: "single_version_override",
    Reason.MULTIPLE_VERSION: "multiple_version_override",
    Reason.ARCHIVE: "archive_override",
    Reason.GIT: "git_override",
    Reason.LOCAL_PATH: "local_path_override",
}
"""What Bazel calls a change that an override has made."""
MAX_REQUESTS = 3


def change_text(change: Change | None) -> str:
    """A change as Bazel's ``--verbose`` tells it."""
    if change is None:
        return ""
    cause = ", ".join(map(str, change.asked_by)) if change.reason is Reason.SELECTED else OVERRIDES[change.reason]
    return f"({'to' if change.lost else 'was'} {change.version or '_'}, cause {cause})"


def module_reason(answer: ModTree, key: ModuleKey, parent: ModuleKey | None) -> str:
    """Where a module is asked for, and why its version is not the one that is written there."""
    if key == ROOT or parent is None:
        return _file_of(answer, ROOT)
    edge = answer.edge(key, parent)
    if edge is None:
        return ""
    words = [place_text(edge.written.location) or _without_place(answer, key), "dev_dependency" * edge.written.dev]
    change = answer.change(key, parent)
    if change is not None:
        words += _change(answer, edge, change)
    return ", ".join(filter(None, words))


def module_place(answer: ModTree, key: ModuleKey) -> str:
    """Where a ``bazel_dep`` asks for a module, first one that gets this version; of the root its MODULE.bazel."""
    if key == ROOT:
        return f"{_file_of(answer, ROOT)}:1"
    resolved = answer.graph.resolved
    edges = (edge for _, edge in (*resolved.requesters(key), *resolved.asking(key)))
    return next(filter(None, (place_text(edge.written.location) for edge in edges)), "")


def usage_reason(answer: ModTree, extension: ExtensionId, key: ModuleKey) -> str:
    """Where a module calls ``use_extension``."""
    calls = answer.extensions.usages[extension][key].calls
    return ", ".join(filter(None, (place_text(each.location) for each in calls)))


def import_reason(answer: ModTree, extension: ExtensionId, key: ModuleKey, repository: str) -> str:
    """Where a module calls ``use_repo`` for a repository, and the name that it gives it."""
    usage = answer.extensions.usages[extension][key]
    found = (each for each in usage.imports if each.repository == repository)
    told = (f"{place_text(each.location)}{_renamed(each.apparent, repository)}" for each in found)
    return ", ".join(filter(None, told))


def _change(answer: ModTree, edge: Edge, change: Change) -> Iterator[str]:
    holds = edge.target
    if holds is None:
        return
    if not change.lost:
        yield f"requests {edge.written.version or '_'}"
    if change.reason is not Reason.SELECTED:
        yield _place_of_override(answer, holds, OVERRIDES[change.reason])
        return
    requests = [f"{asking}{_at(place)}" for asking, place in answer.requests(holds)]
    more = f" and {len(requests) - MAX_REQUESTS} more" if len(requests) > MAX_REQUESTS else ""
    yield f"{holds.version} is requested by {', '.join(requests[:MAX_REQUESTS])}{more}"


def _place_of_override(answer: ModTree, key: ModuleKey, words: str) -> str:
    module = answer.graph.resolved.modules.get(key)
    override = module.override if module is not None else None
    return f"{words}{_at(override.location)}" if override is not None else words


def _without_place(answer: ModTree, key: ModuleKey) -> str:
    """Bazel's own modules, and what those ask for, is written in no file that people have."""
    module = answer.graph.resolved.modules.get(key)
    return "built into Bazel" if module is not None and module.built_in else "requested by Bazel itself"


def _file_of(answer: ModTree, key: ModuleKey) -> str:
    module = answer.graph.resolved.modules[key]
    return module.file.path if module.file is not None else ""


def _renamed(apparent: str, repository: str) -> str:
    return f" as @{apparent}" if apparent != repository else ""


def _at(place: Location | None) -> str:
    return f" ({place.short})" if place is not None else ""
