"""``bzlgraph graph EXPR -o FILE``: a picture people can read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bzlgraph.base.words import counted
from bzlgraph.cache.answers import terminal_columns
from bzlgraph.cli import transcript
from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.inputs import expression_of
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import PICTURES, format_for, output_options
from bzlgraph.cli.query_options import ASSUME_DECLARED, DEPTH_HELP, IMPLICIT_DEPS, KEEP_GOING
from bzlgraph.cli.terminal.completion import LABEL

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.questions.reply import Asking

FORMATS = (
    *PICTURES,
    "html",
    "matrix",
    "levels",
    "graphml",
    "json",
    "table",
    "csv",
    "markdown",
    "jsonl",
    "parquet",
    "sqlite",
)
DRAW = "hint: to draw it, add -o graph.svg (or .html, .png, .pdf); --output=dot is for Graphviz"


@click.command("graph", cls=BazelCommand)
@click.argument("expression", type=LABEL, nargs=-1, required=True, metavar="EXPR")
@output_options(FORMATS, default="levels on a terminal, dot elsewhere")
@click.option(
    "--collapse", type=click.Choice(["auto", "none", "package", "repo"]), default="auto", show_default=True,
    help="Draw each package or repository as one box; auto: as needed for --max_nodes.",
)  # fmt: skip
@click.option("--max_nodes", type=click.IntRange(min=1), metavar="N", help="Draw at most N boxes. [default: 60]")
@click.option(
    "--focus",
    default="",
    metavar="EXPR2",
    help="Draw only these targets and their neighbours in both directions (see --depth).",
)
@click.option(
    "--depth", type=click.IntRange(min=0), metavar="N",
    help=DEPTH_HELP,
)  # fmt: skip
@click.option("--between", nargs=2, metavar="EXPR2 EXPR3", help="Draw only the paths from EXPR2 to EXPR3.")
@click.option("--exclude", multiple=True, metavar="EXPR2", help="Leave out these targets. Repeatable.")
@click.option(
    "--fold", multiple=True, type=click.Choice(["macro", "chain", "cycle"]),
    help="Draw each macro call, chain or cycle of targets as one box. Repeatable.",
)  # fmt: skip
@click.option(
    "--reduce/--noreduce",
    "reduced",
    default=True,
    help="Leave out transitively redundant edges, which a longer path implies.",
)
@click.option(
    "--bazel_tools/--nobazel_tools", "tools", default=False, help="Draw Bazel's own tools like other targets."
)
@IMPLICIT_DEPS
@KEEP_GOING
@ASSUME_DECLARED
@click.pass_obj
def command(
    options: GlobalOptions, /, expression: tuple[str, ...], output: str | None, output_file: Path | None,
    collapse: str, max_nodes: int | None, implicit_deps: bool, keep_going: bool, assume_declared: bool,
    configured: ConfigArguments, **shaping: Any,
) -> Outcome:  # fmt: skip
    """Draw the targets that match EXPR and the dependencies between them.

    More than 60 boxes are folded into packages and folders. Targets that many others depend on, and those that Bazel
    adds, are listed beside the drawing. If too many lines would cross, a matrix is drawn, unless --output is svg or
    html.

    Example: bzlgraph graph 'deps(//tensorflow/core:lib, 2)' -o lib.svg
    """
    from bzlgraph.export.overview.build import Shape
    from bzlgraph.export.overview.forms import graph_bytes
    from bzlgraph.questions.parts.neighbourhood import Part, part_reply
    from bzlgraph.questions.session import QueryOptions, ask_query

    read = output is None and output_file is None and terminal_columns(sys.stdout) > 0
    name = format_for(output, output_file, FORMATS, default="levels" if read else "dot")
    pages = format_for(None, output_file, ("svg", "html"), default="svg") if name == "matrix" else "svg"
    asked = QueryOptions(implicit_deps=implicit_deps, keep_going=keep_going, assume_declared=assume_declared)
    part = Part(shaping["focus"], shaping["depth"], shaping["between"] or None, shaping["exclude"])
    shape = Shape(collapse, max_nodes, shaping["reduced"], shaping["tools"], shaping["fold"], named=part.named)
    form, text = "drawing" if output else "auto", expression_of(expression, None)

    def drawn(ask: Asking) -> Outcome:
        reply = part_reply(ask, text, part)
        saved = graph_bytes(reply.answer, options.row_format(name), shape=shape, form=form, pages=pages)
        none, size = not len(reply.answer), counted(len(reply.answer), "target")
        said = "no target matches; the picture is empty" if none else size
        own = [f"{output_file}: {said}"] if output_file else [said] if none else []
        notes = (*own, *saved.notes, *reply.notes, *([DRAW] if read else []))
        return Outcome([saved.data], reply.completeness, notes, output_file, keep_going)

    kept = transcript.from_kept_graph(drawn)
    if kept is not None:
        return kept
    session = options.session(configured)
    return drawn(lambda text: ask_query(session, text, asked, configured))
