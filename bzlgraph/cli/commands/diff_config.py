"""``bzlgraph diff-config EXPR LEFT... --vs RIGHT...``: what another configuration adds and removes.

Bazel's options before ``--vs`` are the left configuration, those after it the right one; the command's own options and
EXPR may stand on either side. Without ``--vs`` all are those of the right one, but which rc files are read counts for
both: what they say at all times is no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.cli.config_options import BazelCommand, refuse_lost_dashes_of, split_options
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.inputs import expression_of
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import PICTURES, ROW_FORMATS, format_for, output_options, prose_bytes, row_bytes
from bzlgraph.cli.query_options import options_of, query_options
from bzlgraph.cli.terminal.completion import LABEL

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.diff.model import DiffAnswer
    from bzlgraph.questions.reply import Reply

FORMATS = ("text", *ROW_FORMATS, *PICTURES)
_BETWEEN = "--vs"


class _TwoSides(BazelCommand):
    """A command that takes options of Bazel twice."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for word in args:
            if word.startswith(f"{_BETWEEN}="):
                hint = f"options follow it: {_BETWEEN} -c {word.partition('=')[2]}"
                raise UsageProblem(Diagnostic(f"{word}: {_BETWEEN} takes no value", hint=hint))
        count = spoken = args.count(_BETWEEN)
        if count == 0 and not {"-h", "--help"} & set(args) and split_options(self, ctx, args)[1].given:
            args, count = [_BETWEEN, *args], 1
        if count != 1 and not {"-h", "--help"} & set(args):
            said = f"missing {_BETWEEN}" if count == 0 else f"{_BETWEEN} is given {count} times"
            hint = f"bzlgraph diff-config EXPR --config=opt {_BETWEEN} --config=opt --config=cuda"
            raise UsageProblem(Diagnostic(said, hint=hint))
        place = args.index(_BETWEEN) if count else len(args)
        rest, left = split_options(self, ctx, args[:place])
        more, right = split_options(self, ctx, args[place + 1 :])
        left = left if spoken else left.reading(right)
        refuse_lost_dashes_of(self, ctx, [*rest, *more])
        rest = click.Command.parse_args(self, ctx, [*rest, *more])
        ctx.params |= {"left": left, "right": right}
        return rest


@click.command("diff-config", cls=_TwoSides)
@click.argument(
    "expression", type=LABEL, nargs=-1, required=True, metavar=f"EXPR [BAZEL OPTIONS] {_BETWEEN} [BAZEL OPTIONS]"
)
@output_options(FORMATS)
@click.option("--all", "everything", is_flag=True, help="List all differences in text output.")
@query_options
@click.pass_obj
def command(
    options: GlobalOptions, /, expression: tuple[str, ...], query_file: Path | None, output: str | None,
    output_file: Path | None, everything: bool, left: ConfigArguments, right: ConfigArguments, **values: Any,
) -> Outcome:  # fmt: skip
    """Compare two configurations: targets, edges, sources, copts, defines, linkopts.

    If EXPR is a plain pattern, deps(EXPR) is compared. A side without Bazel options uses Bazel's defaults and the
    .bazelrc; so does the left side if there is no --vs.

    Example: bzlgraph diff-config //tensorflow/core:lib -c opt --vs -c opt --config=cuda -o cuda.svg
    """
    from bzlgraph.questions.differences import ask_diff

    asked = options_of(values)
    name = format_for(output, output_file, FORMATS)
    text = expression_of(expression, query_file)
    session = options.session(replace(left, loading=(*left.loading, *right.loading)))
    reply = ask_diff(session, text, left, right, asked)
    return Outcome(
        _pieces(reply, options.row_format(name), everything),
        reply.completeness,
        reply.notes,
        output_file,
        asked.keep_going,
    )


def _pieces(reply: Reply[DiffAnswer], output: str, everything: bool) -> Iterator[bytes]:
    if output == "text":
        from bzlgraph.export.diff_formats.text import text

        return prose_bytes(text(reply.answer, everything=everything))
    if output in PICTURES:
        from bzlgraph.export.diff_formats.picture import diff_picture
        from bzlgraph.export.save import picture_bytes

        return iter([picture_bytes(diff_picture(reply.answer), output).data])
    from bzlgraph.export.diff_formats.rows import diff_table

    return row_bytes(output, diff_table(reply.answer), reply.completeness)
