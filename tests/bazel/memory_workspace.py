"""A workspace in memory, written as one text: what the tests of the .bzl side work with.

``open_text('''--- BUILD ...''')``: each ``--- PATH`` line begins a file. ``package(text)`` evaluates one package.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bzlgraph.bazel.model import Package, Rule
from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import Workspace, open_workspace

EXPRESSION = """
--- BUILD
load(":a.bzl", "B")
filegroup(name = "x%s" % B)
--- a.bzl
B = {}
"""
"""A value of a .bzl file, in place of {}, which the name of a target tells."""


def files_of(text: str) -> dict[str, bytes]:
    """The files of a text."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("--- "):
            lines = found.setdefault(line[4:].strip(), [])
        else:
            lines.append(line)
    return {path: ("\n".join(body) + "\n").encode() for path, body in found.items()}


def open_text(text: str, version: str = "", switches: Mapping[str, bool] = MappingProxyType({})) -> Workspace:
    """The workspace whose files the text holds; a WORKSPACE is added when there is none. ``switches`` are options."""
    files = files_of(text)
    if not {"WORKSPACE", "MODULE.bazel"} & files.keys():
        files["WORKSPACE"] = b""
    options = Options(bazel_version=version, switches=tuple(switches.items()))
    return open_workspace(".", options, MemorySource(files))


def package(
    text: str, name: str = "", version: str = "", switches: Mapping[str, bool] = MappingProxyType({})
) -> Package:
    """One package of the workspace."""
    found = Loader(open_text(text, version, switches)).find("", name)
    assert found is not None
    return found


def rule(of: Package, name: str) -> Rule:
    """A rule of a package that has no problems."""
    assert [each.message for each in of.diagnostics] == []
    target = of.targets[name]
    assert isinstance(target, Rule)
    return target


def problems(of: Package) -> list[str]:
    """The messages of a package."""
    return [each.message for each in of.diagnostics]
