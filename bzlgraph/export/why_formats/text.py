"""The answer as text: the first line answers, the rest is evidence (as in docs/why.md)."""

from __future__ import annotations

from bzlgraph.base.words import attribute_words, column_width, counted, in_columns
from bzlgraph.export.origin_text import origin_lines
from bzlgraph.export.why_formats.tree_text import build_file_lines, dependents_lines, reason_notes
from bzlgraph.export.why_formats.visibility_text import refused_lines, visibility_lines
from bzlgraph.graph.model import EdgeFlag, NodeKind

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bzlgraph.base.gap import Gap
    from bzlgraph.base.resolved_label import Label
    from bzlgraph.graph.model import Node
    from bzlgraph.why.answer import CutPlace, CycleSteps, NoWay, PathStep, WhyAnswer

MAX_COLUMN = 64
MAX_GAPS = 3
MAX_PLACES = 8
_PLACED = (NodeKind.RULE, NodeKind.GROUP)
"""What a statement of a BUILD file makes; a file is where its path says."""
_WORDS = frozenset(("all", "any", "it", "itself", "none", "nothing", "them"))
"""Names that a sentence would take for a word of its own."""
_EVERYWHERE = frozenset(("defs", "file", "files", "go_default_library", "image", "jar", "lib", "pkg", "src", "srcs"))
"""Names that targets of many packages have: by them nobody knows which one is meant."""
_BRANCH, _LAST = " ├ ", " └ "


def render(answer: WhyAnswer) -> str:
    """The whole answer, without a newline at the end."""
    if answer.no_way is not None:
        return "\n".join(_no_way(answer, answer.no_way))
    parts = [_headline(answer), ""]
    if answer.dependents is not None:
        parts += [*dependents_lines(answer.target, answer.dependents), ""]
    if answer.dependents is None or answer.shortest > 1:
        parts += [*path_lines(answer.steps), ""]
    for other in answer.others:
        parts += [*path_lines(other), ""]
    return "\n".join([*parts, *_evidence(answer)])


def short(label: Label) -> str:
    """The name people say: ``swig`` for ``@swig//:swig``.

    >>> from bzlgraph.base.label import Label
    >>> short(Label("swig", "", "swig")), short(Label("guava", "jar", "jar")), short(Label("", "a", "lib"))
    ('swig', '@guava//jar', '//a:lib')
    """
    says_which = len(label.name) > 1 and label.name not in _WORDS and label.name not in _EVERYWHERE
    return label.name if says_which else label.shorthand


def _headline(answer: WhyAnswer) -> str:
    target, steps = short(answer.target.label), len(answer.steps) - 1
    if steps == 0:
        return f"{target} is the target itself."
    through = f"through {counted(steps, 'edge')}"
    if answer.source_count == 1:
        source = short(answer.sources[0].label)
        verb = "depends" if answer.needing < 2 else "depend"
        needing = f"{answer.needing:,}" if answer.needing else "none"
        others = f"{needing} of its {answer.dependencies:,} transitive dependencies {verb} on it too"
        return f"{source} depends on {target} {through}; {others}{_in(answer)}."
    near = f"the nearest {through}" if answer.shortest > 1 or answer.dependents is None else ""
    direct = (
        f"{'all' if answer.direct_sources == answer.source_count else f'{answer.direct_sources:,}'} of them directly"
    )
    among = f" in {', '.join(answer.among)}" if answer.among else ""
    return f"{answer.source_count:,} targets{among} depend on {target}, {near or direct}{_in(answer)}."


def _in(answer: WhyAnswer) -> str:
    """The configuration that the numbers are for."""
    return f" (with {answer.configuration})" if answer.configuration else ""


def path_lines(steps: Sequence[PathStep]) -> list[str]:
    """A path, one line per node, in columns."""
    rows = [_cells(step, following) for step, following in zip(steps, [*steps[1:], None], strict=True)]
    first, *widths = (column_width(cells, MAX_COLUMN) for cells in zip(*rows, strict=True))
    lines = []
    for position, (attribute, *cells) in enumerate(rows):
        lead = f"{_LAST if position == len(rows) - 1 else _BRANCH}{attribute:{first}}  " if position else ""
        missing = 0 if position else first + 5  # the first line has no attribute before its label
        lines.append(f"{lead}{in_columns(cells, [widths[0] + missing, *widths[1:]])}")
    return lines


def cycle_headline(cycle: CycleSteps) -> str:
    """What a cycle is and does, in a line; its ``path_lines`` say why."""
    if cycle.size == 1:
        what = f"{cycle.steps[0].node.label} depends on itself"
    else:
        shorter = f" (the shortest way round: {len(cycle.steps) - 1})" if len(cycle.steps) <= cycle.size else ""
        what = f"{cycle.size:,} targets depend on each other{shorter}"
    if cycle.certain:
        return f"{what}; Bazel refuses to analyze that"
    decided = any(reason.when for step in cycle.steps for reason in step.reasons)
    return (
        f"{what} where all these conditions hold"
        if decided
        else f"{what}, unless something that is not on disk decides otherwise"
    )


