"""``bzlgraph flags [settings|bazelrc|configure|runtime] [NAME]``: what can be switched, and what that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bzlgraph.base.errors import UsageProblem
from bzlgraph.cli.config_options import ConfiguredCommand, config_options
from bzlgraph.cli.printing import ROW_FORMATS, print_bytes
from bzlgraph.cli.session import EXIT_PARTIAL, Session, tell, tell_gaps

if TYPE_CHECKING:
    from bzlgraph.base.gap import Gap
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.export.row_formats.row_table import RowTable

FORMATS = ("text", *ROW_FORMATS)


@click.command("flags", cls=ConfiguredCommand, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="[settings|bazelrc|configure|runtime] [NAME]")
@click.option(
    "--output", type=click.Choice(FORMATS), default="text", show_default=True, metavar="FORMAT",
    help=f"How to print: {', '.join(FORMATS)}.",
)  # fmt: skip
@click.option("-o", "--output_file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Print there instead.")  # fmt: skip
@config_options
@click.pass_obj
def command(
    session: Session, /, words: tuple[str, ...], output: str, output_file: Path | None, configured: ConfigArguments
) -> None:
    """What can be switched: settings, configs, questions of configure, flags of the programs; or all about one NAME.

    With a kind, NAME keeps the rows in which it occurs; of bazelrc it is a config. Without a kind, NAME is followed
    from the question that asks for it to the dependencies that it adds.

    Example: bzlgraph flags with_jemalloc
    """
    kind, name = _split((*words, *_as_names(configured.tokens)))
    text, table, gaps = _KINDS[kind](session, name, replace(configured, tokens=()))
    if output == "text":
        pieces: Iterator[bytes] = (piece.encode("utf-8", "surrogateescape") for piece in text)
    else:
        from bzlgraph.export.row_formats.formats import write_rows

        pieces = write_rows(output, table)
    print_bytes(pieces, output_file)
    tell_gaps(gaps)
    if session.strict and gaps:
        raise click.exceptions.Exit(EXIT_PARTIAL)


def _split(words: tuple[str, ...]) -> tuple[str, str]:
    """(kind, name), either may be ""."""
    kind = words[0] if words and words[0] in _KINDS else ""
    rest = words[1:] if kind else words
    if len(rest) > 1:
        raise UsageProblem(f"one name at a time: {' '.join(rest)}")
    return kind, rest[0] if rest else ""


def _as_names(tokens: Sequence[str]) -> list[str]:
    """An option of Bazel is the name that is asked for: ``flags --config=cuda``, ``flags --config cuda``."""
    whole = len(tokens) == 2 and tokens[0].startswith("--") and "=" not in tokens[0] and tokens[1][:1] != "-"
    return ["=".join(tokens)] if whole else list(tokens)


Answer = tuple[Iterable[str], "RowTable", "Sequence[Gap]"]


def _configure(session: Session, name: str, _arguments: ConfigArguments) -> Answer:
    from bzlgraph.export.flags_formats.rows import configure_table
    from bzlgraph.export.flags_formats.text import configure_text
    from bzlgraph.flags.configure.questions import configure

    found = configure(session.loader().workspace.repository("").tree.source)
    rows = _naming(name, found.rows, lambda row: row.cells())
    return configure_text(found, rows), configure_table(rows), found.gaps


def _settings(session: Session, name: str, _arguments: ConfigArguments) -> Answer:
    from bzlgraph.config.arguments import option_table
    from bzlgraph.export.flags_formats.rows import settings_table
    from bzlgraph.export.flags_formats.text import settings_text
    from bzlgraph.flags.settings.rows import settings

    loader, graph = session.graph()
    found = settings(graph, option_table(loader.workspace))
    rows = _naming(name, found.rows, lambda row: (row.label, row.kind, *row.reads))
    tell(graph.package_diagnostics())
    return settings_text(found, rows), settings_table(rows), found.gaps


def _runtime(session: Session, name: str, _arguments: ConfigArguments) -> Answer:
    from bzlgraph.export.flags_formats.rows import runtime_table
    from bzlgraph.export.flags_formats.text import runtime_text
    from bzlgraph.flags.runtime.runtime_flags import runtime_flags

    tree = session.loader().workspace.repository("").tree
    found = runtime_flags(tree.source, tree.entries)
    rows = _naming(name, found.rows, lambda row: (row.group, row.name, row.description))
    return runtime_text(rows), runtime_table(rows), found.gaps


def _bazelrc(session: Session, name: str, arguments: ConfigArguments) -> Answer:
    from bzlgraph.export.flags_formats.bazelrc_text import text
    from bzlgraph.export.flags_formats.rows import bazelrc_rows
    from bzlgraph.flags.bazelrc_table import bazelrc_view

    view = bazelrc_view(session.loader().workspace, arguments, name.removeprefix("--config="))
    tell(list(view.problems))
    return [text(view, session.colored()), "\n"], bazelrc_rows(view), ()


def _story(session: Session, name: str, arguments: ConfigArguments) -> Answer:
    from bzlgraph.export.flags_formats.overview import overview_table, overview_text
    from bzlgraph.export.flags_formats.rows import story_table
    from bzlgraph.export.flags_formats.story_text import story_text
    from bzlgraph.flags.knowledge import read_knowledge
    from bzlgraph.flags.trace import tell as tell_story

    loader, graph = session.graph()
    known = read_knowledge(loader.workspace, graph, arguments)
    if not name:
        return overview_text(known), overview_table(known), known.gaps
    story = tell_story(name, known)
    return story_text(story, known), story_table(list(story.steps())), story.gaps


_KINDS: dict[str, Callable[[Session, str, ConfigArguments], Answer]] = {
    "settings": _settings,
    "bazelrc": _bazelrc,
    "configure": _configure,
    "runtime": _runtime,
    "": _story,
}


def _naming(name: str, rows: Sequence[Any], texts: Callable[[Any], Iterable[object]]) -> list[Any]:
    """The rows that have a name in one of their texts. Raises UsageProblem when there is none."""
    wanted = name.lstrip("-").lower()
    found = [row for row in rows if wanted in " ".join(map(str, texts(row))).lower()]
    if name and rows and not found:
        raise UsageProblem(f"no row has '{name}' in it")
    return found
