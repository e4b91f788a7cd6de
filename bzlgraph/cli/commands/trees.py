"""``bzlgraph deps EXPR`` and ``bzlgraph rdeps EXPR``: dependencies and dependents as trees in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.inputs import expression_of
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import ROWS_ONLY, format_for, json_bytes, output_options, prose_bytes, row_bytes
from bzlgraph.cli.query_options import ASSUME_DECLARED, DEPTH_HELP, IMPLICIT_DEPS, KEEP_GOING, TOOL_DEPS
from bzlgraph.cli.terminal.completion import LABEL
from bzlgraph.snapshot.command_line import DEEPEST

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.questions.reply import Reply
    from bzlgraph.why.answer import TreeAnswer

FORMATS = ("text", "json", *ROWS_ONLY)
_EXPRESSION = click.argument("expression", type=LABEL, nargs=-1, required=True, metavar="EXPR")
_DEPTH = click.option("--depth", type=click.IntRange(1, DEEPEST), default=3, metavar="N", help=DEPTH_HELP)
_ALL = click.option(
    "--all",
    "whole",
    is_flag=True,
    help="Show large groups in full, and also conditions, visibility and Bazel's own tools.",
)
_SHARED = (_DEPTH, _ALL, output_options(FORMATS), IMPLICIT_DEPS, TOOL_DEPS, KEEP_GOING, ASSUME_DECLARED)


def _tree_options(command: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """What both commands take, in the order of their help."""
    for option in reversed(_SHARED):
        command = option(command)
    return command


@click.command("deps", cls=BazelCommand)
@_EXPRESSION
@_tree_options
@click.pass_obj
def deps(options: GlobalOptions, /, **values: Any) -> Outcome:
    """Show the dependencies of the targets that match EXPR, as a tree with attributes and conditions.

    (*) marks a target whose dependencies are listed elsewhere, where it is closest to the root.

    Example: bzlgraph deps //tensorflow/core:lib --depth=2 --noimplicit_deps
    """
    return _tree("deps", options, **values)


@click.command("rdeps", cls=BazelCommand)
@_EXPRESSION
@click.option(
    "--from",
    "from_",
    type=LABEL,
    default="//...",
    metavar="PATTERN",
    help="Search the dependencies of these targets (default //...).",
)
@_tree_options
@click.pass_obj
def rdeps(options: GlobalOptions, /, **values: Any) -> Outcome:
    """Show what depends on the targets that match EXPR, as a tree with attributes and conditions.

    (*) marks a target whose dependents are listed elsewhere, where it is closest to the root.

    Example: bzlgraph rdeps //tensorflow/core:lib --from //tensorflow/tools/pip_package:build_pip_package
    """
    return _tree("rdeps", options, **values)


def _tree(
    direction: str, options: GlobalOptions, *, expression: tuple[str, ...], from_: str = "//...", depth: int,
    whole: bool, output: str | None, output_file: Path | None, configured: ConfigArguments, **following: Any,
) -> Outcome:  # fmt: skip
    """What both commands do. ``following``: fields of ``QueryOptions``."""
    from bzlgraph.questions.parts.trees import TreeQuestion, ask_tree
    from bzlgraph.questions.session import QueryOptions

    name = format_for(output, output_file, FORMATS)
    session, found = options.session_after_an_edit(configured)
    if found is not None:
        return found
    text, some = expression_of(expression, None), not whole and name == "text"
    wanted, asked = TreeQuestion(direction, text, from_, depth, whole, some), QueryOptions(**following)
    reply = ask_tree(session, wanted, asked, configured)
    pieces = _pieces(reply, options.row_format(name))
    return Outcome(pieces, reply.completeness, reply.notes, output_file, asked.keep_going)


def _pieces(reply: Reply[TreeAnswer], output: str) -> Iterator[bytes]:
    if output == "text":
        from bzlgraph.export.why_formats.tree_text import tree_text

        return prose_bytes(f"{line}\n" for line in tree_text(reply.answer))
    from bzlgraph.export.why_formats.tree_data import to_dict, tree_table

    if output == "json":
        return json_bytes(to_dict(reply.answer, reply.completeness))
    return row_bytes(output, tree_table(reply.answer, reply.completeness), reply.completeness)
