"""The answer to ``why`` -> picture: the path, downwards, with attribute and condition on every arrow."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from bzlgraph.export.pictures.draw import box, short_condition, style_of
from bzlgraph.export.pictures.picture import Arrow, Box, Picture
from bzlgraph.export.why_formats.text import short
from bzlgraph.graph.model import EdgeFlag, Node, always_holds
from bzlgraph.why.answer import PathStep, WhyAnswer

MAX_OTHERS = 5


def why_picture(answer: WhyAnswer) -> Picture:
    """The path shown, and the first other shortest paths when the answer has them."""
    boxes: dict[str, Box] = {}
    arrows: dict[tuple[str, str], Arrow] = {}
    strong = {node.label for node in answer.required} | {each.node.label for each in answer.trunk}
    for steps in (answer.steps, *answer.others[:MAX_OTHERS]):
        ends = {steps[0].node.label, steps[-1].node.label} if steps else set()
        for step in steps:
            node = step.node
            boxes.setdefault(str(node.label), _box(node, strong=node.label in strong | ends))
        for before, after in pairwise(steps):
            pair = (str(before.node.label), str(after.node.label))
            arrows.setdefault(pair, _arrow(before, after))
    return Picture(_title(answer), tuple(boxes.values()), tuple(arrows.values()), _notes(answer), downwards=True)


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
