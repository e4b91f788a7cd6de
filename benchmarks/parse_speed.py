"""Parsing: the BUILD and .bzl files of a tree -> MB/s of bzlgraph.syntax, of CPython's ast.parse and of buildifier.

One core, the same bytes in memory for the two that run in this process. ast.parse cannot read every Starlark file (and
does not check what bzlgraph checks); files it rejects are left out of *its* bytes. buildifier starts once for all files
and also formats them.
"""

from __future__ import annotations

import ast
import gc
import shutil
import subprocess
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.syntax import parse
from bzlgraph.syntax.dialect import Dialect, for_path

_NAMES = {"BUILD", "BUILD.bazel", "MODULE.bazel", "WORKSPACE"}
REPEATS = 3


@dataclass(frozen=True, slots=True)
class Speed:
    """Megabytes per second over the bytes that were read without an error."""

    megabytes: float
    seconds: float
    rejected: int

    @property
    def rate(self) -> float:
        return self.megabytes / self.seconds if self.seconds else 0.0


def source_files(tree: Path) -> list[tuple[Path, Dialect]]:
    """Every Starlark file under the tree, with its dialect."""
    wanted = (path for path in tree.rglob("*") if path.name in _NAMES or path.suffix == ".bzl")
    return [(path, for_path(path.name)) for path in sorted(wanted) if path.is_file()]


def own(sources: list[tuple[bytes, str, Dialect]]) -> Speed:
    """bzlgraph.syntax, static checks included."""
    return _best([(source, partial(parse, source, path, dialect)) for source, path, dialect in sources])


def python(sources: list[tuple[bytes, str, Dialect]]) -> Speed:
    """CPython's own parser, in C."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _best([(source, partial(ast.parse, source, path)) for source, path, _ in sources])


def buildifier(files: list[tuple[Path, Dialect]]) -> Speed | None:
    """buildifier, when it is on PATH."""
    program = shutil.which("buildifier")
    if not program:
        return None
    megabytes = sum(path.stat().st_size for path, _ in files) / 1e6
    start = time.perf_counter()
    subprocess.run(
        [program, "-mode=check", "-lint=off", *[str(path) for path, _ in files]], capture_output=True, check=False
    )
    return Speed(megabytes, time.perf_counter() - start, 0)


def _best(tasks: list[tuple[bytes, Callable[[], object]]]) -> Speed:
    return min((_once(tasks) for _ in range(REPEATS)), key=lambda speed: speed.seconds)


def _once(tasks: list[tuple[bytes, Callable[[], object]]]) -> Speed:
    gc.collect()
    size = rejected = 0
    seconds = 0.0
    for source, task in tasks:
        start = time.perf_counter()
        try:
            task()
        except (BzlgraphError, SyntaxError, ValueError):
            rejected += 1
            continue
        seconds += time.perf_counter() - start
        size += len(source)
    return Speed(size / 1e6, seconds, rejected)
