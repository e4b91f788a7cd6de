"""``bzlgraph select [EXPR]``: one row per target, attribute, part of a concatenation, condition and value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bzlgraph.base.errors import UsageProblem
from bzlgraph.cli.config_options import ConfiguredCommand, config_options
from bzlgraph.cli.configured import tell_files
from bzlgraph.cli.printing import ROW_FORMATS, print_bytes
from bzlgraph.cli.question import Asked, Question, question_options
from bzlgraph.cli.session import EXIT_FAILED, EXIT_PARTIAL, Session, tell, tell_gaps

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.selects import SelectAnswer

FORMATS = ("text", *ROW_FORMATS)


@click.command("select", cls=ConfiguredCommand)
@click.argument("expression", nargs=-1, metavar="[EXPR]")
@click.option(
    "--output", type=click.Choice(FORMATS), default="text", show_default=True, metavar="FORMAT",
    help=f"How to print: {', '.join(FORMATS)}.",
)  # fmt: skip
@click.option("-o", "--output_file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Print there instead.")  # fmt: skip
@click.option("--attribute", multiple=True, metavar="NAME", help="Only the selects of this attribute. Repeatable.")
@click.option("--condition", metavar="REGEX", help="Only branches whose condition matches.")
@click.option(
    "--why", is_flag=True, help="Text with every comparison: why a branch holds or not, and who set the value."
)
@question_options
@config_options
@click.pass_obj
def command(
    session: Session, /, expression: tuple[str, ...], output: str, output_file: Path | None, attribute: tuple[str, ...],
    condition: str | None, why: bool, configured: ConfigArguments, **values: Any,
) -> None:  # fmt: skip
    """What depends on which condition: every branch of every select() in the targets of EXPR (default //...).

    With options of Bazel it also says which branches hold, which do not, and why.

    Example: bzlgraph select //tensorflow/core:lib --config=opt --why
    """
    from bzlgraph.api import select_answer
    from bzlgraph.selects import Wanted

    asked = Question(**{each.name: values.pop(each.name) for each in fields(Question)})
    wanted = Wanted(frozenset(attribute), _pattern(condition))
    if why and output != "text":
        raise UsageProblem("--why is text; --output=json has every comparison too, and other formats have a reason")
    if why and not configured.given:
        raise UsageProblem("--why needs a configuration: give options of Bazel, such as --config=NAME or -c fastbuild")
    found = asked.ask(session, expression or (() if asked.query_file else ("//...",)), configured)
    answer = select_answer(found.answer, found.graph, wanted)
    print_bytes(_written(answer, "why" if why else output), output_file)
    _tell(session, asked, found, answer, output)


def _tell(session: Session, asked: Question, found: Asked, answer: SelectAnswer, output: str) -> None:
    """What belongs to the answer but is no data, and the exit code."""
    problems = [*found.answer.problems, *found.graph.package_diagnostics()]
    if found.graph.configuration is not None:
        tell_files(found.graph.configuration.configuration)
    tell([*problems, *found.answer.remarks])
    if output != "text":
        _tell_summary(answer)
    tell_gaps(found.answer.gaps)
    if problems:
        raise click.exceptions.Exit(EXIT_PARTIAL if asked.keep_going else EXIT_FAILED)
    if session.strict and found.answer.gaps:
        raise click.exceptions.Exit(EXIT_PARTIAL)


def _pattern(condition: str | None) -> re.Pattern[str] | None:
    try:
        return re.compile(condition) if condition is not None else None
    except re.error as error:
        raise UsageProblem(f"--condition={condition}: no regular expression: {error}") from None


def _written(answer: SelectAnswer, output: str) -> Iterator[bytes]:
    if output in ("text", "why"):
        from bzlgraph.export.select_formats.text import text
        from bzlgraph.export.select_formats.why_text import why_text

        pieces = why_text(answer) if output == "why" else text(answer)
        return (piece.encode("utf-8", "surrogateescape") for piece in pieces)
    from bzlgraph.export.row_formats.formats import write_rows
    from bzlgraph.export.select_formats.rows import select_table

    return write_rows(output, select_table(answer))


def _tell_summary(answer: SelectAnswer) -> None:
    """What was counted, on stderr: stdout is data only."""
    from bzlgraph.export.select_formats.summary import summary_text

    click.echo(summary_text(answer.counts(), configured=answer.configured), err=True)
