"""``bzlgraph why TARGET --from PATTERN``: the reasons, edge by edge."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import PICTURES, format_for, json_bytes, output_options, prose_bytes, row_bytes
from bzlgraph.cli.query_options import ASSUME_DECLARED, DEPTH_HELP, KEEP_GOING
from bzlgraph.cli.terminal.completion import LABEL
from bzlgraph.snapshot.command_line import DEEPEST

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.questions.reply import Reply
    from bzlgraph.why.answer import WhyAnswer

ROWS = ("table", "csv", "markdown", "jsonl", "parquet", "sqlite")
"""The formats of rows that show the steps: json and html show the whole answer."""
FORMATS = ("text", "json", *PICTURES, "html", *ROWS)


@click.command("why", cls=BazelCommand)
@click.argument("target", type=LABEL)
@click.option(
    "--from",
    "from_",
    type=LABEL,
    default="//...",
    metavar="PATTERN",
    help="Targets whose dependency on TARGET is explained (default //...).",
)
@click.option("--all", "all_paths", is_flag=True, help="Show up to 100 other paths, best first.")
@click.option("--paths", type=click.IntRange(min=0), metavar="N", help="Show up to N other paths, best first.")
@click.option("--depth", type=click.IntRange(1, DEEPEST), default=1, metavar="N", help=DEPTH_HELP)
@output_options(FORMATS)
@KEEP_GOING
@ASSUME_DECLARED
@click.pass_obj
def command(
    options: GlobalOptions, target: str, from_: str, all_paths: bool, paths: int | None, depth: int, output: str | None,
    output_file: Path | None, keep_going: bool, assume_declared: bool, configured: ConfigArguments,
) -> Outcome:  # fmt: skip
    """Explain why TARGET is built: a dependency path that leads to it, with a reason for each edge.

    TARGET is a label or the path of a file.

    Example: bzlgraph why @swig//:swig --from //tensorflow/tools/pip_package:build_pip_package
    """
    from bzlgraph.questions.paths import ask_why
    from bzlgraph.why.ask import MAX_PATHS

    name = format_for(output, output_file, FORMATS)
    session, found = options.session_after_an_edit(configured)
    if found is not None:
        return found
    wanted = paths if paths is not None else MAX_PATHS if all_paths else 0
    reply = ask_why(
        session, target, from_, configured,
        paths=wanted, keep_going=keep_going, assume_declared=assume_declared, depth=depth,
    )  # fmt: skip
    told = frozenset(reply.completeness.gaps) if name == "text" else frozenset()
    return Outcome(
        _pieces(reply, options.row_format(name)),
        reply.completeness,
        reply.notes,
        output_file,
        keep_going,
        told_gaps=told,
    )


def _pieces(reply: Reply[WhyAnswer], output: str) -> Iterator[bytes]:
    if output == "text":
        from bzlgraph.export.why_formats.text import render

        return prose_bytes([f"{render(reply.answer)}\n"])
    if output == "json":
        from bzlgraph.export.why_formats.as_json import to_dict

        return json_bytes(to_dict(reply.answer, reply.completeness))
    if output in ROWS or output == "csv_raw":
        from bzlgraph.export.why_formats.rows import why_table

        return row_bytes(output, why_table(reply.answer, reply.completeness), reply.completeness)
    from bzlgraph.export.pictures.why_picture import why_picture
    from bzlgraph.export.save import picture_bytes

    data = picture_bytes(why_picture(reply.answer), output).data
    return iter([data] if data.endswith(b"\n") or output == "png" else [data, b"\n"])
