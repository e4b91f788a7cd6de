"""What people write for a module, an extension or a repository -> the modules, extensions and repositories meant.

A module is ``<root>``, ``name@version`` (``name@_`` where an override says where its files are), ``name`` (all its
versions), ``@apparent`` (as the base module sees it) or ``@@canonical``; an extension is a module, the label of its
.bzl file and its name: ``rules_python//python/extensions:pip.bzl%pip``. Without a module, ``//:ext.bzl%ext`` is that of
the base module (Bazel refuses that form). Mirrors ``ModuleArg.java`` and ``ExtensionArg.java`` of Bazel's package
``bazel.bzlmod.modcommand``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem, UsageProblem
from bzlgraph.base.label import LabelError, parse
from bzlgraph.base.spell import did_you_mean
from bzlgraph.bzlmod.module import ROOT, ModuleKey
from bzlgraph.bzlmod.resolution import ExtensionId
from bzlgraph.bzlmod.version import VersionError, normalized
from bzlgraph.mod.graph import ModuleGraph, sort_key


@dataclass(frozen=True, slots=True)
class Names:
    """What names mean in a module graph, seen from one module. ``unused``: modules that lost count, too."""

    graph: ModuleGraph
    base: ModuleKey = ROOT
    unused: bool = False

    def modules(self, text: str) -> list[ModuleKey]:
        """The modules of an argument. Raises UsageProblem for what is none, LoadProblem for one that is not there."""
        if text.lower() == str(ROOT):
            return [ROOT]
        ways: tuple[tuple[str, Callable[[str], list[ModuleKey]]], ...] = (
            ("@@", self._canonical),
            ("@", self._apparent),
            ("", self._named),
        )
        return next(find(text.removeprefix(mark)) for mark, find in ways if text.startswith(mark))

    def one_module(self, text: str, what: str) -> ModuleKey:
        """The only module of an argument. Raises as ``modules``, and UsageProblem for several."""
        found = self.modules(text)
        if len(found) > 1:
            raise UsageProblem(
                f"{what} should be exactly one module version, choose one of: {', '.join(map(str, found))}"
            )
        return found[0]

    def extension(self, text: str) -> ExtensionId:
        """The extension of an argument, whether or not anybody uses it. Raises as ``modules``."""
        module, slash, rest = text.partition("/")
        label, percent, name = (slash + rest).partition("%")
        if not slash or not percent:
            missing = "its name" if slash else "its .bzl file"
            raise UsageProblem(Diagnostic(f"an extension needs {missing}", hint=self._extension_hint(text)))
        what = "the module of an extension"
        key = self.one_module(module, what) if module else self.base
        try:
            bzl = parse(label, self.graph.canonical(key) or "", "")
        except LabelError as error:
            raise UsageProblem(str(error)) from None
        return ExtensionId(bzl, name)

    def _extension_hint(self, text: str) -> str:
        """The extensions that are called so, or are in that file; else what an extension is."""
        used = self.graph.resolved.extensions
        meant = [str(each) for each in used if text in (each.name, str(each.bzl), str(each).partition("%")[0])]
        form = "an extension is MODULE//PACKAGE:FILE.bzl%NAME, as rules_python//python/extensions:pip.bzl%pip"
        return f"did you mean {', '.join(meant)}?" if meant else form

    def repositories(self, text: str) -> dict[str, str]:
        """The canonical names of the repositories of an argument, by what they are shown as. Raises as ``modules``."""
        if text.startswith("@@"):
            return {text: text.removeprefix("@@")}
        if text.startswith("@"):
            mapping = self.graph.resolved.module_mapping(self.base)
            name = text.removeprefix("@")
            if name not in mapping:
                meant = self._seen_as(name) or did_you_mean(name, mapping)
                raise LoadProblem(f"No repo visible as {name} from {_module_text(self.base)}{meant}")
            return {text: mapping[name]}
        return {str(key): self.graph.canonical(key) or "" for key in self.modules(text)}

    def _named(self, text: str) -> list[ModuleKey]:
        name, at, version = text.partition("@")
        everything = self.graph.versions(name)
        if not everything:
            near = did_you_mean(name, {node.name for node in self.graph.nodes.values() if node.name})
            raise LoadProblem(f"Module {name} does not exist in the dependency graph{near}")
        found = self._usable(node.key for node in everything)
        if not at:
            return sorted(found, key=sort_key) if found else self._lost(f"Module {name}")
        key = ModuleKey(name, _version(version))
        if key in found:
            return [key]
        if key in self.graph.nodes:
            return self._lost(f"Module version {key}")
        raise LoadProblem(f"Module version {key} does not exist, available versions: {', '.join(map(str, found))}")

    def _apparent(self, name: str) -> list[ModuleKey]:
        base = self.graph.nodes[self.base]
        edges = base.below(unused=self.unused, built_in=True)
        found = [key for key, edge in edges.items() if edge.repo_name == name]
        if not found and name and name == base.repo_name:
            return [self.base]
        if not found:
            near = self._seen_as(name) or did_you_mean(name, (edge.repo_name for edge in edges.values()))
            raise LoadProblem(f"No module with the apparent repo name @{name} exists in the dependency graph{near}")
        return found

    def _seen_as(self, name: str) -> str:
        """What to write for ``@name`` where that is the name of a module, not the one that the base module sees."""
        edges = self.graph.nodes[self.base].below(unused=self.unused, built_in=True)
        seen = [f"@{edge.repo_name}" for key, edge in edges.items() if key.name == name]
        if seen:
            return f" (module {name} is {' and '.join(seen)} there)"
        return f" (for the module of that name write {name} without @)" if self.graph.versions(name) else ""

    def _canonical(self, name: str) -> list[ModuleKey]:
        canonical: Mapping[ModuleKey, str | None] = {key: self.graph.canonical(key) for key in self.graph.nodes}
        named = [key for key, each in canonical.items() if each == name]
        found = self._usable(named)
        if named and not found:
            return self._lost(f"Module version {named[0]}")
        if not found:
            near = did_you_mean(name, filter(None, canonical.values()))
            raise LoadProblem(f"No module with the canonical repo name @@{name} exists in the dependency graph{near}")
        return found[:1]

    def _usable(self, keys: Iterable[ModuleKey]) -> list[ModuleKey]:
        return [key for key in keys if self.unused or self.graph.nodes[key].used]

    def _lost(self, what: str) -> list[ModuleKey]:
        hint = "--include_unused includes it"
        raise LoadProblem(Diagnostic(f"{what} is unused as a result of module resolution", hint=hint))


def _version(text: str) -> str:
    try:
        return normalized("" if text == "_" else text)
    except VersionError as error:
        raise UsageProblem(str(error)) from None


def _module_text(key: ModuleKey) -> str:
    return "the main repository" if key == ROOT else f"module {key}"
