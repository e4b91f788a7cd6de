"""``bzlgraph starlark FILE...``: evaluate files in a bare environment; one answer a file."""

from __future__ import annotations

import click

ALLOWED = ("set", "while", "toplevelcontrol", "globalreassign", "loadbindsglobally", "recursion")


def _options(_context: click.Context, _parameter: click.Parameter, value: str) -> frozenset[str]:
    chosen = frozenset(part for part in value.split(",") if part)
    unknown = sorted(chosen - set(ALLOWED))
    if unknown:
        raise click.BadParameter(f"unknown option '{unknown[0]}'; choose from {', '.join(ALLOWED)}")
    return chosen


@click.command("starlark")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file and line.")
@click.option("--parse_only", is_flag=True, help="Only syntax and names, nothing is run.")
@click.option("--dialect", type=click.Choice(["bazel", "spec"]), default="bazel", show_default=True)
@click.option("--allow", default="", callback=_options, metavar="OPT,...", help=f"Switch on: {', '.join(ALLOWED)}.")
def command(files: tuple[str, ...], as_json: bool, parse_only: bool, dialect: str, allow: frozenset[str]) -> None:
    """Evaluate Starlark files by themselves (universe, struct and json; no Bazel, no load).

    Example: bzlgraph starlark --json --dialect=spec --allow=set,recursion test.star
    """
    from bzlgraph.starlark.runner import run_files

    raise click.exceptions.Exit(run_files(files, as_json=as_json, parse_only=parse_only, dialect=dialect, allow=allow))
