"""``bzlgraph explore [EXPR] -o FILE.html``: a picture one can walk in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.base.words import counted
from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.inputs import expression_of
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import format_for, output_options
from bzlgraph.cli.query_options import KEEP_GOING
from bzlgraph.cli.terminal.completion import LABEL

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments

FORMATS = ("html",)


@click.command("explore", cls=BazelCommand)
@click.argument("expression", type=LABEL, nargs=-1, metavar="[EXPR]")
@output_options(FORMATS, default="html")
@click.option("--implicit_deps/--noimplicit_deps", "implicit_deps", default=True, help="Include implicit dependencies.")
@KEEP_GOING
@click.pass_obj
def command(
    options: GlobalOptions, expression: tuple[str, ...], output: str | None, output_file: Path | None,
    implicit_deps: bool, keep_going: bool, configured: ConfigArguments,
) -> Outcome:  # fmt: skip
    """One HTML file to walk in: the targets that match EXPR (//... without) and all that they need.

    Example: bzlgraph explore //tensorflow/... -o tensorflow.html
    """
    from bzlgraph.export.explorer.page import page
    from bzlgraph.questions.exploration import ask_explore
    from bzlgraph.questions.session import QueryOptions

    format_for(output, output_file, FORMATS, default="html")
    asked = QueryOptions(implicit_deps=implicit_deps, keep_going=keep_going)
    reply = ask_explore(options.session(configured), expression_of(expression, None, "//..."), asked, configured)
    data = page(reply.answer)
    said = f"{output_file}: {counted(len(reply.answer.nodes), 'target')}, {len(data) / 1e6:.1f} MB"
    notes = (*([said] if output_file else []), *reply.notes)
    return Outcome([data], reply.completeness, notes, output_file, keep_going)
