"""The way in which a hub is found whose rule set is not on disk: by the lock file that is in the tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.base.spell import nearest
from bzlgraph.base.words import counted
from bzlgraph.bazel.context.contexts import RepositoryCall
from bzlgraph.bzlmod.version import VersionError, version_key
from bzlgraph.workspace.repositories.hubs.content import Held
from bzlgraph.workspace.repositories.hubs.kinds import HubKind, Saying, kind_of, said_to
from bzlgraph.workspace.repositories.hubs.lock_files import Pinned
from bzlgraph.workspace.repositories.provision import Provision, Surroundings
from bzlgraph.workspace.sources.source import MemorySource

_PLAIN = re.compile(r"[\w.+:/@!~-]*", re.ASCII)


def pinned(around: Surroundings, name: str, call: RepositoryCall) -> Provision | None:
    """A target for each package that the lock file of a hub pins; what is behind them is unknown."""
    kind = kind_of(call)
    if kind is None:
        return None
    gaps: list[Gap] = []
    held = [each for said in said_to(kind, call) for each in _held(around, kind, said, gaps)]
    if kind.repository_of is not None:
        return _one_of(kind, call, held)
    if not held:
        return Provision(MemorySource({}), known=False, gaps=tuple(gaps)) if gaps else None
    files = kind.write(name, held)
    said_by = _listing(list(dict.fromkeys(each.path for each in held)))
    number = counted(len({each.pinned.name for each in held}), "package")
    what = f"@{call.name} is only known from the {number} that {said_by}"
    gap = Gap(GapKind.LOCK.value, what, "the content of each and its dependencies are unknown", call.location)
    return Provision(
        MemorySource(files.others), known=False, overlays=files.build_files, gaps=(gap, *gaps), rules=files.rules
    )


def _listing(paths: list[str]) -> str:
    """Which lock files say so, as subject and verb.

    >>> _listing(["a.txt"]), _listing(["a.txt", "b.txt", "c.txt"])
    ('a.txt lists', 'a.txt, b.txt and c.txt list')
    """
    *first, last = paths
    return f"{', '.join(first)} and {last} list" if first else f"{last} lists"


def _held(around: Surroundings, kind: HubKind, said: Saying, gaps: list[Gap]) -> Iterator[Held]:
    """The packages that a tag or a rule tells, by its lock files or else by itself."""
    files = [label for name in kind.locks for label in _labels(said.attributes.get(name))]
    for label in files:
        try:
            file = around.overlay(said.home.label(label) if said.home is not None and isinstance(label, str) else label)
            if file is None:
                raise ValueError("no such file")
            yield from (Held(each, file.path) for each in kind.read(file.data) if _is_plain(each))
        except ValueError as error:
            what = f"the lock file {label} cannot be read: {error}"
            gaps.append(Gap(GapKind.LOCK.value, what, "the packages it pins are unknown", said.location))
    if not files and said.location is not None:
        yield from (Held(each, said.location.path) for each in kind.listed(said) if _is_plain(each))


def _is_plain(package: Pinned) -> bool:
    """Whether it can have a label: no package manager has a name of another form."""
    return all(_PLAIN.fullmatch(text) for text in (package.name, package.version))


def _labels(value: object) -> Iterator[object]:
    if isinstance(value, list | tuple | dict):
        yield from value
    elif value:
        yield value


def _is_newer(version: str, other: str) -> bool:
    """Whether of two versions this one is taken: of those that modules ask for the highest."""
    try:
        return version_key(version.removeprefix("v")) > version_key(other.removeprefix("v"))
    except VersionError:
        return False


def _one_of(kind: HubKind, call: RepositoryCall, held: list[Held]) -> Provision | None:
    """The repository of one pinned package: its rule, with version and place, and nothing of its content."""
    assert kind.repository_of is not None  # by the caller
    by_name: dict[str, Held] = {}
    for each in held:
        name = kind.repository_of(each.pinned.name)
        if name not in by_name or _is_newer(each.pinned.version, by_name[name].pinned.version):
            by_name[name] = each
    found = by_name.get(call.name)
    if found is None:
        near = nearest(call.name, by_name)
        hint = f"; the nearest is @{near}" if near else ""
        where = " and ".join(dict.fromkeys(each.path for each in held))
        gap = Gap(
            GapKind.LOCK.value, f"@{call.name} is not in {where}{hint}", "its packages are unknown", call.location
        )
        return Provision(MemorySource({}), known=False, gaps=(gap,)) if held else None
    package, path = found
    attributes: dict[str, object] = {"importpath": package.name, "version": package.version}
    rule = replace(call, rule=kind.rules[0], attributes=attributes, location=Location(path, package.line, 1))
    what = f"@{call.name} is {package.name} {package.version} of {path}:{package.line}"
    gap = Gap(GapKind.LOCK.value, what, "its packages are unknown", call.location)
    return Provision(MemorySource({}), known=False, gaps=(gap,), call=rule)
