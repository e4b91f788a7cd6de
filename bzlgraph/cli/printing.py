"""Formats of answers: their names, the options that choose one, and what the ending of a file's name chooses."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.words import Prose, visible, visible_bytes
from bzlgraph.cache import counters, looks
from bzlgraph.cli import transcript
from bzlgraph.cli.terminal.layout import linked, look_now
from bzlgraph.cli.terminal.progress import LINE

if TYPE_CHECKING:
    from bzlgraph.base.gap import Completeness
    from bzlgraph.export.row_formats.row_table import RowTable

ROW_FORMATS = ("table", "csv", "markdown", "json", "jsonl", "html", "parquet", "sqlite")
"""The names of ``export.row_formats.formats.FORMATS``, which is not imported for --help."""
ROWS_ONLY = tuple(name for name in ROW_FORMATS if name != "json")
"""Those of an answer whose JSON is no list of rows."""
PICTURES = ("dot", "svg", "png", "pdf", "mermaid")
"""Those of ``export.save.PICTURE_FORMATS`` but html, which other formats may be too."""
ENDINGS = {
    "db": "sqlite",
    "gv": "dot",
    "htm": "html",
    "md": "markdown",
    "mmd": "mermaid",
    "pq": "parquet",
    "txt": "text",
}
"""Endings of file names that are not the name of their format."""

Command = TypeVar("Command", bound=Callable[..., object])


def output_options(formats: Sequence[str], default: str = "text") -> Callable[[Command], Command]:
    """Add ``--output`` and ``-o`` to a click command, which gets ``output`` (or None) and ``output_file``."""

    def add(command: Command) -> Command:
        names = ", ".join(formats)
        command = click.option(
            "-o", "--output_file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
            help="Write to FILE; its extension chooses the format.",
        )(command)  # fmt: skip
        return click.option(
            "--output", type=click.Choice(formats), metavar="FORMAT",
            help=f"Output format: {names}. [default: by FILE's extension, else {default}]",
        )(command)  # fmt: skip

    return add


def format_for(
    output: str | None,
    output_file: Path | None,
    formats: Sequence[str],
    default: str = "text",
    plain: Sequence[str] = (),
) -> str:
    """The format that ``--output`` names, else the one that the file's ending names. Raises UsageProblem.

    ``plain``: further endings of the default.

    >>> format_for(None, Path("answer.MD"), ["text", "markdown"]), format_for("csv", Path("a.md"), ["csv"])
    ('markdown', 'csv')
    """
    if output is not None or output_file is None:
        return output or default
    ending = output_file.suffix.removeprefix(".").lower()
    name = ENDINGS.get(ending, ending)
    if name == "text" or not ending or ending in plain:
        return default
    if name not in formats:
        drawn = f"bzlgraph graph 'deps(TARGET)' -o {output_file} draws a picture; " if name in PICTURES else ""
        hint = f"{drawn}choose with --output: {', '.join(formats)}"
        raise UsageProblem(Diagnostic(f"{output_file}: this answer cannot be written as '.{ending}'", hint=hint))
    return name


def text_bytes(pieces: Iterable[str]) -> Iterator[bytes]:
    """Text as bytes that a terminal can bear: what a checkout says cannot command it."""
    return visible_bytes(pieces)


def prose_bytes(pieces: Iterable[str], styles: Sequence[str] = ()) -> Iterator[bytes]:
    """Whole lines for people, as bytes that a terminal can bear and that are laid out for it.

    ``styles`` are our own commands to a terminal; whoever writes them lets none through from the checkout.
    """
    if not styles:
        return visible_bytes(pieces, kind=Prose)
    parts = re.split(f"({'|'.join(map(re.escape, styles))})", "".join(pieces))
    shown = "".join(visible(part) if number % 2 == 0 else part for number, part in enumerate(parts))
    return iter([Prose(shown.encode())])


def say(text: str, passing: bool = False) -> None:
    """Show text on stderr; a terminal can bear it. What is ``passing`` belongs to this run, not to the answer."""
    shown, noted = linked(visible(text), look_now("no", sys.stderr)), transcript.current()
    LINE.hide()
    click.echo(shown, err=True)
    if noted is not None and not passing:
        noted.told.append(shown)


def row_bytes(output: str, table: RowTable, completeness: Completeness) -> Iterator[bytes]:
    """A table in a format, with what its JSON says of completeness."""
    from bzlgraph.export.row_formats.formats import write_rows

    return write_rows(output, replace(table, completeness=completeness))


def json_bytes(data: object) -> Iterator[bytes]:
    """One JSON value, indented."""
    from bzlgraph.export.plain_data import json_text

    return text_bytes([json_text(data)])


def profile_lines() -> list[str]:
    """What ``--profile`` tells of a command that went the full way."""
    if (noted := transcript.current()) is not None and noted.of_kept:
        return counters.lines("answered from the graph that an earlier question kept")
    if (seen := looks.recorded()) is not None:
        counters.count(counters.LOOKED_AT, len(seen.states))
    return counters.lines("packages were loaded")
