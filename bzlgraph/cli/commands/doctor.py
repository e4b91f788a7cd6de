"""``bzlgraph doctor``: load everything once and say what is missing and what that may hide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.base.label import Label
from bzlgraph.base.words import plural
from bzlgraph.cli.config_options import LoadingCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.outcome import Outcome, grouped
from bzlgraph.cli.printing import format_for, json_bytes, output_options, text_bytes
from bzlgraph.cli.query_options import KEEP_GOING

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.questions import Reply
    from bzlgraph.questions.health import Health

FORMATS = ("text", "json")
SCHEMA = "bzlgraph.doctor/1"


@click.command("doctor", cls=LoadingCommand)
@click.argument("pattern", default="//...")
@output_options(FORMATS)
@KEEP_GOING
@click.pass_obj
def command(
    options: GlobalOptions, pattern: str, output: str | None, output_file: Path | None, keep_going: bool,
    configured: ConfigArguments,
) -> Outcome:  # fmt: skip
    """Load all packages of PATTERN (default //...) and what they need; tell problems, gaps and the cache.

    Example: bzlgraph -C tensorflow doctor //tensorflow/core/...
    """
    from bzlgraph.questions.health import ask_health

    name = format_for(output, output_file, FORMATS)
    reply = ask_health(options.session(configured), pattern, keep_going=keep_going)
    pieces = json_bytes(_data(reply)) if name == "json" else text_bytes(f"{line}\n" for line in _lines(reply))
    told = frozenset(reply.completeness.gaps)
    return Outcome(pieces, reply.completeness, reply.notes, output_file, keep_going, told_gaps=told, all_problems=True)


def _lines(reply: Reply[Health]) -> Iterator[str]:
    health = reply.answer
    broken, packages = len(health.broken), len(health.packages)
    counts = ((packages, "package"), (health.rules, "rule"), (health.targets, "target"))
    shown = ", ".join(f"{number} {plural(number, noun)}" for number, noun in counts)
    has = "has" if broken == 1 else "have"
    state = f"{broken} {plural(broken, 'package')} {has} problems" if broken else "every package loads"
    problems = len(reply.completeness.problems)
    yield f"{shown}: {state}" + (f"; {problems} {plural(problems, 'problem')}" if problems else "")
    yield from (f"gap    {gap.what}: {gap.hides}{places}" for gap, places in grouped(reply.completeness.gaps))
    counted = f"{health.cache_hits} files read from it, {health.cache_misses} compiled"
    yield f"cache  {health.cache_folder}: {counted}" if health.cache_folder else "cache  off"


def _data(reply: Reply[Health]) -> dict[str, object]:
    from bzlgraph.export.row_formats.json_text import completeness_data

    health = reply.answer
    return {
        "schema": SCHEMA,
        "packages": len(health.packages),
        "rules": health.rules,
        "targets": health.targets,
        "broken": [Label(each.repo, each.name, "").package_label for each in health.broken],
        "cache": {"folder": health.cache_folder or None, "hits": health.cache_hits, "compiled": health.cache_misses},
        **completeness_data(reply.completeness),
    }
