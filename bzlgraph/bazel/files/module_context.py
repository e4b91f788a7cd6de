"""MODULE.bazel being evaluated: what its calls say is collected here and becomes a ``ModuleFile`` at the end.

Tags of an extension belong to the module, not to the variable that holds it: all ``use_extension`` calls for one
extension share a ``UsageBuilder``, an isolated one has its own.
Rules: ``ModuleThreadContext.java`` of Bazel's package ``bazel.bzlmod``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bzlgraph.base.span import Location
from bzlgraph.bazel.context.contexts import Context
from bzlgraph.bzlmod.module import (
    Dependency,
    ExtensionUsage,
    FlagAlias,
    ModuleFile,
    Override,
    Registration,
    RepoOverride,
    RepoRuleUsage,
    Tag,
    UseExtension,
    UseRepo,
)
from bzlgraph.starlark.value import EvalError

Include = Callable[[str, Location], None]


@dataclass(slots=True)
class UsageBuilder:
    """What the module says to one extension, so far. ``calls`` is by number: a proxy knows its own."""

    bzl: str
    name: str
    isolated: bool = False
    calls: list[UseExtension] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    overrides: list[RepoOverride] = field(default_factory=list)

    def add_import(self, call: int, apparent: str, repository: str, location: Location) -> None:
        """Note a ``use_repo``. EvalError when the repository is imported already."""
        for each in self.calls:
            for known in each.imports:
                if known.repository == repository:
                    raise EvalError(
                        f"The repo exported as '{repository}' by module extension '{self.name}' is already imported at "
                        f"{known.location}"
                    )
        use = self.calls[call]
        taken = UseRepo(apparent, repository, use.dev, location)
        self.calls[call] = replace(use, imports=(*use.imports, taken))

    def add_override(self, override: RepoOverride) -> None:
        """Note an ``override_repo`` or ``inject_repo``. EvalError for a second one of a repository."""
        for known in self.overrides:
            if known.repository == override.repository:
                raise EvalError(
                    f"The repo exported as '{override.repository}' by module extension '{self.name}' is already "
                    f"overridden with '{known.overriding}' at {known.location}"
                )
        self.overrides.append(override)

    def usage(self) -> ExtensionUsage:
        """The finished usage."""
        return ExtensionUsage(
            self.bzl, self.name, tuple(self.calls), tuple(self.tags), tuple(self.overrides), self.isolated
        )


@dataclass(slots=True)
class ModuleFileContext(Context):
    """A MODULE.bazel being evaluated, its included files too. ``include`` evaluates one, at the place of the call."""

    path: str = "MODULE.bazel"
    include: Include = lambda _label, _location: None
    module: ModuleFile = field(default_factory=ModuleFile)
    """What ``module()`` said."""
    module_called: bool = False
    other_called: bool = False
    dependencies: list[Dependency] = field(default_factory=list)
    overrides: dict[str, Override] = field(default_factory=dict)
    usages: list[UsageBuilder] = field(default_factory=list)
    repo_rules: list[RepoRuleUsage] = field(default_factory=list)
    toolchains: list[Registration] = field(default_factory=list)
    platforms: list[Registration] = field(default_factory=list)
    flag_aliases: list[FlagAlias] = field(default_factory=list)
    includes: list[str] = field(default_factory=list)
    _names: dict[str, tuple[str, Location]] = field(default_factory=dict)
    """Names of repositories in use: how, and where."""

    def take_name(self, name: str, how: str, location: Location) -> None:
        """Use a name for a repository. EvalError when it is in use."""
        if name in self._names:
            before, where = self._names[name]
            raise EvalError(f"The repo name '{name}' is already being used {before} at {where}")
        self._names[name] = how, location

    def usage(self, bzl: str, name: str, *, isolated: bool) -> UsageBuilder:
        """The builder for an extension; a new one for the first usage and for every isolated one."""
        for known in self.usages:
            if (known.bzl, known.name) == (bzl, name) and not isolated and not known.isolated:
                return known
        self.usages.append(UsageBuilder(bzl, name, isolated))
        return self.usages[-1]

    def finish(self) -> ModuleFile:
        """What the file says; of a file that broke, what it said before."""
        return replace(
            self.module,
            path=self.path,
            dependencies=tuple(self.dependencies),
            overrides=self.overrides,
            usages=tuple(each.usage() for each in self.usages),
            repo_rules=tuple(self.repo_rules),
            toolchains=tuple(self.toolchains),
            platforms=tuple(self.platforms),
            flag_aliases=tuple(self.flag_aliases),
            includes=tuple(self.includes),
        )
