"""The registry of a real TensorFlow beside what we read in its sources: ops, kernels, their classes and methods.

    python -m tests.differential.wheels.registry TREE --python PYTHON_WITH_TENSORFLOW [--registry FILE] [--misses N]
    python -m tests.differential.wheels.registry TREE --install tensorflow-cpu==2.12.0 --folder DIR

The first uses a Python that has the wheel nearest to the tree; the second makes a virtual environment in DIR with the
running Python's version and installs the wheel with pip. What the runtime has registered is asked of it by
``registry_dump.py`` and kept in FILE (nowhere in the repository: it is other people's data). Without a wheel the
comparison is skipped, with a message and exit code 0.

A kernel of the runtime is (op, device, class): the class as its registration spells it, which the runtime keeps. Spaces
and the qualifications that the two compilers' preprocessors spell differently are left out on both sides.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bzlgraph.ops.tensorflow.cpp.records import CppRecords, read_records
from bzlgraph.workspace.sources.source import DiskSource

DUMP = Path(__file__).with_name("registry_dump.py")
GOALS = {"ops": 0.995, "kernels": 0.98, "computes": 0.97}
_NOISE = re.compile(r"\s|::tensorflow::|tensorflow::|std::|Eigen::|[()]")


@dataclass(frozen=True, slots=True)
class Measured:
    """One count: how many of the runtime's are found, and what is missing."""

    name: str
    total: int
    missing: tuple[str, ...]

    @property
    def share(self) -> float:
        """How much is found, from 0 to 1."""
        return 1 - len(self.missing) / self.total if self.total else 1.0

    def __str__(self) -> str:
        goal = GOALS.get(self.name)
        told = "" if goal is None else f" (goal {goal:.1%}: {'met' if self.share >= goal else 'MISSED'})"
        return f"{self.name:<10}{self.total - len(self.missing):>7,} of {self.total:>7,}  {self.share:8.3%}{told}"


def compare(records: CppRecords, registry: dict[str, Any]) -> list[Measured]:
    """The counts of one tree."""
    ops = {each.op for each in records.ops}
    devices = {(each.op, each.device) for each in records.kernels}
    triples = {(each.op, each.device, plain(each.kernel_class)) for each in records.kernels}
    wanted = {(op, device, plain(name)) for op, device, name in registry["kernels"] if name}
    computing = {(each.kernel_class, each.location.path) for each in records.kernels if each.compute is not None}
    where = {
        (each.op, each.device, plain(each.kernel_class)): (each.kernel_class, each.location.path)
        for each in records.kernels
    }
    found = sorted(wanted & triples)
    return [
        _measured("ops", registry["ops"], lambda op: op in ops),
        _measured("devices", {(op, device) for op, device, _name in registry["kernels"]}, lambda pair: pair in devices),
        _measured("kernels", wanted, lambda triple: triple in triples),
        _measured("computes", found, lambda triple: where[triple] in computing),
        _measured("all read", set(where.values()), lambda key: key in computing),
    ]


def _measured(name: str, wanted: Iterable[Any], holds: Any) -> Measured:
    listed = sorted(set(wanted))
    return Measured(name, len(listed), tuple(_shown(each) for each in listed if not holds(each)))


def _shown(each: Any) -> str:
    return each if isinstance(each, str) else " ".join(each)


def plain(kernel_class: str) -> str:
    """A class's spelling without what differs between spellings of the same."""
    return _NOISE.sub("", kernel_class)


def unregistered(records: CppRecords, registry: dict[str, Any]) -> list[str]:
    """CPU kernels without a condition, of ops that the wheel has, which the wheel lacks: false finds, maybe."""
    wanted = {(op, device, plain(name)) for op, device, name in registry["kernels"]}
    ops = set(registry["ops"])
    return sorted(
        f"{each.op} {each.device} {each.kernel_class} {each.location}"
        for each in records.kernels
        if each.device == "CPU" and each.op in ops and not each.condition and not each.for_xla
        if (each.op, each.device, plain(each.kernel_class)) not in wanted
    )


def main() -> int:
    """Compare, report, say whether the goals are met."""
    options = _options()
    registry = _registry(options)
    if registry is None:
        print("skipped: no Python with TensorFlow was given, and pip could not install one")
        return 0
    source = DiskSource(options.tree)
    start = time.perf_counter()
    records = read_records(source, source.entries, None, options.jobs)
    print(f"{options.tree.name}: {len(records.ops):,} ops and {len(records.kernels):,} kernels read ", end="")
    print(f"in {time.perf_counter() - start:.1f} s, {len(records.gaps)} gaps")
    counts = compare(records, registry)
    for count in counts:
        print(count)
        for missing in count.missing[: options.misses]:
            print(f"    missing: {missing}")
    extra = unregistered(records, registry)
    print(f"{len(extra)} unconditional CPU kernels are not in the wheel")
    for each in extra[: options.misses]:
        print(f"    extra: {each}")
    _sample(records, options)
    return 0 if all(count.share >= GOALS.get(count.name, 0) for count in counts) else 1


def _sample(records: CppRecords, options: argparse.Namespace) -> None:
    """Registrations taken at random, with the lines that register them, to be read by a person."""
    kernels = list(records.kernels)
    chosen = random.Random(options.seed).sample(kernels, min(options.sample, len(kernels)))
    for each in chosen:
        line = (options.tree / each.location.path).read_text(errors="replace").splitlines()[each.location.line - 1]
        print(f"{each.op} {each.device} {each.kernel_class} | {' > '.join(each.through)} | {each.condition}")
        print(f"    {each.location}: {line.strip()}")


def _registry(options: argparse.Namespace) -> dict[str, Any] | None:
    """What the runtime has registered: from FILE, or asked of a Python that has it."""
    if options.registry and options.registry.is_file():
        return dict(json.loads(options.registry.read_text()))
    python = options.python or (_installed(options) if options.install else None)
    if python is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        written = options.registry or Path(folder) / "registry.json"
        done = subprocess.run([python, DUMP, written], capture_output=True, text=True, cwd=folder, check=False)
        if done.returncode:
            print(done.stderr[-600:], file=sys.stderr)
            return None
        return dict(json.loads(written.read_text()))


def _installed(options: argparse.Namespace) -> Path | None:
    """A Python of a new virtual environment with the wheel, None when pip cannot install it."""
    folder = options.folder / re.sub(r"\W+", "-", options.install)
    if not (folder / "bin" / "python").exists():
        venv.create(folder, with_pip=True)
    done = subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "-q", options.install], check=False)
    return folder / "bin" / "python" if done.returncode == 0 else None


def _count(text: str) -> int:
    """A number of registrations to show."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no number of registrations")
    return int(text)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, help="a TensorFlow checkout")
    parser.add_argument("--python", type=Path, help="a Python with the wheel nearest to the tree")
    parser.add_argument("--install", help="the wheel to install instead, as pip names it")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="where to install it")
    parser.add_argument("--registry", type=Path, help="a file to keep the registry in, and to read it from next time")
    parser.add_argument("--misses", type=int, default=20, help="how many misses of each kind to show")
    parser.add_argument("--sample", type=_count, default=0, help="show that many registrations, taken at random")
    parser.add_argument("--seed", type=int, default=0, help="another sample")
    parser.add_argument("--jobs", type=int, default=0, help="processes to read with (default: one for each core)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
