"""python -m tests.differential: compare bzlgraph with real Bazel; record, install: see --help.

Without a command it compares (this is `make conformance`): exit code 0, or 1 when differences remain without a reason,
or a reason is there that no difference needs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.differential import fixtures
from tests.differential.real import bazel


def main() -> int:
    """Runs one command."""
    options = _arguments().parse_args()
    if options.command == "record":
        fixtures.record(options.names)
        return 0
    if options.command == "install":
        return _install(options.versions)
    return _compare(options)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__.splitlines()[0])
    trees = os.environ.get("BZLGRAPH_TREES")
    given = Path(trees) if trees else None
    parser.add_argument("--trees", type=Path, default=given, help="folder of third-party trees")
    parser.add_argument("--only", action="append", default=[], help="workspaces whose name begins so")
    parser.add_argument("--bazel", action="append", default=[], help="only these versions of Bazel")
    parser.add_argument("--refresh", action="store_true", help="ask Bazel again instead of using its recorded answers")
    parser.add_argument("--fetch", action="store_true", help="get Debian source packages that are missing")
    part = "what CI compares: each workspace that does not take minutes, with one of its Bazels"
    parser.add_argument("--part", action="store_true", help=part)
    parser.add_argument("--rows", type=int, default=60, help="kinds of unexplained difference shown per workspace")
    hidden = "write every explained difference as a line of JSON: what each entry of explained.toml hides"
    parser.add_argument("--explained_to", type=Path, help=hidden)
    kept = "folder of outcomes: what an earlier run of this commit has compared is not compared again"
    parser.add_argument("--kept", type=Path, help=kept)
    commands = parser.add_subparsers(dest="command")
    recording = commands.add_parser("record", help="re-record tests/workspaces/*/expected from real Bazel")
    recording.add_argument("names", nargs="*", help="fixture workspaces (all when none is named)")
    installing = commands.add_parser("install", help="install real Bazels, from npm and Debian, into the cache folder")
    installing.add_argument("versions", nargs="*", default=bazel.VERSIONS)
    return parser


def _install(versions: list[str]) -> int:
    """Those that cannot be had are told: the comparisons with them are skipped then."""
    for version in versions:
        start = time.monotonic()
        problem = ""
        try:
            bazel.install(version)
        except (OSError, subprocess.CalledProcessError) as error:
            problem = f": {error}"
        there = "here" if bazel.program(version) is not None else f"not to be had{problem}"
        print(f"Bazel {version} is {there} ({time.monotonic() - start:.0f} s)", flush=True)
    return 0


def _compare(options: argparse.Namespace) -> int:
    from tests.differential import conformance, explained, report
    from tests.differential.kept import KeptOutcomes
    from tests.differential.trees import read_table

    versions, trees = options.bazel, options.trees
    if options.kept and (options.part or options.refresh):
        sys.exit("--kept holds whole comparisons with recorded answers: not with --part or --refresh")
    outcomes = conformance.run(
        options.only,
        versions,
        trees,
        refresh=options.refresh,
        fetch=options.fetch,
        part=options.part,
        kept=KeptOutcomes(options.kept) if options.kept else None,
    )
    if options.explained_to:
        report.write_explained(outcomes, options.explained_to)
    for outcome in outcomes:
        if outcome.unexplained:
            print(f"\n{conformance.summary(outcome)}")
            print("\n".join(report.by_cause(outcome, options.rows)), flush=True)
    if not options.only and not versions and not options.part and not any(outcome.skipped for outcome in outcomes):
        explanations = explained.read_explanations()
        report.write_documents(outcomes, explanations, read_table(trees, fetch=False))
    else:
        skipped = sum(bool(outcome.skipped) for outcome in outcomes)
        print(
            f"docs/conformance.md is left as it is: {skipped} comparisons were skipped, or not everything was asked for"
        )
    too_much = list(conformance.not_needed(outcomes, read_table(trees, fetch=False)))
    print("".join(f"explained.toml says too much: {line}\n" for line in too_much), end="")
    return 1 if too_much or any(outcome.unexplained for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
