"""``bzlgraph query`` on a workspace of a test, as text."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner


def ask(tree: Path, version: str, *arguments: str) -> str:
    """What is printed; errors in packages are no matter."""
    from bzlgraph.cli.main import main

    line = ["--no_cache", "-C", str(tree), "--bazel_version", version, "query", "-k", *arguments]
    with CliRunner().isolation() as (out, _err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(line)
        printed = out.getvalue().decode("utf-8", "replace")
    assert stop.value.code in (0, 3)
    return printed
