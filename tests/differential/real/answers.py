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
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tests.differential.facts.canonical import with_short_labels
from tests.differential.facts.proto_answer import read_proto
from tests.differential.facts.records import Answer
from tests.differential.questions import Said, named_questions, split
from tests.differential.real.bazel import Bazel, cache_folder
from tests.differential.real.module_registry import Modules, write_modules
from tests.differential.real.stubs import StubRepository, digest, read_stubs, write_stubs
from tests.differential.trees import Workspace

GENERAL = (
    "//...",
    "//...:*",
    "--implicit_deps deps(//...)",
    "deps(//...)",
)
"""Asked about every workspace with --output=label_kind --noimplicit_deps, of Bazel and of bzlgraph alike."""

_TARGETS = ("//...:*", "--output=proto", "--noproto:flatten_selects")


@dataclass(frozen=True, slots=True)
class Recorded:
    """What Bazel said about one workspace: all targets, the lines of the questions, errors, seconds when cold.

    `fetched` are the folders of Bazel's own repositories: bzlgraph gets them as overrides, so that both see the same.
    """

    answer: Answer
    questions: dict[str, Said]
    errors: list[str]
    seconds: float
    fetched: dict[str, Path]


def stubs_of(workspace: Workspace) -> dict[str, Path]:
    """Writes the stub repositories of a workspace; repository -> folder, for Bazel and for bzlgraph."""
    return write_stubs(_stubs(workspace), cache_folder() / "stubs" / workspace.name.replace("/", "-"))


@cache
def modules_of(workspace: Workspace) -> Modules | None:
    """Writes the registry of a workspace whose modules count; None for others."""
    if not workspace.modules:
        return None
    assert workspace.tree is not None
    folder = cache_folder() / "registries" / workspace.name
    modules = write_modules(workspace.tree, folder, workspace.checkouts)
    return replace(modules, overrides=(), ignore_dev=True) if workspace.ignore_dev else modules


def _bazel(workspace: Workspace, version: str) -> Bazel:
    assert workspace.tree is not None
    modules = modules_of(workspace)
    return Bazel(version, workspace.tree, stubs_of(workspace), module_options=modules.options if modules else ())


def folder_of(workspace: Workspace, version: str) -> Path:
    """Where the answers of one Bazel about this state of the tree are kept."""
    return cache_folder() / "answers" / workspace.name.replace("/", "-") / f"{version}-{_key(workspace)}"


def recorded(workspace: Workspace, version: str, *, refresh: bool) -> Recorded:
    """The recorded answer; asks Bazel when there is none yet."""
    folder = folder_of(workspace, version)
    if refresh or not (folder / "said.json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        _record(workspace, version, folder)
    said = _with_questions(workspace, version, folder)
    place = _placer(workspace, version)
    answer = read_proto((folder / "targets.proto").read_bytes(), place)
    if workspace.modules:
        answer = with_short_labels(answer)
    folders = {name: Path(path) for name, path in said["fetched"].items() if name not in workspace.evaluated}
    fetched = {name: path for name, path in folders.items() if path.is_dir()}
    questions = {name: Said(*said["answers"][name]) for name in (*GENERAL, *named_questions(workspace.questions))}
    return Recorded(answer, questions, said["errors"], said["seconds"], fetched)


def _with_questions(workspace: Workspace, version: str, folder: Path) -> dict[str, Any]:
    """What Bazel said; questions that are new since then are asked now, and all whose answers were kept sorted."""
    said: dict[str, Any] = json.loads((folder / "said.json").read_text(encoding="utf-8"))
    answers = said["answers"] if said.get("as_printed") else {}
    said |= {"answers": answers, "as_printed": True}
    missing = [each for each in (*GENERAL, *named_questions(workspace.questions)) if each not in answers]
    if missing:
        with _bazel(workspace, version) as bazel:
            answers.update({question: ask(bazel, question) for question in missing})
            said["fetched"] = {name: str(path) for name, path in bazel.fetched().items()}
        (folder / "said.json").write_text(json.dumps(said), encoding="utf-8")
    return said


def ask(bazel: Bazel, question: str) -> Said:
    """One question with Bazel's answer."""
    options, expression = split(question)
    reply = bazel.query(expression, "--output=label_kind", "--noimplicit_deps", *options)
    return Said(reply.exit_code, reply.output.decode().splitlines())


def _record(workspace: Workspace, version: str, folder: Path) -> None:
    with _bazel(workspace, version) as bazel:
        start = time.monotonic()
        targets = bazel.query(*_TARGETS)
        seconds = time.monotonic() - start
        answers = {question: ask(bazel, question) for question in (*GENERAL, *named_questions(workspace.questions))}
        fetched = {name: str(path) for name, path in bazel.fetched().items()}
    (folder / "targets.proto").write_bytes(targets.output)
    errors = sorted(set(targets.errors))
    said = {"errors": errors, "seconds": round(seconds, 2), "answers": answers, "fetched": fetched}
    said["as_printed"] = True
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
