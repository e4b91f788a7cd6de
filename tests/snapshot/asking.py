"""Asking a question three ways: from the kept graph alone, the full way with a cache, and with no cache at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from bzlgraph.base.words import visible
from bzlgraph.cache import answers
from bzlgraph.cli import transcript
from bzlgraph.cli.main import main
from bzlgraph.snapshot import answer, command_line


class Said(NamedTuple):
    """What a command printed on stdout and stderr, and its exit code."""

    out: str
    told: str
    code: int


def as_typed(command: Sequence[str]) -> list[str]:
    """The command line of a recorded question as people type it, who keep what is kept."""
    return [each for each in command if each not in ("--no_cache", "--")]


def full(arguments: Sequence[str]) -> Said:
    """The full way; with a cache it leaves its graph behind."""
    with CliRunner().isolation() as (out, err, _mixed):
        transcript.begin(arguments)
        with pytest.raises(SystemExit) as stop:
            main(list(arguments))
        said = Said(out.getvalue().decode("utf-8", "backslashreplace"), err.getvalue().decode(), 0)
    assert isinstance(stop.value.code, int)
    return said._replace(code=stop.value.code)


def kept(arguments: Sequence[str]) -> Said | None:
    """From the kept graph alone; None where it goes the full way."""
    asked = command_line.read(arguments)
    found = answer.find(answers.folder_named(arguments), asked) if asked is not None else None
    if found is None:
        return None
    return Said(
        found.out.decode("utf-8", "backslashreplace"), "".join(f"{visible(each)}\n" for each in found.told), found.code
    )
