"""Which folder is the workspace: the nearest one upwards that has a boundary file, as Bazel decides."""

from __future__ import annotations

from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem

BOUNDARY_FILES = ("MODULE.bazel", "REPO.bazel", "WORKSPACE.bazel", "WORKSPACE")
"""https://bazel.build/external/overview#workspace"""


def is_workspace(folder: Path) -> bool:
    """Whether a folder is the root of a workspace."""
    return any((folder / name).is_file() for name in BOUNDARY_FILES)


def find_root(start: Path) -> Path:
    """The workspace that ``start`` lies in. Raises UsageProblem when there is none."""
    start = start.resolve()
    if not start.is_dir():
        raise UsageProblem(Diagnostic(f"no such folder: '{start}'", hint="give the checkout's folder with -C DIR"))
    for folder in (start, *start.parents):
        if is_workspace(folder):
            return folder
    raise UsageProblem(
        Diagnostic(
            f"'{start}' is not in a Bazel workspace: neither it nor a folder above has WORKSPACE or MODULE.bazel",
            hint="give the checkout's folder with -C DIR; an empty WORKSPACE file there makes it one",
        )
    )
