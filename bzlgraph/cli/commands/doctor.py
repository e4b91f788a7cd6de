"""``bzlgraph doctor``: load everything once and say what is missing and what that may hide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from bzlgraph.cli.session import EXIT_PARTIAL, Session, grouped, tell

if TYPE_CHECKING:
    from bzlgraph.base.diagnostic import Diagnostic
    from bzlgraph.base.label import Label
    from bzlgraph.bazel.model import Package
    from bzlgraph.graph.view import GraphView
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
    absent, others = _folded(graph, answer.problems)
    tell([*absent, *others, *(each for package in broken for each in package.diagnostics)])
    if session.strict and (answer.gaps or broken):
        raise click.exceptions.Exit(EXIT_PARTIAL)


def _folded(graph: GraphView, problems: Sequence[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """(one problem for each package that does not exist, all others): a tree may name hundreds of labels in one."""
    from bzlgraph.graph.model import NodeKind

    labels: dict[tuple[str, str], list[Label]] = {}
    for label in graph.labels:
        if graph.absent.get((label.repo, label.package)) is NodeKind.MISSING:
            labels.setdefault((label.repo, label.package), []).append(label)
    absent = [
        replace(known, message=f"{known.message}; named by {len(named)} label{'s' * (len(named) > 1)}, as {named[0]}")
        for key, named in sorted(labels.items())
        for known in graph.diagnostics[key][:1]
    ]
    told = {f"{label}: {graph.diagnostics[key][0].message}" for key, named in labels.items() for label in named}
    return absent, [problem for problem in problems if problem.message not in told]


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
