"""The answer to ``why`` -> picture: the path, downwards, with attribute and condition on every arrow.

Below a target in another repository stands where that repository comes from, back to the root: the rule, ``use_repo``,
tags, ``use_extension`` and the ``bazel_dep``s that lead there, each with its place.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from bzlgraph.base.span import place_text
from bzlgraph.export.pictures.elements import box, short_condition, style_of
from bzlgraph.export.pictures.picture import Arrow, ArrowStyle, Box, Picture
from bzlgraph.export.why_formats.text import short
from bzlgraph.graph.model import EdgeFlag, Node, always_holds
from bzlgraph.why.answer import PathStep, WhyAnswer
from bzlgraph.workspace.repositories.origin import Origin

MAX_OTHERS = 5


def why_picture(answer: WhyAnswer) -> Picture:
    """The path shown, and the first other shortest paths when the answer has them."""
    boxes: dict[str, Box] = {}
    arrows: dict[tuple[str, str], Arrow] = {}
    strong = {node.label for node in answer.required} | {each.node.label for each in answer.trunk}
    for steps in (answer.steps, *answer.others[:MAX_OTHERS]):
        bold = strong | ({steps[0].node.label, steps[-1].node.label} if steps else set())
        for step in steps:
            node = step.node
            boxes.setdefault(str(node.label), _box(node, strong=node.label in bold))
        for before, after in pairwise(steps):
            pair = (str(before.node.label), str(after.node.label))
            arrows.setdefault(pair, _arrow(before, after))
    if answer.origin is not None and boxes:
        _add_origin(boxes, arrows, str(answer.target.label), answer.origin)
    return Picture(_title(answer), tuple(boxes.values()), tuple(arrows.values()), _notes(answer), downwards=True)


def _add_origin(boxes: dict[str, Box], arrows: dict[tuple[str, str], Arrow], target: str, origin: Origin) -> None:
    """The repository below the target, and below that what leads to it, the nearest first."""
    named = [step for step in origin.steps if step.what]
    places = "" if named else " > ".join(place_text(step.location) for step in origin.steps if step.location)
    above = f"@{origin.name}"
    boxes[above] = Box(above, above, places, "repository", tooltip=f"{above}\n{origin.kind}")
    arrows[target, above] = Arrow(target, above, "in", ArrowStyle.ORIGIN, f"{target} is in {above}: {origin.kind}")
    for number, step in enumerate(reversed(named)):
        family = "module" if step.word == "bazel_dep" else "extension" if step.word == "use_extension" else "repository"
        below, place = f"{above}#{number}", place_text(step.location)
        boxes[below] = Box(below, step.what, " · ".join(filter(None, (step.word, place))), family, tooltip=step.note)
        arrows[above, below] = Arrow(
            above, below, "", ArrowStyle.ORIGIN, f"{step.word} {step.what} {place}\n{step.note}"
        )
        above = below


def _box(node: Node, *, strong: bool) -> Box:
    """The name in the first line, package and kind in the second: labels are long."""
    plain = box(node, node.label.name, strong=strong)
    return replace(plain, detail=f"{node.label.package_label} · {plain.detail}")


def _title(answer: WhyAnswer) -> str:
    target = short(answer.target.label)
    if answer.source_count == 1 and answer.sources:
        return f"why {short(answer.sources[0].label)} needs {target}"
    return f"why {answer.source_count:,} targets need {target}"


def _notes(answer: WhyAnswer) -> tuple[str, ...]:
    if not answer.found:
        return ("there is no path",)
    notes = [f"{answer.path_count:,} paths in all"] if 1 < answer.path_count < 10**9 else []
    if answer.required:
        notes.append("bold: on every path")
    elif answer.trunk:
        notes.append("bold: the trunk")
    return tuple(notes)


def _arrow(before: PathStep, after: PathStep) -> Arrow:
    reason = after.reasons[0]
    text = "written by" if reason.flags & EdgeFlag.OUTPUT else reason.attribute
    always = always_holds(each.condition for each in after.reasons)
    words = [text, f"when {short_condition(reason.condition)}" if not always else ""]
    style = style_of(reason.flags, conditional=bool(reason.condition) and not always)
    source, target = before.node.label, after.node.label
    tooltip = f"{source} -> {target}\n{text}{f' when {reason.when}' if reason.when else ''}"
    return Arrow(str(source), str(target), "\n".join(filter(None, words)), style, tooltip)
