"""What ``doctor`` found as lines of text: what fits one screen, or every repository that is missing."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from bzlgraph.base.causes import causes, gap_lines
from bzlgraph.base.words import counted, enumerated, plural, printable
from bzlgraph.export.why_formats.text import cycle_headline, path_lines

if TYPE_CHECKING:
    from bzlgraph.defaults.files import Setting
    from bzlgraph.questions.health import Health
    from bzlgraph.questions.reply import Reply
    from bzlgraph.questions.repositories import RepositoryNeed, RepositoryPlace
    from bzlgraph.why.answer import CycleSteps

WIDTH = 120
"""How wide a list of names may be."""
FEW_GAPS = 20
"""The most causes of gaps that are all listed."""
SHOWN = 10
"""How many are listed of more causes than that, and of everything else."""


def default_line(setting: Setting) -> str:
    """An option that a file sets by default."""
    return f"default {' '.join(map(printable, setting.words()))} ({printable(setting.place)})"


def health_lines(reply: Reply[Health]) -> Iterator[str]:
    """What fits one screen: what was found and how, cycles, what is missing and hides most, the largest gaps."""
    health = reply.answer
    yield _counts(health, len(reply.completeness.problems))
    yield f"bazel  {health.read_as.version} ({health.read_as.reason}): {health.read_as.sureness}"
    yield from _found_lines(health.found)
    outside = [f"outside {printable(each.link)} leads to {printable(each.target)}" for each in health.outside]
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
        whose = f" for @{first.name}" if first.give[0].startswith("--distdir=") else ""  # other options name it
        yield f"first  use {first.give[0]}{whose}, which resolves the most: {_hidden(first)}"
    lines = [f"gap    {line}" for line in gap_lines(gaps)]
    yield from _first(lines, "gaps: --output=json") if many else lines
    yield from (f"note   {each}" for each in health.notes)
    used = f"{counted(health.cache_hits, 'file')} read from it, {health.cache_misses} compiled"
    yield f"cache  {health.cache_folder}: {used}" if health.cache_folder else _no_cache(health)


def _counts(health: Health, problems: int) -> str:
    """How much was loaded, and how much of that is broken."""
    broken, packages = len(health.broken), len(health.packages)
    counts = ((packages, "package"), (health.rules, "rule"), (health.targets, "target"))
    shown = ", ".join(counted(*each) for each in counts)
    elsewhere = sum(1 for package in health.packages if package.repo)
    shown += f" (including {counted(elsewhere, 'package')} of other repositories)" if elsewhere else ""
    has = "has" if broken == 1 else "have"
    told = [f"{broken} {plural(broken, 'package')} {has} problems"] if broken else []
    told += [f"{problems} {plural(problems, 'problem')}"] if problems else []
    return f"{shown}: {'; '.join(told) or 'every package loads'}"


def _no_cache(health: Health) -> str:
    return f"cache  off: {health.cache_refused}" if health.cache_refused else "cache  off"


def _cycle_lines(cycle: CycleSteps) -> Iterator[str]:
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
        yield enumerated(f"found  {len(members)} {how}: ", names, WIDTH)


def _alike(places: Sequence[str]) -> bool:
    return len({os.path.isabs(place) for place in places}) == 1


def _named(found: RepositoryPlace, folder: str) -> str:
    """A repository, and where it lies if its name and the folder do not tell."""
    if not found.place or os.path.join(folder, found.name) == found.place:
        return f"@{found.name}"
    return f"@{found.name} ({found.place.removeprefix(f'{folder}/') if folder else found.place})"


def _summary(missing: RepositoryNeed) -> str:
    return f"missing @{missing.name}: hides {_hidden(missing)}"


def _hidden(missing: RepositoryNeed) -> str:
    """``3 targets, 12 edges, what is unknown at 5 places``"""
    named = [counted(missing.targets, "target"), counted(missing.edges, "edge")] if missing.targets else []
    used = [f"unknown values at {counted(missing.places, 'place')}"] if missing.places else []
    return ", ".join([*named, *used])


def missing_lines(missing: Sequence[RepositoryNeed]) -> Iterator[str]:
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
