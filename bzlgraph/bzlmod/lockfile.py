"""MODULE.bazel.lock of every version, as data: registry files by hash, what extensions made, the old module graph.

``read_lock_file(bytes)`` -> ``LockFile``; a file that cannot be read is an empty one.

- up to Bazel 7.1 (``moduleDepGraph``) the file holds the whole resolved graph;
- since then (``registryFileHashes``) the files of registries that were read, with their sha256: which of them is a
  ``source.json`` tells the versions that were selected;
- ``moduleExtensions`` (all versions): by extension, then (not in the first such files) by operating system and
  architecture, the repositories it made (``generatedRepoSpecs``);
- ``facts`` (Bazel 9): what extensions want to remember.

Rules: https://bazel.build/external/lockfile; ``BazelLockFileValue.java`` of Bazel's package ``bazel.bzlmod``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.bzlmod.module import Dependency, ModuleFile, ModuleKey
from bzlgraph.bzlmod.registry import RepositorySpec

LOCK_FILE = "MODULE.bazel.lock"
Json = Mapping[str, object]
_REGISTRY_FILE = re.compile(r"(.*)/modules/([^/]+)/([^/]+)/([^/]+)")
_NATIVE = "bazel_tools//tools/build_defs/repo:local.bzl"


@dataclass(frozen=True, slots=True)
class LockedModule:
    """A module of the old graph: what its file said, its dependencies resolved, and where its content comes from."""

    file: ModuleFile
    spec: RepositorySpec | None


@dataclass(frozen=True, slots=True)
class LockFile:
    """What a lock file says."""

    version: int = 0
    modules: Mapping[ModuleKey, LockedModule] = field(default_factory=dict)
    registry_files: Mapping[str, str] = field(default_factory=dict)
    """URL of a registry's file -> its sha256."""
    extensions: Mapping[str, Json] = field(default_factory=dict)
    """What it says of each extension."""
    facts: Mapping[str, Json] = field(default_factory=dict)
    mismatch: str = ""
    """Why the Bazel at hand does not read it; "" where it does."""

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """That what it tells may not be what this Bazel finds, which does not read it."""
        hides = "what it finds for modules and repositories that only this file records may differ"
        return (Gap(GapKind.REPOSITORY.value, self.mismatch, hides),) if self.mismatch else ()

    def selected(self) -> Iterator[tuple[ModuleKey, str]]:
        """The modules and versions that were selected, each with its registry ("" where that is not told)."""
        yield from ((key, "") for key in self.modules if key.name and key.version)
        for url in self.registry_files:
            match = _REGISTRY_FILE.fullmatch(url)
            if match is not None and match[4] == "source.json":
                yield ModuleKey(match[2], match[3]), match[1]

    def repositories_of(self, extension: str) -> Mapping[str, RepositorySpec] | None:
        """The repositories that an extension made, the same on all machines or on any; None when it says nothing."""
        runs = next((each for name, each in self.extensions.items() if _same(name, extension)), None)
        if not runs:
            return None
        if "generatedRepoSpecs" not in runs:
            runs = _object(runs["general" if "general" in runs else min(runs)])
        specs = _object(runs.get("generatedRepoSpecs"))
        return {name: _spec(_object(each)) for name, each in specs.items()}

    def has(self, extension: str) -> bool:
        """Whether it says anything of an extension."""
        return any(_same(name, extension) for name in self.extensions)

    def facts_of(self, extension: str) -> Json:
        """What an extension remembers."""
        return next((each for name, each in self.facts.items() if _same(name, extension)), {})


def read_lock_file(data: bytes) -> LockFile:
    """The lock file of these bytes."""
    try:
        content = _object(json.loads(data))
    except (ValueError, RecursionError):
        return LockFile()
    version = content.get("lockFileVersion")
    hashes = _object(content.get("registryFileHashes"))
    return LockFile(
        version if isinstance(version, int) else 0,
        dict(_modules(_object(content.get("moduleDepGraph")))),
        {url: digest for url, digest in hashes.items() if isinstance(digest, str)},
        {name: _object(runs) for name, runs in _object(content.get("moduleExtensions")).items()},
        {name: _object(each) for name, each in _object(content.get("facts")).items()},
    )


def _modules(graph: Json) -> Iterator[tuple[ModuleKey, LockedModule]]:
    for text, entry in graph.items():
        found = _object(entry)
        key = _key(text)
        deps = _object(found.get("deps"))
        dependencies = tuple(
            Dependency(target.name, target.version, name)
            for name, target in ((name, _key(str(each))) for name, each in deps.items())
            if target.name not in ("", "bazel_tools", "local_config_platform")
        )
        name, version = str(found.get("name", key.name)), str(found.get("version", key.version))
        file = ModuleFile(name, version, str(found.get("repoName") or name), path=LOCK_FILE, dependencies=dependencies)
        spec = found.get("repoSpec")
        yield key, LockedModule(file, _spec(_object(spec)) if spec else None)


def _key(text: str) -> ModuleKey:
    name, _, version = text.partition("@")
    return ModuleKey("" if name == "<root>" else name, "" if version == "_" else version)


def _spec(entry: Json) -> RepositorySpec:
    """A repository rule of a lock file: named by ``repoRuleId``, or by two fields in older ones."""
    identity = entry.get("repoRuleId")
    bzl, rule = entry.get("bzlFile", ""), entry.get("ruleClassName", "")
    if isinstance(identity, str):
        bzl, _, rule = identity.rpartition("%")
    native = not bzl or _NATIVE in str(bzl)
    return RepositorySpec("" if native else _label(str(bzl)), str(rule), _object(entry.get("attributes")))


def _label(text: str) -> str:
    """A canonical label; lock files of older Bazels write one at-sign or none."""
    return f"@@{text.lstrip('@')}" if text.startswith("@") and not text.startswith("@@") else text


def _same(locked: str, extension: str) -> bool:
    """Whether a lock file's name of an extension is this one: other Bazels write the name of its repository otherwise.

    >>> _same("@rules~1.2//:e.bzl%e", "@@rules+//:e.bzl%e"), _same("//:e.bzl%e", "@@//:e.bzl%e")
    (True, True)
    """
    return _plain_name(locked) == _plain_name(extension)


def _plain_name(extension: str) -> tuple[str, str]:
    repository, _, rest = extension.lstrip("@").partition("//")
    return re.split("[~+]", repository, maxsplit=1)[0], rest


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}
