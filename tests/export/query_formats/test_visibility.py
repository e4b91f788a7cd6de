"""The visibility of targets as Bazel prints it in its formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import cli

PRIVATE = '        <visibility-label name="//visibility:private"/>'


@pytest.mark.parametrize(("package", "lines"), [("package(default_visibility = [])", 0), ("", 2)])
def test_a_default_of_nothing_is_not_private(tmp_path: Path, package: str, lines: int) -> None:
    """Asked of 0.19.1 to 7.7.1: files have no visibility label at all where the package's default is an empty list."""
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(f'{package}\nfilegroup(name = "a", srcs = ["a.txt"])\n')
    line = ["--no_cache", "--jobs=1", "-C", str(tmp_path), "--bazel_version=7.7.1", "query", "//:*", "--output=xml"]
    assert CliRunner().invoke(cli, line).stdout.split("\n").count(PRIVATE) == lines
