"""An answer about an op as data for JSON (schema ``bzlgraph.op/1``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bzlgraph.base.span import Location
from bzlgraph.export.plain_data import Shape, record
from bzlgraph.ops.tracer import Answer

SCHEMA = "bzlgraph.op/1"
_SHAPES: Mapping[type, Shape] = {Location: lambda place: {"file": place.path, "line": place.line or None}}


def to_dict(answer: Answer) -> dict[str, Any]:
    """``ops`` are the names of all ops that the word leads to, nearest first; the rest has the evidence."""
    ops = [use.op for use in answer.uses] or [story.op for story in answer.stories]
    return {"schema": SCHEMA, "asked": answer.asked, "found": answer.found, "ops": ops, **record(answer, None, _SHAPES)}
