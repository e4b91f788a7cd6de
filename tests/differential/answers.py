"""Bazel's answers, recorded once per Bazel version, tree and stubs, and kept in the cache folder.

workspace -> Recorded(answer, questions). The key covers path, size and time of every file of the tree, so an edited
tree is recorded anew; `refresh` does it in any case.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.differential.bazel import Bazel, cache_folder
from tests.differential.facts import Answer
from tests.differential.proto_answer import read_proto
from tests.differential.stubs import StubRepository, digest, read_stubs, write_stubs
from tests.differential.trees import Workspace

QUESTIONS: dict[str, tuple[str, ...]] = {
    "//...": ("//...",),
    "//...:*": ("//...:*",),
    "deps(//...)": ("deps(//...)",),
    "deps(//...) --noimplicit_deps": ("deps(//...)", "--noimplicit_deps"),
}
"""Asked with --output=label_kind, of Bazel and of bzlgraph's command line alike: name -> expression and options."""

_TARGETS = ("//...:*", "--output=proto", "--noproto:flatten_selects")


@dataclass(frozen=True, slots=True)
class Recorded:
    """What Bazel said about one workspace: all targets, the lines of the questions, errors, seconds when cold.

    `fetched` are the folders of Bazel's own repositories: bzlgraph gets them as overrides, so that both see the same.
    """

    answer: Answer
    questions: dict[str, list[str]]
    errors: list[str]
    seconds: float
    fetched: dict[str, Path]


def stubs_of(workspace: Workspace) -> dict[str, Path]:
    """Writes the stub repositories of a workspace; repository -> folder, for Bazel and for bzlgraph."""
    return write_stubs(_stubs(workspace), cache_folder() / "stubs" / workspace.name.replace("/", "-"))


def recorded(workspace: Workspace, version: str, *, refresh: bool) -> Recorded:
    """The recorded answer; asks Bazel when there is none yet."""
    assert workspace.tree is not None
    folder = cache_folder() / "answers" / workspace.name.replace("/", "-") / f"{version}-{_key(workspace)}"
    if refresh or not (folder / "said.json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        _record(workspace, version, folder)
    said = json.loads((folder / "said.json").read_text(encoding="utf-8"))
    place = _placer(workspace, version)
    answer = read_proto((folder / "targets.proto").read_bytes(), place)
    fetched = {name: Path(path) for name, path in said["fetched"].items() if Path(path).is_dir()}
    return Recorded(answer, said["questions"], said["errors"], said["seconds"], fetched)


def _record(workspace: Workspace, version: str, folder: Path) -> None:
    assert workspace.tree is not None
    with Bazel(version, workspace.tree, stubs_of(workspace)) as bazel:
        start = time.monotonic()
        targets = bazel.query(*_TARGETS)
        seconds = time.monotonic() - start
        replies = {name: bazel.query(*asked, "--output=label_kind") for name, asked in QUESTIONS.items()}
        fetched = {name: str(path) for name, path in bazel.fetched().items()}
    (folder / "targets.proto").write_bytes(targets.output)
    questions = {name: sorted(reply.output.decode().splitlines()) for name, reply in replies.items()}
    errors = sorted(set(targets.errors))
    said = {"questions": questions, "errors": errors, "seconds": round(seconds, 2), "fetched": fetched}
    (folder / "said.json").write_text(json.dumps(said), encoding="utf-8")


def _placer(workspace: Workspace, version: str) -> Callable[[str], str]:
    assert workspace.tree is not None
    return Bazel(version, workspace.tree).place


def _stubs(workspace: Workspace) -> tuple[StubRepository, ...]:
    assert workspace.tree is not None
    return read_stubs(workspace.stubs, workspace.tree)


def _key(workspace: Workspace) -> str:
    assert workspace.tree is not None
    state = hashlib.sha256(digest(_stubs(workspace)).encode())
    for folder, names, files in os.walk(workspace.tree):
        names[:] = sorted(name for name in names if name not in (".git", "expected"))
        for name in sorted(files):
            path = os.path.join(folder, name)
            status = os.lstat(path)
            state.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return state.hexdigest()[:16]
