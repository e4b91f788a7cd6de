"""A seed and a version of Bazel -> a workspace: the same one on every machine.

    from hypothesis import strategies
    workspaces = strategies.randoms(use_true_random=False).map(lambda source: generate(source, "4.2.3"))

is the same as a strategy (strategy()), whose choices hypothesis makes, and shrinks.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.generate import native, starlark
from tests.generate.draw import Draw
from tests.generate.native import STATEMENTS
from tests.generate.repositories import repositories
from tests.generate.scope import Callee, Package, Scope
from tests.generate.text import call, string, strings
from tests.generate.toolchains import platforms, toolchains
from tests.generate.transitions import configurations
from tests.generate.tree import Generated
from tests.generate.values import value

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

TOGETHER = 25
"""The workspaces that share a tree, and a server of Bazel."""
_PACKAGES = ("", "lib", "lib/deep", "app", "third-party/x", "a.b", "tools", "app/test")
_FILES = ("a.txt", "b.txt", "main.py", "run.sh", "x.cc", "x.h", "y.cc", "y.inc", "Z.java", "m.proto", "n.py", "o.sh")
_FOLDERS = ("", "", "", "sub/", "sub/deep/", "d.txt/")
_MORE = ((14, starlark.called), (3, starlark.with_constant))


def seeded(seed: int, version: str, root: str = "") -> Generated:
    """The workspace of a seed; below a folder of a tree when it shares one. Every other tree has modules, where this
    Bazel knows them."""
    modules = version.startswith("7.") and seed // TOGETHER % 2 == 1
    return generate(random.Random(f"{version}-{seed}"), version, root, seed, modules=modules)


def strategy(version: str) -> SearchStrategy[Generated]:
    """The workspaces as a strategy of hypothesis."""
    from hypothesis import strategies

    return strategies.randoms(use_true_random=False).map(lambda source: generate(source, version))


def generate(source: random.Random, version: str, root: str = "", seed: int = 0, *, modules: bool = False) -> Generated:
    """A workspace from a source of choices."""
    scope = Scope(Draw(source), tuple(map(int, version.split("."))), root, modules)
    platforms(scope)
    repositories(scope)
    if scope.draw.chance(60):
        configurations(scope)
    if scope.draw.chance(50):
        toolchains(scope)
    special = [*scope.callees]
    for path in _package_paths(scope):
        scope.package = Package(path)
        scope.packages.append(scope.package)
        _disk_files(scope)
        _build_file(scope)
    if special:
        _users(scope, [each for each in special if each.name.startswith(("moved", "asks"))])
    return Generated(seed, scope.files, tuple(map(tuple, scope.options)))


def _package_paths(scope: Scope) -> list[str]:
    chosen = scope.draw.some(_PACKAGES, 5)
    return chosen or [""]


def _disk_files(scope: Scope) -> None:
    """The files of the package that is being written: two that some rules want, and others."""
    draw = scope.draw
    chosen = {"main.py", "run.sh"} | {draw.one(_FOLDERS) + name for name in draw.some(_FILES, 8)}
    scope.package.files = sorted(chosen)
    for each in scope.package.files:
        scope.files[scope.path(scope.package.path, each)] = ()


def _build_file(scope: Scope) -> None:
    draw, package = scope.draw, scope.package
    for number in range(draw.number(0, 2)):
        starlark.file(scope, f"defs{number}.bzl")
    weighted = [*STATEMENTS, *_MORE]
    if scope.since(2):
        weighted.append((5, starlark.build_setting))
    total = sum(weight for weight, _ in weighted)
    paragraphs = []
    for _ in range(draw.number(1, 14)):
        at = draw.number(1, total)
        for weight, make in weighted:
            at -= weight
            if at <= 0:
                paragraphs.append(make(scope))
                break
    head = [*starlark.load_statements(scope, package), *_package_call(scope)]
    name = "BUILD.bazel" if draw.chance(15) else "BUILD"
    scope.files[scope.path(package.path, name)] = (*head, *(each for each in paragraphs if each))


def _users(scope: Scope, callees: list[Callee]) -> None:
    """A package of targets that transitions and toolchains lead from."""
    scope.package, scope.callees = Package("use"), callees
    paragraphs = scope.draw.several(lambda: starlark.called(scope), 2, 8)
    paragraphs += scope.draw.several(lambda: native.alias(scope), 0, 2)
    head = [*starlark.load_statements(scope, scope.package), 'package(default_visibility = ["//visibility:public"])']
    scope.files[scope.path("use", "BUILD")] = (*head, *(each for each in paragraphs if each))


def _package_call(scope: Scope) -> list[str]:
    draw = scope.draw
    if draw.chance(30):
        return []
    arguments = {
        "default_visibility": _default_visibility(scope),
        "default_testonly": "True" if draw.chance(10) else "",
        "default_deprecation": string("old") if draw.chance(20) else "",
        "features": strings(draw.some(("f1", "-f2"), 2)) if draw.chance(20) else "",
    }
    return [call("package", **arguments)] if any(arguments.values()) else []


def _default_visibility(scope: Scope) -> str:
    """Public in most packages: what others may not see cannot be analyzed."""
    if scope.draw.chance(60):
        return strings(["//visibility:public"])
    return value(scope, "visibility") if scope.draw.chance(60) else ""
