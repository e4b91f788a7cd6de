"""``bzlgraph expand LABEL``: the target as plain rules, with the macro stack that made it."""

from __future__ import annotations

import click

from bzlgraph.cli.session import Session, tell


@click.command("expand")
@click.argument("labels", nargs=-1, required=True, metavar="LABEL...")
@click.pass_obj
def command(session: Session, labels: tuple[str, ...]) -> None:
    """Show targets as plain BUILD text: what the macros made of them. A pattern such as //a:all shows several.

    Example: bzlgraph expand //tensorflow/python:pywrap_tensorflow_internal
    """
    from bzlgraph.api import expand_texts

    loader, graph = session.graph()
    click.echo("\n\n".join(expand_texts(loader, graph, labels)))
    tell([each for found in graph.diagnostics.values() for each in found])
