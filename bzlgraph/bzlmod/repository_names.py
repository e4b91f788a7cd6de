"""Canonical names of repositories: of modules, of extensions' repositories, of those of ``use_repo_rule``.

One generation of names after another (``facts/modules.json`` says which Bazel has which):

>>> from bzlgraph.facts.modules import module_facts
>>> several = frozenset({"b"})
>>> [Names(module_facts(v), several).module(ModuleKey("a", "1.2")) for v in ("7.0", "7.7", "8.0")]
['a~1.2', 'a~', 'a+']
>>> [Names(module_facts(v), several).module(ModuleKey("b", "1.2")) for v in ("7.1", "7.7", "8.0")]
['b~1.2', 'b~v1.2', 'b+1.2']

Rules: ``ModuleKey.java`` and ``BazelDepGraphFunction.makeUniqueNameCandidate`` of Bazel's package ``bazel.bzlmod``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from bzlgraph.bzlmod.module import ROOT, ModuleKey
from bzlgraph.bzlmod.resolution import ExtensionId
from bzlgraph.facts.modules import ModuleFacts


@dataclass(slots=True)
class Names:
    """The names in one workspace. ``several`` are the modules of which more than one version is used."""

    facts: ModuleFacts
    several: Collection[str]
    _prefixes: dict[str, ExtensionId] = field(default_factory=dict)

    def module(self, key: ModuleKey) -> str:
        """The canonical name of a module's repository."""
        if key == ROOT or key.name in self.facts.plain:
            return key.name
        separator = self.facts.separator
        if self.facts.always_versioned:
            return f"{key.name}{separator}{key.version or 'override'}"
        if key.name not in self.several:
            return f"{key.name}{separator}"
        prefix = self.facts.version_prefix if key.version[:1].isdigit() else ""
        return f"{key.name}{separator}{prefix}{key.version}"

    def extension(self, extension: ExtensionId) -> str:
        """What the names of an extension's repositories begin with; no two extensions have the same."""
        separator = self.facts.separator
        home = extension.bzl.repo or self.facts.root
        isolation = extension.isolation
        name = extension.name.rpartition(" ")[2]
        attempt = 0
        while True:
            attempt += 1
            number = str(attempt) if attempt > 1 else ""
            parts = [home, f"{name}{number}"]
            if isolation is not None:
                module = isolation.module
                parts = [home, f"_{name}{number}", module.name, module.version, isolation.variable]
            prefix = separator.join((*parts, ""))
            if self._prefixes.setdefault(prefix, extension) == extension:
                return prefix

    def rule_extension(self, rule_bzl: str, rule: str) -> str:
        """The name of the extension that a repository of ``use_repo_rule`` belongs to, as ``ExtensionId`` has it."""
        if self.facts.one_rule_extension:
            return self.facts.rule_extension
        return f"{rule_bzl} {rule} {self.facts.rule_extension.format(rule=rule)}"
