"""The shapes of all JSON answers, in a short notation; ``write.py`` beside writes them as JSON Schema.

A text is a type: ``s`` text, ``i`` integer, ``b`` truth value, ``any``, or a name of ``PARTS``; ``T?`` may be null. A
list holds the shape of its items. A dictionary is an object of these keys, and of others that may come without a new
version; a key ``~k`` may be missing.
"""

from __future__ import annotations

from collections.abc import Iterable

Shape = str | dict[str, "Shape"] | list["Shape"]
Object = dict[str, Shape]


def rows(columns: str, rows_key: str = "rows", **more: Shape) -> Object:
    """An answer that is a list of rows: ``name`` is a text, ``name?`` may be null, ``name:i`` has another type."""
    cells = (each.partition(":")[::2] for each in columns.split())
    row: Object = {name.rstrip("?"): kind or ("s?" if name.endswith("?") else "s") for name, kind in cells}
    return {**more, rows_key: [row], **COMPLETE}


KERNEL: Shape = {"op": "s", "device": "s", "kernel_class": "s", "location": "file_line", "targets": ["s"]}
CONDITION: Shape = {"kind": "s", "test": "s", "function": "s", "location": "file_line"}
USE: Shape = {
    "op": "s",
    "generated": "s",
    "location": "file_line",
    "steps": ["any"],
    "certain": "b",
    "conditions": [CONDITION],
    "other_ways": "i",
    "more_ways": "b",
    "possible": "b",
}
COMPLETE: Object = {"problems": ["problem"], "gaps": ["gap"], "complete": "b"}
PARTS: dict[str, Object] = {
    "place": {"path": "s", "line": "i", "column": "i"},
    "file_line": {"file": "s", "line": "i?"},
    "problem": {"severity": "s", "message": "s", "location": "where", "hint": "s?"},
    "gap": {"kind": "s", "what": "s", "hides": "s", "location": "where", "repository": "s"},
    "frame": {"function": "s", "location": "where"},
    "node": {"label": "s", "kind": "s", "location": "s?", "made_by": "s?", "stack": ["frame"]},
    "reason": {"attribute": "s", "when": "s", "flags": ["s"], "default_in": "s?", "defined_at": "s?"},
    "step": {
        "node": "node",
        "reasons": ["reason"],
    },
    "neighbours": {
        **dict.fromkeys(("count", "packages"), "i"),
        "groups": [{"package": "s", "count": "i", "shown": ["neighbour"]}],
    },
    "neighbour": {
        "node": "node",
        "reasons": ["reason"],
        "below": "neighbours?",
        "repeated": "b",
    },
    "tree": {
        **dict.fromkeys(("direction", "text", "within", "configuration"), "s"),
        **dict.fromkeys(("depth", "reached", "followed", "shown"), "i"),
        "roots": ["neighbour"],
        **COMPLETE,
    },
    "term": {"~label": "s?", "~unknown": "s?", "~unless": ["s"]},
    "target": {
        "label": "s",
        "kind": "s",
        "package": "s",
        "location": "place?",
        "~rule_class": "s",
        "~defined_in": "any",
        "~attributes": "any",
        "~visibility": ["s"],
        "~outputs": ["s"],
        "~macro": "any",
        "~stack": ["frame"],
        "~symbolic_macros": "any",
        "~possible": "b",
        "~dependencies": [
            {"label": "s", "reasons": [{"attribute": "s", "when": ["term"], "flags": ["s"]}]},
        ],
    },
    "module": {
        "key": "s",
        "name": "s",
        "version": "s",
        "~apparentName": "s",
        "~dependencies": ["module"],
        "~indirectDependencies": ["module"],
        "~cycles": ["module"],
        "~unexpanded": "b",
    },
    "error": {"line": "i", "column": "i", "message": "s", "stack": [{"line": "i", "column": "i"}]},
    "why": {
        "schema": "s",
        "target": "node",
        "sources": ["node"],
        "source_count": "i",
        "direct_sources": "i",
        "found": "b",
        "steps": ["step"],
        "configuration": "s",
        **dict.fromkeys(("dependencies", "needing", "shortest", "shortest_count", "path_count"), "i"),
        "path_count_exact": "b",
        "required": ["node"],
        "trunk": [{"node": "node", "needing": "i"}],
        "cut": "any",
        "others": ["any"],
        "cycles": [{"steps": ["step"], "size": "i", "certain": "b"}],
        "origin": "any",
        "toolchains": ["any"],
        "dependents": "neighbours?",
        "visibility": [
            {
                "package": "s",
                "target": "node",
                "admitted": "b",
                "items": ["s"],
                "by_default": "b",
                "chain": ["s"],
                "known": "b",
            }
        ],
        "gaps_elsewhere": "i",
        "other_gaps": ["gap"],
        "no_way": "any",
        **COMPLETE,
    },
    "op": {
        "schema": "s",
        "asked": "s",
        "found": "b",
        "ops": ["s"],
        "framework": "s",
        "symbol": "any",
        "api_names": [{"name": "s", "versions": ["s"], "deprecated": "b"}],
        "uses": [USE],
        "stories": [
            {
                "op": "s",
                "generated_name": "s",
                "wrappers": [{"file": "s", "label": "s", "macro": "s", "location": "file_line?"}],
                "registrations": [{"op": "s", "location": "file_line", "condition": "s", "targets": ["s"]}],
                "kernels": [KERNEL],
                "gradients": [
                    {
                        "op": "s",
                        "function": "s",
                        "location": "file_line",
                        "ops": ["s"],
                        "kernels": [KERNEL],
                        "possible": ["s"],
                        "uses": [USE],
                    }
                ],
                "~runs": [
                    {
                        "op": "s",
                        "depth": "i",
                        "location": "file_line",
                        "through": ["s"],
                        "condition": "s",
                        "device": "s",
                        "otherwise": "b",
                        "certain": "b",
                    }
                ],
            },
        ],
        "~problems": ["problem"],
        "gaps": ["gap"],
        "~complete": "b",
    },
}
"""Parts by name, which more than one answer has; ``where`` is a place, as an object or as a text, or null."""

