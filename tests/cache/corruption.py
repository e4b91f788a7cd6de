"""Damaged caches: thousands of ways to spoil the files of a cache, each followed by questions whose answers are known.

``python -m tests.cache.corruption --runs 10000 --seed 1`` prints how many runs there were of each kind, and
every one whose answer, exit code or words on stderr were not those of a run without a cache, or that died or hung.
A cache is spoiled as files (bits, bytes cut off, parts of it overwritten or exchanged), as tables (rows exchanged,
removed, copied to another key) and as a folder (files exchanged, removed, emptied), also with the journal of a process
that was killed.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import random
import select
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from click.testing import CliRunner

from bzlgraph.base.codec import Codec
from bzlgraph.cache.store import Store
from bzlgraph.cli.main import main

ROOT = Path(__file__).parents[2]
WORKSPACES = ROOT / "tests" / "workspaces"
MINI = ROOT / "examples" / "mini_tensorflow"
Question = tuple[Path, tuple[str, ...]]
QUESTIONS: dict[Question, int] = {
    (WORKSPACES / "macros", ("query", "deps(//...)", "--output=build")): 4,
    (WORKSPACES / "selects", ("select", "//...", "--output=csv")): 4,
    (WORKSPACES / "broken", ("query", "-k", "//...:*", "--output=xml")): 4,
    (MINI, ("op", "tf.nn.conv2d")): 2,
    (MINI, ("flags",)): 1,
    (MINI, ("query", "//...", "--output=build")): 1,
}
"""Checkouts and what is asked of them, by how often. One cache serves all."""
SECONDS = 30
"""A run that takes longer hangs: machines are shared."""

Answer = tuple[int, bytes, bytes]
"""Exit code, stdout, stderr."""
BATCH = 100
"""Runs in one process."""


@dataclass
class Caches:
    """Copies of the checkouts, their cache as processes leave it, and as a killed one does, and the right answers."""

    folder: Path
    answers: dict[Question, Answer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for tree in dict.fromkeys(tree for tree, _ in QUESTIONS):
            shutil.copytree(tree, self.folder / tree.name)
        time.sleep(0.1)  # what changed a moment ago is not kept
        for question in QUESTIONS:
            self.answers[question] = self.answer(question, None)
            assert self.answer(question, self.kept) == self.answers[question]
        self.killed.mkdir(0o700)
        killed = os.fork()
        if killed == 0:
            self._keep_and_die()
        os.waitpid(killed, 0)
        assert sum(each.name.endswith("-wal") for each in self.killed.iterdir()) == 3

    @property
    def kept(self) -> Path:
        """The cache folder of processes that ended."""
        return self.folder / "kept"

    @property
    def killed(self) -> Path:
        """That of one that was killed, with its journals."""
        return self.folder / "killed"

    def answer(self, question: Question, cache: Path | None) -> Answer:
        """What the command line says."""
        tree, asked = question
        kept = f"--cache_dir={cache}" if cache else "--no_cache"
        code = 0
        with CliRunner().isolation() as (out, err, _mixed):
            try:
                main(["-C", str(self.folder / tree.name), kept, *asked])
            except SystemExit as ended:
                code = int(ended.code or 0)
            said = code, out.getvalue(), err.getvalue()
        gc.collect()  # closes the files of the cache
        return said

    def _keep_and_die(self) -> None:
        """Copy the rows into files of this process, and end without closing them."""
        stores = []  # none is closed
        for path in sorted(self.kept.iterdir()):
            with contextlib.closing(sqlite3.connect(path)) as connection:
                rows = list(connection.execute("SELECT * FROM kept"))
            store = Store(self.killed, path.name)
            stores.append(store)
            store.put([(b"first", b"")], Codec(bytes))
            writing = store._connection
            assert writing is not None
            with writing:
                writing.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
        os.kill(os.getpid(), signal.SIGKILL)


def _files(folder: Path) -> list[Path]:
    return [each for each in sorted(folder.iterdir()) if each.stat().st_size]


def flip_bits(folder: Path, chosen: random.Random) -> str:
    """1 to 10 bits of one file; every other time in its first page, which says most."""
    path = chosen.choice(_files(folder))
    data = bytearray(path.read_bytes())
    end = len(data) if chosen.random() < 0.5 else min(len(data), 4096)
    places = [chosen.randrange(end) for _ in range(chosen.randint(1, 10))]
    for at in places:
        data[at] ^= 1 << chosen.randrange(8)
    path.write_bytes(data)
    return f"{path.name} {places}"


def cut(folder: Path, chosen: random.Random) -> str:
    """The end of one file."""
    path = chosen.choice(_files(folder))
    size = chosen.choice((0, 1, 16, 100, 4096, chosen.randrange(path.stat().st_size)))
    os.truncate(path, min(size, path.stat().st_size))
    return f"{path.name} to {size}"


def overwrite(folder: Path, chosen: random.Random) -> str:
    """A part of one file, with zeros, noise or another part of it."""
    path = chosen.choice(_files(folder))
    data = bytearray(path.read_bytes())
    size = min(len(data), chosen.choice((1, 8, 512, 4096, 20000)))
    at, other = (chosen.randrange(len(data) - size + 1) for _ in range(2))
    data[at : at + size] = chosen.choice((bytes(size), chosen.randbytes(size), bytes(data[other : other + size])))
    path.write_bytes(data)
    return f"{path.name} {size} at {at}"


def exchange_pages(folder: Path, chosen: random.Random) -> str:
    """Two pages of one file."""
    path = chosen.choice(_files(folder))
    data = bytearray(path.read_bytes())
    pages = max(len(data) // 4096, 1)
    one, two = (4096 * chosen.randrange(pages) for _ in range(2))
    data[one : one + 4096], data[two : two + 4096] = data[two : two + 4096], data[one : one + 4096]
    path.write_bytes(data)
    return f"{path.name} {one} {two}"


def exchange_rows(folder: Path, chosen: random.Random) -> str:
    """What stands under two keys, with their seals or without."""
    path = chosen.choice([each for each in _files(folder) if each.name.endswith(".sqlite")])
    what = chosen.choice(("value", "seal", "seal, value"))
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        rows = list(connection.execute(f"SELECT key, {what} FROM kept"))
        moved = chosen.sample(rows, len(rows))
        assignments = ", ".join(f"{column} = ?" for column in what.split(", "))
        for (key, *_), (_, *values) in zip(rows, moved, strict=True):
            connection.execute(f"UPDATE kept SET {assignments} WHERE key = ?", (*values, key))
    return f"{path.name} {what}"


def spoil_rows(folder: Path, chosen: random.Random) -> str:
    """Values of every row: a bit, other types, nothing."""
    path = chosen.choice([each for each in _files(folder) if each.name.endswith(".sqlite")])
    how = chosen.choice(("bit", "type", "empty", "short", "gone"))
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for key, value in list(connection.execute("SELECT key, value FROM kept")):
            if how == "bit":
                at = chosen.randrange(len(value))
                value = value[:at] + bytes([value[at] ^ 1 << chosen.randrange(8)]) + value[at + 1 :]
            made = {"bit": value, "type": chosen.choice((1, 1.5, "text")), "empty": b"", "short": value[:-1]}.get(how)
            connection.execute("UPDATE kept SET value = ? WHERE key = ?", (made, key))
    return f"{path.name} {how}"


def exchange_files(folder: Path, chosen: random.Random) -> str:
    """Two files, or one copied over another."""
    one, two = chosen.choice(_files(folder)), chosen.choice(_files(folder))
    first, second = one.read_bytes(), two.read_bytes()
    two.write_bytes(first)
    if chosen.random() < 0.5:
        one.write_bytes(second)
    return f"{one.name} {two.name}"


def remove(folder: Path, chosen: random.Random) -> str:
    """One file, as the journal or what it belongs to."""
    path = chosen.choice(_files(folder))
    path.unlink()
    return path.name


Spoil = Callable[[Path, random.Random], str]
KINDS: dict[Spoil, int] = {
    flip_bits: 40, cut: 15, overwrite: 15, exchange_pages: 5, exchange_rows: 10, spoil_rows: 8, exchange_files: 4,
    remove: 3,
}  # fmt: skip
"""The ways, by how often each is chosen of a hundred times."""


def spoiled_run(caches: Caches, seed: int) -> tuple[str, str]:
    """Spoil a copy of a cache and ask: what was done, and what is wrong with the answer ("" for nothing)."""
    chosen = random.Random(seed)
    folder = caches.folder / "spoiled"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(chosen.choice((caches.kept, caches.kept, caches.killed)), folder)
    [spoil] = chosen.choices(list(KINDS), list(KINDS.values()))
    done = spoil(folder, chosen)
    [question] = chosen.choices(list(QUESTIONS), list(QUESTIONS.values()))
    wrong = []
    for time_asked in ("first", "second")[: 2 - (seed % 5 > 0)]:  # what the first wrote must be right, too
        if caches.answer(question, folder) != caches.answers[question]:
            wrong.append(f"seed {seed}: {spoil.__name__} {done}: {' '.join(question[1])}: the {time_asked} answer")
    return spoil.__name__, "; ".join(wrong)


def spoiled_runs(caches: Caches, seeds: Sequence[int]) -> Iterator[tuple[str, str]]:
    """``spoiled_run`` of each seed, in processes of their own: one that dies or hangs is a wrong answer, too."""
    done = 0
    while done < len(seeds):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            gc.freeze()
            for seed in seeds[done : done + BATCH]:
                os.write(writing, ("\t".join(spoiled_run(caches, seed)) + "\n").encode())
            os._exit(0)
        os.close(writing)
        count = 0
        with open(reading, "rb", buffering=0) as lines:
            while select.select([lines], [], [], SECONDS)[0] and (line := lines.readline()):
                kind, _, problem = line.decode().rstrip("\n").partition("\t")
                count += 1
                yield kind, problem
        done += count
        os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if count < len(seeds[done - count : done - count + BATCH]):
            yield "died", f"seed {seeds[done]}: died or hung: {code}"
            done += 1


def run_all() -> None:
    """The full run."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        caches = Caches(Path(folder))
        for kind, problem in spoiled_runs(caches, range(given.seed, given.seed + given.runs)):
            counts[kind] += 1
            if problem:
                wrong += 1
                print(problem, flush=True)
    print(f"{given.runs} caches from seed {given.seed}: {wrong} wrong; {dict(counts)}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    run_all()
