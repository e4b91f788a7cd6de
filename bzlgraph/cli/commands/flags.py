"""``bzlgraph flags [settings|bazelrc|configure|runtime] [NAME]``: what can be switched, and what that changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.spell import did_you_mean
from bzlgraph.cli import transcript
from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import ROW_FORMATS, format_for, output_options, prose_bytes, row_bytes
from bzlgraph.cli.query_options import KEEP_GOING

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.export.flags_formats.forms import Forms
    from bzlgraph.questions.session import Session

FORMATS = ("text", *ROW_FORMATS)


@click.command("flags", cls=BazelCommand, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="[settings|bazelrc|configure|runtime] [NAME]")
@output_options(FORMATS)
@KEEP_GOING
@click.pass_obj
def command(
    options: GlobalOptions, /, words: tuple[str, ...], output: str | None, output_file: Path | None, keep_going: bool,
    configured: ConfigArguments,
) -> Outcome:  # fmt: skip
    """List settings, configs of .bazelrc, ./configure questions and runtime flags; or trace one NAME.

    With a kind, list only rows that contain NAME (for bazelrc, NAME is a config). Without a kind, trace NAME from the
    ./configure question that sets it to the dependencies it adds.

    Example: bzlgraph flags TF_NEED_CUDA
    """
    kind, name = _split((*words, *_as_names(configured.tokens)))
    output = format_for(output, output_file, FORMATS)
    arguments = replace(configured, tokens=())
    said = _KINDS[kind](options.session(arguments), name, arguments, options.look().colored)
    pieces = (
        prose_bytes(said.text, said.styles)
        if output == "text"
        else row_bytes(options.row_format(output), said.table, said.completeness)
    )
    return Outcome(pieces, said.completeness, said.notes, output_file, keep_going)


def _split(words: tuple[str, ...]) -> tuple[str, str]:
    """(kind, name), either may be ""."""
    kind = words[0] if words and words[0] in _KINDS else ""
    rest = words[1:] if kind else words
    if len(rest) > 1:
        meant = "" if kind else did_you_mean(rest[0], filter(None, _KINDS))
        raise UsageProblem(f"flags takes one name, not several: {' '.join(rest)}{meant}")
    return kind, rest[0] if rest else ""


def _as_names(tokens: Sequence[str]) -> list[str]:
    """An option of Bazel is the name that is asked for: ``flags --config=cuda``, ``flags --config cuda``."""
    whole = len(tokens) == 2 and tokens[0].startswith("--") and "=" not in tokens[0] and tokens[1][:1] != "-"
    return ["=".join(tokens)] if whole else list(tokens)


def _configure(session: Session, name: str, _arguments: ConfigArguments, _colored: bool) -> Forms:
    from bzlgraph.export.flags_formats.forms import configure_forms
    from bzlgraph.questions.switches import ask_configure

    reply = ask_configure(session, name)
    return configure_forms(reply.answer.source, reply.answer.rows, reply.completeness)


def _settings(session: Session, name: str, _arguments: ConfigArguments, _colored: bool) -> Forms:
    from bzlgraph.export.flags_formats.forms import settings_forms
    from bzlgraph.questions.switches import ask_settings

    reply = ask_settings(session, name)
    return settings_forms(reply.answer.rows, reply.completeness)


def _runtime(session: Session, name: str, _arguments: ConfigArguments, _colored: bool) -> Forms:
    from bzlgraph.export.flags_formats.forms import runtime_forms
    from bzlgraph.questions.switches import ask_runtime

    reply = ask_runtime(session, name)
    return runtime_forms(reply.answer.rows, reply.completeness)


def _bazelrc(session: Session, name: str, arguments: ConfigArguments, colored: bool) -> Forms:
    from bzlgraph.export.flags_formats.bazelrc_text import STYLES, text
    from bzlgraph.export.flags_formats.forms import Forms
    from bzlgraph.export.flags_formats.rows import flags_table
    from bzlgraph.flags.bazelrc_table import rows
    from bzlgraph.questions.switches import ask_bazelrc

    reply = ask_bazelrc(session, name.removeprefix("--config="), arguments)
    table = flags_table("bazelrc", list(rows(reply.answer)))
    return Forms([text(reply.answer, colored), "\n"], table, reply.completeness, reply.notes, STYLES if colored else ())


def _trace(session: Session, name: str, arguments: ConfigArguments, _colored: bool) -> Forms:
    from bzlgraph.export.flags_formats.forms import overview_forms, trace_forms
    from bzlgraph.questions.switches import ask_knowledge, ask_trace, refuse_early

    refuse_early(session, name, arguments)
    overview = ask_knowledge(session, arguments)
    if (noted := transcript.current()) is not None:
        noted.switches = overview.answer  # whatever becomes of the name
    if not name:
        return overview_forms(overview.answer, overview.completeness)
    reply = ask_trace(session, name, arguments)
    (trace,) = reply.answer.rows
    return trace_forms(trace, reply.answer.source, reply.completeness)


_KINDS: dict[str, Callable[[Session, str, ConfigArguments, bool], Forms]] = {
    "settings": _settings,
    "bazelrc": _bazelrc,
    "configure": _configure,
    "runtime": _runtime,
    "": _trace,
}
