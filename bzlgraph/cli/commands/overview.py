"""``bzlgraph overview``, or ``bzlgraph`` alone in a checkout: what it is, and what to ask next, on one screen."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from bzlgraph.base.causes import causes
from bzlgraph.base.words import counted, printable
from bzlgraph.cli import transcript
from bzlgraph.cli.config_options import LoadingCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import ROW_FORMATS, format_for, output_options, prose_bytes, row_bytes, text_bytes

if TYPE_CHECKING:
    from bzlgraph.base.gap import Completeness
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.questions.overview import Overview
    from bzlgraph.questions.reply import Reply

FORMATS = ("text", *ROW_FORMATS)
SCHEMA = "bzlgraph.overview/1"
SHOWN, WIDTH, LINES = 6, 100, 3
_UNBROKEN = "\N{NO-BREAK SPACE}"
"""Stands for a space that no line ends at. No name that is printed has one: it is not printable."""


@click.command("overview", cls=LoadingCommand)
@output_options(FORMATS)
@click.pass_obj
def command(
    options: GlobalOptions, /, output: str | None, output_file: Path | None, configured: ConfigArguments
) -> Outcome:
    """Summarize a checkout: kinds of rules, entry points, largest packages, most used targets, configs, and what to
    ask next. This is the default command.

    Example: bzlgraph -C tensorflow overview
    """
    from bzlgraph.questions.overview import ask_overview, overview_reply

    name, session = format_for(output, output_file, FORMATS), options.session(configured)

    def shown(reply: Reply[Overview]) -> Outcome:
        return _shown(options, name, output_file, reply)

    kept = transcript.from_kept_graph(lambda ask: shown(overview_reply(session, configured, ask("//..."))))
    return kept or shown(ask_overview(session, configured))


def _shown(options: GlobalOptions, name: str, output_file: Path | None, reply: Reply[Overview]) -> Outcome:
    from bzlgraph.export.row_formats.row_table import RowTable, columns
    from bzlgraph.questions.overview import COLUMNS

    pieces: Iterator[bytes]
    if name == "text":
        width = WIDTH if output_file is not None else min(WIDTH, options.look().width or WIDTH)
        said = prose_bytes(f"{line}\n" for line in _lines(reply.answer, reply.completeness, width))
        # Commands are copied: nothing breaks their lines.
        pieces = chain(said, text_bytes(f"{line}\n" for line in _next_lines(reply.answer, options.directory)))
    else:
        table = RowTable("overview", columns(COLUMNS, count="integer"), reply.answer.rows, SCHEMA)
        pieces = row_bytes(options.row_format(name), table, reply.completeness)
    told = frozenset(reply.completeness.gaps)
    return Outcome(pieces, reply.completeness, reply.notes, output_file, keep_going=True, told_gaps=told)


def _lines(found: Overview, completeness: Completeness, width: int) -> Iterator[str]:
    counts = ((found.packages, "package"), (found.rules, "rule"), (found.targets, "target"), (found.tests, "test"))
    yield f"{', '.join(counted(*each) for each in counts)}, read as Bazel {found.version}"
    yield from _listed("kinds", (f"{name} {number:,}" for name, number in found.kinds), width)
    yield from _listed("largest packages", (f"{name} ({number:,})" for name, number in found.largest), width)
    yield from _listed("to build and run", (f"{label} ({kind})" for label, kind, _ in found.entries), width)
    yield from _listed("most depended on", (f"{label} ({number:,})" for label, number in found.used), width)
    yield from _listed("configs", found.configs, width)
    if completeness.gaps:
        gaps = completeness.gaps
        yield f"incomplete: {counted(len(gaps), 'gap')} of {counted(len(causes(gaps)), 'cause')} (bzlgraph doctor)"


def _next_lines(found: Overview, directory: str) -> Iterator[str]:
    yield "\nask next"
    yield from (f"  {line}" for line in _next(found, directory))


def _listed(what: str, items: Iterable[object], width: int) -> Iterator[str]:
    """The first of many, as many as three lines of the usual width hold, and how many there are more. No line ends
    inside of one of them."""
    listed = [printable(str(each)).replace(" ", _UNBROKEN) for each in items]
    text = ""
    for shown in range(min(SHOWN, len(listed)), 0, -1):
        more = f" ...{_UNBROKEN}{len(listed) - shown:,}{_UNBROKEN}more" if len(listed) > shown else ""
        text = f"{what}: {', '.join(listed[:shown])}{more}"
        if len(_wrapped(text, WIDTH)) <= LINES:
            break
    lines = _wrapped(text, width)
    yield from (line.replace(_UNBROKEN, " ") for line in lines)


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _next(found: Overview, directory: str) -> Iterator[str]:
    """Questions about this very checkout."""
    words = ["bzlgraph", *(["-C", directory] if directory != "." else [])]
    entry = found.entries[0][0] if found.entries else None
    base = found.base
    asked: list[list[str]] = []
    if entry is not None and base is not None:
        asked.append(["why", str(base), "--from", str(entry)])
    if entry is not None:
        asked.append(["graph", f"deps({entry})", "-o", "deps.svg"])
    if base is not None:
        asked.append(["query", f"rdeps(//..., {base}, 1)"])
    if found.configs:
        asked.append(["flags", "bazelrc", found.configs[0]])
    asked.append(["doctor"])
    yield from (printable(shlex.join([*words, *each])) for each in asked)
