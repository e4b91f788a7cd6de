"""Third-party workspaces in configurations: real Bazel's cquery and bzlgraph side by side.

`trees.toml` says which workspaces, versions and command lines. Bazel's answers are kept in the cache folder
(see bazel.py) and asked for again with --refresh. Exit code 1 when something differs.

    python -m tests.differential.configured.trees [--refresh] [--fetch] [--part] [--trees=DIR] [NAME ...]
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.differential.configured.names import comparable
from tests.differential.configured.ours import Ours, aliases, platform_labels
from tests.differential.configured.recorded import Answer, Bazel, Where, read_answers, write_answers
from tests.differential.real.answers import modules_of
from tests.differential.real.bazel import cache_folder, program
from tests.differential.real.stubs import read_stubs, write_stubs
from tests.differential.trees import Workspace, read_table

_TABLE = Path(__file__).with_suffix(".toml")
_STUBS = "configured"
_TOOLCHAINS = ("o matching toolchains found", "tools/cpp:current_cc_toolchain' failed")
"""Bazel looks for toolchains of the platform before anything else: such a command line has no answer of its."""
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Row:
    """A workspace, the patterns that are asked about, the kinds that are not, the command lines."""

    workspace: Workspace
    patterns: tuple[str, ...]
    without: str
    versions: tuple[str, ...]
    combinations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one comparison came to: ``facts`` are those compared, ``differences`` lines with the command line.

    ``elsewhere`` counts those in configurations that transitions lead to, which are compared as the others are.
    """

    command_lines: int
    refused: int
    facts: int
    elsewhere: int
    differences: tuple[str, ...]


def rows(fetch: bool, trees: Path | None = None, *, part: bool = False) -> Iterator[Row]:
    """The table; a part has one Bazel for each row, another for the next."""
    document = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    known = {workspace.name: workspace for workspace in read_table(trees, fetch=fetch)}
    for number, entry in enumerate(document["workspace"]):
        always = entry.get("always", "")
        common = document["module_combinations" if known[entry["name"]].modules else "combinations"]
        combinations = tuple(f"{always} {line}".strip() for line in (*common, *entry["combinations"]))
        versions = tuple(entry["bazel"])
        if part:
            versions = (versions[number % len(versions)],)
        yield Row(
            known[entry["name"]],
            tuple(entry["patterns"]),
            entry.get("without", ""),
            versions,
            combinations,
        )


def compare(row: Row, version: str, refresh: bool) -> Outcome:
    """One workspace and one Bazel."""
    tree = row.workspace.tree
    assert tree is not None
    stubs = (*read_stubs(row.workspace.stubs, tree), *(() if row.workspace.modules else read_stubs(_STUBS, tree)))
    overrides = write_stubs(stubs, cache_folder() / "stubs" / f"configured-{row.workspace.name}")
    modules = modules_of(row.workspace)
    ours = Ours(tree, overrides, version, modules)
    where = _where(row, ours)
    differences: list[str] = []
    refused = facts = elsewhere = 0
    for theirs in _recorded(row, where, Bazel(version, tree, overrides, modules.options if modules else ()), refresh):
        mine = ours.answer(theirs.options, where)
        if theirs.exit_code:
            refused += 1
            by_toolchain = any(text in error for error in theirs.errors for text in _TOOLCHAINS)
            differences += (
                [] if mine.errors or by_toolchain else [f"{theirs.options}: Bazel refuses: {theirs.errors[0]}"]
            )
            continue
        apart = platform_labels(ours.view(theirs.options))
        apart |= aliases(ours.graph) if version < "3" else frozenset()
        left, right = comparable(theirs.facts, apart), comparable(mine.facts, apart)
        elsewhere += sum(fact.startswith("other ") for fact in left)
        facts += len(left)
        differences += [f"{theirs.options}: Bazel only: {fact}" for fact in sorted(left - right)]
        differences += [f"{theirs.options}: bzlgraph only: {fact}" for fact in sorted(right - left)]
    return Outcome(len(row.combinations), refused, facts, elsewhere, tuple(differences))


def _where(row: Row, ours: Ours) -> Where:
    """The rules of the patterns one by one: a pattern that Bazel expands would have it analyze what is taken away."""
    roots = " + ".join(ours.rules(row.patterns, row.without))
    return Where(roots, roots)


def _recorded(row: Row, where: Where, bazel: Bazel, refresh: bool) -> list[Answer]:
    key = hashlib.sha256(where.roots.encode()).hexdigest()[:8]
    path = cache_folder() / "answers" / f"configured-{row.workspace.name}" / f"cquery-{bazel.version}-{key}.txt"
    if path.is_file() and not refresh:
        known = list(read_answers(path.read_text(encoding="utf-8")))
        if [answer.options for answer in known] == list(row.combinations):
            return known
    with bazel:
        selects = bazel.selects(where.values)
        answers = [bazel.ask(options, selects, where) for options in row.combinations]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write_answers(answers, bazel.version), encoding="utf-8")
    return answers


def main() -> int:
    """Compares, prints a line for each workspace and version, and the differences."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential.configured.trees", description=__doc__)
    parser.add_argument("--refresh", action="store_true", help="ask Bazel again")
    parser.add_argument("--fetch", action="store_true", help="get Debian source packages that are missing")
    parser.add_argument("--part", action="store_true", help="what CI compares: each row with one of its Bazels")
    parser.add_argument("--trees", type=Path, metavar="DIR", help="where third-party trees are that are no packages")
    parser.add_argument("names", nargs="*", help="workspaces and versions; all when none is named")
    options = parser.parse_args()
    failed = False
    for row in rows(options.fetch, options.trees, part=options.part):
        for version in row.versions:
            if options.names and not {row.workspace.name, version} & set(options.names):
                continue
            if row.workspace.tree is None or program(version) is None:
                print(
                    f"{row.workspace.name}, Bazel {version}: skipped ({row.workspace.absent or 'no such Bazel here'})"
                )
                continue
            outcome = compare(row, version, options.refresh)
            failed = failed or bool(outcome.differences)
            lines = f"{outcome.command_lines} command lines ({outcome.refused} refused by Bazel)"
            found = f"{outcome.facts:,} facts compared, {len(outcome.differences):,} differ"
            found += f" ({outcome.elsewhere:,} facts in the configurations of transitions)"
            print(f"{row.workspace.name}, Bazel {version}: {lines}, {found}", flush=True)
            kinds = Counter(each.rpartition(": ")[2] for each in outcome.differences)
            print("\n".join(f"  {count} x {fact[:150]}" for fact, count in kinds.most_common(SHOWN)))
            print("\n".join(f"  {each[:200]}" for each in outcome.differences[:SHOWN]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
