"""``bzlgraph why TARGET --from PATTERN``: the reasons, edge by edge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.cli.config_options import ConfiguredCommand, config_options
from bzlgraph.cli.printing import print_bytes
from bzlgraph.cli.session import EXIT_PARTIAL, Session, tell

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.why.answer import WhyAnswer

FORMATS = ("text", "json", "dot", "svg", "mermaid", "html")


@click.command("why", cls=ConfiguredCommand)
@click.argument("target")
@click.option("--from", "from_", default="//...", metavar="PATTERN", help="Whose dependency it is; default //...")
@click.option("--all", "all_paths", is_flag=True, help="The other shortest paths too.")
@click.option("--output", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("-o", "--output_file", type=click.Path(path_type=Path), help="Write the answer there instead of stdout.")
@config_options
@click.pass_obj
def command(
    session: Session, target: str, from_: str, all_paths: bool, output: str, output_file: Path | None,
    configured: ConfigArguments,
) -> None:  # fmt: skip
    """Why TARGET is built: the chain from those who need it, each step with its reason.

    Example: bzlgraph why @swig//:swig --from //tensorflow/tools/pip_package:build_pip_package
    """
    from bzlgraph.api import ask_why

    loader, graph = session.graph(configured=configured)
    answer = ask_why(loader, graph, target, from_, all_paths)
    text = _rendered(answer, output)
    print_bytes((text.encode("utf-8"), b"" if text.endswith("\n") else b"\n"), output_file)
    tell([each for found in graph.diagnostics.values() for each in found][:SHOWN_PROBLEMS])
    if session.strict and (answer.gaps or answer.gaps_elsewhere):
        raise click.exceptions.Exit(EXIT_PARTIAL)


SHOWN_PROBLEMS = 5


def _rendered(answer: WhyAnswer, output: str) -> str:
    if output == "text":
        from bzlgraph.export.why_formats.text import render

        return render(answer)
    if output == "json":
        import json

        from bzlgraph.export.why_formats.as_json import to_dict

        return json.dumps(to_dict(answer), indent=2, ensure_ascii=False)
    from bzlgraph.export.pictures.why_picture import why_picture
    from bzlgraph.export.save import picture_bytes

    return picture_bytes(why_picture(answer), output).data.decode()
