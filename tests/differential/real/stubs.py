"""Stub repositories: a small table of ours -> folders that stand for the external repositories of a workspace.

Real Bazel loads `@local_config_cuda//cuda:build_defs.bzl` and its like before it answers anything; offline there is
nothing to load. `stubs/NAME.toml` says what each repository holds (see the head of the TensorFlow table); this module
writes the folders, the same ones for Bazel and for bzlgraph, both of which get `--override_repository=NAME=FOLDER`.
"""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.differential.real.bazel import cache_folder
from tests.differential.real.chroot import unstable

TABLES = Path(__file__).parents[1] / "stubs"


@dataclass(frozen=True, slots=True)
class StubRepository:
    """One stub: its name and its files by path, or a folder that exists already (a Debian package's)."""

    name: str
    files: Mapping[str, str] = field(default_factory=dict)
    directory: str = ""


def read_stubs(table: str, tree: Path) -> tuple[StubRepository, ...]:
    """The stubs of `stubs/<table>.toml`; overlays are read from `tree`, a missing overlay is an empty BUILD file."""
    entries = _entries(table)
    return tuple(
        StubRepository(name, dict(_files(entry, tree)), _directory(entry)) for name, entry in sorted(entries.items())
    )


def _entries(table: str) -> dict[str, dict[str, Any]]:
    document = tomllib.loads((TABLES / f"{table}.toml").read_text(encoding="utf-8"))
    entries: dict[str, dict[str, Any]] = {}
    for included in document.get("include", ()):
        entries |= _entries(included)
    for name in document.get("without", ()):
        del entries[name]
    overlays = {name: {"overlay": path} for name, path in document.get("overlays", {}).items()}
    entries |= document.get("repo", {}) | overlays
    return entries | _alike(entries)


def _files(entry: Mapping[str, Any], tree: Path) -> Iterator[tuple[str, str]]:
    copies = dict(entry.get("copies", {}))
    if "overlay" in entry:
        copies["BUILD.bazel"] = entry["overlay"]
    for target, source in copies.items():
        origin = tree / source
        yield target, origin.read_text(encoding="utf-8") if origin.is_file() else ""
    for package, content in entry.get("packages", {}).items():
        yield (f"{package}/" if package else "") + "BUILD", _build_text(content)
    for path, text in entry.get("files", {}).items():
        yield path, text.lstrip("\n")


def _directory(entry: Mapping[str, Any]) -> str:
    """A folder of this machine, or one of Debian unstable."""
    inside = entry.get("unstable", "")
    return str(unstable(cache_folder())) + inside if inside else str(entry.get("directory", ""))


def _alike(entries: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """``like = "other"``: the files of another stub, with this one's name wherever they name themselves."""
    return {
        name: {
            "files": {path: text.replace(f"@{other}//", f"@{name}//") for path, text in entries[other]["files"].items()}
        }
        for name, entry in entries.items()
        if (other := entry.get("like"))
    }


def _build_text(content: str) -> str:
    """`"cc_library: a b; exports_files: LICENSE"` -> the text of a BUILD file."""
    lines = ['package(default_visibility = ["//visibility:public"])', ""]
    for part in content.split(";"):
        kind, _, names = part.partition(":")
        if kind.strip() == "exports_files":
            lines.append(f"exports_files({names.split()!r})".replace("'", '"'))
        else:
            lines += [f'{kind.strip()}(name = "{name}")' for name in names.split()]
    return "\n".join(lines) + "\n"


def write_stubs(stubs: tuple[StubRepository, ...], folder: Path) -> dict[str, Path]:
    """Writes each stub to `folder/NAME`; returns repository name -> folder, as --override_repository wants it."""
    shutil.rmtree(folder, ignore_errors=True)
    for stub in stubs:
        if stub.directory:
            continue
        for path, text in {"WORKSPACE": f'workspace(name = "{stub.name}")\n', **stub.files}.items():
            target = folder / stub.name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    return {stub.name: Path(stub.directory) if stub.directory else folder / stub.name for stub in stubs}


def digest(stubs: tuple[StubRepository, ...]) -> str:
    """A short hash of the stubs' content: part of the key under which Bazel's answers are kept."""
    state = hashlib.sha256()
    for stub in stubs:
        state.update(f"{stub.name}\0{stub.directory}\0".encode())
        for path, text in sorted(stub.files.items()):
            state.update(f"{stub.name}\0{path}\0{text}\0".encode())
    return state.hexdigest()[:16]
