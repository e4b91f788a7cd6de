"""A workspace with one repository rule: what the tests of repository rules work with."""

from __future__ import annotations

from bzlgraph.bazel.model import Package
from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.repositories.table import Repository
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import Workspace, open_workspace
from tests.bazel.memory_workspace import files_of


def opened(implementation: str, attrs: str = "{}", call: str = "", more: str = "", **options: object) -> Workspace:
    """A workspace whose WORKSPACE calls one rule, ``r``, for a repository ``x``."""
    body = "\n".join(f"    {line}" for line in implementation.strip("\n").split("\n"))
    files = {
        "WORKSPACE": f'load("//:r.bzl", "r")\nr(name = "x", {call})\n'.encode(),
        "BUILD": b"",
        "r.bzl": f"def _impl(ctx):\n{body}\n\nr = repository_rule(implementation = _impl, attrs = {attrs})\n".encode(),
        **files_of(more),
    }
    return open_workspace(".", _options(options), MemorySource(files))


def _options(options: dict[str, object]) -> Options:
    names = ("bazel_version", "budget", "enable_bzlmod", "enable_workspace", "print")
    general = {name: options.pop(name) for name in names if name in options}
    return Options(repositories=RepositoryOptions(**options), **general)  # type: ignore[arg-type]


def repository(*arguments: str, **options: object) -> Repository:
    return opened(*arguments, **options).repository("x")


def texts(found: Repository) -> dict[str, str]:
    """The files of a repository but for the one that Bazel adds."""
    source = found.tree.source
    paths = source.paths()  # type: ignore[attr-defined]
    return {path: source.read(path).decode() for path in paths if path != "WORKSPACE"}


def gaps(found: Repository) -> list[str]:
    return [f"{each.what}: {each.hides}" for each in found.gaps]


def package(of: Workspace, name: str = "") -> Package:
    found = Loader(of).find("x", name)
    assert found is not None
    return found
