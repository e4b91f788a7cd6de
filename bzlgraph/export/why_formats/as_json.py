"""The answer as plain data for ``--output=json``; the keys are documented here and stay.

``schema``: its version; ``target``, ``sources[]``: nodes; ``found``;
``steps[]``: ``{node, reasons: [{attribute, when, flags, default_in}]}``;
``configuration``: the options that chose one, "" for none;
``dependencies``, ``needing``, ``shortest``, ``shortest_count``, ``path_count``, ``path_count_exact``: numbers;
``required[]``: nodes on every path; ``trunk[]``: ``{node, needing}``; ``cut``: null or a list of places
``{attribute, target, source, rule_class, macro, location, users}``; ``others[]``: more paths; ``gaps[]``:
``{kind, what, hides, location}``, on the way; ``other_gaps[]``: the others; ``gaps_elsewhere``: how many of these other
targets have that the sources depend on; ``no_way``: null or ``{missing, similar, users, user_count,
reversed, excluded}``; ``problems[]``: ``{severity, message, location, hint}``; ``complete``: no problem and no gap,
on the way or elsewhere. A node is ``{label, kind, location, made_by, stack: [{function, location}]}``,
innermost call first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bzlgraph.base.gap import Completeness, Gap
from bzlgraph.graph.model import Node
from bzlgraph.why.answer import CutPlace, NoWay, Step, WhyAnswer

SCHEMA = "bzlgraph.why/1"


def to_dict(answer: WhyAnswer, completeness: Completeness | None = None) -> dict[str, Any]:
    """The answer as dictionaries, lists, texts and numbers; ``completeness`` when more is known than the answer has."""
    known = completeness or Completeness(answer.problems, (*answer.gaps, *answer.other_gaps))
    on_the_way = set(answer.gaps)
    return {
        "schema": SCHEMA,
        "target": _node(answer.target),
        "sources": [_node(node) for node in answer.sources],
        "source_count": answer.source_count,
        "found": answer.found,
        "steps": _steps(answer.steps),
        "configuration": answer.configuration,
        "dependencies": answer.dependencies,
        "needing": answer.needing,
        "shortest": answer.shortest,
        "shortest_count": answer.shortest_count,
        "path_count": answer.path_count,
        "path_count_exact": answer.exact,
        "required": [_node(node) for node in answer.required],
        "trunk": [{"node": _node(each.node), "needing": each.needing} for each in answer.trunk],
        "cut": [_place(place) for place in answer.cut.places] if answer.cut else None,
        "others": [_steps(steps) for steps in answer.others],
        "gaps": [_gap(gap) for gap in answer.gaps],
        "gaps_elsewhere": answer.gaps_elsewhere,
        "other_gaps": [_gap(gap) for gap in known.gaps if gap not in on_the_way],
        "no_way": _no_way(answer.no_way) if answer.no_way else None,
        "problems": [
            {
                "severity": problem.severity,
                "message": problem.message,
                "location": _text(problem.location),
                "hint": problem.hint,
            }
            for problem in known.problems
        ],
        "complete": known.complete,
    }


def _gap(gap: Gap) -> dict[str, Any]:
    return {"kind": gap.kind, "what": gap.what, "hides": gap.hides, "location": _text(gap.location)}


def _steps(steps: Sequence[Step]) -> list[dict[str, Any]]:
    return [
        {
            "node": _node(step.node),
            "reasons": [
                {
                    "attribute": reason.attribute,
                    "when": reason.when,
                    "flags": [(flag.name or "").lower() for flag in reason.flags],
                    "default_in": _text(reason.bzl),
                    "defined_at": _text(reason.defined_at),
                }
                for reason in step.reasons
            ],
        }
        for step in steps
    ]


def _node(node: Node) -> dict[str, Any]:
    return {
        "label": str(node.label),
        "kind": node.kind_words,
        "location": _text(node.location),
        "made_by": node.made_by or None,
        "stack": [{"function": frame.function, "location": str(frame.location)} for frame in node.stack],
    }


def _place(place: CutPlace) -> dict[str, Any]:
    return {
        "attribute": place.attribute,
        "target": str(place.target),
        "source": _text(place.source),
        "rule_class": place.rule_class,
        "macro": place.macro or None,
        "location": _text(place.location),
        "users": place.users,
    }


def _no_way(no_way: NoWay) -> dict[str, Any]:
    return {
        "missing": no_way.missing or None,
        "similar": [str(label) for label in no_way.similar],
        "users": [str(label) for label in no_way.users],
        "user_count": no_way.user_count,
        "reversed": no_way.reversed,
        "excluded": no_way.excluded or None,
    }


def _text(value: object) -> str | None:
    return None if value is None else str(value)