def _cells(step: PathStep, following: PathStep | None) -> tuple[str, str, str, str, str]:
    """Attribute, label, kind, place and remarks."""
    node, reason = step.node, step.reasons[0] if step.reasons else None
    written = following is not None and any(r.flags & EdgeFlag.OUTPUT for r in following.reasons)
    kind = "generated by" if written else node.rule_class or node.kind_words
    notes = [] if reason is None else reason_notes(step.reasons)
    if node.made_by:
        notes.insert(0, f"made by {node.made_by}")
    where = "" if written else location_text(node)
    return attribute_words(reason.attribute) if reason else "", str(node.label), kind, where, "  ".join(notes)


def location_text(node: Node) -> str:
    """``BUILD:3421 > tensorflow.bzl:1460``: the call in the BUILD file, then inwards through the macros."""
    if node.stack:
        return " > ".join(frame.location.short for frame in reversed(node.stack))
    return node.location.short if node.location and node.kind in _PLACED else ""


def _evidence(answer: WhyAnswer) -> list[str]:
    lines = []
    if answer.required:
        lines.append(f"Dominators: every path passes through {_names(node.label for node in answer.required)}.")
    elif answer.trunk:
        main = answer.trunk[0]
        names = _names(each.node.label for each in answer.trunk)
        lines.append(f"Dominators: every path from {main.needing:,} of the {answer.needing:,} passes through {names}.")
    if answer.cut is not None:
        lines += (
            _cut(answer.cut)
            if not _are_listed(answer)
            else [f"Minimum cut: the edges of its {len(answer.cut)} direct dependents."]
        )
    lines += [_counts(answer)] if answer.path_count > 1 else []
    for cycle in answer.cycles:
        lines += [f"Cycle: {cycle_headline(cycle)}", *(f"  {line}" for line in path_lines(cycle.steps))]
    lines += origin_lines(answer.origin) if answer.origin is not None else []
    lines += _toolchains(answer)
    lines += visibility_lines(answer.visibility)
    lines.append(_completeness(answer))
    return lines


def _toolchains(answer: WhyAnswer) -> list[str]:
    if not answer.toolchains:
        return []
    from bzlgraph.export.why_formats.toolchains_text import toolchain_lines

    return list(toolchain_lines(answer.toolchains))


def _are_listed(answer: WhyAnswer) -> bool:
    """Whether the places to cut are just the edges of the direct dependents, which the tree has."""
    cut, tree = answer.cut or (), answer.dependents
    direct = {each.source for each in cut if each.source is not None and each.target == answer.target.label}
    return tree is not None and 1 < tree.count == len(direct) == len(cut)


def _cut(cut: Sequence[CutPlace]) -> list[str]:
    """One place in the same line, several one by one."""
    places = [_place(place) for place in cut]
    if len(places) == 1:
        return [f"Minimum cut: 1 edge, {places[0]}."]
    shown = [f"  {place}" for place in places[:MAX_PLACES]]
    more = [f"  and {len(places) - MAX_PLACES} more (--output=json)"] if len(places) > MAX_PLACES else []
    return [f"Minimum cut: {len(places)} edges:", *shown, *more]


def _place(place: CutPlace) -> str:
    users, attribute = counted(place.users, "target"), attribute_words(place.attribute)
    if place.source is not None:
        where = f" ({place.location.short})" if place.location else ""
        return f"{attribute} of {place.source.shorthand} -> {place.target.shorthand}{where}"
    verb = "use" if place.users != 1 else "uses"
    if place.location is not None:
        where = place.location.short
        return f"the {attribute} that {place.macro} gives {place.rule_class} at {where} ({users} {verb} it)"
    return f"the {attribute} attribute of {place.rule_class} ({users} {verb} it)"


def _counts(answer: WhyAnswer) -> str:
    shown = len(answer.steps) - 1
    if answer.others:
        return f"Showing {len(answer.others) + 1:,} of {_number(answer.path_count)} paths, the best first."
    about = "" if answer.path_count_exact else "about "
    total = f"{about}{_number(answer.path_count)} paths in all"
    if shown > answer.shortest:
        paths = "path" if answer.shortest_count == 1 else "paths"
        others = f"{_number(answer.shortest_count)} shorter {paths} of {counted(answer.shortest, 'edge')}"
        return f"Showing a representative path; {others} (--all), {total}."
    rest = answer.shortest_count - 1
    if rest <= 0:
        return f"{total[0].upper()}{total[1:]}."
    return f"{_number(rest)} other shortest path{'s' * (rest != 1)} (--all), {total}."


def _number(count: int) -> str:
    """Numbers of paths grow without bound: beyond a million of millions only their size is told."""
    return f"{count:,}" if count < 10**12 else f"10^{len(str(count)) - 1}"


def _names(labels: Iterable[Label]) -> str:
    return ", ".join(short(label) for label in labels)


