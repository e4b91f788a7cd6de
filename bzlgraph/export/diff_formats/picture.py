"""Differences -> picture: what is added in green, what is removed in red, what both sides have in grey.

Drawn are the edges that differ and their ends; the rest of the graph is the same. Colour is never alone: a sign stands
before the name, and edges that are removed are dashed. When there are too many edges, packages are drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bzlgraph.base.label import Label
from bzlgraph.base.span import place_text
from bzlgraph.base.words import counted
from bzlgraph.diff.model import Change, DiffAnswer, Difference, What
from bzlgraph.export.diff_formats.text import SIGNS
from bzlgraph.export.pictures.picture import Arrow, ArrowStyle, Box, Picture

EDGE_BUDGET = 300
_SAME = "on both sides"


def diff_picture(answer: DiffAnswer) -> Picture:
    """By target, or by package when that would be too many edges to read."""
    edges = answer.of(What.EDGE)
    changes = {each.target: each.change for each in (*answer.of(What.TARGET), *answer.of(What.SOURCE))}
    title = f"{answer.left.words} → {answer.right.words}"
    if len({(each.target, each.value) for each in edges}) <= EDGE_BUDGET:
        return _of_targets(answer, edges, changes, title)
    return _of_packages(edges, changes, title)


def _of_targets(answer: DiffAnswer, edges: Iterable[Difference], changes: dict[Label, Change], title: str) -> Picture:
    boxes: dict[Label, Box] = {}
    for label in sorted({*changes, *(end for each in edges for end in _ends(each))}):
        boxes[label] = _box(answer, label, changes.get(label))
    arrows: dict[tuple[str, str], Arrow] = {}
    for each in edges:
        words = [each.attribute, f"when {each.condition}" if each.condition and not each.inside else ""]
        tooltip = f"{each.target} -> {each.value}\n{each.change.value}: {each.attribute} {each.reason}".rstrip()
        pair = (str(each.target), str(each.value))
        arrows.setdefault(pair, Arrow(*pair, "\n".join(filter(None, words)), ArrowStyle(each.change.value), tooltip))
    return Picture(title, tuple(boxes.values()), tuple(arrows.values()), _notes(answer))


def _ends(edge: Difference) -> tuple[Label, ...]:
    return (edge.target, edge.value) if isinstance(edge.value, Label) else (edge.target,)


def _box(answer: DiffAnswer, label: Label, change: Change | None) -> Box:
    sign = f"{SIGNS[change].strip()} " if change is not None else ""
    kind = place = ""
    for side in (answer.right, answer.left):
        number = side.graph.find(label)
        if not kind and number is not None:
            node = side.graph.describe(number)
            kind, place = node.rule_class or node.kind_words, place_text(node.location)
    family = change.value if change is not None else _SAME
    return Box(str(label), f"{sign}{label.shorthand}", kind, family, "", f"{label}\n{family}", place=place)


def _of_packages(edges: Iterable[Difference], changes: dict[Label, Change], title: str) -> Picture:
    counts: dict[str, Counter[Change]] = {}
    for label, change in changes.items():
        counts.setdefault(label.package_label, Counter())[change] += 1
    pairs: dict[tuple[str, str], Counter[Change]] = {}
    for edge in edges:
        source, *ends = (label.package_label for label in _ends(edge))
        for end in ends:
            if source != end:
                pairs.setdefault((source, end), Counter())[edge.change] += 1
    names = sorted({*counts, *(name for pair in pairs for name in pair)})
    boxes = tuple(_package(name, counts.get(name, Counter())) for name in names)
    arrows = tuple(_package_arrow(*pair, found) for pair, found in sorted(pairs.items()))
    return Picture(title, boxes, arrows, (f"{len(changes):,} targets collapsed into {len(boxes):,} packages",))


def _package_arrow(source: str, end: str, found: Counter[Change]) -> Arrow:
    style = ArrowStyle(found.most_common(1)[0][0].value)
    return Arrow(source, end, "", style, f"{source} -> {end}\n{_counted(found)} edges", sum(found.values()))


def _package(name: str, found: Counter[Change]) -> Box:
    family = found.most_common(1)[0][0].value if found else _SAME
    return Box(name, name, f"{_counted(found)} targets" if found else "", family, "", f"{name}\n{_counted(found)}")


def _counted(found: Counter[Change]) -> str:
    return ", ".join(f"{SIGNS[change].strip()}{count:,}" for change, count in found.items())


def _notes(answer: DiffAnswer) -> tuple[str, ...]:
    others = sum(each.what not in (What.TARGET, What.SOURCE, What.EDGE) for each in answer.differences)
    return (f"{counted(others, 'difference')} of attributes' values (see the text)",) if others else ()
