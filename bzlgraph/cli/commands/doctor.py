"""``bzlgraph doctor``: load everything once and say what is missing and what that may hide."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.base.label import Label
from bzlgraph.cli.config_options import LoadingCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import ROWS_ONLY, format_for, json_bytes, output_options, prose_bytes, row_bytes
from bzlgraph.cli.query_options import KEEP_GOING
from bzlgraph.cli.terminal.completion import LABEL

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.defaults.files import Defaults
    from bzlgraph.questions.health import Health
    from bzlgraph.questions.reply import Reply

FORMATS = ("text", "json", *ROWS_ONLY)
SCHEMA = "bzlgraph.doctor/1"


@click.command("doctor", cls=LoadingCommand)
@click.argument("pattern", type=LABEL, default="//...")
@output_options(FORMATS)
@KEEP_GOING
@click.option(
    "--missing", is_flag=True, help="List the repositories that are not on disk; those that hide most come first."
)
@click.pass_obj
def command(
    options: GlobalOptions, pattern: str, output: str | None, output_file: Path | None, keep_going: bool,
    missing: bool, configured: ConfigArguments,
) -> Outcome:  # fmt: skip
    """Load the packages of PATTERN (default //...) and their dependencies. Report the Bazel version assumed, problems,
    gaps, how repositories were found and what is missing.

    Example: bzlgraph -C tensorflow doctor //tensorflow/core/...
    """
    from bzlgraph.questions.health import ask_health

    name = format_for(output, output_file, FORMATS)
    reply = ask_health(options.session(configured), pattern, keep_going=keep_going)
    pieces = _pieces(reply, options.row_format(name), missing, options.defaults)
    told = frozenset(reply.completeness.gaps)
    return Outcome(pieces, reply.completeness, reply.notes, output_file, keep_going, told_gaps=told, all_problems=True)


def _pieces(reply: Reply[Health], output: str, missing: bool, defaults: Defaults) -> Iterator[bytes]:
    if output == "json":
        return json_bytes(_data(reply, defaults))
    if output == "text":
        from bzlgraph.cli.health.text import default_line, health_lines, missing_lines

        health = reply.answer
        whole = chain(health_lines(reply), map(default_line, defaults.settings))
        lines = missing_lines(health.missing) if missing else whole
        return prose_bytes(f"{line}\n" for line in lines)
    from bzlgraph.cli.health.rows import health_table, missing_table

    table = missing_table if missing else health_table
    return row_bytes(output, table(reply.answer, reply.completeness), reply.completeness)


def _data(reply: Reply[Health], defaults: Defaults) -> dict[str, object]:
    from bzlgraph.export.plain_data import plain_data
    from bzlgraph.export.row_formats.json_text import completeness_data
    from bzlgraph.export.why_formats.as_json import WHY_SHAPES

    health = reply.answer
    return {
        "schema": SCHEMA,
        "bazel": {
            "version": health.read_as.version,
            "reason": health.read_as.reason,
            "read_as": health.read_as.release.nearest,
            "evidence": health.read_as.release.evidence.value,
        },
        "packages": len(health.packages),
        "rules": health.rules,
        "targets": health.targets,
        "broken": [Label(each.repo, each.name, "").package_label for each in health.broken],
        "cache": {
            "folder": health.cache_folder or None,
            "refused": health.cache_refused or None,
            "hits": health.cache_hits,
            "compiled": health.cache_misses,
        },
        "found": plain_data(health.found),
        "outside": plain_data(health.outside),
        "assumptions": list(health.assumptions),
        "missing": plain_data(health.missing),
        "cycles": plain_data(health.cycles, WHY_SHAPES),
        "defaults": [
            {"command": each.command or None, "words": each.words(), "place": each.place} for each in defaults.settings
        ],
        **completeness_data(reply.completeness),
    }
