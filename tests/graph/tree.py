"""A workspace made by hand: packages without any loader, for the tests of graph/ and what stands on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label, parse
from bzlgraph.base.span import Frame, Location
from bzlgraph.base.words import override_option
from bzlgraph.bazel.model import (
    Attribute,
    AttrType,
    Condition,
    Generator,
    OutputFile,
    Package,
    PackageGroup,
    Rule,
    RuleClass,
    Selector,
    SelectorList,
    SourceFile,
)
from bzlgraph.graph.build import BuildGraph
from bzlgraph.workspace.written_names import WrittenNames

STRINGS = {"copts": AttrType.STRING_LIST, "cmd": AttrType.STRING, "testonly": AttrType.BOOLEAN}


@dataclass(frozen=True)
class Select:
    """``select({...})`` with texts for labels; ``unknown`` keys are calls nobody can evaluate."""

    branches: Mapping[str, Any]


@dataclass(frozen=True)
class Sum:
    """``[...] + select({...})``"""

    parts: tuple[Any, ...]


def plus(*parts: Any) -> Sum:
    """The parts, concatenated."""
    return Sum(parts)


@dataclass
class Tree:
    """Packages by hand; also the GraphSource of the graphs in tests. ``asked`` are the packages it was asked for."""

    found: dict[tuple[str, str], Package] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    classes: dict[str, RuleClass] = field(default_factory=dict)

    def rule(
        self,
        label: str,
        kind: str = "cc_library",
        *,
        line: int = 1,
        macro: Iterable[tuple[str, str, int]] = (),
        visibility: list[str] | None = None,
        outs: Iterable[str] = (),
        **attributes: Any,
    ) -> Rule:
        """A rule. ``macro`` are (function, .bzl path, line) from the outside in; ``_x`` attributes are defaults."""
        name = parse(label, "", "")
        package = self.package_of(name)
        rule_class = self.classes.setdefault(kind, RuleClass(kind, {}))
        values = {}
        for key, value in attributes.items():
            private = key.startswith("_")
            kind_of = STRINGS.get(key, AttrType.LABEL_LIST)
            converted = self._convert(value, kind_of, name)
            default = converted if private else None
            rule_class.attributes.setdefault(key, Attribute(key, kind_of, default, implicit=private))  # type: ignore[attr-defined]
            if not private:
                values[key] = converted
        build_file = Location(package.build_file.name if not name.package else f"{name.package}/BUILD", line, 1)
        levels = list(macro)
        functions = ["<toplevel>", *(function for function, _, _ in levels)]
        places = [build_file, *(Location(path, at, 5) for _, path, at in levels)]
        stack = tuple(Frame(f, p) for f, p in zip(functions, places, strict=True))[::-1]
        generator = Generator(name.name, levels[0][0], build_file) if levels else None
        outputs = tuple(Label(name.repo, name.package, out) for out in outs)
        seen = None if visibility is None else tuple(parse(each, name.repo, name.package) for each in visibility)
        rule = Rule(name, rule_class, values, stack, outputs, generator, seen)
        package.targets[name.name] = rule
        for output in outputs:
            package.targets[output.name] = OutputFile(output, name, build_file)
        return rule

    def group(self, label: str, includes: Iterable[str] = ()) -> None:
        """A package group."""
        name = parse(label, "", "")
        included = tuple(parse(each, name.repo, name.package) for each in includes)
        place = Location(f"{name.package}/BUILD", 1, 1)
        self.package_of(name).targets[name.name] = PackageGroup(name, ("//...",), included, place)

    def file(self, label: str, visibility: list[str] | None = None) -> None:
        """A source file."""
        name = parse(label, "", "")
        seen = None if visibility is None else tuple(parse(each, name.repo, name.package) for each in visibility)
        self.package_of(name).targets[name.name] = SourceFile(name, Location(f"{name.package}/BUILD", 1, 1), seen)

    def package_of(self, label: Label) -> Package:
        """The package of a label, made when it is new."""
        key = (label.repo, label.package)
        if key not in self.found:
            self.found[key] = Package(label.repo, label.package, Label(label.repo, label.package, "BUILD"))
        return self.found[key]

    def _convert(self, value: Any, kind: AttrType, base: Label) -> Any:
        if isinstance(value, Sum):
            return SelectorList(tuple(self._part(part, kind, base) for part in value.parts))
        if isinstance(value, Select):
            return SelectorList((self._part(value, kind, base),))
        if kind is AttrType.LABEL_LIST and value is not None:
            labels = [parse(each, base.repo, base.package) for each in value]
            for label in labels:
                package = self.package_of(label) if label[:2] == base[:2] else None
                if package is not None and "." in label.name and label.name not in package.targets:
                    self.file(str(label))
            return labels
        return value

    def _part(self, part: Any, kind: AttrType, base: Label) -> Any:
        if not isinstance(part, Select):
            return self._convert(part, kind, base)
        branches = []
        for key, value in part.branches.items():
            unknown = key.endswith(")")
            condition = Condition(None, key) if unknown else Condition(parse(key, base.repo, base.package))
            branches.append((condition, self._convert(value, kind, base)))
        return Selector(tuple(branches))

    # The GraphSource protocol.
    def package(self, repo: str, name: str) -> Package | None:
        """As the loader: None for a repository that is not on disk, LoadProblem for a folder that is no package."""
        self.asked.append((repo, name))
        package = self.found.get((repo, name))
        if package is None and not repo:
            raise LoadProblem(Diagnostic(f"no such package '//{name}': BUILD file not found in '{name}'"))
        return package

    def missing(self, repo: str, name: str) -> Diagnostic:
        """Why there is no such package."""
        where = f"@{repo}//{name}: the repository is not on disk" if repo else f"//{name}: no BUILD file"
        hint = f"give its folder with {override_option(repo)}" if repo else None
        return Diagnostic(f"no such package {where}", hint=hint)

    def absent(self, repo: str, name: str) -> Gap:
        """As the loader."""
        what = f"@{repo}//{name}" if repo else f"//{name}"
        return Gap("repository", what, "its targets and their dependencies are unknown", repository=repo)

    def packages_below(self, repo: str, prefix: str) -> list[str]:
        """Names at or below a folder."""
        below = f"{prefix}/" if prefix else ""
        return sorted(n for r, n in self.found if r == repo and (n == prefix or n.startswith(below)))

    def written_names(self) -> WrittenNames:
        """All targets."""
        found: dict[str, list[str]] = {}
        for (repo, package), content in self.found.items():
            for name in content.targets if not repo else ():
                found.setdefault(name, []).append(package)
        return WrittenNames(found)

    def is_file(self, label: Label) -> bool:
        """Nothing is on disk."""
        return False

    def build_file(self, repo: str, package: str) -> str | None:
        """Every package has a BUILD."""
        return "BUILD" if (repo, package) in self.found else None

    def repositories(self) -> set[str]:
        """As the loader."""
        return {repo for repo, _ in self.found if repo}

    def in_turn(self, keys: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
        """Everything is there."""
        return keys

    def graph(self) -> BuildGraph:
        """A graph that grows from this tree."""
        return BuildGraph(self)


def plain_tree(edges: Mapping[str, Iterable[str]]) -> Tree:
    """One package ``//p``; each key is a cc_library with these ``deps``."""
    tree = Tree()
    for name, deps in edges.items():
        tree.rule(f"//p:{name}", deps=[f"//p:{each}" for each in deps])
    return tree
