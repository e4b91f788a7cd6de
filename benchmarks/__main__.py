"""`make bench`: one table, every figure beside the one it is compared with, all in the same run.

Environment: TREE (a workspace; default examples/mini_tensorflow), STUBS (a table of tests/differential/stubs, given to
both sides), BAZEL (a program or a version), PACKAGES (of the synthetic workspace; 0 leaves it out), QUESTION, ROUNDS
(runs of each, the quickest counts).
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks import measure, parse_speed, rivals, synthetic
from tests.differential.stubs import read_stubs, write_stubs

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "mini_tensorflow"
PIP_PACKAGE = "//tensorflow/tools/pip_package:build_pip_package"
ROUNDS = int(os.environ.get("ROUNDS", "2"))
ANSWERED = (0, 3)  # 3: with gaps, or with the errors that the tree really has


def main() -> int:
    """Measure, print. 1 when a run of bzlgraph failed."""
    tree = Path(os.environ.get("TREE") or EXAMPLE).resolve()
    with tempfile.TemporaryDirectory(prefix="bzlgraph-bench-") as scratch:
        print(f"{'what':52} {'bzlgraph':>12} {'other':>12} {'ratio':>7}  other is")
        _parsing(tree)
        failed = _questions(tree, _overrides(tree, Path(scratch)), Path(scratch))
        packages = int(os.environ.get("PACKAGES", "100"))
        if packages:
            made = synthetic.write(Path(scratch) / "synthetic", packages)
            _parsing(made)
            failed += _questions(made, [], Path(scratch))
    return 1 if failed else 0


def _overrides(tree: Path, scratch: Path) -> list[str]:
    table = os.environ.get("STUBS") or ("mini_tensorflow" if tree == EXAMPLE else "")
    if not table:
        return []
    folders = write_stubs(read_stubs(table, tree), scratch / "stubs")
    return [f"--override_repository={name}={path}" for name, path in folders.items()]


def _parsing(tree: Path) -> None:
    files = parse_speed.source_files(tree)
    sources = [(path.read_bytes(), str(path), dialect) for path, dialect in files]
    own = parse_speed.own(sources)
    _heading(f"{tree.name}: {len(files)} files, {own.megabytes:.2f} MB, {own.rejected} rejected")
    others = {"ast.parse": parse_speed.python(sources), "buildifier": parse_speed.buildifier(files)}
    for name, other in others.items():
        if other:
            note = f"{name} ({other.rejected} rejected)" if other.rejected else name
            _row(
                "parse, one core", f"{own.rate:.1f} MB/s", f"{other.rate:.1f} MB/s", own.rate / (other.rate or 1), note
            )


def _questions(tree: Path, overrides: list[str], scratch: Path) -> int:
    """Everything at once, then one question; each cold and again. The number of runs that failed."""
    bazel = rivals.find(tree, overrides)
    question = os.environ.get("QUESTION") or f"deps({PIP_PACKAGE if (tree / 'tensorflow').is_dir() else '//...'})"
    failed = 0
    for expression in dict.fromkeys(["//...", question]):
        cache = scratch / "cache"
        command = [sys.executable, "-m", "bzlgraph", "-C", str(tree), f"--cache_dir={cache}", *overrides]
        command += [f"--bazel_version={bazel.version}"] if bazel and bazel.version else []
        command += ["query", "--output=label_kind", "-k", expression]

        def again(command: list[str] = command) -> measure.Run:
            return measure.run(command, cwd=ROOT)

        def cold(cache: Path = cache, again: Callable[[], measure.Run] = again) -> measure.Run:
            shutil.rmtree(cache, ignore_errors=True)
            return again()

        short = expression.replace(PIP_PACKAGE, "pip package")
        rows = {
            "cold": (cold, bazel and partial(bazel.cold, expression)),
            "again": (again, bazel and partial(bazel.hot, expression)),
        }
        for how, (ours, theirs) in rows.items():
            own, other = _best(ours, theirs)
            if own.exit_code not in ANSWERED:
                failed += 1
                print(f"error: {' '.join(command)}: exit code {own.exit_code}\n{own.errors[-2000:]}", file=sys.stderr)
            _compare(f"{short}, {how} ({own.lines} labels)", own, other, bazel)
    if bazel:
        bazel.shutdown()
    return failed


def _best(
    ours: Callable[[], measure.Run], theirs: Callable[[], measure.Run] | None
) -> tuple[measure.Run, measure.Run | None]:
    """The quickest of ROUNDS runs of each side, taken in turns, so that a busy moment hits both."""
    rounds = [(ours(), theirs() if theirs else None) for _ in range(ROUNDS)]
    quickest = min((own for own, _ in rounds), key=_seconds)
    others = [other for _, other in rounds if other]
    return quickest, min(others, key=_seconds) if others else None


def _seconds(run: measure.Run) -> float:
    return run.seconds


def _compare(what: str, own: measure.Run, other: measure.Run | None, bazel: rivals.Bazel | None) -> None:
    if own.exit_code not in ANSWERED:
        _row(what, "failed", "", None, "")
        return
    if other is None or bazel is None:
        _row(what, f"{own.seconds:.2f} s", "", None, "")
        _row("  peak memory", f"{own.peak_bytes / 1e6:.0f} MB", "", None, "")
        return
    note = bazel.name if own.lines == other.lines else f"{bazel.name} ({other.lines} labels)"
    _row(what, f"{own.seconds:.2f} s", f"{other.seconds:.2f} s", other.seconds / own.seconds, note)
    if other.peak_bytes:
        ratio = other.peak_bytes / (own.peak_bytes or 1)
        _row("  peak memory", f"{own.peak_bytes / 1e6:.0f} MB", f"{other.peak_bytes / 1e6:.0f} MB", ratio, "its server")


def _heading(text: str) -> None:
    print(f"\n{text}")


def _row(what: str, own: str, other: str, ratio: float | None, note: str) -> None:
    """A ratio over 1 is in bzlgraph's favour."""
    shown = f"{ratio:.2f}x" if ratio is not None else ""
    print(f"  {what:50} {own:>12} {other or '-':>12} {shown:>7}  {note}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
