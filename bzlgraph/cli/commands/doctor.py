"""``bzlgraph doctor``: load everything once and say what is missing and what that may hide."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.base.causes import causes, gap_lines
from bzlgraph.base.label import Label
from bzlgraph.base.words import counted, plural, printable
from bzlgraph.cli.config_options import LoadingCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import ROWS_ONLY, format_for, json_bytes, output_options, prose_bytes, row_bytes
from bzlgraph.cli.query_options import KEEP_GOING
from bzlgraph.cli.terminal.completion import LABEL

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.defaults.files import Defaults, Setting
    from bzlgraph.questions.health import Health
    from bzlgraph.questions.reply import Reply
    from bzlgraph.questions.repositories import RepositoryNeed, RepositoryPlace
    from bzlgraph.why.answer import CycleSteps

FORMATS = ("text", "json", *ROWS_ONLY)
SCHEMA = "bzlgraph.doctor/1"
WIDTH = 120
FEW_GAPS = 20
"""The most causes of gaps that are all listed."""
SHOWN = 10
"""How many are listed of more causes than that, and of everything else."""


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
        lines = (
            _missing_lines(reply.answer.missing)
            if missing
            else chain(_lines(reply), map(_default_line, defaults.settings))
        )
        return prose_bytes(f"{line}\n" for line in lines)
    from bzlgraph.cli.health_rows import health_table, missing_table

    table = missing_table if missing else health_table
    return row_bytes(output, table(reply.answer, reply.completeness), reply.completeness)


def _default_line(setting: Setting) -> str:
    return f"default {' '.join(map(printable, setting.words()))} ({printable(setting.place)})"


def _lines(reply: Reply[Health]) -> Iterator[str]:
    """What fits one screen: what was found and how, cycles, what is missing and hides most, the largest gaps."""
    health = reply.answer
    broken, packages = len(health.broken), len(health.packages)
    counts = ((packages, "package"), (health.rules, "rule"), (health.targets, "target"))
    shown = ", ".join(counted(*each) for each in counts)
    elsewhere = sum(1 for package in health.packages if package.repo)
    shown += f" (including {counted(elsewhere, 'package')} of other repositories)" if elsewhere else ""
    has = "has" if broken == 1 else "have"
    problems = len(reply.completeness.problems)
    told = [f"{broken} {plural(broken, 'package')} {has} problems"] if broken else []
    told += [f"{problems} {plural(problems, 'problem')}"] if problems else []
    yield f"{shown}: {'; '.join(told) or 'every package loads'}"
    yield f"bazel  {health.read_as.version} ({health.read_as.reason}): {health.read_as.sureness}"
    yield from _found_lines(health.found)
    outside = [_cut(f"outside {printable(each.link)} leads to {printable(each.target)}") for each in health.outside]
    yield from _first(outside, "links: --output=json")
    yield from _first([f"assumed {each}" for each in health.assumptions], "assumptions")
    yield from _first(["\n".join(_cycle_lines(each)) for each in health.cycles], "cycles: --output=json")
    gaps = causes(reply.completeness.gaps, health.sources)
    many = len(gaps) > FEW_GAPS
    if many:
        yield from _first([_summary(each) for each in health.missing], "repositories: bzlgraph doctor --missing")
        gaps.sort(key=lambda cause: bool(cause.repository))
    if health.missing:
        first = health.missing[0]
        yield _cut(f"first  use {first.give[0]}, which resolves the most: {_hidden(first)}")
    lines = [f"gap    {line}" for line in gap_lines(gaps)]
    yield from (_cut(line) for line in _first(lines, "gaps: --output=json")) if many else lines
    yield from (f"note   {each}" for each in health.notes)
    used = f"{health.cache_hits} files read from it, {health.cache_misses} compiled"
    yield f"cache  {health.cache_folder}: {used}" if health.cache_folder else _no_cache(health)


def _no_cache(health: Health) -> str:
    return f"cache  off: {health.cache_refused}" if health.cache_refused else "cache  off"


def _cycle_lines(cycle: CycleSteps) -> Iterator[str]:
    from bzlgraph.export.why_formats.text import cycle_headline, path_lines

    yield f"cycle  {cycle_headline(cycle)}"
    yield from (f"       {line}" for line in path_lines(cycle.steps))


def _first(lines: Sequence[str], others: str) -> Iterator[str]:
    """The first of many lines, how many others there are, and where they are told."""
    yield from lines[:SHOWN]
    if len(lines) > SHOWN:
        yield f"       ... and {len(lines) - SHOWN:,} other {others}"


def _found_lines(found: Sequence[RepositoryPlace]) -> Iterator[str]:
    """One line for each way of finding repositories."""
    for (way, whole), group in groupby(found, key=lambda each: (each.way, each.whole)):
        members = list(group)
        places = [each.place for each in members if each.place and ", by " not in each.place]
        shared = len(members) > 1 and len({each.place for each in members}) == 1
        above = places if shared else [os.path.dirname(place) for place in places]
        folder = os.path.commonpath(above) if _alike(places) else ""
        names = [f"@{each.name}" if shared else _named(each, folder) for each in members]
        how = f"{way}{'' if whole else ' in part'}{f', in {folder}' if folder else ''}"
        yield _cut(f"found  {len(members)} {how}: {', '.join(names)}")


def _alike(places: Sequence[str]) -> bool:
    return len({os.path.isabs(place) for place in places}) == 1


def _named(found: RepositoryPlace, folder: str) -> str:
    """A repository, and where it lies if its name and the folder do not tell."""
    if not found.place or os.path.join(folder, found.name) == found.place:
        return f"@{found.name}"
    return f"@{found.name} ({found.place.removeprefix(f'{folder}/') if folder else found.place})"


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 3]}..."


def _summary(missing: RepositoryNeed) -> str:
    return f"missing @{missing.name}: hides {_hidden(missing)}"


def _hidden(missing: RepositoryNeed) -> str:
    """``3 targets, 12 edges, what is unknown at 5 places``"""
    named = [counted(missing.targets, "target"), counted(missing.edges, "edge")] if missing.targets else []
    used = [f"unknown values at {counted(missing.places, 'place')}"] if missing.places else []
    return ", ".join([*named, *used])


def _missing_lines(missing: Sequence[RepositoryNeed]) -> Iterator[str]:
    """Every missing repository with what it would close and what gives it, the one that hides most first."""
    if not missing:
        yield "nothing is missing"
    for each in missing:
        rule = f"  {each.rule} at {each.location}" if each.location is not None else "  nothing here defines it"
        yield f"@{each.name}  hides {_hidden(each)}"
        yield rule
        yield from (f"  url       {url}" for url in each.urls)
        if each.checksum:
            yield f"  checksum  {each.checksum}"
        yield from (f"  give      {option}" for option in each.give)


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
