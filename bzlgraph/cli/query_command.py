"""``bzlgraph query EXPR``: Bazel's language, Bazel's formats, Bazel's exit codes."""

from __future__ import annotations

import sys

import click

from bzlgraph.cli.session import EXIT_FAILED, EXIT_PARTIAL, Session, tell, tell_gaps


@click.command("query")
@click.argument("expression", nargs=-1, required=True, metavar="EXPR")
@click.option("--output", type=click.Choice(["label", "label_kind"]), default="label", show_default=True)
@click.option("--implicit_deps/--noimplicit_deps", "implicit_deps", default=True, help="Follow what nobody wrote.")
@click.option("--tool_deps/--notool_deps", "tool_deps", default=True, help="Follow what runs while building.")
@click.option("-k", "--keep_going/--nokeep_going", "keep_going", help="Exit with 3, not 7, when targets are missing.")
@click.pass_obj
def command(
    session: Session, expression: tuple[str, ...], output: str, implicit_deps: bool, tool_deps: bool, keep_going: bool
) -> None:
    """Targets that match EXPR, in Bazel's query language.

    What is found is always printed; with missing targets or broken packages the exit code is 7, with -k it is 3.

    Example: bzlgraph query --output=label_kind 'rdeps(//..., //tensorflow/core:lib)'
    """
    from bzlgraph.query import Environment, Settings, query
    from bzlgraph.query.answer import OUTPUTS

    loader, graph = session.graph()
    settings = Settings(implicit_deps, tool_deps, keep_going, session.package(loader), loader.workspace.map_repository)
    answer = query(" ".join(expression), Environment(graph, settings))
    write = sys.stdout.write
    for line in OUTPUTS[output](answer):
        write(line + "\n")
    problems = [*answer.problems, *(each for found in graph.diagnostics.values() for each in found)]
    tell(problems)
    tell_gaps(answer.gaps)
    if problems:
        raise click.exceptions.Exit(EXIT_PARTIAL if keep_going else EXIT_FAILED)
    if session.strict and answer.gaps:
        raise click.exceptions.Exit(EXIT_PARTIAL)
