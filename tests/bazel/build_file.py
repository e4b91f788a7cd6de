"""One BUILD file, evaluated in memory: what the tests of the BUILD side work with.

``build('filegroup(name = "x")')`` -> Package. ``macros`` is the text of a .bzl file whose names the BUILD file may use.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.label import Label
from bzlgraph.bazel.context.contexts import BzlContext, PackageContext
from bzlgraph.bazel.files.environment import BUILD_FUNCTIONS
from bzlgraph.bazel.files.native_value import native_value
from bzlgraph.bazel.files.unknown import UnknownModule
from bzlgraph.bazel.model import Package, Rule
from bzlgraph.bazel.package.post_process import finish
from bzlgraph.bazel.rules.native_rules import functions
from bzlgraph.bazel.values.label_value import label_function
from bzlgraph.bazel.values.select import select_function
from bzlgraph.facts import Facts, for_version
from bzlgraph.starlark import Module, Thread, compile_file
from bzlgraph.starlark.universe import UNIVERSE
from bzlgraph.syntax import BUILD, BZL, parse


class MemoryFiles:
    """The files of a package, given by their names."""

    def __init__(self, paths: Collection[str], packages: Sequence[str] = (), known: bool = True) -> None:
        self.known = known
        self._packages = sorted(packages)
        self._paths = sorted(path for path in paths if not any(path.startswith(f"{each}/") for each in packages))

    def files(self) -> Sequence[str]:
        return self._paths

    def directories(self) -> Sequence[str]:
        folders = {path[:at] for path in self._paths for at, char in enumerate(path) if char == "/"}
        return sorted(folders)

    def subpackages(self) -> Sequence[str]:
        return self._packages

    def loops(self) -> Sequence[tuple[str, str]]:
        return ()

    def repositories(self) -> Sequence[str]:
        return ()

    def exists(self, path: str) -> bool:
        return path in self._paths or path in self.directories()


def names(facts: Facts) -> dict[str, Any]:
    """What a BUILD file may use, and ``unknown_macro`` of a file nobody has."""
    found = {**UNIVERSE, **functions(facts), **BUILD_FUNCTIONS, "select": select_function, "Label": label_function}
    return {**found, "unknown_macro": UnknownModule("@absent//:defs.bzl")["unknown_macro"]}


def build(
    text: str,
    files: Collection[str] = (),
    *,
    packages: Sequence[str] = (),
    known: bool = True,
    macros: str = "",
    version: str = "4.2.3",
    package: str = "pkg",
    repo: str = "",
) -> Package:
    """Evaluate a BUILD file; what it gets wrong is in the package's diagnostics."""
    facts = for_version(version)
    predeclared = names(facts)
    made = Package(repo, package, Label(repo, package, "BUILD"))
    context = PackageContext(
        repo,
        package,
        facts=facts,
        gaps=made.gaps,
        building=made,
        files=MemoryFiles(files, packages, known),
        source=text,
    )
    path = f"{package}/BUILD"
    try:
        if macros:
            predeclared.update(_bzl(macros, predeclared, context))
        program = compile_file(parse(text, path, BUILD), BUILD, predeclared)
        Module(program, predeclared).run(Thread(host=context))
    except BzlgraphError as error:
        made.diagnostics.extend(error.diagnostics)
    finish(context)
    return made


def _bzl(text: str, predeclared: dict[str, Any], context: PackageContext) -> dict[str, Any]:
    path = f"{context.package}/macros.bzl"
    inner = BzlContext(context.repo, context.package, facts=context.facts, loaded=context.loaded, path=path)
    context.loaded[path] = inner
    available = {
        **UNIVERSE,
        "native": native_value(context.facts, predeclared),
        "select": select_function,
        "Label": label_function,
    }
    module = Module(compile_file(parse(text, path, BZL), BZL, available), available)
    module.run(Thread(host=inner))
    module.freeze()
    return module.globals


def rule(package: Package, name: str) -> Rule:
    """A rule of the package."""
    target = package.targets[name]
    assert isinstance(target, Rule)
    return target


def problems(package: Package) -> list[str]:
    """The messages of the package."""
    return [each.message for each in package.diagnostics]