SHAPES: dict[str, Object] = {
    "query/1": {"query": "s", "bazel_version": "s", "targets": ["target"], **COMPLETE},
    "why/1": PARTS["why"],
    "deps/1": PARTS["tree"],
    "rdeps/1": PARTS["tree"],
    "graph/1": {
        "nodes": [{"label": "s", "kind": "s", "package": "s", "location": "s?"}],
        "edges": [{"source": "s", "target": "s", "reasons": [{"attribute": "s", "when": "s", "flags": ["s"]}]}],
        **COMPLETE,
    },
    "select/1": {
        **rows(
            "target kind attribute part:i condition value:any edge:b holds? location:place? macro:any reason? "
            "condition_kind type branch:i",
            query="s",
        ),
        "summary": "any",
        "problems": ["s"],
        "gaps": ["s"],
    },
    "diff-config/1": rows(
        "change what target kind attribute? value? condition? location? reason?",
        query="s",
        left="s",
        right="s",
        changes=[{"words": "s", "sets": ["s"], "differences": "i", "reaches": ["any"]}],
        summary="any",
    ),
    "flags/1": rows("kind what where"),
    "flags.settings/1": rows(
        "label kind reads default? selects:i branches:i adds through:i targets:i places:i location", kind="s"
    ),
    "flags.bazelrc/1": rows(
        "config command order:i option file line:i? via name value overridden_by problem", kind="s"
    ),
    "flags.configure/1": rows(
        "variable question default writes_if_yes writes_if_no file line:i asked_if written_to", kind="s"
    ),
    "flags.runtime/1": rows("name group type default description file line:i", kind="s"),
    "flags.trace/1": rows("step name detail file line:i?", kind="s"),
    "op/1": PARTS["op"],
    "op.list/1": {"answers": ["op"], **COMPLETE},
    "op.why/1": {"answers": [{"op": "op", "paths": ["why"]}], **COMPLETE},
    "ops/1": rows("~op ~schema ~primitive ~custom_call ~condition?"),  # one for each kind of tree
    "xla_ops/1": rows("op types? device? kernel_class? file? target? condition?"),
    "bindings/1": rows("module? name kind file? line:i? function? how?"),
    "registrations/1": rows("name arguments? file line:i? through? condition? target?"),
    "op_needs/1": rows("label kind place? for"),
    "op_tests/1": rows("op targets? file first_line:i? calls:i call how"),
    "op_mentions/1": rows("op pass targets? file first_line:i count:i mention"),
    "op_slice/1": rows("label kind place? for only:i bytes:i"),
    "expand/1": rows("label kind location text", "targets"),
    "overview/1": rows("what name count:i?"),
    "doctor/1": {
        "bazel": {"version": "s", "reason": "s", "read_as": "s", "evidence": "s"},
        **dict.fromkeys(("packages", "rules", "targets"), "i"),
        "broken": ["s"],
        "cache": {"folder": "s?", "refused": "s?", "hits": "i", "compiled": "i"},
        "found": [{"name": "s", "way": "s", "place": "s", "whole": "b"}],
        "outside": [{"link": "s", "target": "s"}],
        "assumptions": ["s"],
        "missing": [
            {
                "name": "s",
                "rule": "s",
                "location": "place?",
                "targets": "i",
                "edges": "i",
                "places": "i",
                "urls": ["s"],
                "checksum": "s",
                "give": ["s"],
            },
        ],
        "cycles": ["any"],
        **COMPLETE,
    },
    "mod/1": {
        **dict.fromkeys(("~key", "~name", "~version"), "s"),
        **{key: ["module"] for key in ("~dependencies", "~indirectDependencies", "~cycles")},
        "~repositories": [{"asked": "s", "canonical": "s", "rule": "s", "attributes": "any"}],
        "~extensions": [{"key": "s", "repositories": ["any"], "all_repositories_known": "b", "usages": ["any"]}],
        "~mappings": [{"repository": "s", "names": "any"}],
        **COMPLETE,
    },
    "parse/1": {"~node": "s", "~path": "s", "~span": ["i"], "~comments": ["any"], "~body": ["any"], **COMPLETE},
    "starlark/1": {"files": [{"file": "s", "ok": "b", "~error": "error", "~errors": ["error"]}]},
}
"""The value of ``schema``, without ``bzlgraph.``: what the object holds beside it."""


def names() -> Iterable[str]:
    """All schemas."""
    return SHAPES.keys()
