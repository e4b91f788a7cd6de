"""``bzlgraph expand LABEL``: the target as plain rules, with the macro stack that made it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.cli.config_options import LoadingCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import format_for, json_bytes, output_options, text_bytes
from bzlgraph.cli.query_options import KEEP_GOING

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.questions.targets import ExpandedTarget

FORMATS = ("text", "json")
SCHEMA = "bzlgraph.expand/1"


@click.command("expand", cls=LoadingCommand)
@click.argument("labels", nargs=-1, required=True, metavar="LABEL...")
@output_options(FORMATS)
@KEEP_GOING
@click.pass_obj
def command(
    options: GlobalOptions, labels: tuple[str, ...], output: str | None, output_file: Path | None, keep_going: bool,
    configured: ConfigArguments,
) -> Outcome:  # fmt: skip
    """Show targets as plain BUILD text: what the macros made of them. A pattern such as //a:all shows several.

    Example: bzlgraph expand //tensorflow/python:pywrap_tensorflow_internal
    """
    from bzlgraph.export.expand_text import expand
    from bzlgraph.export.row_formats.json_text import completeness_data
    from bzlgraph.questions.targets import ask_expand

    name = format_for(output, output_file, FORMATS)
    reply = ask_expand(options.session(configured), labels, keep_going=keep_going)
    if name == "json":
        targets = [_data(each, expand(each.target, each.package)) for each in reply.answer]
        data = {"schema": SCHEMA, "targets": targets, **completeness_data(reply.completeness)}
        return Outcome(json_bytes(data), reply.completeness, reply.notes, output_file, keep_going)
    texts = [expand(each.target, each.package) for each in reply.answer]
    pieces = text_bytes(["\n\n".join(texts), "\n" if texts else ""])
    return Outcome(pieces, reply.completeness, reply.notes, output_file, keep_going)


def _data(expanded: ExpandedTarget, text: str) -> dict[str, str]:
    target = expanded.target
    return {"label": str(target.label), "kind": expanded.kind, "location": str(target.location), "text": text}
