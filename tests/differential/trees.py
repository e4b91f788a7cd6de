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

from tests.differential.real.bazel import cache_folder
from tests.differential.real.chroot import unstable

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
    open: tuple[str, ...] = ()
    """Bazels with differences that have no reason yet: compared when they are named only."""
    formats: tuple[str, ...] | None = None
    """Bazels whose output formats are compared: all when None."""
    evaluated: tuple[str, ...] = ()
    """Repositories whose rules bzlgraph runs, instead of taking what Bazel's own run wrote."""
    modules: bool = False
    """Whether MODULE.bazel counts, with a registry of module_registry.py."""
    checkouts: Path | None = None
    """Where modules lie that win over those of Debian."""
    ignore_dev: bool = False
    """Whether dev dependencies are ignored."""
    ours: bool = False
    """Whether it is part of this repository."""

    @property
    def is_fixture(self) -> bool:
        """Whether it is one of the small ones of tests/workspaces."""
        return self.name.startswith("workspaces/")


def read_table(trees: Path | None, *, fetch: bool, part: bool = False) -> Iterator[Workspace]:
    """The table's workspaces; a folder pattern gives one for each folder that matches.

    In a part those that take minutes are not here.
    """
    for entry in tomllib.loads(_TABLE.read_text(encoding="utf-8"))["workspace"]:
        versions, stubs, later = tuple(entry["bazel"]), entry["stubs"], tuple(entry.get("open", ()))
        formats = tuple(entry["formats"]) if "formats" in entry else None
        if "folders" in entry:
            for path in sorted(REPOSITORY.glob(entry["folders"])):
                name = f"{entry['name']}/{path.parent.name}"
                yield Workspace(name, path.parent, stubs, versions, open=later, formats=formats, ours=True)
            continue
        if part and entry.get("by_hand"):
            tree, absent = None, "it takes minutes: compared by hand, without --part"
        else:
            tree, absent = _tree(entry, trees, fetch=fetch)
        questions, evaluated = entry.get("questions", ""), tuple(entry.get("evaluated", ()))
        modules, checkouts = entry.get("modules", False), None
        if "checkouts" in entry and tree is not None:
            checkouts = trees / entry["checkouts"] if trees else None
            if checkouts is None or not checkouts.is_dir():
                tree, absent = None, f"give --trees=DIR with {entry['checkouts']} in it: checkouts of modules, by name"
        ignored = entry.get("ignore_dev", False)
        rest = (questions, later, formats, evaluated, modules, checkouts, ignored, "folder" in entry)
        yield Workspace(entry["name"], tree, stubs, versions, absent, *rest)


def _tree(entry: dict[str, Any], trees: Path | None, *, fetch: bool) -> tuple[Path | None, str]:
    if "folder" in entry:
        folder = REPOSITORY / entry["folder"]
        return (folder, "") if folder.is_dir() else (None, f"no folder {entry['folder']}")
    if "unstable" in entry:
        folder = unstable(cache_folder()) / "usr/share/bazel" / entry["unstable"]
        return (folder, "") if folder.is_dir() else (None, f"no {folder} (python -m tests.differential install 7.7.1)")
    if "tree" in entry:
        folders = [trees / name for name in entry["tree"]] if trees else []
        for folder in folders:
            if folder.is_dir():
                return folder.resolve(), ""
        return None, f"give --trees=DIR (or BZLGRAPH_TREES=DIR) with {entry['tree'][0]} in it: {entry['origin']}"
    return _debian_source(entry["debian_source"], fetch=fetch)


def _debian_source(package: str, *, fetch: bool) -> tuple[Path | None, str]:
    folder = cache_folder() / "sources"
    if fetch and not _unpacked(package, folder):
        try:
            _fetch_debian(package, folder)
        except (OSError, subprocess.CalledProcessError) as problem:
            return None, f"the source of Debian's package {package} cannot be had: {problem}"
    found = _unpacked(package, folder)
    absent = "the server has no" if fetch else "--fetch gets the"
    return (found, "") if found else (None, f"{absent} source of Debian's package {package}")


def _unpacked(package: str, folder: Path) -> Path | None:
    """The unpacked source, `PACKAGE-VERSION`: the one whose version begins with a digit."""
    return next((path.resolve() for path in sorted(folder.glob(f"{package}-[0-9]*")) if path.is_dir()), None)


def _fetch_debian(package: str, folder: Path) -> None:
    """`apt-get source`, newest version first; a server may lack some: then upstream's archive alone will do."""
    environment = {**os.environ, "APT_CONFIG": str(_apt_configuration(folder / "apt"))}

    def run(*command: str) -> str:
        done = subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True)
        return done.stdout

    def fetched(*arguments: str) -> bool:
        try:
            run("apt-get", "source", *arguments)
        except subprocess.CalledProcessError:
            return False
        return True

    if not any((folder / "apt" / "lists").glob("*_Sources*")):
        run("apt-get", "update")
    described = run("apt-cache", "showsrc", "--only-source", package)
    versions = [f"{package}={version}" for version in re.findall(r"^Version: (\S+)", described, re.MULTILINE)]
    if any(fetched(version) for version in reversed(versions)):
        # dpkg keeps what its patches changed in .pc: BUILD files that load what is not there.
        for kept in folder.glob(f"{package}-[0-9]*/.pc"):
            shutil.rmtree(kept)
        return
    if any(fetched("--tar-only", version) for version in reversed(versions)):
        archive = next(iter(sorted(folder.glob(f"{package}_[0-9]*.orig.tar.*"))))
        unpacked = f"{package}-{archive.name.partition('_')[2].partition('.orig.')[0]}"
        (folder / unpacked).mkdir()
        run("tar", "-xf", archive.name, "--strip-components=1", "-C", unpacked)


def _apt_configuration(apt: Path) -> Path:
    """An apt configuration of its own, with the machine's servers, so that the machine's stays untouched."""
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
    return config
