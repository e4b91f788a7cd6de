"""``bzlgraph query EXPR``: Bazel's language, Bazel's formats, Bazel's exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bzlgraph.cli import transcript
from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.inputs import expression_of
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.output_options import OUTPUTS, answer_bytes, output_options
from bzlgraph.cli.printing import format_for
from bzlgraph.cli.query_options import options_of, query_options
from bzlgraph.cli.terminal.completion import LABEL
from bzlgraph.snapshot.answer import PLAIN

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments


@click.command("query", cls=BazelCommand)
@click.argument("expression", type=LABEL, nargs=-1, metavar="EXPR")
@query_options
@output_options
@click.option("--exclude_self", is_flag=True, help="Leave out the targets given to deps, rdeps or allrdeps.")
@click.pass_obj
def command(
    options: GlobalOptions, /, expression: tuple[str, ...], query_file: Path | None, output: str | None,
    output_file: Path | None, exclude_self: bool, configured: ConfigArguments, **values: Any,
) -> Outcome:  # fmt: skip
    """List the targets that match EXPR, in Bazel's query language.

    With Bazel options that choose a configuration, only edges that hold or may hold in it are followed. The targets
    found are printed even if others are missing or broken; the exit code is then 7, or 3 with -k.

    Example: bzlgraph query --output=label_kind 'rdeps(//..., //tensorflow/core:lib)'
    """
    from bzlgraph.questions.session import ask_query

    asked = options_of(values)
    text = expression_of(expression, query_file)
    if exclude_self:
        from bzlgraph.query.notes import without_itself

        text = without_itself(text)
    name = format_for(output, output_file, OUTPUTS, default="label")
    session, found = options.session_after_an_edit(configured)
    if found is not None:
        return found
    reply = ask_query(session, text, asked, configured)
    pieces = answer_bytes(options.row_format(name), reply.answer, session, values)
    if name not in PLAIN:
        transcript.keep_meanwhile()  # labels alone are written sooner than a process takes over what this one knows
    return Outcome(pieces, reply.completeness, reply.notes, output_file, asked.keep_going)
