"""A registry of modules for a tree with a MODULE.bazel: rule sets of Debian unstable, and stubs for the rest.

tree -> folder/{bazel_registry.json, modules/NAME/VERSION/..., sources/NAME/...}. A module that Debian packages, or of
which there is a checkout, has its files and its MODULE.bazel, under every version that someone asks for; of others
stubs/modules.toml holds what is loaded of them, in a module without dependencies.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.differential.real.bazel import cache_folder
from tests.differential.real.chroot import unstable
from tests.differential.real.stubs import read_stubs, write_stubs

_PACKAGES = {
    "bazel_features": "tools/features",
    "bazel_skylib": "tools/skylib",
    "platforms": "tools/platforms",
    "rules_cc": "rules/cc",
    "rules_java": "rules/java",
    "rules_license": "rules/license",
    "rules_proto": "rules/proto",
    "rules_python": "rules/python",
}
"""Module -> its folder in /usr/share/bazel of Debian unstable."""
_TOOLS = "embedded_tools/MODULE.bazel"
"""What Bazel's own module asks for."""
_OTHERS = (("platforms", "0.0.7"), ("buildozer", "7.1.2"))
_DEPENDENCY = re.compile(r"^(?:bazel_dep|single_version_override)\(([^)]*)\)", re.MULTILINE)
_OVERRIDE = re.compile(r"^(archive|git|single_version)_override\((.*?)^\)", re.MULTILINE | re.DOTALL)
_MODULE = re.compile(r"^module\((.*?)\)$", re.MULTILINE | re.DOTALL)
_ARGUMENT = re.compile(r"\b(?:module_)?(name|version)\s*=\s*\"([^\"]*)\"")


@dataclass(frozen=True, slots=True)
class Modules:
    """Where the modules of a tree are: a registry, and folders for those that the tree would download."""

    registry: str
    overrides: tuple[tuple[str, Path], ...] = ()
    ignore_dev: bool = False
    """Whether what only the developers of the tree need is left out."""

    @property
    def options(self) -> tuple[str, ...]:
        """As Bazel and bzlgraph are told."""
        overrides = (f"--override_module={name}={path}" for name, path in self.overrides)
        return f"--registry={self.registry}", *overrides, *(["--ignore_dev_dependency"] if self.ignore_dev else [])


def write_modules(tree: Path, folder: Path, checkouts: Path | None = None) -> Modules:
    """Writes the registry that the modules of a tree need. `checkouts` holds modules by name."""
    shutil.rmtree(folder, ignore_errors=True)
    sources = _sources(tree, folder / "sources", checkouts)
    files = (*tree.rglob("MODULE.bazel"), _debian() / _TOOLS)
    asked = [*_OTHERS, *(asked for path in files for asked in _dependencies(path))]
    done: set[tuple[str, str]] = set()
    while asked:
        name, version = asked.pop()
        if (name, version) in done or not version:
            continue
        done.add((name, version))
        source = sources.get(name)
        text = (source / "MODULE.bazel").read_text(encoding="utf-8") if source else ""
        _write_module(folder / "modules" / name / version, name, version, text)
        if source:
            asked += _dependencies(source / "MODULE.bazel")
    _write(folder / "bazel_registry.json", json.dumps({"module_base_path": "sources"}))
    for name, _version in done - {(name, version) for name, version in done if name in sources}:
        _write(folder / "sources" / name / "MODULE.bazel", "")
        _write(folder / "sources" / name / "BUILD", "")
    overridden = sorted(_downloaded((tree / "MODULE.bazel").read_text(encoding="utf-8")))
    return Modules(f"file://{folder}", tuple((name, _named(folder / "sources" / name)) for name in overridden))


def _downloaded(text: str) -> Iterator[str]:
    """The modules that a MODULE.bazel has from elsewhere, or patches: Bazel patches no folder."""
    for kind, arguments in _OVERRIDE.findall(text):
        if kind != "single_version" or "patches" in arguments:
            yield dict(_ARGUMENT.findall(arguments))["name"]


def _named(folder: Path) -> Path:
    """A stub of a module that an override names: there the MODULE.bazel of its folder counts."""
    _write(folder / "MODULE.bazel", f'module(name = "{folder.name}")\n')
    return folder


def _debian() -> Path:
    return unstable(cache_folder()) / "usr/share/bazel"


def _sources(tree: Path, folder: Path, checkouts: Path | None) -> dict[str, Path]:
    """The modules whose files are here, each a copy, as Bazel runs where /usr is another. A checkout wins over a
    package, that over a stub."""
    write_stubs(read_stubs("modules", tree), folder)
    packages = {name: _debian() / place for name, place in _PACKAGES.items()}
    for name, place in (packages | {path.name: path for path in (checkouts.iterdir() if checkouts else ())}).items():
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(place, folder / name, symlinks=True)
    for path in folder.iterdir():
        if not (path / "MODULE.bazel").is_file():
            _write(path / "MODULE.bazel", "")
    return {path.name: path for path in folder.iterdir()}


def _dependencies(path: Path) -> Iterator[tuple[str, str]]:
    for call in _DEPENDENCY.findall(path.read_text(encoding="utf-8")):
        arguments = dict(_ARGUMENT.findall(call.replace("repo_name", "")))
        yield arguments["name"], arguments.get("version", "")


def _write_module(folder: Path, name: str, version: str, text: str) -> None:
    """The MODULE.bazel of a package, as if it were of this version."""
    level = re.search(r"compatibility_level\s*=\s*\d+", text)
    head = ", ".join([f'name = "{name}"', f'version = "{version}"', *([level[0]] if level else [])])
    call = f"module({head})"
    _write(folder / "MODULE.bazel", _MODULE.sub(call, text, count=1) if _MODULE.search(text) else f"{call}\n{text}")
    _write(folder / "source.json", json.dumps({"type": "local_path", "path": name}))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
