"""The global options of one run, and what every command needs from them: the workspace, and a place for messages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Gap
from bzlgraph.base.span import Location

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.config.view import AnyGraph
    from bzlgraph.loading.loader import Loader

EXIT_PARTIAL = 3
EXIT_FAILED = 7
EXIT_BUG = 37
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

    def loader(self, deleted_packages: frozenset[tuple[str, str]] = frozenset()) -> Loader:
        """A loader for the workspace of ``-C``. Problems in WORKSPACE are told at once."""
        from bzlgraph.loading.loader import open_loader
        from bzlgraph.workspace.program_cache import default_folder
        from bzlgraph.workspace.workspace import Options, open_workspace

        cache = (Path(self.cache_dir) if self.cache_dir else default_folder()) if self.use_cache else None
        options = Options(self.overrides, self.bazel_version, cache, self.jobs, tell_print, deleted_packages)
        workspace = open_workspace(self.directory, options)
        tell(workspace.diagnostics)
        return open_loader(workspace)

    def graph(
        self, deleted_packages: frozenset[tuple[str, str]] = frozenset(), configured: ConfigArguments | None = None
    ) -> tuple[Loader, AnyGraph]:
        """A graph that grows from the workspace's packages, as the configuration sees it, and the loader behind it."""
        from bzlgraph.graph.build import BuildGraph

        loader = self.loader(deleted_packages)
        graph = BuildGraph(loader)
        if configured is None or not configured.given:
            return loader, graph
        from bzlgraph.config.view import view_for

        view = view_for(graph, loader.workspace, configured)
        tell(list(view.configuration.problems) if view.configuration is not None else [])
        return loader, view

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
    groups = grouped(gaps)
    for gap, places in groups[:SHOWN_GAPS]:
        click.echo(f"  {gap.what}: {gap.hides}{places}", err=True)
    if len(groups) > SHOWN_GAPS:
        click.echo(f"  ... and {len(groups) - SHOWN_GAPS} kinds more (bzlgraph doctor lists them)", err=True)


def grouped(gaps: Iterable[Gap]) -> list[tuple[Gap, str]]:
    """Gaps that differ only in their place as one, with the text of the places; what hides most comes first."""
    groups: dict[tuple[str, str], list[Gap]] = {}
    for gap in gaps:
        groups.setdefault((gap.what, gap.hides), []).append(gap)
    by_size = sorted(groups.values(), key=lambda group: -len(group))
    return [(group[0], _places([each.location for each in group if each.location])) for group in by_size]


def _places(locations: list[Location]) -> str:
    if not locations:
        return ""
    more = len(locations) - 1
    return f" ({locations[0]}{f' and {more} more place' + 's' * (more > 1) if more else ''})"


def tell_print(text: str, location: Location) -> None:
    """``print()`` of Starlark code, as Bazel shows it."""
    click.echo(f"DEBUG: {location}: {text}", err=True)
