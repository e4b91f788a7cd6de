"""``bzlgraph query EXPR``: Bazel's language, Bazel's formats, Bazel's exit codes."""

from __future__ import annotations

import sys
from typing import Any

import click

from bzlgraph.cli.question import Question, question_options
from bzlgraph.cli.session import EXIT_FAILED, EXIT_PARTIAL, Session, tell, tell_gaps


@click.command("query")
@click.argument("expression", nargs=-1, metavar="EXPR")
@click.option("--output", type=click.Choice(["label", "label_kind"]), default="label", show_default=True)
@question_options
@click.pass_obj
def command(session: Session, /, expression: tuple[str, ...], output: str, **question: Any) -> None:
    """Targets that match EXPR, in Bazel's query language.

    What is found is always printed; with missing targets or broken packages the exit code is 7, with -k it is 3.

    Example: bzlgraph query --output=label_kind 'rdeps(//..., //tensorflow/core:lib)'
    """
    from bzlgraph.query.answer import OUTPUTS

    asked = Question(**question)
    answer = asked.answer(session, expression)
    write = sys.stdout.write
    for line in OUTPUTS[output](answer):
        write(line + "\n")
    problems = [*answer.problems, *(each for found in answer.graph.diagnostics.values() for each in found)]
    tell([*problems, *answer.remarks])
    tell_gaps(answer.gaps)
    if problems:
        raise click.exceptions.Exit(EXIT_PARTIAL if asked.keep_going else EXIT_FAILED)
    if session.strict and answer.gaps:
        raise click.exceptions.Exit(EXIT_PARTIAL)
