"""A module registry's layout: paths of its files, and what their JSON says, as data.

A registry is a folder or a server: ``modules/NAME/VERSION/MODULE.bazel`` and ``source.json``,
``modules/NAME/metadata.json``, ``bazel_registry.json``. Nothing is read here.

>>> module_path("rules_cc", "0.0.9", "MODULE.bazel")
'modules/rules_cc/0.0.9/MODULE.bazel'
>>> spec = repository_spec("file:///r", "a", "1", {"type": "local_path", "path": "a-1"}, {"module_base_path": "src"})
>>> spec.rule, spec.attributes
('local_repository', {'path': '/r/src/a-1'})

Rules: https://bazel.build/external/registry#index_registry; ``IndexRegistry.java``, ``ArchiveRepoSpecBuilder.java``,
``GitRepoSpecBuilder.java`` of Bazel's package ``bazel.bzlmod``.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard
from urllib.parse import unquote, urlsplit

DEFAULT_REGISTRY = "https://bcr.bazel.build"
REGISTRY_FILE = "bazel_registry.json"
_HTTP = "@bazel_tools//tools/build_defs/repo:http.bzl"
_GIT = "@bazel_tools//tools/build_defs/repo:git.bzl"


@dataclass(frozen=True, slots=True)
class RepositorySpec:
    """The repository rule that gives a repository its content. ``bzl`` "": a rule built into Bazel."""

    bzl: str
    rule: str
    attributes: Mapping[str, object]


def module_path(name: str, version: str, file: str) -> str:
    """The path of a file of a module's version."""
    return f"modules/{name}/{version}/{file}"


def metadata_path(name: str) -> str:
    """The path of what a registry says of all versions of a module."""
    return f"modules/{name}/metadata.json"


def file_folder(registry: str, workspace: str) -> str | None:
    """The folder of a registry on this machine, None for a server or no URL; ``%workspace%`` is the checkout.

    >>> file_folder("file://%workspace%/registry", "/ws"), file_folder("https://bcr.bazel.build", "/ws")
    ('/ws/registry', None)
    """
    try:
        parts = urlsplit(registry.replace("%workspace%", workspace))
    except ValueError:
        return None
    return unquote(parts.path) if parts.scheme == "file" else None


def read_object(data: bytes) -> Mapping[str, object]:
    """A JSON object; an empty one for anything else."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if _is_object(value) else {}


def yanked_versions(metadata: Mapping[str, object]) -> Mapping[str, str]:
    """Versions that must not be used any more, and why."""
    versions = metadata.get("yanked_versions")
    return {key: str(why) for key, why in versions.items()} if _is_object(versions) else {}


OVERRIDE_DEFAULTS: Mapping[str, object] = {
    "integrity": "",
    "strip_prefix": "",
    "patches": [],
    "patch_args": ["-p0"],
    "patch_cmds": [],
}
"""What Bazel writes into the ``http_archive`` of an ``archive_override`` that says nothing else."""


def repository_spec(
    registry: str, name: str, version: str, source: Mapping[str, object], config: Mapping[str, object]
) -> RepositorySpec | None:
    """The rule for a ``source.json``, with the registry's own ``bazel_registry.json``; None for an unknown kind."""
    kind = source.get("type", "archive")
    if kind == "archive":
        return RepositorySpec(_HTTP, "http_archive", _archive(registry, name, version, source, config))
    if kind == "git_repository":
        wanted = ("remote", "commit", "shallow_since", "tag", "init_submodules", "verbose", "strip_prefix")
        attributes = {key: source[key] for key in wanted if key in source}
        return RepositorySpec(_GIT, "git_repository", {**attributes, **_patches(registry, name, version, source)})
    path = source.get("path")
    if kind == "local_path" and isinstance(path, str):
        base = config.get("module_base_path", "")
        folder = file_folder(registry, "") or ""
        where = posixpath.join(folder, str(base), path)
        return RepositorySpec("", "local_repository", {"path": posixpath.normpath(where)})
    return None


def _archive(
    registry: str, name: str, version: str, source: Mapping[str, object], config: Mapping[str, object]
) -> dict[str, object]:
    url = str(source.get("url", ""))
    attributes: dict[str, object] = {
        "urls": [*_mirrored(url, config), url, *_texts(source.get("mirror_urls"))],
        "integrity": source.get("integrity", ""),
        "strip_prefix": source.get("strip_prefix", ""),
        "remote_file_urls": {},
        "remote_file_integrity": {},
        "remote_patches": {},
        "remote_patch_strip": 0,
        **_patches(registry, name, version, source),
    }
    overlay = source.get("overlay")
    if _is_object(overlay):
        base = f"{registry.rstrip('/')}/{module_path(name, version, 'overlay')}"
        attributes["remote_file_urls"] = {file: [f"{base}/{file}"] for file in overlay}
        attributes["remote_file_integrity"] = dict(overlay)
    if source.get("archive_type"):
        attributes["type"] = source["archive_type"]
    return attributes


def _mirrored(url: str, config: Mapping[str, object]) -> list[str]:
    """The address of an archive at the mirrors that a registry names for all of its archives.

    >>> _mirrored("https://a.example/a.tgz?x=1", {"mirrors": ["https://mirror.example"]})
    ['https://mirror.example/a.example/a.tgz?x=1']
    """
    place = url.partition("://")[2].partition("#")[0]
    return [f"{mirror.rstrip('/')}/{place}" for mirror in _texts(config.get("mirrors"))]


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _patches(registry: str, name: str, version: str, source: Mapping[str, object]) -> dict[str, object]:
    patches = source.get("patches")
    if not _is_object(patches):
        return {}
    base = f"{registry.rstrip('/')}/{module_path(name, version, 'patches')}"
    strip = source.get("patch_strip", 0)
    return {"remote_patches": {f"{base}/{file}": integrity for file, integrity in patches.items()},
            "remote_patch_strip": strip}  # fmt: skip


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)
