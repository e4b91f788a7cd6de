"""A command line in this process: words -> exit code, stdout, stderr."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import main


def ended(*words: str) -> tuple[int, bytes, bytes]:
    """How ``bzlgraph WORDS`` ends; packages are loaded in this process."""
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["--jobs=1", *words])
        return int(stop.value.code or 0), out.getvalue(), err.getvalue()
