"""What is told about a configuration on stderr: which rc files were read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bzlgraph.config.configuration import Configuration


def tell_files(*configurations: Configuration) -> None:
    """One line, or one for each when they read different files."""
    listed = dict.fromkeys(", ".join(each.files) for each in configurations)
    for files in listed:
        click.echo(f"configuration: {files} read" if files else "configuration: no .bazelrc read", err=True)
