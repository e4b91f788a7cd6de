"""What a generated workspace has so far: packages, targets by family, macros; so that what comes later refers to it.

A family says what may stand where: a `cc` target may be a dependency of a C++ rule, a `test` part of a suite.
References go to what is already there, so that there are no cycles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.generate.draw import Draw
from tests.generate.text import string

NAMES = ("core", "util", "io", "net-lib", "a.b", "x/y", "_hidden", "data+more", "v1_2", "base=64", "at@home", "Upper")
WORDS = ("fast", "slow", "manual", "local", "no-cache", "block-network", "requires-gpu", "a b", "é", "x=1", "$(word)")


@dataclass(frozen=True, slots=True)
class Target:
    """A target that others may name."""

    package: str
    name: str
    family: str
    repository: str = ""


@dataclass(frozen=True, slots=True)
class Callee:
    """A macro or a rule of a .bzl file: ``parameters`` are names with kinds of values (values.py); ``suffixes`` are the
    targets that a call makes beside the one with its name."""

    file: str
    name: str
    family: str
    parameters: tuple[tuple[str, str], ...]
    suffixes: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Package:
    """A package while it is written. ``files`` are on disk, ``used`` are names that are taken."""

    path: str
    files: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    loads: dict[str, list[str]] = field(default_factory=dict)
    renamed: list[tuple[str, str, str]] = field(default_factory=list)
    """What is loaded under another name: file, name here, name there."""


@dataclass(slots=True)
class Scope:
    """The state of a generator."""

    draw: Draw
    version: tuple[int, ...]
    root: str
    modules: bool = False
    """Whether MODULE.bazel says what there is, in place of WORKSPACE."""
    files: dict[str, tuple[str, ...]] = field(default_factory=dict)
    packages: list[Package] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    callees: list[Callee] = field(default_factory=list)
    constants: list[Callee] = field(default_factory=list)
    package: Package = field(default_factory=lambda: Package(""))
    picked: set[object] = field(default_factory=set)
    """What the attribute that is being written names, and of that ``taken`` what it must not name again."""
    taken: set[object] = field(default_factory=set)
    options: list[list[str]] = field(default_factory=lambda: [[] for _ in range(4)])
    """The build settings that the command lines of its configurations set."""
    count: int = 0
    bzl: str = ""
    """The .bzl file that is being written."""

    def since(self, *version: int) -> bool:
        """Whether this Bazel is that one or newer."""
        return self.version >= version

    def declare(self, *paragraphs: str) -> None:
        """Writes into the file at the root of the tree."""
        path = "MODULE.bazel" if self.modules else "WORKSPACE"
        self.files[path] = (*self.files.get(path, ()), *paragraphs)

    def number(self) -> int:
        """The next number, for names of .bzl files."""
        self.count += 1
        return self.count

    def path(self, *parts: str) -> str:
        """A path below the workspace's own root, which may be a folder of a tree that it shares."""
        return "/".join(part for part in (self.root, *parts) if part)

    def name(self) -> str:
        """A name that the package does not have yet."""
        name = self.draw.one(NAMES)
        while any(each == name or each.startswith(f"{name}/") for each in self.package.used):
            name += self.draw.one(("2", "_b", "-c"))
        self.package.used.add(name)
        return name

    def add(self, name: str, family: str) -> None:
        """Remembers a target of the package."""
        self.package.used.add(name)
        self.targets.append(Target(self.package.path, name, family))

    def use(self, callee: Callee) -> str:
        """The name of something of a .bzl file, which is loaded from now on."""
        names = self.package.loads.setdefault(callee.file, [])
        if callee.name not in names:
            names.append(callee.name)
        return callee.name

    def known(self, families: Sequence[str]) -> list[Target]:
        """The targets of some families; all of them for ``any``."""
        return [each for each in self.targets if "any" in families or each.family in families]

    def absolute(self, target: Target) -> str:
        """The whole label."""
        return (
            f"{target.repository}//{target.package if target.repository else self.path(target.package)}:{target.name}"
        )

    def label(self, target: Target) -> str:
        """A label as somebody would write it: short or long."""
        if target.repository:
            return string(self.absolute(target))
        path = self.path(target.package)
        if target.package == self.package.path and self.draw.chance(80):
            return string(target.name if self.draw.chance(30) else f":{target.name}")
        if target.name == path.rpartition("/")[2] and self.draw.chance(60):
            return string(f"//{path}")
        return string(f"{self.draw.one(('', '', '', '@'))}//{path}:{target.name}")
