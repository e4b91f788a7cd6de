"""``bzlgraph query EXPR``: Bazel's language, Bazel's formats, Bazel's exit codes."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import click

from bzlgraph.cli.output_options import output_options, print_answer
from bzlgraph.cli.question import Question, question_options
from bzlgraph.cli.session import EXIT_FAILED, EXIT_PARTIAL, Session, tell, tell_gaps


@click.command("query")
@click.argument("expression", nargs=-1, metavar="EXPR")
@question_options
@output_options
@click.pass_obj
def command(session: Session, /, expression: tuple[str, ...], **values: Any) -> None:
    """Targets that match EXPR, in Bazel's query language.

    What is found is always printed; with missing targets or broken packages the exit code is 7, with -k it is 3.

    Example: bzlgraph query --output=label_kind 'rdeps(//..., //tensorflow/core:lib)'
    """
    asked = Question(**{each.name: values.pop(each.name) for each in fields(Question)})
    answer = asked.answer(session, expression)
    print_answer(answer, values)
    problems = [*answer.problems, *answer.graph.package_diagnostics()]
    tell([*problems, *answer.remarks])
    tell_gaps(answer.gaps)
    if problems:
        raise click.exceptions.Exit(EXIT_PARTIAL if asked.keep_going else EXIT_FAILED)
    if session.strict and answer.gaps:
        raise click.exceptions.Exit(EXIT_PARTIAL)
