"""``bzlgraph expand LABEL``: the target as plain rules, with the macro stack that made it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.cli.config_options import LoadingCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import ROW_FORMATS, format_for, output_options, row_bytes, text_bytes
from bzlgraph.cli.query_options import KEEP_GOING
from bzlgraph.cli.terminal.completion import LABEL

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.questions.targets import ExpandedTarget

FORMATS = ("text", *ROW_FORMATS)
BUILD_FILES = ("bzl", "bazel", "build")
"""Endings of files whose text is like that of a BUILD file."""
SCHEMA = "bzlgraph.expand/1"
COLUMNS = "label kind location text"


@click.command("expand", cls=LoadingCommand)
@click.argument("labels", type=LABEL, nargs=-1, required=True, metavar="LABEL...")
@output_options(FORMATS)
@KEEP_GOING
@click.pass_obj
def command(
    options: GlobalOptions, labels: tuple[str, ...], output: str | None, output_file: Path | None, keep_going: bool,
    configured: ConfigArguments,
) -> Outcome:  # fmt: skip
    """Show targets as plain BUILD text with all macros expanded. A pattern such as //a:all shows several.

    Example: bzlgraph expand //tensorflow/python:pywrap_tensorflow_internal
    """
    from bzlgraph.export.expand_text import expand
    from bzlgraph.export.row_formats.row_table import RowTable, columns
    from bzlgraph.questions.targets import expand_reply

    name = format_for(output, output_file, FORMATS, plain=BUILD_FILES)
    session = options.session(configured)
    reply = expand_reply(session, session.graph, labels, keep_going=keep_going)
    if name != "text":
        rows = [_row(each, expand(each.target, each.package)) for each in reply.answer]
        table = RowTable("expand", columns(COLUMNS), lambda: iter(rows), SCHEMA, rows_key="targets")
        pieces = row_bytes(options.row_format(name), table, reply.completeness)
        return Outcome(pieces, reply.completeness, reply.notes, output_file, keep_going)
    texts = [expand(each.target, each.package) for each in reply.answer]
    pieces = text_bytes(["\n\n".join(texts), "\n" if texts else ""])
    return Outcome(pieces, reply.completeness, reply.notes, output_file, keep_going)


def _row(expanded: ExpandedTarget, text: str) -> tuple[str, ...]:
    target = expanded.target
    return str(target.label), expanded.kind, str(target.location), text
