"""``bzlgraph doctor``: load everything once and say what is missing and what that may hide."""

from __future__ import annotations

from collections import Counter

import click

from bzlgraph.cli.session import EXIT_PARTIAL, Session, tell


@click.command("doctor")
@click.argument("pattern", default="//...")
@click.pass_obj
def command(session: Session, pattern: str) -> None:
    """Load all packages of PATTERN (default //...) and report problems, gaps and the cache.

    Example: bzlgraph -C tensorflow doctor //tensorflow/core/...
    """
    from bzlgraph.query.patterns import expand_pattern

    loader = session.loader()
    expand_pattern(loader, pattern)
    packages = loader.loaded()
    broken = [package for package in packages if package.broken]
    rules = sum(1 for package in packages for _ in package.rules())
    click.echo(f"{len(packages)} packages, {rules} rules; {len(broken)} packages with problems")
    gaps = Counter((gap.kind, gap.what, gap.hides) for package in packages for gap in package.gaps)
    for (kind, what, hides), count in sorted(gaps.items(), key=lambda item: (-item[1], item[0])):
        click.echo(f"gap   {kind:10} {what}: {hides}  ({count} packages)")
    programs = loader.workspace.modules.programs
    place = programs.folder or "off (--no_cache)"
    click.echo(f"cache {place}: {programs.hits} files read from it, {programs.misses} compiled")
    for package in broken:
        tell(package.diagnostics)
    if session.strict and (gaps or broken):
        raise click.exceptions.Exit(EXIT_PARTIAL)
