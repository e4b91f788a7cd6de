"""`make bench`: every figure of bzlgraph beside the one it is compared with, taken in turns in the same run.

Environment: TREE (a workspace; default examples/mini_tensorflow), NAME (what the page calls it), STUBS (a table of
tests/differential/stubs, given to both sides), BAZEL (a program or a version), HEAP (of its server, in MB), PACKAGES
(sizes of synthetic workspaces; "" leaves them out), SYNTHETIC (the folder that has them, or gets them), CORES ("1 2"),
ROUNDS (runs of each question asked again), LIMIT (seconds that Bazel gets for a question but the first), WRITE (the
page whose sections are made anew).
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from math import inf
from pathlib import Path

from benchmarks import measure, page, parse_speed, rivals, synthetic
from benchmarks.compare import Failed, Figure, in_turns
from benchmarks.questions import EVERYTHING, EXAMPLE, ends_in
from benchmarks.rivals import Bazel, Own, Question
from tests.differential.real.stubs import read_stubs, write_stubs

ROUNDS = int(os.environ.get("ROUNDS", "5"))
CORES = [int(each) for each in os.environ.get("CORES", str(min(2, os.cpu_count() or 1))).split()]
PLOTTED = ("cold `//...`", "again one label", "again `deps(X)`", "again `rdeps(//..., X)`")


def main() -> int:
    """Measure, print, write. 1 when a run of bzlgraph failed."""
    wanted, load = os.environ.get("WRITE"), os.getloadavg()[0]
    tree = Path(os.environ.get("TREE") or EXAMPLE).resolve()
    sizes = [int(each) for each in os.environ.get("PACKAGES", "100").split()]
    with tempfile.TemporaryDirectory(prefix="bzlgraph-bench-") as folder:
        scratch = Path(folder)
        try:
            parts = (
                {os.environ.get("NAME") or tree.name: _of_tree(tree, scratch)}
                if os.environ.get("TREE") or not wanted
                else {}
            )
            synthetic_folder = Path(os.environ.get("SYNTHETIC") or scratch / "synthetic")
            trees = [synthetic.write(synthetic_folder / str(packages), packages) for packages in sizes if packages]
            grown = {_size(each): _of_tree(each, scratch) for each in trees}
        except Failed as failure:
            print(f"error: {failure}", file=sys.stderr)
            return 1
    if wanted:
        _write(Path(wanted), parts, grown, load)
    return 0


def _size(tree: Path) -> str:
    """The size of a synthetic tree: ``100,000 targets``."""
    return f"{synthetic.packages_in(tree) * synthetic.TARGETS:,} targets"


def _of_tree(tree: Path, scratch: Path) -> tuple[str, list[Figure]]:
    """The name of the other and the figures of a tree, printed as they come."""
    overrides = _overrides(tree, scratch)
    bazel = rivals.find(tree, overrides)
    _parsing(tree)
    figures = []
    name = bazel.name if bazel else "Bazel"
    for cores in CORES:
        pinned = ("taskset", "-c", ",".join(map(str, range(cores)))) if shutil.which("taskset") else ()
        own = Own(tree, overrides, bazel.version if bazel else "", scratch / "cache", pinned)
        for each in _figures(own, bazel.on(pinned) if bazel else None, cores):
            figures.append(each)
            print(page.table([each], name).splitlines()[-1], flush=True)
    if bazel:
        bazel.shutdown()
    return name, figures


def _figures(own: Own, bazel: Bazel | None, cores: int) -> Iterator[Figure]:
    def alone(run: Callable[[Question], measure.Run], each: Question) -> measure.Run:
        """A run while no server is there: one that has just answered compiles for seconds, on the same cores."""
        if bazel:
            bazel.shutdown()
        return run(each)

    def cold(each: Question) -> Figure:
        turns, limit = max(1, ROUNDS // 2), None if each is EVERYTHING else rivals.LIMIT
        theirs = partial(bazel.cold, each, limit) if bazel else None
        return in_turns(f"cold {each.what}", cores, turns, partial(alone, own.cold, each), theirs)

    def again(each: Question, turns: int = ROUNDS) -> Figure:
        theirs = partial(bazel.hot, each) if bazel else None
        return in_turns(f"again {each.what}", cores, turns, partial(own.hot, each), theirs)

    run = alone(own.watched, EVERYTHING)
    yield cold(EVERYTHING)
    memory, seconds = ((each,) for each in bazel.server()) if bazel else ((), ())
    yield Figure(f"memory of cold {EVERYTHING.what}", cores, (run.peak_bytes,), memory, unit="MB")
    yield Figure(f"processor time of cold {EVERYTHING.what}", cores, (run.processor_seconds,), seconds)
    ends = ends_in(own.tree)
    if ends is None:
        return
    for each in ends.questions():  # both are hot: everything was asked
        yield (figure := again(each))
        if inf in figure.other:  # its server is gone: it is asked nothing more
            bazel = None
    session = [again(each, 1) for each in ends.session()]
    ours, theirs = (tuple(chain(*side)) for side in zip(*((each.own, each.other) for each in session), strict=True))
    yield Figure(f"{len(session)} different questions, each", cores, ours, theirs)
    yield cold(ends.deps())


def _overrides(tree: Path, scratch: Path) -> list[str]:
    table = os.environ.get("STUBS") if os.environ.get("TREE") else ""
    table = "mini_tensorflow" if tree == EXAMPLE else "" if synthetic.packages_in(tree) else table
    if not table:
        return []
    folders = write_stubs(read_stubs(table, tree), scratch / "stubs")
    return [f"--override_repository={name}={path}" for name, path in folders.items()]


def _parsing(tree: Path) -> None:
    """Prints how fast files are parsed."""
    files = parse_speed.source_files(tree)[:2000]
    sources = [(path.read_bytes(), str(path), dialect) for path, dialect in files]
    own = parse_speed.own(sources)
    print(f"\n{tree.name}: {len(files)} files, {own.megabytes:.2f} MB, {own.rejected} rejected: {own.rate:.1f} MB/s")
    others = {"ast.parse": parse_speed.python(sources), "buildifier": parse_speed.buildifier(files)}
    for name, other in others.items():
        if other:
            print(f"  {name}: {other.rate:.1f} MB/s, {other.rejected} rejected")


def _write(
    written: Path, parts: dict[str, tuple[str, list[Figure]]], grown: dict[str, tuple[str, list[Figure]]], load: float
) -> None:
    for name, (other, figures) in parts.items():
        page.write_section(written, name, f"## {name}\n{page.machine(load)}\n\n{page.table(figures, other)}")
    if not grown:
        return
    other = next(iter(grown.values()))[0]
    sizes = {words: figures for words, (_, figures) in grown.items()}
    picture = written.with_suffix(".svg")
    page.plot(picture, sizes, PLOTTED, other)
    tables = "\n\n".join(f"### {words}\n{page.table(figures, other)}" for words, figures in sizes.items())
    text = f"{page.machine(load)}\n\n![Seconds by number of targets]({picture.name})\n\n{tables}"
    page.write_section(written, "synthetic", text)


if __name__ == "__main__":
    sys.exit(main())
