"""Tallies of output formats -> the table "Output formats" of docs/conformance.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from tests.differential.conformance import Outcome
from tests.differential.formats.content import NAMES, Tally

_INTRODUCTION = """\
## Output formats

What `bazel query` prints in each format is compared by content, because Bazel's own order is often that of a hash
table: every target of `//...:*` with `--output=label_kind`, `location`, `xml` and `proto` (every attribute and other
part except the digest `$rule_implementation_hash`), every rule of `//...` with `build`, the rank of every target of
`deps(//...)` with `minrank` and `maxrank`, its nodes, edges and conditions with `graph`, and the factored graph of
`//...`. The figures count rules, or everything for ranks and graphs; differences of source files and other targets need
a reason as well. Targets that Bazel does not have are left out of ranks and graphs: each is already a difference with a
reason above, and it would change the ranks of all its dependencies. The tests of a suite and the conditions of an edge
are compared as sets, because Bazel's order depends on a hash table or on how often it restarted evaluation. Less than
99.5 % equal in one format of one tree is a failure (fixtures consist of corner cases: for them only the reasons
count). `.ci/run` compares a part (`--part`): each workspace with one of its Bazels (grpc, which takes minutes, only by
hand), and those of this repository without formats, of which the tests compare nine byte by byte."""
_FIXTURES = "workspaces/"


def table(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """A row for each tree and Bazel; the fixtures of a Bazel share one."""
    yield from _INTRODUCTION.splitlines()
    yield ""
    yield f"| workspace | Bazel | {' | '.join(NAMES)} |"
    yield f"|---|---|{'---:|' * len(NAMES)}"
    for (workspace, version), tallies in _rows(outcomes).items():
        yield f"| {workspace} | {version} | {' | '.join(_cell(tallies[name]) for name in NAMES)} |"


def _rows(outcomes: Iterable[Outcome]) -> dict[tuple[str, str], dict[str, list[Tally]]]:
    rows: dict[tuple[str, str], dict[str, list[Tally]]] = {}
    for outcome in outcomes:
        name = "the fixtures" if outcome.workspace.startswith(_FIXTURES) else outcome.workspace
        for tally in outcome.formats:
            rows.setdefault((name, outcome.bazel), defaultdict(list))[tally.name].append(tally)
    return rows


def _cell(tallies: list[Tally]) -> str:
    """How many there are, when all are equal; else the share too."""
    compared, equal = (sum(getattr(tally, name) for tally in tallies) for name in ("compared", "equal"))
    if equal == compared:
        return f"{compared:,}"
    return f"{equal:,} of {compared:,} = {100 * equal / compared:.2f} %"
