"""``bzlgraph select [EXPR]``: one row per target, attribute, part of a concatenation, condition and value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bzlgraph.cli.question import Question, question_options
from bzlgraph.cli.row_output import ROW_FORMATS, print_bytes
from bzlgraph.cli.session import EXIT_FAILED, EXIT_PARTIAL, Session, tell, tell_gaps

if TYPE_CHECKING:
    from bzlgraph.selects import SelectAnswer

FORMATS = ("text", *ROW_FORMATS)


@click.command("select")
@click.argument("expression", nargs=-1, metavar="[EXPR]")
@click.option(
    "--output", type=click.Choice(FORMATS), default="text", show_default=True, metavar="FORMAT",
    help=f"How to print: {', '.join(FORMATS)}.",
)  # fmt: skip
@click.option("-o", "--output_file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Print there instead.")  # fmt: skip
@question_options
@click.pass_obj
def command(
    session: Session, /, expression: tuple[str, ...], output: str, output_file: Path | None, **values: Any
) -> None:
    """What depends on which condition: every branch of every select() in the targets of EXPR (default //...).

    Example: bzlgraph select --output=csv 'deps(//tensorflow/core:lib)'
    """
    from bzlgraph.selects import SelectAnswer

    asked = Question(**{each.name: values.pop(each.name) for each in fields(Question)})
    found = asked.answer(session, expression or (() if asked.query_file else ("//...",)))
    answer = SelectAnswer(found.graph, found.nodes, found.text, found.problems, found.gaps)
    print_bytes(_written(answer, output), output_file)
    problems = [*found.problems, *found.graph.package_diagnostics()]
    tell([*problems, *found.remarks])
    if output != "text":
        _tell_summary(answer)
    tell_gaps(found.gaps)
    if problems:
        raise click.exceptions.Exit(EXIT_PARTIAL if asked.keep_going else EXIT_FAILED)
    if session.strict and found.gaps:
        raise click.exceptions.Exit(EXIT_PARTIAL)


def _written(answer: SelectAnswer, output: str) -> Iterator[bytes]:
    if output == "text":
        from bzlgraph.export.select_formats.text import text

        return (piece.encode("utf-8", "surrogateescape") for piece in text(answer))
    from bzlgraph.export.row_formats.formats import write_rows
    from bzlgraph.export.select_formats.rows import select_table

    return write_rows(output, select_table(answer))


def _tell_summary(answer: SelectAnswer) -> None:
    """What was counted, on stderr: stdout is data only."""
    from bzlgraph.export.select_formats.summary import summary_text

    click.echo(summary_text(answer.counts()), err=True)
