"""A command line in this process: words -> exit code, stdout, stderr."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import main


def ended(*words: str) -> tuple[int, bytes, bytes]:
    """How ``bzlgraph WORDS`` ends; packages are loaded in this process."""
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["--jobs=1", *words])
        return int(stop.value.code or 0), out.getvalue(), err.getvalue()


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """How a command ends that is asked of a folder, as texts."""
    code, out, err = ended("-C", str(folder), "--no_cache", *arguments)
    return code, out.decode(), err.decode()
