"""``bzlgraph doctor``: load everything once and say what is missing and what that may hide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bzlgraph.cli.session import EXIT_PARTIAL, Session, grouped, tell

if TYPE_CHECKING:
    from bzlgraph.bazel.model import Package
    from bzlgraph.loading.loader import Loader


@click.command("doctor")
@click.argument("pattern", default="//...")
@click.pass_obj
def command(session: Session, pattern: str) -> None:
    """Load all packages of PATTERN (default //...) and what they need; tell problems, gaps and the cache.

    Example: bzlgraph -C tensorflow doctor //tensorflow/core/...
    """
    from bzlgraph.query import Environment, Settings, query

    loader, graph = session.graph()
    settings = Settings(package=session.package(loader), mapping=loader.workspace.map_repository)
    answer = query(f"deps({pattern})", Environment(graph, settings))
    packages = [package for package in loader.loaded() if loader.has_build_file(package)]
    broken = [package for package in packages if package.broken]
    click.echo(_summary(packages, broken))
    for gap, places in grouped(answer.gaps):
        click.echo(f"gap    {gap.what}: {gap.hides}{places}")
    click.echo(_cache(loader))
    tell([*answer.problems, *(each for package in broken for each in package.diagnostics)])
    if session.strict and (answer.gaps or broken):
        raise click.exceptions.Exit(EXIT_PARTIAL)


def _summary(packages: list[Package], broken: list[Package]) -> str:
    rules = sum(1 for package in packages for _ in package.rules())
    targets = sum(len(package.targets) for package in packages)
    state = f"{len(broken)} packages have problems" if broken else "every package loads"
    return f"{len(packages)} packages, {rules} rules, {targets} targets: {state}"


def _cache(loader: Loader) -> str:
    programs = loader.workspace.modules.programs
    if not programs.folder:
        return "cache  off"
    return f"cache  {programs.folder}: {programs.hits} files read from it, {programs.misses} compiled"
