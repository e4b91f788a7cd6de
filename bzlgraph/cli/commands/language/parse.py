"""``bzlgraph parse FILE``: the syntax tree, for people (tree) or programs (json)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.base.errors import SyntaxProblem, UsageProblem
from bzlgraph.base.gap import Completeness
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.inputs import read_file, shown_path
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import format_for, output_options, text_bytes

if TYPE_CHECKING:
    from bzlgraph.syntax.ast import File

FORMATS = ("tree", "json")
SCHEMA = "bzlgraph.parse/1"


@click.command("parse")
@click.argument("file")
@output_options(FORMATS, default="tree")
@click.pass_obj
def command(options: GlobalOptions, /, file: str, output: str | None, output_file: Path | None) -> Outcome:
    """Show the syntax tree of FILE (BUILD, .bzl, WORKSPACE, MODULE.bazel, .star).

    FILE is a path, a label such as //tensorflow/core (its BUILD file), or - for stdin.

    Example: bzlgraph parse tensorflow/core/BUILD --output=json
    """
    from bzlgraph.syntax import for_path, parse

    name = format_for(output, output_file, FORMATS, default="tree")
    shown = shown_path(file)
    try:
        data = read_file(options.directory, file)
    except OSError as error:
        raise UsageProblem(f"cannot read {shown}: {error.strerror}") from None
    try:
        tree, completeness = parse(data, shown, for_path(file)), Completeness()
    except SyntaxProblem as problem:
        tree, completeness = None, Completeness(problem.diagnostics)
    return Outcome(_pieces(tree, name, completeness), completeness, output_file=output_file)


def _pieces(tree: File | None, output: str, completeness: Completeness) -> Iterator[bytes]:
    from bzlgraph.export.row_formats.json_text import completeness_data
    from bzlgraph.syntax import dump

    if output == "tree":
        return text_bytes([dump.tree(tree), "\n"] if tree is not None else [])
    said = {"schema": SCHEMA, **completeness_data(completeness)}
    return text_bytes([json.dumps(said) if tree is None else dump.json_text(tree, said), "\n"])
