"""The global options of one run, and what every command needs from them: the workspace, and a place for messages."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Gap
from bzlgraph.base.span import Location

if TYPE_CHECKING:
    from bzlgraph.graph.build import BuildGraph
    from bzlgraph.loading.loader import Loader

EXIT_PARTIAL = 3
EXIT_FAILED = 7
SHOWN_GAPS = 8


@dataclass(frozen=True, slots=True)
class Session:
    """The global options, as given."""

    directory: str
    overrides: dict[str, Path]
    bazel_version: str
    strict: bool
    jobs: int
    cache_dir: str | None
    use_cache: bool
    color: str

    def loader(self) -> Loader:
        """A loader for the workspace of ``-C``. Problems in WORKSPACE are told at once."""
        from bzlgraph.loading.loader import open_loader
        from bzlgraph.workspace.program_cache import default_folder
        from bzlgraph.workspace.workspace import Options, open_workspace

        cache = (Path(self.cache_dir) if self.cache_dir else default_folder()) if self.use_cache else None
        options = Options(self.overrides, self.bazel_version, cache, self.jobs, tell_print)
        workspace = open_workspace(self.directory, options)
        tell(workspace.diagnostics)
        return open_loader(workspace)

    def graph(self) -> tuple[Loader, BuildGraph]:
        """A graph that grows from the workspace's packages, and the loader behind it."""
        from bzlgraph.graph.build import BuildGraph

        loader = self.loader()
        return loader, BuildGraph(loader)

    def package(self, loader: Loader) -> str:
        """The folder, inside the workspace, that relative patterns start from."""
        inside = os.path.relpath(Path(self.directory).resolve(), loader.workspace.root)
        return "" if inside == "." else inside.replace(os.sep, "/")

    def colored(self) -> bool:
        """Whether stdout gets colours."""
        if self.color != "auto":
            return self.color == "yes"
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        return not plain and sys.stdout.isatty()


def parse_override(text: str) -> tuple[str, Path]:
    """``name=path`` -> (name, path). Raises UsageProblem."""
    name, equals, path = text.partition("=")
    if not equals or not name or not path:
        raise UsageProblem(f"--override_repository={text}: expected NAME=PATH")
    return name.lstrip("@"), Path(path).expanduser().resolve()


def tell(diagnostics: list[Diagnostic]) -> None:
    """Show problems on stderr, each once."""
    for text in dict.fromkeys(each.render() for each in diagnostics):
        click.echo(text, err=True)


def tell_gaps(gaps: Sequence[Gap]) -> None:
    """Say on stderr how complete an answer is."""
    if not gaps:
        return
    click.echo(f"complete but for {len(gaps)} gap{'s' if len(gaps) > 1 else ''}:", err=True)
    for gap in gaps[:SHOWN_GAPS]:
        click.echo(f"  {gap}", err=True)
    if len(gaps) > SHOWN_GAPS:
        click.echo(f"  ... and {len(gaps) - SHOWN_GAPS} more (bzlgraph doctor lists them)", err=True)


def tell_print(text: str, location: Location) -> None:
    """``print()`` of Starlark code, as Bazel shows it."""
    click.echo(f"DEBUG: {location}: {text}", err=True)
