"""What is compared: the table workspaces.toml -> workspaces with a tree on disk, or the reason why there is none."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.differential.bazel import cache_folder

REPOSITORY = Path(__file__).parents[2]
_TABLE = Path(__file__).with_name("workspaces.toml")
_APT_SOURCES = Path("/etc/apt/sources.list.d/debian.sources")  # where Debian 12 says which server it uses


@dataclass(frozen=True, slots=True)
class Workspace:
    """One workspace of the table. `tree` is None when it is not here: then `absent` says how to get it."""

    name: str
    tree: Path | None
    stubs: str
    versions: tuple[str, ...]
    absent: str = ""
    questions: str = ""


def read_table(trees: Path | None, *, fetch: bool) -> Iterator[Workspace]:
    """The table's workspaces; a folder pattern gives one for each folder that matches."""
    for entry in tomllib.loads(_TABLE.read_text(encoding="utf-8"))["workspace"]:
        versions, stubs = tuple(entry["bazel"]), entry["stubs"]
        if "folders" in entry:
            for path in sorted(REPOSITORY.glob(entry["folders"])):
                yield Workspace(f"{entry['name']}/{path.parent.name}", path.parent, stubs, versions)
            continue
        tree, absent = _tree(entry, trees, fetch=fetch)
        yield Workspace(entry["name"], tree, stubs, versions, absent, entry.get("questions", ""))


def _tree(entry: dict[str, Any], trees: Path | None, *, fetch: bool) -> tuple[Path | None, str]:
    if "folder" in entry:
        folder = REPOSITORY / entry["folder"]
        return (folder, "") if folder.is_dir() else (None, f"no folder {entry['folder']}")
    if "tree" in entry:
        folders = [trees / name for name in entry["tree"]] if trees else []
        for folder in folders:
            if folder.is_dir():
                return folder.resolve(), ""
        return None, f"give --trees=DIR (or BZLGRAPH_TREES=DIR) with {entry['tree'][0]} in it: {entry['origin']}"
    return _debian_source(entry["debian_source"], fetch=fetch)


def _debian_source(package: str, *, fetch: bool) -> tuple[Path | None, str]:
    folder = cache_folder() / "sources"
    found = [path for path in sorted(folder.glob(f"{package}-*")) if path.is_dir()]
    if not found and fetch and shutil.which("apt-get"):
        _fetch_debian(package, folder)
        found = [path for path in sorted(folder.glob(f"{package}-*")) if path.is_dir()]
    return (found[0].resolve(), "") if found else (None, f"--fetch gets the source of Debian's package {package}")


def _fetch_debian(package: str, folder: Path) -> None:
    """`apt-get source` with an apt configuration of its own, so that the machine's stays untouched."""
    apt = folder / "apt"
    for part in ("lists/partial", "cache/archives/partial", "sources"):
        (apt / part).mkdir(parents=True, exist_ok=True)
    sources = re.sub(r"^Types:.*", "Types: deb-src", _APT_SOURCES.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (apt / "sources" / "debian.sources").write_text(sources, encoding="utf-8")
    lines = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": apt / "sources",
        "Dir::State::lists": apt / "lists",
        "Dir::Cache": apt / "cache",
        "APT::Sandbox::User": "root",
    }
    config = apt / "apt.conf"
    config.write_text("".join(f'{key} "{value}";\n' for key, value in lines.items()), encoding="utf-8")
    environment = {**os.environ, "APT_CONFIG": str(config)}
    for command in (["apt-get", "update"], ["apt-get", "source", package]):
        subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
