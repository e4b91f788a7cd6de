"""A tree of modules as JSON, as Bazel writes it; with ``reasons``, places and who asked as keys of ours besides.

Mirrors ``JsonOutputFormatter.java`` of Bazel 7.7.1, package ``bazel.bzlmod.modcommand``, also in calling the other
version ``resolutionReason``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bzlgraph.base.gap import Completeness
from bzlgraph.base.span import Location
from bzlgraph.bzlmod.module import ROOT, ModuleKey, Override
from bzlgraph.bzlmod.resolution import ExtensionId, Reason
from bzlgraph.export.mod_formats.reasons import OVERRIDES
from bzlgraph.export.row_formats.json_text import completeness_data
from bzlgraph.mod.answer import Change, ExtensionInfo, ModTree
from bzlgraph.mod.tree import Link

SCHEMA = "bzlgraph.mod/1"
Json = dict[str, object]


def tree_data(answer: ModTree, completeness: Completeness | None = None) -> Json:
    """The root with everything below it; with ``completeness`` the reasons and what the answer lacks, too."""
    writing = _Writing(answer, reasons=completeness is not None)
    data = writing.module(ROOT, None, Link())
    data["root"] = True
    if completeness is not None:
        data = {"schema": SCHEMA, **data, **completeness_data(completeness)}
    return data


@dataclass(slots=True)
class _Writing:
    """One document."""

    answer: ModTree
    reasons: bool
    seen: set[ExtensionId] = field(default_factory=set)

    def module(self, key: ModuleKey, parent: ModuleKey | None, link: Link) -> Json:
        """A module with what hangs below it."""
        node = self.answer.graph.nodes[key]
        data: Json = {"key": str(key), "name": node.name, "version": node.version}
        apparent = node.repo_name if parent is None else self._apparent(key, parent)
        if apparent is not None:
            data["apparentName"] = apparent
        if self.answer.options.verbose and not link.indirect:
            data |= _change(self.answer.change(key, parent))
        if self.reasons:
            data |= self._reasons(key, parent)
        if link.cycle or not link.expanded:
            return {**data, "unexpanded": True}
        data |= self._children(key)
        if self.answer.options.extension_info is not ExtensionInfo.HIDDEN:
            data["extensionUsages"] = [self._extension(key, each) for each in self.answer.extensions_of(key)]
        return data

    def _apparent(self, key: ModuleKey, parent: ModuleKey) -> str | None:
        edge = self.answer.graph.nodes[parent].dependencies.get(key)
        return edge.repo_name if edge is not None else None

    def _children(self, key: ModuleKey) -> Json:
        direct: list[Json] = []
        indirect: list[Json] = []
        cycles: list[Json] = []
        for child, link in self.answer.tree[key].by_link():
            kind = cycles if link.cycle else indirect if link.indirect else direct
            kind.append(self.module(child, key, link))
        return {"dependencies": direct, "indirectDependencies": indirect, "cycles": cycles}

    def _extension(self, key: ModuleKey, extension: ExtensionId) -> Json:
        info, again = self.answer.options.extension_info, extension in self.seen
        self.seen.add(extension)
        data: Json = {"key": str(extension), "unexpanded": again}
        usage = self.answer.extensions.usages[extension][key]
        if self.reasons:
            data["locations"] = [location_data(each.location) for each in usage.calls]
        if info is ExtensionInfo.USAGES:
            return data
        imports = self.answer.imports(extension)
        data["used_repos"] = [name for name, modules in imports.items() if key in modules]
        if self.reasons:
            data["use_repo"] = [
                {"name": each.apparent, "repository": each.repository, "location": location_data(each.location)}
                for each in usage.imports
            ]
        if not again and info is ExtensionInfo.ALL:
            data["unused_repos"] = self.answer.extensions.others(extension, imports)
        return data

    def _reasons(self, key: ModuleKey, parent: ModuleKey | None) -> Json:
        """Where the module is asked for, who asks for the version that holds, which override decided."""
        edge = self.answer.edge(key, parent)
        if edge is None:
            return {}
        written = edge.written
        data: Json = {"asked": {"version": written.version, "location": location_data(written.location)}}
        if written.dev:
            data["dev_dependency"] = True
        if edge.reason is not Reason.ORIGINAL and edge.target is not None:
            data["reason"] = edge.reason.value
            data["requests"] = [
                {"module": str(asking), "location": location_data(place)}
                for asking, place in self.answer.requests(edge.target)
            ]
            module = self.answer.graph.resolved.modules.get(edge.target)
            if edge.reason in OVERRIDES and module is not None:
                data["override"] = _override(edge.reason, module.override)
        return data


def location_data(location: Location | None) -> Json | None:
    """A place, None where it is not known."""
    return None if location is None else {"path": location.path, "line": location.line, "column": location.column}


def _override(reason: Reason, override: Override | None) -> Json:
    return {"kind": OVERRIDES[reason], "location": location_data(override.location if override is not None else None)}


def _change(change: Change | None) -> Json:
    if change is None:
        return {}
    lost: Json = {"unused": True, "resolvedVersion": change.version}
    data: Json = lost if change.lost else {"originalVersion": change.version}
    data["resolutionReason"] = change.version
    if change.reason is Reason.SELECTED:
        data["resolvedRequestedBy"] = [str(each) for each in change.asked_by]
    return data
