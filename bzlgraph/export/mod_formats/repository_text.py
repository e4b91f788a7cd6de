"""What ``show_repo`` tells of a repository, as Bazel prints it: the call of the rule that makes it.

Mirrors ``ModExecutor.RuleDisplayOutputter`` of Bazel 7.7.1. With ``reasons`` comments tell where it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.label import Label
from bzlgraph.export.mod_formats.as_json import Json, location_data
from bzlgraph.export.mod_formats.extension_text import PlaceText
from bzlgraph.export.origin_text import origin_lines
from bzlgraph.export.value_text import Notation, as_json, expression
from bzlgraph.mod.answer import ShownRepository


def _canonical(label: Label) -> str:
    """A label as Bazel writes it here: with two at-signs."""
    return f"@@{label.repo}//{label.package}:{label.name}" if label.repo else str(label)


def repository_text(shown: ShownRepository, place_of: PlaceText, *, reasons: bool = False) -> Iterator[str]:
    """The lines, each with its end, and a blank one."""
    yield f"## {shown.shown_as}:\n# <builtin>\n{shown.rule}(\n"
    yield f'  name = "{shown.canonical}",\n'
    notation = Notation(label=_canonical)
    yield from (f"  {name} = {expression(value, notation)},\n" for name, value in shown.attributes.items())
    yield f")\n# Rule {shown.canonical} instantiated at (most recent call last):\n#   <builtin> in <toplevel>\n"
    if shown.defined_at is not None:
        yield f"# Rule {shown.rule} defined at (most recent call last):\n"
        yield f"#   {place_of(shown.defined_at)} in <toplevel>\n"
    if reasons and shown.origin is not None:
        yield from (f"# {line}\n" for line in origin_lines(shown.origin))
    yield "\n"


def repository_data(shown: ShownRepository) -> Json:
    """The same for programs."""
    origin = shown.origin
    steps = origin.steps if origin is not None else ()
    return {
        "asked": shown.shown_as,
        "canonical": shown.canonical,
        "rule": shown.rule,
        "attributes": as_json(shown.attributes),
        "defined_at": location_data(shown.defined_at),
        "kind": origin.kind if origin is not None else None,
        "asked_for": [
            {"word": step.word, "what": step.what, "location": location_data(step.location), "note": step.note}
            for step in steps
        ],
    }
