"""``python -m tests.typos TREE``: 200 typos over a tree, how many are understood, and each that is not."""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

from tests.typos.judge import Verdict, judged
from tests.typos.names import kinds


def main() -> None:
    """Ends with 1 where a typo is answered, or is a bug, or is not understood often enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--only", nargs="*", help="kinds of names: targets, packages, options, configs, flags, ops ...")
    asked = parser.parse_args()
    found = [each for each in kinds(asked.tree) if not asked.only or each.name in asked.only]
    print(", ".join(f"{len(each.names):,} {each.name}" for each in found), flush=True)
    by_kind: dict[str, list[Verdict]] = defaultdict(list)
    for each in judged(asked.tree, found, asked.count, asked.seed):
        by_kind[each.kind].append(each)
        if not each.is_refused or (each.clear and each.place != 1):
            print(
                f"{each.kind}: {each.typed} of {each.meant}: {each.code}, place {each.place}: {each.said.strip()}",
                flush=True,
            )
    verdicts = [each for listed in by_kind.values() for each in listed]
    for name, listed in (*by_kind.items(), ("all", verdicts)):
        print(f"{name}: {score(listed)}")
    raise SystemExit(0 if all(each.is_refused for each in verdicts) and good(verdicts) else 1)


def score(verdicts: list[Verdict]) -> str:
    """How many typos are refused, and how many of the clear ones understood."""
    clear = [each for each in verdicts if each.clear]
    first, three = sum(each.place == 1 for each in clear), sum(0 < each.place <= 3 for each in clear)
    refused = sum(each.is_refused for each in verdicts)
    return f"{len(verdicts)} typos, {refused} refused; of {len(clear)} clear ones {first} first, {three} among three"


def good(verdicts: list[Verdict]) -> bool:
    """Of the clear ones the right name is first in 95 %, among three in 99 %."""
    clear = [each.place for each in verdicts if each.clear]
    return clear.count(1) >= 0.95 * len(clear) and sum(0 < each <= 3 for each in clear) >= 0.99 * len(clear)


if __name__ == "__main__":
    main()
