"""Damaged and half written graphs: thousands of ways to spoil one, each followed by questions whose answers are known.

``python -m tests.snapshot.damage --runs 10000 --kills 100 --seed 1`` prints how many runs there were of each kind, and
every one whose answer was neither right nor none.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bzlgraph.cache import looks
from tests.snapshot.asking import Said, full, kept

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "mini_tensorflow"
OTHER = ROOT / "tests" / "workspaces" / "macros"
VERSIONS = ("", "0.19.1")
"""None named: answers by label; and one that orders them by dependency."""
QUESTIONS = (
    ("query", "deps(//tensorflow/python:all)"),
    ("query", "rdeps(//..., //tensorflow/core:lib)", "--output=label_kind"),
    ("query", "kind(cc_library, //...)", "--output=package"),
    ("query", "somepath(//tensorflow/tools/pip_package:all, //tensorflow/core:lib)", "--noimplicit_deps"),
    ("why", "//tensorflow/core:lib", "--from=//tensorflow/tools/pip_package:all"),
    ("select", "//tensorflow/core:all"),
    ("expand", "//tensorflow/core:all", "//tensorflow/python:all"),
    ("query", "attr(deps, lib, //...)", "--output=xml"),
    ("query", "rdeps(//..., //tensorflow/core:lib)", "--output=maxrank"),
)


@dataclass
class Graphs:
    """A kept graph of the example and one of another checkout, in a cache of their own, and the right answers.

    ``version``: the Bazel that both are read for.
    """

    folder: Path
    version: str = ""

    def __post_init__(self) -> None:
        looks.TICK = looks.COARSE_TICK = 0
        self.folder.mkdir(0o700)
        full(self.command(OTHER, "query", "deps(//...)"))
        (self.other,) = self.files()
        full(self.command(EXAMPLE, "query", "deps(//...)"))
        (self.path,) = set(self.files()) - {self.other}
        self.whole = self.path.read_bytes()
        self.right: dict[tuple[str, ...], Said] = {}
        for question in QUESTIONS:
            self.right[question] = full([*self.command(EXAMPLE, *question), "--no_cache"])
            assert kept(self.command(EXAMPLE, *question)) == self.right[question]

    def command(self, tree: Path, *question: str) -> list[str]:
        """The command line of a question."""
        version = [f"--bazel_version={self.version}"] if self.version else []
        return ["-C", str(tree), "--jobs=1", f"--cache_dir={self.folder}", *version, *question]

    def files(self) -> list[Path]:
        """The files of graphs, whole ones."""
        return sorted((self.folder / "graphs").iterdir())

    def wrong(self) -> list[str]:
        """The questions whose answers are wrong: neither right nor left to the full way."""
        return [
            " ".join(question) for question in QUESTIONS if self.answer(question) not in (None, self.right[question])
        ]

    def answer(self, question: tuple[str, ...]) -> Said | None:
        """What the kept graph says."""
        return kept(self.command(EXAMPLE, *question))

    def spoil(self, seed: int) -> tuple[str, list[str]]:
        """Damage the graph in the way that a seed chooses; the way, and the questions with wrong answers."""
        chosen = random.Random(seed)
        way = chosen.choice(list(WAYS))
        self.path.write_bytes(WAYS[way](self.whole, self.other.read_bytes(), chosen))
        os.chmod(self.path, 0o600)
        return way, self.wrong()


def _flip(data: bytes, _other: bytes, chosen: random.Random) -> bytes:
    """1 to 10 bits, every other time near the front."""
    spoiled = bytearray(data)
    end = chosen.choice((len(data), 4096))
    for _ in range(chosen.randint(1, 10)):
        spoiled[chosen.randrange(end)] ^= 1 << chosen.randrange(8)
    return bytes(spoiled)


def _cut(data: bytes, _other: bytes, chosen: random.Random) -> bytes:
    return data[: chosen.randrange(len(data))]


def _overwrite(data: bytes, _other: bytes, chosen: random.Random) -> bytes:
    size, at = chosen.choice((1, 20, 4096)), chosen.randrange(len(data))
    return (data[:at] + chosen.choice((bytes(size), chosen.randbytes(size))) + data[at + size :])[: len(data)]


def _move(data: bytes, _other: bytes, chosen: random.Random) -> bytes:
    """A part of it in the place of another."""
    size = chosen.choice((64, 4096, 1 << 16))
    start, to = (chosen.randrange(len(data) - size) // 64 * 64 for _ in range(2))
    return data[:to] + data[start : start + size] + data[to + size :]


def _mix(data: bytes, other: bytes, chosen: random.Random) -> bytes:
    """The front of one graph and the rest of another, which is as well sealed."""
    at = chosen.randrange(len(other))
    return chosen.choice((other[:at] + data[at:], data[:at] + other[at:], other))


def _longer(data: bytes, _other: bytes, chosen: random.Random) -> bytes:
    return data + chosen.randbytes(chosen.choice((1, 100, 1 << 16)))


WAYS: dict[str, Callable[[bytes, bytes, random.Random], bytes]] = {
    "bits flipped": _flip,
    "cut": _cut,
    "overwritten": _overwrite,
    "moved": _move,
    "mixed with another": _mix,
    "longer": _longer,
}


def killed(graphs: Graphs, seed: int) -> list[str]:
    """Kill a process with SIGKILL while it makes and writes the graph anew; the questions with wrong answers."""
    chosen = random.Random(seed)
    graphs.path.unlink(missing_ok=True)
    if chosen.random() < 0.5:
        full(graphs.command(EXAMPLE, "query", "//tensorflow/core:all"))  # a smaller one is in its place
    writer = [sys.executable, "-m", "bzlgraph", *graphs.command(EXAMPLE, "query", "deps(//...)")]
    with subprocess.Popen(writer, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(chosen.uniform(0.1, 1.5))
        process.send_signal(signal.SIGKILL)
    return graphs.wrong()


def main() -> int:
    """Run; 1 when an answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in (("runs", 1000), ("kills", 20), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    failed = []
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_STATE_HOME"] = scratch
        every = [Graphs(Path(scratch) / f"cache{number}", version) for number, version in enumerate(VERSIONS)]
        for seed in range(options.seed * 10**6, options.seed * 10**6 + options.runs):
            way, wrong = every[seed % len(every)].spoil(seed)
            counts[way] += 1
            failed += [f"{way}, seed {seed}: {each}" for each in wrong]
        for seed in range(options.kills):
            counts["killed"] += 1
            failed += [f"killed, seed {seed}: {each}" for each in killed(every[seed % len(every)], seed)]
    print(*(f"{number:6} {way}" for way, number in counts.items()), *failed, f"{len(failed)} wrong", sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
