"""The answer as text: the first line answers, the rest is evidence (as in docs/why.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label
from bzlgraph.graph.model import EdgeFlag, Node, NodeKind, always_holds
from bzlgraph.why.answer import Cut, CutPlace, NoWay, Reason, Step, WhyAnswer

MAX_COLUMN = 64
MAX_GAPS = 3
MAX_PLACES = 8
_BRANCH, _LAST = " ├ ", " └ "


def render(answer: WhyAnswer) -> str:
    """The whole answer, without a newline at the end."""
    if answer.no_way is not None:
        return "\n".join(_no_way(answer, answer.no_way))
    parts = [_headline(answer), "", *path_lines(answer.steps), ""]
    for other in answer.others:
        parts += [*path_lines(other), ""]
    return "\n".join([*parts, *_evidence(answer)])


def short(label: Label) -> str:
    """The name people say: ``swig`` for ``@swig//:swig``."""
    return label.name if len(label.name) > 1 else label.shorthand


def _headline(answer: WhyAnswer) -> str:
    target, steps = short(answer.target.label), len(answer.steps) - 1
    if steps == 0:
        return f"{target} is the target itself."
    count = f"{steps} step{'s' * (steps != 1)}"
    if answer.source_count == 1:
        source = short(answer.sources[0].label)
        doing = f"{answer.needing:,} of its {answer.dependencies:,} dependencies do"
        return f"{source} needs {target} because of {count}; {doing}."
    return f"{answer.source_count:,} targets need {target}, the nearest in {count}."


@dataclass(frozen=True, slots=True)
class _Row:
    attribute: str
    label: str
    kind: str
    where: str
    notes: str


def path_lines(steps: Sequence[Step]) -> list[str]:
    """A way, one line per step, in columns."""
    rows = [_row(step, following) for step, following in zip(steps, [*steps[1:], None], strict=True)]
    attribute = _width(row.attribute for row in rows)
    label, kind, where = (_width(cells) for cells in zip(*((r.label, r.kind, r.where) for r in rows), strict=True))
    lines = []
    for position, row in enumerate(rows):
        lead = (
            ""
            if position == 0
            else (_LAST if position == len(rows) - 1 else _BRANCH) + f"{row.attribute:{attribute}}  "
        )
        space = label + (attribute + 5 if position == 0 else 0)
        lines.append(f"{lead}{row.label:{space}}  {row.kind:{kind}}  {row.where:{where}}  {row.notes}".rstrip())
    return lines


def _width(cells: Iterable[str]) -> int:
    """A column as wide as its cells, but no wider than a line can bear: longer cells stick out."""
    return max((len(cell) for cell in cells if len(cell) <= MAX_COLUMN), default=0)


def _row(step: Step, following: Step | None) -> _Row:
    node, reason = step.node, step.reasons[0] if step.reasons else None
    written = following is not None and any(r.flags & EdgeFlag.OUTPUT for r in following.reasons)
    kind = "written by" if written else node.rule_class or node.kind_words
    notes = [] if reason is None else _notes(step.reasons)
    if node.made_by:
        notes.insert(0, f"made by {node.made_by}")
    where = "" if written else location_text(node)
    return _Row(reason.attribute if reason else "", str(node.label), kind, where, "  ".join(notes))


def location_text(node: Node) -> str:
    """``BUILD:3421 > tensorflow.bzl:1460``: the call in the BUILD file, then inwards through the macros."""
    if node.stack:
        return " > ".join(frame.location.short for frame in reversed(node.stack))
    return node.location.short if node.location and node.kind is NodeKind.RULE else ""


def _notes(reasons: Sequence[Reason]) -> list[str]:
    best = reasons[0]
    always = always_holds(reason.condition for reason in reasons)
    notes = [f"when {best.when}"] if not always else []
    if best.flags & EdgeFlag.KEY:
        notes.append("(a condition of its select())")
    if best.flags & EdgeFlag.POSSIBLE and not best.condition:
        notes.append("(possible: its rule is not on disk)")
    if best.flags & EdgeFlag.IMPLICIT:
        private = "a private attribute" if best.attribute.startswith(("_", "$", ":")) else "the attribute"
        place = best.defined_at.short if best.defined_at else best.bzl
        notes.append(f"(default of {private}{f', {place}' if place else ''})")
    if best.flags & EdgeFlag.TOOL:
        notes.append("(a tool)")
    if len(reasons) > 1:
        others = dict.fromkeys(reason.attribute for reason in reasons[1:] if reason.attribute != best.attribute)
        if others:
            notes.append(f"(also {', '.join(others)})")
        elif not always:
            notes.append("(also under other conditions)")
    return notes


def _evidence(answer: WhyAnswer) -> list[str]:
    lines = []
    if answer.required:
        lines.append(f"Every path goes through: {_names(node.label for node in answer.required)}.")
    elif answer.trunk:
        main = answer.trunk[0]
        count = f"{main.needing:,} of the {answer.needing:,}"
        lines.append(f"The trunk: {count} have no other way than {_names(each.node.label for each in answer.trunk)}.")
    if answer.cut is not None:
        lines += _cut(answer.cut, short(answer.target.label))
    lines += [_counts(answer)] if answer.path_count > 1 else []
    lines.append(_completeness(answer))
    return lines


