"""An answer about an op as data for JSON (schema ``bzlgraph.op/1``)."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from bzlgraph.base.span import Location
from bzlgraph.ops.tracer import Answer

SCHEMA = "bzlgraph.op/1"


def to_dict(answer: Answer) -> dict[str, Any]:
    """``ops`` are the names of all ops that the word leads to, nearest first; the rest has the evidence."""
    ops = [use.op for use in answer.uses] or [story.op for story in answer.stories]
    return {"schema": SCHEMA, "asked": answer.asked, "found": answer.found, "ops": ops, **_plain(answer)}


def _plain(value: Any) -> Any:
    if isinstance(value, Location):
        return {"file": value.path, "line": value.line or None}
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
