"""A source file -> the targets that build it, and under which conditions of their selects.

The file belongs to one package; the rules of that package whose sources or headers name it (globs and prefixes are
long evaluated) build it; where no library does, those of the packages above, to which it may be exported. A
``filegroup`` is followed to the rules that use it. Of the twins that one macro call makes (``tf_kernel_library`` makes
``conv_ops`` and ``libtfkernel_conv_ops.so``) the library is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from bzlgraph.base.label import Label, parse
from bzlgraph.bazel.conditional import branches
from bzlgraph.bazel.model import Package, Rule
from bzlgraph.loading.loader import Loader

ATTRIBUTES = ("srcs", "hdrs", "textual_hdrs", "gpu_srcs", "additional_header_files")
LIBRARIES = frozenset({"cc_library", "cuda_library", "tf_custom_op_library", "objc_library"})
GROUPS = frozenset({"filegroup", "alias"})
MAX_GROUPS = 4
OR = " or "


@dataclass(frozen=True, slots=True)
class Built:
    """One target that builds a file; ``condition`` are the select keys it stands under (``a or b``), "" for none."""

    label: str
    kind: str
    condition: str = ""

    def also(self, condition: str) -> Built:
        """The same target, which has the file under another condition too."""
        if not (self.condition and condition):
            return replace(self, condition="")
        keys = dict.fromkeys((*self.condition.split(OR), condition))
        return replace(self, condition=OR.join(keys))


@dataclass(slots=True)
class FileTargets:
    """Looks files up in their packages, each package once."""

    loader: Loader
    _users: dict[str, dict[str, list[tuple[Rule, str]]]] = field(default_factory=dict)
    _packages: dict[str, str | None] = field(default_factory=dict)

    def of(self, path: str) -> tuple[Built, ...]:
        """The targets that build a file, libraries first; empty when its package names it nowhere."""
        folder = path.rpartition("/")[0]
        if folder not in self._packages:
            self._packages[folder] = self.loader.workspace.repository("").tree.package_of(path)
        package = self._packages[folder]
        if package is None:
            return ()
        found: dict[str, Built] = {}
        rules: dict[str, Rule] = {}
        labels = [(f"//{package}:{path[len(package) + 1 :] if package else path}", "")]
        for above in self._packages_up(package):
            users = self._users_in(above)
            waiting = labels
            for _ in range(MAX_GROUPS):
                waiting = list(self._step(users, waiting, found))
                labels = labels + waiting
            rules |= {str(rule.label): rule for each in users.values() for rule, _condition in each}
            if any(built.kind in LIBRARIES for built in found.values()):
                break
        return tuple(_without_twins(found, rules))

    def _packages_up(self, package: str) -> Iterator[str]:
        """The package of a file, then those above it: where a file is exported, they build it."""
        yield package
        tree = self.loader.workspace.repository("").tree
        while package:
            package = package.rpartition("/")[0]
            if tree.build_file(package) is not None:
                yield package

    def _step(
        self, users: dict[str, list[tuple[Rule, str]]], waiting: list[tuple[str, str]], found: dict[str, Built]
    ) -> Iterator[tuple[str, str]]:
        """Add the rules that use some labels; give the groups among them."""
        for label, above in waiting:
            for rule, condition in users.get(label, ()):
                kind = rule.rule_class.name
                if kind in GROUPS:
                    yield str(rule.label), above or condition
                known = found.get(str(rule.label))
                new = above or condition
                found[str(rule.label)] = known.also(new) if known else Built(str(rule.label), kind, new)

    def files_of(self, label: str) -> tuple[str, ...]:
        """The files of the main repository that a target of it has as sources or headers."""
        try:
            parsed = parse(label, "", "")
        except ValueError:
            return ()
        package = self.loader.find("", parsed.package) if not parsed.repo else None
        rule = package.targets.get(parsed.name) if package is not None else None
        if not isinstance(rule, Rule):
            return ()
        return tuple(
            f"{each.package}/{each.name}" if each.package else each.name for each, _condition in _sources(rule)
        )

    def _users_in(self, package: str) -> dict[str, list[tuple[Rule, str]]]:
        """Label of a file or group -> the rules of the package that name it."""
        if package not in self._users:
            found: dict[str, list[tuple[Rule, str]]] = {}
            loaded = self.loader.find("", package)
            for rule in loaded.rules() if isinstance(loaded, Package) else ():
                for label, condition in _sources(rule):
                    found.setdefault(str(label), []).append((rule, condition))
            self._users[package] = found
        return self._users[package]


def _sources(rule: Rule) -> Iterator[tuple[Label, str]]:
    """The labels in a rule's sources and headers, each with the select key it stands under."""
    for name in ATTRIBUTES:
        for conditions, labels in branches(rule.get(name)):
            for label in labels if isinstance(labels, list | tuple) else ():
                if isinstance(label, Label):
                    yield label, " and ".join(map(str, conditions))


def _without_twins(found: dict[str, Built], rules: dict[str, Rule]) -> list[Built]:
    """Libraries before others; the other targets of a macro call that makes a library are left out."""
    calls = {
        generator.location
        for label, built in found.items()
        if built.kind in LIBRARIES and (generator := rules[label].generator) is not None
    }
    kept = []
    for label, built in found.items():
        generator = rules[label].generator
        twin = built.kind not in LIBRARIES and generator is not None and generator.location in calls
        if not twin and not (built.kind in GROUPS and len(found) > 1):
            kept.append(built)
    return sorted(kept, key=lambda built: (built.kind not in LIBRARIES, built.condition != "", built.label))
