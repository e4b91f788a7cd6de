"""Outcomes -> docs/conformance.md, docs/differences.md and the table of differences by cause on the terminal."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import date
from pathlib import Path

from tests.differential.conformance import Outcome
from tests.differential.explained import Explanation
from tests.differential.facts.compare import Difference
from tests.differential.formats import report as formats_report
from tests.differential.trees import REPOSITORY, Workspace

DOCS = REPOSITORY / "docs"
_INTRODUCTION = """\
Written by `make conformance` (tests/differential). Real Bazel, offline, and bzlgraph load the same trees with the same
stub repositories of our own (`--override_repository`). These are compared: every target of `//...:*` (kind, location);
every attribute of every rule (type, value with each branch of each `select()`, whether it is set explicitly); the
inputs and outputs of every rule; the visibility of files; and the answers of `query --output=label_kind` to `//...`,
`//...:*` and `deps(//...)`, with and without `--noimplicit_deps`. The digest `$rule_implementation_hash` is left out,
and the tests of a suite that lists none are compared as a set, because Bazel 0.x and 4.2 list them in hash table order.
400 more expressions, covering every function and flag, are asked about the fixture `query_language`, 70 about
`mini_tensorflow` and 44 about TensorFlow 1.12, including their exit codes."""
_EXAMPLES = 2
_WIDTH = 160


def by_cause(outcome: Outcome, rows: int = 60) -> Iterator[str]:
    """The unexplained differences of one outcome: cause, rule class, attribute, how many, examples."""
    groups: dict[tuple[str, str, str], list[Difference]] = defaultdict(list)
    for difference in outcome.unexplained:
        groups[difference.cause, difference.subject, difference.what].append(difference)
    ranked = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    for (cause, subject, what), found in ranked[:rows]:
        yield f"{len(found):7}  {cause}: {subject} {what}".rstrip()
        for example in found[:_EXAMPLES]:
            yield f"             {example.label}"
            yield f"               Bazel: {_short(example.theirs)}"
            yield f"               ours:  {_short(example.ours)}"
    if len(ranked) > rows:
        yield f"         ... and {len(ranked) - rows} more kinds of difference"


def _short(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def write_explained(outcomes: list[Outcome], path: Path) -> None:
    """Every explained difference as a line of JSON: what each entry of explained.toml hides."""
    rows = (
        {"id": reason, "workspace": outcome.workspace, "bazel": outcome.bazel, **asdict(difference)}
        for outcome in outcomes
        for reason, difference in outcome.hidden
    )
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def write_documents(
    outcomes: list[Outcome], explanations: tuple[Explanation, ...], workspaces: Iterable[Workspace]
) -> None:
    """Writes both documents; from a run in which nothing was left out, so that no figure is lost."""
    DOCS.mkdir(exist_ok=True)
    left_out = [(each.name, version) for each in workspaces for version in each.open]
    (DOCS / "conformance.md").write_text("\n".join(_conformance(outcomes, left_out)) + "\n", encoding="utf-8")
    (DOCS / "differences.md").write_text("\n".join(_differences(outcomes, explanations)) + "\n", encoding="utf-8")


def _conformance(outcomes: list[Outcome], left_out: list[tuple[str, str]]) -> Iterator[str]:
    yield "# Compared with real Bazel"
    yield ""
    yield from _INTRODUCTION.splitlines()
    yield ""
    today = date.today().isoformat()
    yield f"This page shows the full run of {today}: every row, with the output formats. If a tree or a Bazel is"
    yield "missing, `make conformance` skips its rows, says so, and does not change this page."
    yield ""
    yield "| workspace | Bazel | targets | rules | attributes | explained | unexplained |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for outcome in outcomes:
        if outcome.skipped:
            yield f"| {outcome.workspace} | {outcome.bazel} | skipped: {outcome.skipped} | | | | |"
            continue
        figures = (outcome.targets, outcome.rules, outcome.attributes, sum(outcome.explained.values()))
        cells = " | ".join(f"{figure:,}" for figure in (*figures, len(outcome.unexplained)))
        yield f"| {outcome.workspace} | {outcome.bazel} | {cells} |"
    for name, version in left_out:
        yield f"| {name} | {version} | **not compared**: it has differences without a reason | | | | |"
    yield ""
    yield from formats_report.table(outcomes)
    yield ""
    yield "[differences.md](differences.md) gives the reasons for the explained differences."


def _differences(outcomes: list[Outcome], explanations: tuple[Explanation, ...]) -> Iterator[str]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for outcome in outcomes:
        for reason, count in outcome.explained.items():
            counts[reason][f"{outcome.workspace.partition('/')[0]} with {outcome.bazel}"] += count
    yield "# Explained differences from real Bazel"
    yield ""
    yield "Written by `make conformance` from `tests/differential/explained.toml`; each reason has the patterns of the"
    yield "differences it explains. Any other difference makes `make conformance` fail."
    for explanation in explanations:
        yield ""
        yield f"## {explanation.id}"
        yield ""
        yield explanation.reason
        seen = ", ".join(f"{place} {count:,}" for place, count in sorted(counts[explanation.id].items()))
        yield ""
        if explanation.recorded:
            seen = ", ".join(
                f"{name} with {version}" for name in explanation.workspaces for version in explanation.bazels
            )
            yield f"Seen in the recorded questions of {seen}."
        else:
            yield f"Seen: {seen}."
