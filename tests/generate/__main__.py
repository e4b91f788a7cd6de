"""Workspaces by seed: written for reading, and compared with real Bazel.

python -m tests.generate SEED DIR [--bazel VERSION]       writes the workspace of a seed
python -m tests.generate compare --bazel VERSION --seeds 0-99
                                                          asks real Bazel and bzlgraph; exit code 1: they differ
python -m tests.generate record [--bazel VERSION]         records anew what the tests compare with (recorded.py)
python -m tests.generate shrink SEED DIR --bazel VERSION  writes a small workspace that makes the same difference
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from tests.differential.real.bazel import DEBIAN_VERSION, VERSIONS, program
from tests.generate import recorded
from tests.generate.compare import Found, compare
from tests.generate.shrink import shrink
from tests.generate.tree import write
from tests.generate.workspace import seeded

_SHOWN = 3


def main(arguments: list[str]) -> int:
    """The command line."""
    if arguments[:1] == ["compare"]:
        return _compare(arguments[1:])
    if arguments[:1] == ["record"]:
        return _record(arguments[1:])
    shrinks = arguments[:1] == ["shrink"]
    parser = _parser("python -m tests.generate shrink" if shrinks else "python -m tests.generate")
    parser.add_argument("seed", type=int)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments[1:] if shrinks else arguments)
    if shrinks:
        return _shrink(options.bazel, options.seed, options.folder)
    write([seeded(options.seed, options.bazel)], options.folder)
    return 0


def _record(arguments: list[str]) -> int:
    chosen = _parser("python -m tests.generate record", default="").parse_args(arguments).bazel
    for version in recorded.VERSIONS:
        if chosen in ("", version) and program(version) is not None:
            print(f"recorded: {recorded.record(version)}", flush=True)
    return 0


def _shrink(version: str, seed: int, folder: Path) -> int:
    with tempfile.TemporaryDirectory(prefix="bzlgraph-generated-") as trees:
        small = shrink(version, seed, Path(trees))
    if small is None:
        print(f"Bazel {version}: seed {seed} makes no difference")
        return 0
    write([small.workspace], folder)
    print(_report([Found(small.question, small.difference, (seed,))]))
    print(f"Bazel {version}: {small.workspace.size} lines in {folder}")
    return 1


def _parser(name: str, default: str = DEBIAN_VERSION) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=name, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bazel", default=default, choices=VERSIONS, help="the version they are made for")
    return parser


def _seeds(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _compare(arguments: list[str]) -> int:
    parser = _parser("python -m tests.generate compare")
    parser.add_argument("--seeds", type=_seeds, default=range(100), help="as in 0-99")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="bzlgraph-generated-") as folder:
        found = list(compare(options.bazel, options.seeds, Path(folder)))
    print(_report(found))
    seeds = {seed for each in found for seed in each.seeds}
    print(
        f"Bazel {options.bazel}: {len(options.seeds)} workspaces, {len(seeds)} of them differ, {len(found)} differences"
    )
    return 1 if found else 0


def _report(found: list[Found]) -> str:
    """The differences by what they are, a few examples of each."""
    groups: dict[tuple[str, str, str], list[Found]] = defaultdict(list)
    for each in found:
        groups[each.difference.cause, each.difference.subject, each.difference.what].append(each)
    lines = []
    for (cause, subject, what), members in sorted(groups.items(), key=lambda item: -len(item[1])):
        lines.append(f"{len(members)} x {cause}: {subject} {what}".rstrip())
        for each in members[:_SHOWN]:
            difference = each.difference
            lines += [
                f"    {difference.label}",
                f"        Bazel: {difference.theirs}",
                f"        ours:  {difference.ours}",
            ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