_GAP_ORDER = ("load", "lock", "repository", "package", "file", "glob", "macro", "choice", "call")
_CONSEQUENCES = frozenset(("macro", "choice", "call"))


def _completeness(answer: WhyAnswer) -> str:
    elsewhere = answer.gaps_elsewhere
    tail = f"; {elsewhere:,} more among the other dependencies (bzlgraph doctor)" if elsewhere else ""
    known = " and ".join(filter(None, (_problems(answer), _gaps(answer.gaps) if answer.gaps else "")))
    if known:
        return f"Incomplete: {known}{tail}."
    inside = f"{counted(elsewhere, 'unresolved input')} among the other dependencies may hide edges (bzlgraph doctor)"
    return f"Complete along these paths; {inside}." if elsewhere else "Complete."


def _problems(answer: WhyAnswer) -> str:
    return counted(len(answer.problems), "problem") if answer.problems else ""


def _gaps(gaps: Sequence[Gap]) -> str:
    """What is missing, causes before consequences: an absent .bzl file explains the calls of its functions."""
    ordered = sorted(gaps, key=lambda gap: _GAP_ORDER.index(gap.kind) if gap.kind in _GAP_ORDER else -1)
    causes = [gap for gap in ordered if gap.kind not in _CONSEQUENCES] or ordered
    names = list(dict.fromkeys(gap.what for gap in causes))
    more = f" and {len(names) - MAX_GAPS:,} more" if len(names) > MAX_GAPS else ""
    calls = len(ordered) - len(causes)
    marked = "their dependencies are marked possible"
    unknown = f" ({counted(calls, 'call')} of what is missing; {marked})" if calls else ""
    unresolved = f"{counted(len(names), 'unresolved input')} may hide edges"
    return f"{unresolved}: {', '.join(names[:MAX_GAPS])}{more}{unknown}"


def _misses(no_way: NoWay) -> list[str]:
    """What another configuration would have to have."""
    if not no_way.misses:
        return []
    count = counted(len(no_way.misses), "edge")
    lines = [f"In another configuration it does, through {count} that this one leaves out:"]
    for miss in no_way.misses[:MAX_PLACES]:
        reason = miss.step.reasons[0]
        when = f"  when {reason.when}" if reason.when else ""
        switched = f"  ({' '.join(miss.options)})" if miss.options else ""
        lines.append(f"  {miss.source.label}  {reason.attribute}  {miss.step.node.label}{when}{switched}")
    return lines


def _hiding(gaps: Sequence[Gap]) -> list[str]:
    """What may hide an edge on a path that is not there."""
    texts = [f"  {gap.what}{f' ({gap.location.short})' if gap.location else ''}: {gap.hides}" for gap in gaps]
    return ["A path may be hidden by:", *texts] if texts else []


def _no_way(answer: WhyAnswer, no_way: NoWay) -> list[str]:
    target = answer.target.label
    if answer.source_count == 1:
        source = str(answer.sources[0].label)
        dependencies = counted(answer.dependencies, "transitive dependency", "transitive dependencies")
        lines = [f"{source} does not depend on {target}; it has {dependencies}{_in(answer)}."]
    else:
        lines = [f"None of {answer.source_count:,} targets depends on {target}{_in(answer)}."]
    if no_way.missing:
        unknown = answer.target.kind is NodeKind.UNLOADED
        lead = f"Whether {target} exists is not known here" if unknown else f"{target} does not exist here"
        lines.append(f"{lead}: {no_way.missing}.")
    if no_way.excluded:
        lines.append(f"Every path uses {no_way.excluded} edges, which are excluded here.")
    if no_way.reversed:
        source = str(answer.sources[0].label) if answer.source_count == 1 else "--from"
        lines.append(f"Reversed: {target} depends on {source}; swap them.")
    lines += _misses(no_way)
    if no_way.user_count:
        shown = ", ".join(str(label) for label in no_way.users)
        more = f" and {no_way.user_count - len(no_way.users):,} more" if no_way.user_count > len(no_way.users) else ""
        lines.append(f"Direct dependents of {short(target)}: {shown}{more}.")
    elif not no_way.missing:
        lines.append(f"{target} has no direct dependents among the loaded targets.")
        lines += build_file_lines(answer.target)
    if no_way.similar:
        lines.append(f"Nearest names: {', '.join(str(label) for label in no_way.similar)}.")
    elif no_way.missing and answer.origin is None and answer.target.kind is not NodeKind.UNLOADED:
        lines.append(f"No name here is similar to {short(target)}.")
    lines += origin_lines(answer.origin) if answer.origin is not None else []
    lines += _toolchains(answer)
    lines += refused_lines(answer.visibility)
    lines += _hiding(no_way.gaps)
    hidden = answer.gaps_elsewhere
    unresolved = f"{counted(hidden, 'unresolved input')} among the dependencies may hide a path (bzlgraph doctor)"
    missing = "; ".join(filter(None, (_problems(answer), unresolved if hidden else "")))
    return [*lines, f"Incomplete: {missing}." if missing else "Complete."]
