"""Workspaces with MODULE.bazel, and registries on disk."""

from __future__ import annotations

import json
from pathlib import Path

from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.workspace import Workspace, open_workspace
from tests.written_files import write_files


def registry(folder: Path, *modules: str) -> str:
    """A registry with modules ``name@version: dependencies``; their folders are beside it."""
    for module in modules:
        key, _, dependencies = module.partition(": ")
        name, version = key.split("@")
        lines = [f'module(name = "{name}", version = "{version}")']
        for each in dependencies.split():
            depends, _, at = each.partition("@")
            lines.append(f'bazel_dep(name = "{depends}", version = "{at}")')
        write_files(
            folder,
            {
                f"modules/{name}/{version}/MODULE.bazel": "\n".join(lines),
                f"modules/{name}/{version}/source.json": json.dumps(
                    {"type": "local_path", "path": f"{name}-{version}"}
                ),
                f"{name}-{version}/BUILD": f'filegroup(name = "{name}")',
                f"{name}-{version}/MODULE.bazel": "not even Starlark",
            },
        )
    return folder.as_uri()


def opened(folder: Path, *registries: str, version: str = "7.7.1", **more: object) -> Workspace:
    """The workspace of a folder, without Bazel's own modules' dependencies counting."""
    options = RepositoryOptions(registries=registries, **more)  # type: ignore[arg-type]
    return open_workspace(folder, Options(bazel_version=version, repositories=options))


def used(workspace: Workspace) -> list[str]:
    """The modules that are used and that Bazel's own do not bring."""
    resolved = workspace.resolved_modules
    assert resolved is not None
    return [str(key) for key in resolved.modules if key.name in ("a", "b", "c", "d")]
