"""Runs the comparison: each workspace of the table, each of its Bazel versions, each target and question.

Result -> docs/conformance.md and docs/differences.md; exit code 1 when a difference has no reason.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.differential.explained import GENERATED, Explanation, read_explanations
from tests.differential.facts.admitted import admitted
from tests.differential.facts.compare import LISTED, PLACES, Difference, compare
from tests.differential.formats.content import Tally, tallies
from tests.differential.real.answers import modules_of, recorded, stubs_of
from tests.differential.real.bazel import DEBIAN_VERSION, program
from tests.differential.trees import Workspace, read_table

if TYPE_CHECKING:
    from bzlgraph.loading.loader import Loader
    from tests.differential.kept import KeptOutcomes


@dataclass(slots=True)
class Outcome:
    """The comparison of one workspace with one Bazel; `skipped` says why there was none."""

    workspace: str
    bazel: str
    skipped: str = ""
    targets: int = 0
    rules: int = 0
    attributes: int = 0
    bazel_seconds: float = 0.0
    our_seconds: float = 0.0
    listed: set[str] = field(default_factory=set)
    """The source files whose place is a list that names them."""
    explained: Counter[str] = field(default_factory=Counter)
    hidden: list[tuple[str, Difference]] = field(default_factory=list)
    """What was explained: the reason's id and the difference."""
    unexplained: list[Difference] = field(default_factory=list)
    formats: list[Tally] = field(default_factory=list)


def run(
    names: list[str],
    versions: list[str],
    trees: Path | None,
    *,
    refresh: bool,
    fetch: bool,
    part: bool = False,
    kept: KeptOutcomes | None = None,
) -> list[Outcome]:
    """All outcomes; workspaces whose name does not begin with one of `names` are left out, so are other versions.

    A part compares each workspace with one of its Bazels, another for the next, and those of this repository without
    output formats: to start a Bazel takes longer than they do, and the tests hold recorded answers of the others.
    """
    explanations = read_explanations()
    outcomes = []
    for number, workspace in enumerate(read_table(trees, fetch=fetch, part=part)):
        if names and not any(workspace.name.startswith(name) for name in names):
            continue
        known = (*workspace.versions, *workspace.open)
        chosen = tuple(each for each in known if each in versions) if versions else workspace.versions
        if part and chosen:
            chosen = (chosen[number % len(chosen)],)
        for version in chosen:
            with_formats = _has_formats(workspace, version) and not (part and workspace.ours)
            outcome = kept.find(workspace.name, version) if kept else None
            if outcome is None:
                outcome = _outcome(workspace, version, explanations, refresh=refresh, formats=with_formats)
                if kept:
                    kept.keep(outcome)
            print(summary(outcome), flush=True)
            outcomes.append(outcome)
    return outcomes


def not_needed(outcomes: list[Outcome], workspaces: Iterable[Workspace]) -> Iterator[str]:
    """What explained.toml says too much: entries, or parts of their scope, that nothing in this run needed."""
    table = [(each, version) for each in workspaces for version in each.versions]
    elsewhere = [(GENERATED, version) for version in {version for _, version in table}]
    known = elsewhere + [(each.name, version) for each, version in table]
    printed = elsewhere + [(each.name, version) for each, version in table if _has_formats(each, version)]
    compared = {(each.workspace, each.bazel): each for each in outcomes if not each.skipped}
    needed = {row: outcome.explained for row, outcome in compared.items()}
    needed_by_formats = {row: outcome.explained for row, outcome in compared.items() if outcome.formats}
    for each in read_explanations():
        if not each.recorded:
            rows = (printed, needed_by_formats) if each.about_formats else (known, needed)
            yield from (f"{each.id}: not needed by {name}" for name in each.not_needed(*rows))


def _has_formats(workspace: Workspace, version: str) -> bool:
    return workspace.formats is None or version in workspace.formats