def _cut(cut: Cut, target: str) -> list[str]:
    """One place in the same line, several one by one."""
    places = [_place(place) for place in cut.places]
    if len(places) == 1:
        return [f"To lose {target}, cut 1 edge: {places[0]}."]
    shown = [f"  {place}" for place in places[:MAX_PLACES]]
    more = [f"  and {len(places) - MAX_PLACES} more (--output=json)"] if len(places) > MAX_PLACES else []
    return [f"To lose {target}, cut {len(places)} edges:", *shown, *more]


def _place(place: CutPlace) -> str:
    users = f"{place.users:,} target{'s' * (place.users != 1)}"
    if place.source is not None:
        where = f" ({place.location.short})" if place.location else ""
        return f"{place.attribute} of {place.source.shorthand} -> {place.target.shorthand}{where}"
    verb = "use" if place.users != 1 else "uses"
    if place.location is not None:
        where = place.location.short
        return f"the {place.attribute} that {place.macro} gives {place.rule_class} at {where} ({users} {verb} it)"
    return f"the {place.attribute} attribute of {place.rule_class} ({users} {verb} it)"


def _counts(answer: WhyAnswer) -> str:
    shown = len(answer.steps) - 1
    about = "" if answer.exact else "about "
    total = f"{about}{_number(answer.path_count)} paths in all"
    if shown > answer.shortest:
        others = f"{_number(answer.shortest_count)} shorter with {answer.shortest} steps"
        return f"Shown is the main way; {others} (--all), {total}."
    rest = answer.shortest_count - 1
    hint = f"{_number(rest)} other shortest path{'s' * (rest != 1)} (--all), " if rest > 0 else ""
    return f"{hint}{total}."


def _number(count: int) -> str:
    """Numbers of paths grow without bound: beyond a million of millions only their size is told."""
    return f"{count:,}" if count < 10**12 else f"10^{len(str(count)) - 1}"


def _names(labels: Iterable[Label]) -> str:
    return ", ".join(short(label) for label in labels)


_GAP_ORDER = ("load", "repository", "package", "file", "glob", "macro", "choice", "call")
_CONSEQUENCES = frozenset({GapKind.MACRO.value, GapKind.CHOICE.value, GapKind.CALL.value})


def _completeness(answer: WhyAnswer) -> str:
    elsewhere = answer.gaps_elsewhere
    tail = f"; {elsewhere:,} more among the other dependencies (bzlgraph doctor)" if elsewhere else ""
    if not answer.gaps:
        return f"Complete on the way{tail}." if tail else "Complete."
    return f"Complete but for {_gaps(answer.gaps)}{tail}."


def _gaps(gaps: Sequence[Gap]) -> str:
    """What is missing, causes before consequences: an absent .bzl file explains the calls of its functions."""
    ordered = sorted(gaps, key=lambda gap: _GAP_ORDER.index(gap.kind) if gap.kind in _GAP_ORDER else -1)
    causes = [gap for gap in ordered if gap.kind not in _CONSEQUENCES] or ordered
    names = list(dict.fromkeys(gap.what for gap in causes))
    more = f" and {len(names) - MAX_GAPS:,} more" if len(names) > MAX_GAPS else ""
    calls = len(ordered) - len(causes)
    unknown = f" ({calls:,} calls into what is missing; their labels count as possible)" if calls else ""
    return f"{len(names):,} gap{'s' * (len(names) != 1)}: {', '.join(names[:MAX_GAPS])}{more}{unknown}"


def _no_way(answer: WhyAnswer, no_way: NoWay) -> list[str]:
    target = answer.target.label
    if answer.source_count == 1:
        source = str(answer.sources[0].label)
        lines = [f"{source} does not need {target}: none of its {answer.dependencies:,} dependencies does."]
    else:
        lines = [f"None of {answer.source_count:,} targets needs {target}."]
    if no_way.missing:
        lines.append(f"{target} does not exist here: {no_way.missing}.")
    if no_way.excluded:
        lines.append(f"There is a path, but only with {no_way.excluded} edges, which this question leaves out.")
    if no_way.reversed:
        lines.append("It is the other way round: the target needs the source.")
    if no_way.user_count:
        shown = ", ".join(str(label) for label in no_way.users)
        more = f" and {no_way.user_count - len(no_way.users):,} more" if no_way.user_count > len(no_way.users) else ""
        lines.append(f"{short(target)} is named by {shown}{more} only.")
    elif not no_way.missing:
        lines.append(f"No target that was loaded names {target}.")
    if no_way.similar:
        lines.append(f"Nearest names: {', '.join(str(label) for label in no_way.similar)}.")
    elif no_way.missing:
        lines.append(f"Nothing here has a name like {short(target)}.")
    hidden = answer.gaps_elsewhere
    what = f"{hidden:,} gap{'s' * (hidden != 1)} among the dependencies, which may hide a way (bzlgraph doctor)"
    return [*lines, f"Complete but for {what}." if hidden else "Complete."]
