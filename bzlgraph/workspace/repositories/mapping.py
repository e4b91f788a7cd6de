"""What names of repositories mean, for a workspace with modules or without: the ``RepoMapping`` of all its files.

Without modules every name is canonical, but for the workspace's own and for ``repo_mapping`` of repository rules.
With them each module sees its dependencies by the names that it gave them, a repository of an extension sees the
others of that extension and what the extension's module sees, and the main repository sees what WORKSPACE defines, too
(MODULE.bazel wins). A name that is not visible is ``@[unknown repo 'x' requested from @@]``, as Bazel has it.
Rules: https://bazel.build/external/module#repository_names_and_strict_deps
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from bzlgraph.base.label import is_modular, unknown_repository
from bzlgraph.base.spell import suggested
from bzlgraph.bazel.context.contexts import WorkspaceContext
from bzlgraph.starlark.universe import hash_code

if TYPE_CHECKING:
    from bzlgraph.bzlmod.resolution import Extension, ResolvedModules


@dataclass
class RepositoryMapping:
    """The mapping of one workspace. ``modules`` None: it has none, or they are not resolved yet."""

    context: WorkspaceContext
    maps_own_name: bool = True
    """Whether the main repository may be called by the name that WORKSPACE gives it."""
    modules: ResolvedModules | None = None
    workspace_counts: bool = True
    """Whether names of WORKSPACE are visible."""
    complete: bool = False
    """Whether WORKSPACE has been evaluated to its end: before, and where a gap may hide names, none is unknown."""
    built_in: frozenset[str] = frozenset()
    """Repositories that Bazel adds to every WORKSPACE."""
    generated: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The repositories that an extension made, by its prefix, once it has run."""
    _seen: dict[str, Mapping[str, str] | None] = field(default_factory=dict)
    """The names visible in a repository, by its canonical name."""

    def __call__(self, current: str, apparent: str) -> str:
        own = self._own(current, apparent)
        if own is not None:
            return own
        if self.modules is None:
            return apparent
        canonical = self.canonical(current)
        if canonical not in self._seen:
            self._seen[canonical] = self._visible(self.modules, canonical)
        visible = self._seen[canonical]
        meant = visible.get(apparent) if visible is not None else None
        if meant is not None:
            return self.of_canonical(meant)
        if visible is None or (self._is_plain(current) and self.may_be_of_workspace(apparent)):
            return self._by_name(apparent)
        return unknown_repository(apparent, canonical, self._suggested(apparent, canonical, visible))

    def of_canonical(self, canonical: str) -> str:
        """The repository of a canonical name, by the name that the main repository sees it by."""
        if self.modules is None or not canonical:
            return canonical
        if canonical in self._names:
            return self._names[canonical]
        of_workspace = canonical in self.context.repositories or (self.workspace_counts and canonical in self.built_in)
        of_modules = is_modular(canonical) or self.modules.module_of(canonical) is not None
        return f"@{canonical}" if of_modules and not of_workspace else canonical

    def canonical(self, repo: str) -> str:
        """The canonical name of a repository."""
        if self.modules is None:
            return repo
        return repo[1:] if repo.startswith("@") else self._root.get(repo, repo)

    def of_module(self, module: str, repository: str) -> str | None:
        """The canonical name of a module's repository, None for none; without modules ``repository``."""
        if self.modules is None:
            return repository
        from bzlgraph.bzlmod.version import version_key

        found = [each for each in self.modules.modules.values() if each.key.name == module]
        newest = max(found, key=lambda each: version_key(each.key.version), default=None)
        return None if newest is None else newest.canonical

    def signature(self) -> str:
        """All that decides what names mean, as text: what is made with one mapping does not hold for another."""
        if self.modules is None:
            return ""
        modules = self.modules
        parts = [f"{each.canonical} {dict(modules.module_mapping(key))}" for key, each in modules.modules.items()]
        parts += [f"{each.prefix} {sorted(each.imported())} {each.overrides}" for each in modules.extensions.values()]
        return "\n".join([*parts, str(self.workspace_counts), str(self.complete)])

    def defined(self) -> set[str]:
        """The repositories that are known, by the names that the main repository sees them by."""
        return {*self.context.repositories, *map(self.of_canonical, self._root.values())} - {""}

    def seen_as(self, name: str) -> tuple[str, ...]:
        """The names that the main repository sees the modules of a name by that it depends on."""
        known = self.modules.root.dependencies if self.modules is not None else {}
        return tuple(apparent for apparent, key in known.items() if key.name == name)

    def own_names(self) -> tuple[str, ...]:
        """What the main repository may call itself."""
        names = {self.context.workspace_name, *(apparent for apparent, meant in self._root.items() if not meant)}
        return tuple(sorted(name for name in names - {""} if self("", name) == ""))

    def seen(self) -> dict[str, str]:
        """What the main repository calls others, by their canonical names."""
        return {canonical: self.of_canonical(canonical) for canonical in sorted(set(self._root.values()) - {""})}

    def siblings(self, repo: str) -> tuple[str, ...]:
        """What the extension made that made a repository: they see each other. None for other repositories."""
        found = self.modules.extension_of(self.canonical(repo)) if self.modules is not None and repo else None
        return self.generated.get(found[0].prefix, ()) if found is not None else ()

    def _own(self, current: str, apparent: str) -> str | None:
        """What the rule of a repository, or WORKSPACE itself, says of a name."""
        call = self.context.repositories.get(current) if self._is_plain(current) else None
        meant = call.repo_mapping.get(apparent) if call is not None else None
        if meant is not None or self.modules is not None:
            return meant
        if current == "bazel_tools":  # is there before WORKSPACE says what it calls itself
            return self._of_tools.get(apparent)
        return "" if self.maps_own_name and apparent == self.context.workspace_name else None

    def _suggested(self, apparent: str, canonical: str, visible: Mapping[str, str]) -> str:
        """What Bazel says was meant by a name: of several that are equally near, the first in its hash table."""
        if not self.context.facts.unknown_repository_suggests:
            return ""
        of_workspace = (*self.context.repositories, *self.built_in) if self.workspace_counts and not canonical else ()
        return suggested(apparent, hash_order((*visible, *of_workspace)))

    def _visible(self, modules: ResolvedModules, canonical: str) -> Mapping[str, str] | None:
        """The names visible in a repository; None where they are not known."""
        module = modules.module_of(canonical)
        if module is not None:
            return modules.module_mapping(module.key) if module.file is not None else None
        rule = modules.rule_repositories.get(canonical)
        if rule is not None:
            return modules.module_mapping(rule.module)
        found = modules.extension_of(canonical)
        return self._of_extension(modules, found[0]) if found is not None else modules.root_mapping

    def _of_extension(self, modules: ResolvedModules, extension: Extension) -> Mapping[str, str]:
        names = self.generated.get(extension.prefix, ())
        return modules.extension_mapping(extension, dict.fromkeys((*extension.imported(), *names)))

    def note_generated(self, extension: Extension, names: tuple[str, ...]) -> None:
        """Say which repositories an extension made."""
        self.generated[extension.prefix] = names
        self._seen.clear()

    def may_be_of_workspace(self, name: str) -> bool:
        """Whether a name that no module gives may be one of WORKSPACE, which knows only plain ones."""
        if not self.workspace_counts or is_modular(name):
            return False
        names = (self.context.workspace_name, *self.context.repositories)
        return not self.complete or name in names or name in self.built_in

    def _is_plain(self, repo: str) -> bool:
        """Whether a repository is the main one or one of WORKSPACE."""
        return not repo or (repo in self.context.repositories and self.canonical(repo) == repo)

    def _by_name(self, apparent: str) -> str:
        """Where nobody says what a name means: what the root sees by it, else a module of that name."""
        if apparent == self.context.workspace_name:
            return ""
        if apparent in self._root or self.modules is None or apparent in self.context.repositories:
            return apparent
        named = (each.canonical for each in self.modules.modules.values() if each.key.name == apparent)
        canonical = next(named, None)
        return apparent if canonical is None else self.of_canonical(canonical)

    @cached_property
    def _of_tools(self) -> dict[str, str]:
        """What Bazel's own tools see by other names where there are no modules."""
        return dict(each.split("=") for each in self.context.facts.tools_mapping)

    @property
    def _root(self) -> Mapping[str, str]:
        return self.modules.root_mapping if self.modules is not None else {}

    @cached_property
    def _names(self) -> dict[str, str]:
        """Canonical name -> the name that the main repository sees it by; the first of several."""
        names: dict[str, str] = {}
        for apparent, canonical in self._root.items():
            if canonical:
                names.setdefault(canonical, apparent)
        return names


def hash_order(names: Iterable[str]) -> list[str]:
    """The keys of Java's ``HashMap`` as it lists them, where it had room for all of them when it was made.

    >>> hash_order(["tool_b", "tool_a", "x"])
    ['tool_a', 'x', 'tool_b']
    """
    keys = list(dict.fromkeys(names))
    places = 1 << max(4, (len(keys) * 4 // 3).bit_length())

    def place(name: str) -> int:
        code = hash_code(name.encode()) & 0xFFFFFFFF
        return (code ^ code >> 16) & (places - 1)

    return sorted(keys, key=place)
