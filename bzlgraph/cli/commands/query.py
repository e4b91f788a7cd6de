"""``bzlgraph query EXPR``: Bazel's language, Bazel's formats, Bazel's exit codes."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from bzlgraph.cli.config_options import ConfiguredCommand, config_options
from bzlgraph.cli.output_options import output_options, print_answer
from bzlgraph.cli.question import Question, question_options
from bzlgraph.cli.session import EXIT_FAILED, EXIT_PARTIAL, Session, tell, tell_gaps

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments


@click.command("query", cls=ConfiguredCommand)
@click.argument("expression", nargs=-1, metavar="EXPR")
@question_options
@output_options
@config_options
@click.pass_obj
def command(session: Session, /, expression: tuple[str, ...], configured: ConfigArguments, **values: Any) -> None:
    """Targets that match EXPR, in Bazel's query language.

    With options of Bazel that choose a configuration only edges that hold or may hold are followed.
    What is found is always printed; with missing targets or broken packages the exit code is 7, with -k it is 3.

    Example: bzlgraph query --output=label_kind 'rdeps(//..., //tensorflow/core:lib)'
    """
    asked = Question(**{each.name: values.pop(each.name) for each in fields(Question)})
    answer = asked.answer(session, expression, configured)
    print_answer(answer, values)
    problems = [*answer.problems, *answer.graph.package_diagnostics()]
    tell([*problems, *answer.remarks])
    tell_gaps(answer.gaps)
    if problems:
        raise click.exceptions.Exit(EXIT_PARTIAL if asked.keep_going else EXIT_FAILED)
    if session.strict and answer.gaps:
        raise click.exceptions.Exit(EXIT_PARTIAL)