def summary(outcome: Outcome) -> str:
    """One line about an outcome."""
    head = f"{outcome.workspace} with Bazel {outcome.bazel}:"
    if outcome.skipped:
        return f"{head} SKIPPED, {outcome.skipped}"
    return (
        f"{head} {outcome.targets} targets, {outcome.rules} rules, {outcome.attributes} attributes; "
        f"{sum(outcome.explained.values())} differences explained, {len(outcome.unexplained)} unexplained"
    )


def _outcome(
    workspace: Workspace, version: str, explanations: tuple[Explanation, ...], *, refresh: bool, formats: bool
) -> Outcome:
    outcome = Outcome(workspace.name, version)
    if workspace.tree is None:
        outcome.skipped = workspace.absent
    elif program(version) is None:
        outcome.skipped = f"no Bazel {version} here"
    elif absent := [str(path) for path in stubs_of(workspace).values() if not path.is_dir()]:
        outcome.skipped = f"no folder {absent[0]} here (python -m tests.differential install {DEBIAN_VERSION})"
    else:
        loader = _compare(outcome, workspace, explanations, refresh=refresh)
        if loader is not None and formats:
            _compare_formats(outcome, workspace, explanations, loader, refresh=refresh)
    return outcome


def _compare(
    outcome: Outcome, workspace: Workspace, explanations: tuple[Explanation, ...], *, refresh: bool
) -> Loader | None:
    """Everything but the formats. The loader knows what bzlgraph says of each package; None when it was skipped."""
    from tests.differential.facts.ours import load
    from tests.differential.questions import compare_questions
    from tests.differential.selects import compare_selects

    assert workspace.tree is not None
    try:
        theirs = recorded(workspace, outcome.bazel, refresh=refresh)
    except RuntimeError as error:
        outcome.skipped = f"this Bazel does not answer here: {str(error).splitlines()[0]}"
        return None
    overrides = theirs.fetched | stubs_of(workspace)
    start = time.monotonic()
    modules = modules_of(workspace)
    ours, loader = load(workspace.tree, overrides, outcome.bazel, modules)
    outcome.our_seconds, outcome.bazel_seconds = time.monotonic() - start, theirs.seconds
    outcome.targets = len(theirs.answer)
    outcome.rules = sum(target.kind.endswith(" rule") for target in theirs.answer.values())
    outcome.attributes = sum(len(target.attributes) for target in theirs.answer.values())
    differences = (
        *compare(theirs.answer, ours),
        *compare_selects(theirs.answer, loader),
        *compare_questions(workspace.tree, overrides, outcome.bazel, theirs.questions, modules),
    )
    for difference in admitted(differences, loader):
        if difference.cause == LISTED:
            outcome.listed.add(difference.label)
        _judge(outcome, explanations, difference)
    return loader


def _compare_formats(
    outcome: Outcome,
    workspace: Workspace,
    explanations: tuple[Explanation, ...],
    loader: Loader,
    *,
    refresh: bool,
) -> None:
    fetched = recorded(workspace, outcome.bazel, refresh=False).fetched
    for tally in tallies(workspace, outcome.bazel, fetched, refresh=refresh):
        outcome.formats.append(tally)
        for pair in tally.named(share=not workspace.is_fixture):
            names = tuple(admitted(pair, loader))
            listed = [
                replace(each, cause=LISTED) for each in names if each.label in outcome.listed and each.cause in PLACES
            ]
            _judge(outcome, explanations, *names, *listed)


def _judge(outcome: Outcome, explanations: tuple[Explanation, ...], *names: Difference) -> None:
    """Counts a difference under its reason; it may go by more than one name."""
    fits = (e for e in explanations if any(e.fits(name, outcome.workspace, outcome.bazel) for name in names))
    reason = next(fits, None)
    if reason:
        outcome.explained[reason.id] += 1
        outcome.hidden.append((reason.id, names[0]))
    else:
        outcome.unexplained.append(names[0])
