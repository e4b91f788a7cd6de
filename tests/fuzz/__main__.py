"""python -m tests.fuzz [TARGET...]: random inputs for every reader; exit code 1 when one brings out a bug.

Inputs follow from the seed and their number alone: ``--seed S --only N TARGET`` shows one again. Each fault is written
below ``build/fuzz``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzz.run import AGAIN, MEGABYTES, SECONDS, Fault, Figures, digests, fuzz, input_of
from tests.fuzz.targets import TARGETS

FOLDER = Path("build/fuzz")


def main(words: Sequence[str] | None = None) -> int:
    """Fuzz, and say what was found."""
    options = _options(words)
    if options.only is not None:
        data = input_of(options.targets[0], options.seed, options.only)
        sys.stdout.buffer.write(data)
        print(f"\n---- {TARGETS[options.targets[0]].outcome(data)}", file=sys.stderr)
        return 0
    if options.digests:
        print("\n".join(digests(options.targets[0], options.seed, range(*options.digests))))
        return 0
    share = options.seconds / len(options.targets) * options.workers if options.seconds else 0.0
    with ThreadPoolExecutor(options.workers) as pool:
        runs = list(pool.map(lambda name: _run(name, options, share), options.targets))
    faults = [fault for figures in runs for fault in figures.faults]
    for name, figures in zip(options.targets, runs, strict=True):
        print(f"{name:14} {_row(figures)}")
    print(f"{sum(each.inputs for each in runs)} inputs with seed {options.seed}: {len(faults)} faults")
    for fault in faults:
        print(f"\n{fault.target} {fault.number}: {_keep(fault)}\n{fault.what.rstrip()[-1500:]}")
    return 1 if faults else 0


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument(
        "--inputs", type=int, default=0, help="of each target; without it, as many as there is time for"
    )
    parser.add_argument("--seconds", type=float, default=0.0, help="for all targets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", type=int, help="print the input of this number, and what comes of it")
    parser.add_argument("--digests", type=int, nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    options.targets = options.targets or list(TARGETS)
    if unknown := set(options.targets) - set(TARGETS):
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    if not options.inputs and not options.seconds:
        options.seconds = 60.0
    return options


def _run(name: str, options: argparse.Namespace, share: float) -> Figures:
    until = time.monotonic() + share if share else float("inf")
    figures = fuzz(name, options.seed, 0, options.inputs or sys.maxsize, until)
    figures.faults += _unstable(name, options.seed, min(figures.inputs, 20 * AGAIN))
    return figures


def _unstable(name: str, seed: int, most: int) -> list[Fault]:
    """Inputs of which something else comes where sets and dictionaries have another order."""
    command = [sys.executable, "-m", "tests.fuzz", name, f"--seed={seed}", "--digests", "0", str(most), str(AGAIN)]
    texts = [
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": hashes}, capture_output=True, text=True, check=False
        )
        for hashes in ("1", "2")
    ]
    one, other = (text.stdout.split() for text in texts)
    what = "another outcome under another PYTHONHASHSEED"
    pairs = zip(range(0, most, AGAIN), one, other, strict=False)  # a bug ends both: it is found above
    numbers = [number for number, mine, its in pairs if mine != its]
    return [Fault(name, number, what, input_of(name, seed, number)) for number in numbers]


def _row(figures: Figures) -> str:
    return (
        f"{figures.inputs:9} inputs {figures.seconds:8.1f} s, slowest {figures.slowest:5.2f} of {SECONDS} s,"
        f" {figures.megabytes:5} of {MEGABYTES} MB, {len(figures.faults)} faults"
    )


def _keep(fault: Fault) -> Path:
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{fault.target}-{fault.number}"
    path.write_bytes(fault.data)
    return path


if __name__ == "__main__":
    raise SystemExit(main())
