"""``bzlgraph explore [EXPR] -o FILE.html | --serve``: a picture one can walk in."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.words import counted_targets
from bzlgraph.cli import transcript
from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.inputs import expression_of
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import format_for, output_options, say
from bzlgraph.cli.query_options import IMPLICIT_DEPS, KEEP_GOING
from bzlgraph.cli.terminal.completion import LABEL

if TYPE_CHECKING:
    from bzlgraph.base.gap import Completeness
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.explore.exploration import Exploration
    from bzlgraph.export.row_formats.row_table import Row
    from bzlgraph.questions.reply import Reply
    from bzlgraph.questions.session import Session

Asking = Callable[["ConfigArguments"], "Reply[Exploration]"]

FORMATS = ("html",)


@click.command("explore", cls=BazelCommand)
@click.argument("expression", type=LABEL, nargs=-1, metavar="[EXPR]")
@output_options(FORMATS, default="html")
@click.option(
    "--serve",
    is_flag=True,
    help="Serve the page on this machine until Ctrl+C; the browser can then choose other options.",
)
@click.option(
    "--op", "ops", multiple=True, metavar="NAME",
    help="Start at an op: its wrapper, registration, kernels, their files and targets. Repeatable.",
)  # fmt: skip
@IMPLICIT_DEPS
@KEEP_GOING
@click.pass_obj
def command(
    options: GlobalOptions, expression: tuple[str, ...], output: str | None, output_file: Path | None,
    serve: bool, ops: tuple[str, ...], implicit_deps: bool, keep_going: bool, configured: ConfigArguments,
) -> Outcome:  # fmt: skip
    """Write an interactive HTML page of the targets that match EXPR (default //...) and all their dependencies.

    Example: bzlgraph explore //tensorflow/... -o tensorflow.html
    """
    from bzlgraph.export.explorer.page import page
    from bzlgraph.questions.exploration import ask_explore
    from bzlgraph.questions.session import QueryOptions

    format_for(output, output_file, FORMATS, default="html")
    if serve and output_file is not None:
        raise UsageProblem("--serve and -o cannot be combined")
    if serve:
        transcript.forget()  # there is no answer to give again
    session, text = options.session(configured), expression_of(expression, None, "//...")
    asked = QueryOptions(implicit_deps=implicit_deps, keep_going=keep_going)

    def ask(arguments: ConfigArguments) -> Reply[Exploration]:
        return ask_explore(session, text, asked, arguments)

    reply = ask(configured)
    evidence: list[Row] = []
    if ops:
        found, evidence = _evidence(session, ops)
        reply = replace(reply, completeness=reply.completeness.with_more(found.problems, found.gaps))
    if serve:
        _serve(ask, configured, reply.answer, evidence)
        return Outcome([], reply.completeness, reply.notes, keep_going=keep_going)
    data = page(reply.answer, evidence)
    targets = counted_targets(len(reply.answer.nodes), reply.answer.missing)
    said = f"{output_file}: {targets}, {len(data) / 1e6:.1f} MB"
    notes = (*([said] if output_file else []), *reply.notes)
    return Outcome([data], reply.completeness, notes, output_file, keep_going)


def _evidence(session: Session, names: tuple[str, ...]) -> tuple[Completeness, list[Row]]:
    """What backs ops, as the rows of ``op``, and how complete that is."""
    from bzlgraph.export.op_formats.rows import found_rows
    from bzlgraph.questions.framework_ops import ask_ops

    reply = ask_ops(session, names)
    return reply.completeness, found_rows(reply.answer, reply.completeness)


def _serve(ask: Asking, configured: ConfigArguments, known: Exploration, evidence: list[Row]) -> None:
    """Answer a browser until the user has seen enough; ``known`` is what it sees under no more options."""
    from bzlgraph.config.arguments import split_words
    from bzlgraph.export.explorer.server import ExplorerServer
    from bzlgraph.export.explorer.site import ExplorationSite

    def explore(words: str) -> Exploration:
        if not words.strip():
            return known
        rest, more = split_words(shlex.split(words), {})
        if rest:
            raise UsageProblem(f"{rest[0]} is not a Bazel option that affects the configuration")
        tokens, loading = (*configured.tokens, *more.tokens), (*configured.loading, *more.loading)
        return ask(replace(configured, tokens=tokens, loading=loading)).answer

    with ExplorerServer(ExplorationSite(explore, evidence)) as server:
        say(f"{server.address} (Ctrl+C stops it)", passing=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("", passing=True)
