"""``bzlgraph graph EXPR -o FILE``: a picture people can read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.cli.config_options import ConfiguredCommand, config_options
from bzlgraph.cli.session import Session, tell, tell_gaps

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments


@click.command("graph", cls=ConfiguredCommand)
@click.argument("expression", nargs=-1, required=True, metavar="EXPR")
@click.option(
    "-o", "--output_file", type=click.Path(path_type=Path), metavar="FILE.{dot,svg,png,html,mmd,graphml,json}",
    help="Where to write; the ending chooses the format. Without it dot text goes to stdout.",
)  # fmt: skip
@click.option(
    "--collapse", type=click.Choice(["auto", "none", "package", "repo"]), default="auto", show_default=True,
    help="Draw packages or repositories as one node; auto: when the picture would be unreadable.",
)  # fmt: skip
@click.option("--max_nodes", type=click.IntRange(min=1), help="Collapse rather than draw more nodes than this.")
@click.option("--implicit_deps/--noimplicit_deps", "implicit_deps", default=True, help="Draw what nobody wrote.")
@config_options
@click.pass_obj
def command(
    session: Session, expression: tuple[str, ...], output_file: Path | None, collapse: str, max_nodes: int | None,
    implicit_deps: bool, configured: ConfigArguments,
) -> None:  # fmt: skip
    """A picture of the targets that match EXPR and the dependencies among them.

    Example: bzlgraph graph 'deps(//tensorflow/core:lib, 2)' -o lib.svg
    """
    from bzlgraph.export.save import graph_bytes, save_graph
    from bzlgraph.query import Environment, Settings, query

    loader, graph = session.graph(configured=configured)
    settings = Settings(implicit_deps, package=session.package(loader), mapping=loader.workspace.map_repository)
    answer = query(" ".join(expression), Environment(graph, settings))
    if output_file is None:
        saved = graph_bytes(answer, "dot", collapse=collapse, max_nodes=max_nodes)
        click.echo(saved.data.decode(), nl=False)
    else:
        saved = save_graph(answer, output_file, collapse=collapse, max_nodes=max_nodes)
        click.echo(f"{output_file}: {len(answer)} targets", err=True)
    for note in saved.notes:
        click.echo(note, err=True)
    tell(list(answer.problems))
    tell_gaps(answer.gaps)
