"""``bzlgraph select [EXPR]``: one row per target, attribute, part of a concatenation, condition and value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bzlgraph.base.errors import UsageProblem
from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.inputs import expression_of
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import ROW_FORMATS, format_for, output_options, prose_bytes
from bzlgraph.cli.query_options import options_of, query_options
from bzlgraph.cli.terminal.completion import LABEL

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.selects.answer import SelectAnswer

FORMATS = ("text", *ROW_FORMATS)


@click.command("select", cls=BazelCommand)
@click.argument("expression", type=LABEL, nargs=-1, metavar="[EXPR]")
@output_options(FORMATS)
@click.option("--attribute", multiple=True, metavar="NAME", help="Show only selects of this attribute. Repeatable.")
@click.option("--condition", metavar="REGEX", help="Show only branches whose condition matches.")
@click.option("--why", is_flag=True, help="Explain each branch: the values compared, and what set them.")
@query_options
@click.pass_obj
def command(
    options: GlobalOptions, /, expression: tuple[str, ...], query_file: Path | None, output: str | None,
    output_file: Path | None, attribute: tuple[str, ...], condition: str | None, why: bool,
    configured: ConfigArguments, **values: Any,
) -> Outcome:  # fmt: skip
    """List every branch of every select() in the targets that match EXPR (default //...).

    With Bazel options, also say which branches hold, which do not, and why.

    Example: bzlgraph select //tensorflow/core:lib -c opt --why
    """
    from bzlgraph.questions.targets import ask_selects
    from bzlgraph.selects.answer import SelectFilter

    asked = options_of(values)
    name = format_for(output, output_file, FORMATS)
    wanted = SelectFilter(frozenset(attribute), _pattern(condition))
    if why and name != "text":
        raise UsageProblem(
            "--why is for text output; --output=json has every comparison too, other formats a column `reason`"
        )
    if why and not configured.given:
        raise UsageProblem("--why needs a configuration: add Bazel options, such as --config=NAME or -c fastbuild")
    text = expression_of(expression, query_file, default="//...")
    session, found = options.session_after_an_edit(configured)
    if found is not None:
        return found
    reply = ask_selects(session, text, asked, configured, wanted)
    notes = reply.notes if name == "text" else (*reply.notes, _summary(reply.answer))
    pieces = _pieces(reply.answer, "why" if why else options.row_format(name))
    return Outcome(pieces, reply.completeness, notes, output_file, asked.keep_going)


def _pattern(condition: str | None) -> re.Pattern[str] | None:
    try:
        return re.compile(condition) if condition is not None else None
    except re.error as error:
        raise UsageProblem(f"--condition={condition}: invalid regular expression: {error}") from None


def _pieces(answer: SelectAnswer, output: str) -> Iterator[bytes]:
    if output in ("text", "why"):
        from bzlgraph.export.select_formats.text import text, why_text

        return prose_bytes(why_text(answer) if output == "why" else text(answer))
    from bzlgraph.export.row_formats.formats import write_rows
    from bzlgraph.export.select_formats.rows import select_table

    return write_rows(output, select_table(answer))


def _summary(answer: SelectAnswer) -> str:
    """What was counted, for stderr: stdout is data only."""
    from bzlgraph.export.select_formats.summary import summary_text

    return summary_text(answer.counts(), configured=answer.configured)
