"""Writes ``docs/bzlgraph.1``, the manual page, from the help texts; ``man docs/bzlgraph.1`` shows it.

The wheel installs it, so that ``man bzlgraph`` works where the environment's ``share/man`` is looked into.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import click

from bzlgraph import __version__
from bzlgraph.cli.group import COMMANDS
from bzlgraph.cli.main import cli
from bzlgraph.cli.outcome import ExitCode

PAGE = Path(__file__).parents[2] / "docs" / "bzlgraph.1"
_CODES = {
    ExitCode.ANSWERED: "answered, with an empty answer and with gaps, too",
    ExitCode.SAYS_NO: "a check that was asked for failed",
    ExitCode.USAGE: "bad command line, option or query",
    ExitCode.PARTIAL: "partial answer: problems with -k, gaps with --strict",
    ExitCode.FAILED: "something is broken or does not exist",
    ExitCode.BUG: "internal error",
    ExitCode.INTERRUPTED: "interrupted",
    ExitCode.UNREAD: "whoever reads stdout stopped reading",
}


def text() -> str:
    """The page, in the language of man(7)."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    context = click.Context(cli, info_name="bzlgraph", help_option_names=cli.context_settings["help_option_names"])
    yield f'.TH BZLGRAPH 1 "" "bzlgraph {__version__}" "User Commands"'
    yield ".SH NAME\nbzlgraph \\- answers questions about a Bazel build without Bazel"
    yield ".SH SYNOPSIS\n.B bzlgraph\n[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGS\\fR]"
    yield ".SH DESCRIPTION"
    yield from _paragraphs(cli.help or "")
    yield ".SH OPTIONS"
    yield from _options(cli, context)
    yield ".SH COMMANDS"
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        own = click.Context(command, info_name=name, parent=context)
        yield f".SS bzlgraph {_roff(name)} {_roff(' '.join(command.collect_usage_pieces(own)))}"
        yield from _paragraphs(command.help or "")
        yield from _options(command, own)
    yield ".SH FILES"
    yield ".TP\n$XDG_CONFIG_HOME/bzlgraph/config.toml\nDefaults of every option."
    yield ".TP\n\\&.bzlgraphrc, [tool.bzlgraph] of pyproject.toml\nDefaults of a checkout: what is shown, and how."
    yield ".TP\n$XDG_CACHE_HOME/bzlgraph\nWhat is kept from one question to the next."
    yield ".SH EXIT STATUS"
    yield from (f".TP\n{code.value}\n{_roff(_CODES[code])}" for code in ExitCode)


def _paragraphs(help_text: str) -> Iterator[str]:
    for block in inspect.cleandoc(help_text).split("\n\n"):
        kept = block.startswith("\b")
        yield ".PP" + ("\n.nf" if kept else "")
        yield _roff(block.removeprefix("\b").strip("\n") if kept else " ".join(block.split()))
        if kept:
            yield ".fi"


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield f".TP\n.B {_roff(record[0])}\n{_roff(' '.join(record[1].split()))}"


def _roff(shown: str) -> str:
    """Text as it is: no command of roff, no hyphen where an option has a dash."""
    escaped = shown.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in escaped.split("\n"))


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
