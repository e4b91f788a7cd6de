"""``visible(from, targets)``: the targets that every target of ``from`` may depend on.

A package group is visible to all; a target to its own package, which Bazel (0.19 to 7.7 at least) tells by its path
alone: the same folder of another repository sees it too. Otherwise its visibility, or its package's default, decides:
public, private, ``//a:__pkg__``, ``//a:__subpackages__`` or a package group with its ``includes``.
"""

from __future__ import annotations

from collections.abc import Iterable

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import OutputFile, PackageGroup, Rule
from bzlgraph.graph.model import NodeKind
from bzlgraph.query.environment import Environment, Nodes

PackageKey = tuple[str, str]


def visible(environment: Environment, users: Nodes, targets: Nodes) -> Nodes:
    """Those of ``targets`` that all of ``users`` see."""
    labels = environment.graph.labels
    packages = {(labels[node].repo, labels[node].package) for node in users}
    return {
        node
        for node in targets
        if all(package[1] == labels[node].package or _sees(environment, package, node) for package in packages)
    }


def _sees(environment: Environment, package: PackageKey, node: int) -> bool:
    graph = environment.graph
    target = graph.target(node)
    if isinstance(target, PackageGroup) or graph.kinds[node] == NodeKind.UNLOADED:
        return True
    if target is None:
        return False
    home = graph.packages[target.label.repo, target.label.package]
    if isinstance(target, OutputFile):
        rule = home.targets.get(target.rule.name)
        written = rule.visibility if isinstance(rule, Rule) else None
    else:
        written = target.visibility
    visibility = home.default_visibility if written is None else written
    return any(_admits(environment, item, package, set()) for item in visibility)


def _admits(environment: Environment, item: Label | str, package: PackageKey, seen: set[Label]) -> bool:
    """Whether one item of a visibility admits a package."""
    label = environment.label_of(item)
    if label is None or label.package == "visibility":
        return label is not None and label.name in ("public", "legacy_public")
    if label.name == "__pkg__":
        return package == (label.repo, label.package)
    if label.name == "__subpackages__":
        return package[0] == label.repo and _is_below(package[1], label.package)
    return label not in seen and _group_admits(environment, label, package, seen | {label})


def _group_admits(environment: Environment, label: Label, package: PackageKey, seen: set[Label]) -> bool:
    group = environment.graph.target(environment.graph.resolve(label))
    if not isinstance(group, PackageGroup):
        return False
    taken_away = [text[1:] for text in group.packages if text.startswith("-")]
    given = [text for text in group.packages if not text.startswith("-")]
    everything = environment.settings.facts.package_group_root_is_everything
    if _named(given, package, label.repo, everything) and not _named(taken_away, package, label.repo, everything):
        return True
    return any(_admits(environment, each, package, seen) for each in group.includes)


def _named(specifications: Iterable[str], package: PackageKey, repo: str, everything: bool) -> bool:
    """Whether one of these specifications (``//a``, ``//a/...``, ``public``) names the package."""
    for text in specifications:
        if text == "public" or (text == "//..." and everything):
            return True
        if text in ("private", "//..."):
            if text == "//..." and package[0] == repo:
                return True
            continue
        home, _, path = text.rpartition("//")
        below = path.endswith("...")
        path = path.removesuffix("...").rstrip("/") if below else path
        if package[0] == (home.lstrip("@") or repo) and (_is_below(package[1], path) if below else package[1] == path):
            return True
    return False


def _is_below(name: str, folder: str) -> bool:
    return not folder or name == folder or name.startswith(f"{folder}/")
