"""``bzlgraph query EXPR``: Bazel's language, Bazel's formats, Bazel's exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bzlgraph.base.errors import UsageProblem
from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.output_options import OUTPUTS, answer_bytes, output_options
from bzlgraph.cli.printing import format_for, row_format
from bzlgraph.cli.query_options import expression_of, options_of, query_options

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments


@click.command("query", cls=BazelCommand)
@click.argument("expression", nargs=-1, metavar="EXPR")
@query_options
@output_options
@click.pass_obj
def command(
    options: GlobalOptions, /, expression: tuple[str, ...], query_file: Path | None, output: str | None,
    output_file: Path | None, named_file: Path | None, configured: ConfigArguments, **values: Any,
) -> Outcome:  # fmt: skip
    """Targets that match EXPR, in Bazel's query language.

    With options of Bazel that choose a configuration only edges that hold or may hold are followed.
    What is found is always printed; with missing targets or broken packages the exit code is 7, with -k it is 3.

    Example: bzlgraph query --output=label_kind 'rdeps(//..., //tensorflow/core:lib)'
    """
    from bzlgraph.questions.session import ask_query

    if output_file is not None and named_file is not None:
        raise UsageProblem("-o and --output_file name two files")
    asked = options_of(values)
    text = expression_of(expression, query_file)
    name = format_for(output, named_file, OUTPUTS, default="label")
    session, found = options.session_after_an_edit(configured)
    if found is not None:
        return found
    reply = ask_query(session, text, asked, configured)
    pieces = answer_bytes(row_format(name, options), reply.answer, session, values)
    return Outcome(pieces, reply.completeness, reply.notes, named_file or output_file, asked.keep_going)
