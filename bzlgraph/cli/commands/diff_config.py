"""``bzlgraph diff-config EXPR LEFT... --vs RIGHT...``: what another configuration adds and removes.

Bazel's options before ``--vs`` are the left configuration, those after it the right one; the command's own options and
EXPR may stand on either side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.cli.config_options import ConfiguredCommand, own_options, take_options
from bzlgraph.cli.configured import tell_files
from bzlgraph.cli.printing import ROW_FORMATS, print_bytes
from bzlgraph.cli.question import Question, question_options
from bzlgraph.cli.session import EXIT_FAILED, EXIT_PARTIAL, Session, tell, tell_gaps

if TYPE_CHECKING:
    from bzlgraph.diff import DiffAnswer

PICTURES = ("dot", "svg", "png", "mermaid")
FORMATS = ("text", *ROW_FORMATS, *PICTURES)
_ENDINGS = {"md": "markdown", "mmd": "mermaid", "gv": "dot", "htm": "html", "txt": "text", "pq": "parquet"}
_BETWEEN = "--vs"
_KEY = "bzlgraph.sides"


class _TwoSides(ConfiguredCommand):
    """A command that takes options of Bazel twice."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, version = own_options(self, ctx), str(getattr(ctx.obj, "bazel_version", ""))
        count = args.count(_BETWEEN)
        if count != 1 and not {"-h", "--help"} & set(args):
            told = "what is it compared with?" if count == 0 else f"{_BETWEEN} is there {count} times"
            hint = f"bzlgraph diff-config EXPR --config=opt {_BETWEEN} --config=opt --config=cuda"
            raise UsageProblem(Diagnostic(told, hint=hint))
        place = args.index(_BETWEEN) if count else len(args)
        rest, left = take_options(args[:place], own, version)
        more, right = take_options(args[place + 1 :], own, version)
        ctx.meta[_KEY] = left, right
        return click.Command.parse_args(self, ctx, [*rest, *more])


@click.command("diff-config", cls=_TwoSides)
@click.argument("expression", nargs=-1, required=True, metavar=f"EXPR [OPTIONS OF BAZEL] {_BETWEEN} [OPTIONS OF BAZEL]")
@click.option(
    "--output", type=click.Choice(FORMATS), metavar="FORMAT",
    help=f"How to print: {', '.join(FORMATS)}. [default: as FILE ends, else text]",
)  # fmt: skip
@click.option("-o", "--output_file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Print there instead.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="List all differences in the text, however many.")
@question_options
@click.pass_context
def command(
    ctx: click.Context, /, expression: tuple[str, ...], output: str | None, output_file: Path | None,
    everything: bool, **values: Any,
) -> None:  # fmt: skip
    """What changes when one configuration becomes another: targets, edges, sources, copts, defines, linkopts.

    A plain pattern stands for what it needs: deps(EXPR). No options of Bazel on a side: its defaults and the .bazelrc.

    Example: bzlgraph diff-config //tensorflow/core:lib --config=opt --vs --config=opt --config=cuda -o cuda.svg
    """
    from bzlgraph.api import ask_diff

    session: Session = ctx.obj
    left, right = ctx.meta[_KEY]
    asked = Question(**{each.name: values.pop(each.name) for each in fields(Question)})
    loader, graph = asked.loaded(session)
    answer, sides = ask_diff(
        loader,
        graph,
        asked.text(expression),
        left,
        right,
        lambda text, view: asked.of_graph(session, text, loader, view),
    )
    print_bytes(_written(answer, _format(output, output_file), everything), output_file)
    configurations = [side.settings.configuration for side in (answer.left, answer.right)]
    tell_files(*configurations)
    tell([problem for each in configurations for problem in each.problems])
    problems = list(dict.fromkeys([*sides[0].problems, *sides[1].problems, *graph.package_diagnostics()]))
    tell(problems)
    gaps = tuple(dict.fromkeys([*sides[0].gaps, *sides[1].gaps]))
    tell_gaps(gaps)
    if problems:
        raise click.exceptions.Exit(EXIT_PARTIAL if asked.keep_going else EXIT_FAILED)
    if session.strict and gaps:
        raise click.exceptions.Exit(EXIT_PARTIAL)


def _format(output: str | None, output_file: Path | None) -> str:
    """What ``--output`` says, else what the file's name says."""
    if output is not None or output_file is None:
        return output or "text"
    ending = output_file.suffix.removeprefix(".").lower()
    name = _ENDINGS.get(ending, ending)
    if name not in FORMATS:
        hint = f"give --output: {', '.join(FORMATS)}"
        raise UsageProblem(Diagnostic(f"{output_file}: no format is called '.{ending}'", hint=hint))
    return name


def _written(answer: DiffAnswer, output: str, everything: bool) -> Iterator[bytes]:
    if output == "text":
        from bzlgraph.export.diff_formats.text import text

        return (piece.encode("utf-8", "surrogateescape") for piece in text(answer, everything=everything))
    if output in PICTURES:
        from bzlgraph.export.diff_formats.picture import diff_picture
        from bzlgraph.export.save import picture_bytes

        return iter([picture_bytes(diff_picture(answer), output).data])
    from bzlgraph.export.diff_formats.rows import diff_table
    from bzlgraph.export.row_formats.formats import write_rows

    return write_rows(output, diff_table(answer))
