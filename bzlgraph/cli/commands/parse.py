"""``bzlgraph parse FILE``: the syntax tree, for people (tree) or programs (json)."""

from __future__ import annotations

from pathlib import Path

import click

from bzlgraph.base.errors import UsageProblem


@click.command("parse")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--output", type=click.Choice(["tree", "json"]), default="tree", show_default=True)
def command(file: Path, output: str) -> None:
    """Show the syntax tree of FILE (BUILD, .bzl, WORKSPACE, MODULE.bazel, .star).

    Example: bzlgraph parse tensorflow/core/BUILD --output=json
    """
    from bzlgraph.syntax import dump, for_path, parse

    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageProblem(f"cannot read {file}: {error.strerror}") from None
    tree = parse(data, str(file), for_path(str(file)))
    click.echo(dump.tree(tree) if output == "tree" else dump.json_text(tree))
