"""``bzlgraph graph EXPR -o FILE``: a picture people can read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.base.words import counted
from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.inputs import expression_of
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import PICTURES, format_for, output_options, row_format
from bzlgraph.cli.query_options import ASSUME_DECLARED, KEEP_GOING
from bzlgraph.cli.terminal.completion import LABEL

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments

FORMATS = (*PICTURES, "html", "graphml", "json", "table", "csv", "markdown", "jsonl", "parquet", "sqlite")


@click.command("graph", cls=BazelCommand)
@click.argument("expression", type=LABEL, nargs=-1, required=True, metavar="EXPR")
@output_options(FORMATS, default="dot")
@click.option(
    "--collapse", type=click.Choice(["auto", "none", "package", "repo"]), default="auto", show_default=True,
    help="Draw packages or repositories as one node; auto: when the picture would be unreadable.",
)  # fmt: skip
@click.option("--max_nodes", type=click.IntRange(min=1), help="Collapse rather than draw more nodes than this.")
@click.option("--implicit_deps/--noimplicit_deps", "implicit_deps", default=True, help="Include implicit dependencies.")
@KEEP_GOING
@ASSUME_DECLARED
@click.pass_obj
def command(
    options: GlobalOptions, expression: tuple[str, ...], output: str | None, output_file: Path | None, collapse: str,
    max_nodes: int | None, implicit_deps: bool, keep_going: bool, assume_declared: bool,
    configured: ConfigArguments,
) -> Outcome:  # fmt: skip
    """A picture of the targets that match EXPR and the dependencies among them.

    Example: bzlgraph graph 'deps(//tensorflow/core:lib, 2)' -o lib.svg
    """
    from bzlgraph.export.save import graph_bytes
    from bzlgraph.questions.session import QueryOptions, ask_query

    name = format_for(output, output_file, FORMATS, default="dot")
    asked = QueryOptions(implicit_deps=implicit_deps, keep_going=keep_going, assume_declared=assume_declared)
    reply = ask_query(options.session(configured), expression_of(expression, None), asked, configured)
    saved = graph_bytes(reply.answer, row_format(name, options), collapse=collapse, max_nodes=max_nodes)
    size = "no target matches: nothing is drawn" if not len(reply.answer) else counted(len(reply.answer), "target")
    said = f"{output_file}: {size}" if output_file else size
    notes = (*([said] if output_file or not len(reply.answer) else []), *saved.notes, *reply.notes)
    return Outcome([saved.data], reply.completeness, notes, output_file, keep_going)
