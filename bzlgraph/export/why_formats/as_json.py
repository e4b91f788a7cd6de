"""The answer as plain data for ``--output=json``; the keys are documented here and stay.

``schema``: its version; ``target``, ``sources[]``: nodes, of the many only some; ``source_count``, ``direct_sources``:
how many there are, and how many name the target themselves; ``found``;
``steps[]``: ``{node, reasons: [{attribute, when, flags, default_in, defined_at}]}``;
``configuration``: the options that chose one, "" for none;
``dependencies``, ``needing``, ``shortest``, ``shortest_count``, ``path_count``, ``path_count_exact``: numbers;
``required[]``: nodes on every path; ``trunk[]``: ``{node, needing}``; ``cut``: null or a list of places
``{attribute, target, source, rule_class, macro, location, users}``; ``others[]``: more paths;
``cycles[]``: ``{steps, size, certain}``, where the last step has the node of the first; ``origin``: null or where
the target's repository comes from, ``{name, kind, steps, others}`` with lists of ``{word, what, location, note}``;
``dependents``: null or ``{count, packages, groups: [{package, count, shown: [{node, reasons, below, repeated}]}]}``,
where ``below`` is null or the same again;
``visibility[]``: ``{package, target, admitted, items, by_default, chain, known}``, of steps into packages whose target
not everybody sees;
``gaps[]``: ``{kind, what, hides, location, repository}``, on the way; ``other_gaps[]``: the others;
``gaps_elsewhere``: how many of these the other targets have that the sources depend on; ``no_way``: null or
``{missing, similar, users, user_count, reversed, excluded, misses: [{source, step, options}],
gaps[]}``;
``problems[]``: ``{severity, message, location, hint}``;
``complete``: no problem and no gap, on the way or elsewhere. A node is
``{label, kind, location, made_by, stack: [{function, location}]}``, innermost call first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bzlgraph.base.gap import Completeness
from bzlgraph.base.span import Location
from bzlgraph.export.plain_data import SHAPES, Shape, plain_data, record
from bzlgraph.graph.model import Node
from bzlgraph.why.answer import CutPlace, EdgeReason, NoWay, WhyAnswer

SCHEMA = "bzlgraph.why/1"
_KEYS = (
    *("target", "sources", "source_count", "direct_sources", "found", "steps", "configuration"),
    *("dependencies", "needing", "shortest", "shortest_count", "path_count", "path_count_exact"),
    *("required", "trunk", "cut", "others", "cycles", "origin", "gaps", "gaps_elsewhere"),
    *("toolchains", "dependents", "visibility"),
)


def to_dict(answer: WhyAnswer, completeness: Completeness | None = None) -> dict[str, Any]:
    """The answer as dictionaries, lists, texts and numbers; ``completeness`` when more is known than the answer has."""
    known = completeness or Completeness(answer.problems, (*answer.gaps, *answer.other_gaps))
    on_the_way = set(answer.gaps)
    shapes = WHY_SHAPES
    if answer.toolchains:
        from bzlgraph.config.kinds.platform import Platform  # most questions choose no configuration

        shapes = {**WHY_SHAPES, Platform: str}
    return {
        "schema": SCHEMA,
        **record(answer, _KEYS, shapes),
        "other_gaps": [plain_data(gap, WHY_SHAPES) for gap in known.gaps if gap not in on_the_way],
        "no_way": plain_data(answer.no_way, WHY_SHAPES),
        "problems": plain_data(known.problems, WHY_SHAPES),
        "complete": known.complete,
    }


def _node(node: Node) -> dict[str, object]:
    shown = {"label": str(node.label), "kind": node.kind_words, "location": plain_data(node.location, WHY_SHAPES)}
    return {**shown, "made_by": node.made_by or None, "stack": plain_data(node.stack, WHY_SHAPES)}


def _reason(reason: EdgeReason) -> dict[str, object]:
    default = {"default_in": reason.bzl, "defined_at": reason.defined_at}
    shown = record(reason, ("attribute", "when", "flags"), WHY_SHAPES)
    return shown | {key: None if value is None else str(value) for key, value in default.items()}


def _place(place: CutPlace) -> dict[str, object]:
    return record(place, None, WHY_SHAPES) | {"macro": place.macro or None}


def _no_way(no_way: NoWay) -> dict[str, object]:
    empty = {"missing": no_way.missing or None, "excluded": no_way.excluded or None}
    return record(no_way, None, WHY_SHAPES) | empty


WHY_SHAPES: Mapping[type, Shape] = {
    **SHAPES,
    Location: str,
    Node: _node,
    EdgeReason: _reason,
    CutPlace: _place,
    NoWay: _no_way,
}
