"""Overview -> picture: boxes, one arrow per line, what is listed at the side, what must be said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bzlgraph.base.label import Label
from bzlgraph.base.words import counted, plural
from bzlgraph.export.overview.model import Bundle, Hub, Line, Overview, Part, Tools
from bzlgraph.export.pictures.picture import Arrow, ArrowStyle, Aside, Box, Picture

LISTED = 12
"""Names in a tooltip; then how many more there are."""
REPOSITORIES = 6
LONG = 30


def picture_of(seen: Overview, labels: Sequence[Label]) -> Picture:
    """The picture. Its boxes are ordered from the top down, its arrows as ``seen.lines``."""
    uses: dict[int, dict[str, int]] = {number: {} for number in range(len(seen.parts))}
    users: dict[int, dict[str, int]] = {number: {} for number in range(len(seen.parts))}
    for source, target, bundle in _all_bundles(seen):
        uses[source][seen.parts[target].name] = bundle.count
        users[target][seen.parts[source].name] = bundle.count
    for hub in seen.hubs:
        for number, part in enumerate(seen.parts):
            if part.name in hub.users:
                uses[number][hub.part.name] = hub.users[part.name]
            if part.name in hub.needs:
                users[number][hub.part.name] = hub.needs[part.name]
    shared = Counter(part.folder for part in seen.parts)
    home = seen.parts[0].folder if len(shared) == 1 else ""
    words = [_words(part, labels, home) for part in seen.parts]
    twice = {title for title, count in Counter(title for title, _ in words).items() if count > 1}
    boxes = tuple(
        Box(
            part.name, *(_told_apart(part, labels) if words[number][0] in twice else words[number]),
            part.family, part.folder if shared[part.folder] > 1 else "",
            _box_tooltip(part, uses[number], users[number]), part.root, part.root, part.place,
        )
        for number, part in enumerate(seen.parts)
    )  # fmt: skip
    return Picture(
        seen.title,
        boxes,
        tuple(_arrow(seen.parts, line) for line in seen.lines),
        notes_of(seen),
        True,
        _asides(seen),
        dict(_members(seen, labels)),
    )


def _words(part: Part, labels: Sequence[Label], home: str) -> tuple[str, str]:
    """The two lines of a box. One target has its name alone in the first where its label would be long, unless the
    package names it; ``home`` is the package of all boxes, which none of them says then."""
    root = "root · " if part.root else ""
    label = labels[part.members[0]]
    if part.name != str(label):
        return part.name.removesuffix(f" of {home}") if home else part.name, root + part.detail
    if home == label.package_label:
        return f":{label.name}", root + part.detail
    if len(label.shorthand) <= LONG or ":" not in label.shorthand:
        return label.shorthand, root + part.detail
    return f":{label.name}", f"{root}{label.package_label} · {part.detail}"


def _told_apart(part: Part, labels: Sequence[Label]) -> tuple[str, str]:
    """The two lines of a box whose target has the name of another: its package first."""
    label = labels[part.members[0]]
    return label.package_label, f"{'root · ' if part.root else ''}:{label.name} · {part.detail}"


def _all_bundles(seen: Overview) -> Iterable[tuple[int, int, Bundle]]:
    for line in seen.lines:
        if line.down:
            yield line.upper, line.lower, line.down
        if line.up:
            yield line.lower, line.upper, line.up
    yield from seen.implied


def _box_tooltip(part: Part, uses: Mapping[str, int], users: Mapping[str, int]) -> str:
    lines = [part.name, part.detail, *filter(None, [part.place])]
    for words, found in (("depends on", uses), ("needed by", users)):
        if found:
            lines.append(f"{words} {len(found)}: {_names(found)}")
    return "\n".join(lines)


def _names(counts: Mapping[str, int]) -> str:
    """The names with the most edges, with their numbers."""
    listed = sorted(counts, key=lambda name: (-counts[name], name))
    more = f", and {len(listed) - LISTED} more" if len(listed) > LISTED else ""
    return ", ".join(f"{name} ({counts[name]:,})" for name in listed[:LISTED]) + more


def _arrow(parts: Sequence[Part], line: Line) -> Arrow:
    """The arrow of a line; one against the levels starts at the lower box."""
    upper, lower = parts[line.upper].name, parts[line.lower].name
    down, up = line.down, line.up
    tooltip = "\n".join(_reasons(*each) for each in ((upper, lower, down), (lower, upper, up)) if each[2] is not None)
    number = f"{line.count:,}" if line.count > 1 else ""
    if down is None:
        return Arrow(lower, upper, number, ArrowStyle.UPWARD, tooltip, line.count)
    style = ArrowStyle.MUTUAL if line.mutual else down.style
    return Arrow(upper, lower, down.text or number, style, tooltip, line.count)


def _reasons(source: str, target: str, bundle: Bundle | None) -> str:
    assert bundle is not None
    reasons = ", ".join(f"{name} ({count:,})" if count > 1 else name for name, count in bundle.reasons)
    number = f"{counted(bundle.count, 'edge')}, " if bundle.count > 1 else ""
    return f"{source} -> {target}: {number}{reasons}"


def notes_of(seen: Overview) -> tuple[str, ...]:
    """What must be said beside a picture."""
    hidden, implied = len(seen.hidden), len(seen.implied)
    mutual = sum(line.mutual for line in seen.lines)
    tools = len(seen.tools.members) if seen.tools else 0
    notes = [
        seen.folded,
        f"{counted(tools, 'target')} of Bazel's own tools folded away" if tools else "",
        f"{counted(hidden, 'condition or package group', 'conditions and package groups')} hidden" if hidden else "",
        f"{counted(mutual, 'pair')} of boxes {plural(mutual, 'depends', 'depend')} on each other" if mutual else "",
        f"{counted(implied, 'transitively redundant edge')} hidden" if implied else "",
    ]
    return tuple(filter(None, notes))


def _asides(seen: Overview) -> tuple[Aside, ...]:
    found = []
    if seen.hubs:
        everyone = all(len(hub.users) == seen.others for hub in seen.hubs)
        heading = f"Used by {'all' if everyone else 'many'}, listed instead of drawn"
        found.append(Aside(heading, tuple(_hub(hub, seen.others) for hub in seen.hubs)))
    if seen.tools:
        found.append(Aside("Bazel's own tools, folded away", tuple(_tools(seen.tools))))
    return tuple(found)


def _hub(hub: Hub, others: int) -> tuple[str, str]:
    by = "all" if len(hub.users) == others else f"{len(hub.users)} of {others}"
    needs = f", needs {len(hub.needs)}" if hub.needs else ""
    return hub.part.name, f"{hub.part.detail} · used by {by} boxes{needs}"


def _tools(tools: Tools) -> Iterable[tuple[str, str]]:
    repositories = sorted(tools.repositories, key=lambda repo: (-tools.repositories[repo], repo))
    yield (
        f"{counted(len(tools.members), 'target')} in {counted(len(repositories), 'repository', 'repositories')}",
        f"named by {counted(tools.users, 'target')}",
    )
    for repo in repositories[:REPOSITORIES]:
        yield f"@{repo}", counted(tools.repositories[repo], "target")


def _members(seen: Overview, labels: Sequence[Label]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """What is inside each box and each entry at the side."""
    for part in (*seen.parts, *(hub.part for hub in seen.hubs)):
        if len(part.members) > 1 or str(labels[part.members[0]]) != part.name:
            yield part.name, tuple(str(labels[member]) for member in part.members)
    if seen.tools:
        for repo in seen.tools.repositories:
            yield f"@{repo}", tuple(str(labels[member]) for member in seen.tools.members if labels[member].repo == repo)
