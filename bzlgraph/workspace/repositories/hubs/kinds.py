"""Which module extensions and repository rules make hubs, what names their lock files, and what a hub holds.

``HUB_KINDS`` is the table; ``said_to(kind, call)`` -> what MODULE.bazel or WORKSPACE says to one hub.
Docs: https://rules-python.readthedocs.io, https://github.com/bazel-contrib/rules_jvm_external,
https://bazelbuild.github.io/rules_rust/crate_universe.html, https://github.com/bazel-contrib/bazel-gazelle
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.bazel.context.contexts import Context, RepositoryCall
from bzlgraph.workspace.repositories.hubs import content
from bzlgraph.workspace.repositories.hubs.lock_files import (
    Pinned,
    cargo_lock,
    coordinate,
    go_mod,
    maven_install,
    requirements,
)


class Saying(NamedTuple):
    """A tag, or a call of a rule, that says what a hub holds; ``home``: what labels in a tag mean."""

    tag: str
    attributes: Mapping[str, object]
    location: Location | None
    home: Context | None = None


@dataclass(frozen=True, slots=True)
class HubKind:
    """A kind of hub.

    ``extensions``: how the identities of its module extensions end. ``tags``: the tag classes, each with its attribute
    that names the hub ("" for tags that do not). ``default``: the hub's name where a tag gives none. ``rules``: the
    rules or macros of WORKSPACE. ``locks``: the attributes that name lock files, the best first. ``listed``: packages
    that a tag names itself. ``write``: the packages and the file that they are from -> the hub's files.
    ``repository_of``: where each package is a repository of its own, the function that gives its name.
    """

    extensions: tuple[str, ...]
    tags: Mapping[str, str]
    default: str
    rules: tuple[str, ...]
    locks: tuple[str, ...]
    read: Callable[[bytes], tuple[Pinned, ...]]
    listed: Callable[[Saying], Iterator[Pinned]]
    write: Callable[[str, Sequence[content.Held]], content.HubFiles]
    repository_of: Callable[[str], str] | None = None


def _line(said: Saying) -> int:
    return said.location.line if said.location is not None else 1


def _none(_said: Saying) -> Iterator[Pinned]:
    return iter(())


def _artifacts(said: Saying) -> Iterator[Pinned]:
    """``artifacts = ["g:a:v"]``, or the one of ``maven.artifact(group, artifact, version)``."""
    written = said.attributes.get("artifacts")
    for each in written if isinstance(written, list | tuple) else ():
        found = coordinate(each, _line(said)) if isinstance(each, str) else None
        if found is not None:
            yield found
    parts = [said.attributes.get(name) for name in ("group", "artifact", "version")]
    if all(isinstance(part, str) for part in parts):
        yield Pinned(f"{parts[0]}:{parts[1]}", str(parts[2]), _line(said))


def _crate(said: Saying) -> Iterator[Pinned]:
    """``crate.spec(package, version)``: the version is one that Cargo resolves, so it is not known."""
    name = said.attributes.get("package")
    if said.tag == "spec" and isinstance(name, str):
        yield Pinned(name, "", _line(said))


def _go_module(said: Saying) -> Iterator[Pinned]:
    path, version = said.attributes.get("path"), said.attributes.get("version")
    if said.tag == "module" and isinstance(path, str):
        yield Pinned(path, str(version or ""), _line(said))


HUB_KINDS = (
    HubKind(
        ("//python/extensions:pip.bzl%pip",),
        {"parse": "hub_name"},
        "",
        ("pip_parse", "pip_install", "pip_repository"),
        ("requirements_lock", "requirements_linux", "requirements_by_platform", "requirements", "requirements_darwin"),
        requirements,
        _none,
        content.pip_hub,
    ),
    HubKind(
        ("//:extensions.bzl%maven",),
        {"install": "name", "artifact": "name"},
        "maven",
        ("maven_install",),
        ("lock_file", "maven_install_json"),
        maven_install,
        _artifacts,
        content.maven_hub,
    ),
    HubKind(
        ("//crate_universe:extensions.bzl%crate", "//crate_universe:extension.bzl%crate"),
        {"from_cargo": "name", "from_specs": "name", "spec": ""},
        "crates",
        ("crates_repository",),
        ("cargo_lockfile", "lockfile"),
        cargo_lock,
        _crate,
        content.crates_hub,
    ),
    HubKind(
        ("//:extensions.bzl%go_deps",),
        {"from_file": "", "module": ""},
        "",
        ("go_repository",),
        ("go_mod",),
        go_mod,
        _go_module,
        content.go_repository,
        content.go_repository_name,
    ),
)


def kind_of(call: RepositoryCall) -> HubKind | None:
    """The kind of hub that a repository is by what defines it, None for other repositories."""
    extension = "%".join(str(call.attributes.get("extension", "")).split("%")[:2])  # without its isolation
    for kind in HUB_KINDS:
        if call.rule in kind.rules or (extension and extension.endswith(kind.extensions)):
            return kind
    return None


def said_to(kind: HubKind, call: RepositoryCall) -> list[Saying]:
    """What is said to the hub that a call defines."""
    if call.rule in kind.rules:
        return [Saying(call.rule, call.attributes, call.location)]
    tags = call.arguments.get("tags")
    found = [(tag, home) for tag, home in tags if tag.name in kind.tags] if isinstance(tags, tuple) else []
    return [
        Saying(tag.name, tag.attributes, tag.location, home)
        for tag, home in found
        if not kind.tags[tag.name] or tag.attributes.get(kind.tags[tag.name], kind.default) == call.name
    ]


def places_said(call: RepositoryCall) -> frozenset[Location]:
    """Where something is said to the hub that a call defines, and to no other repository."""
    kind = kind_of(call)
    if kind is None or kind.repository_of is not None:
        return frozenset()
    return frozenset(said.location for said in said_to(kind, call) if said.location is not None)
