"""``python -m tests.differential.wheels.torchgen TREE``: kernels of a PyTorch tree beside those of its own torchgen.

torchgen is what PyTorch's build generates its dispatcher with. It says for each operator and dispatch key which C++
function is registered; the tree's own copy is imported (so the tree has to be one that may run), which needs pyyaml and
typing_extensions. What ``op`` shows of stubs and of structured kernels reached over an ``out`` operator is more than
torchgen says, and no difference. Ends with 1 where a pair of operator and key has another function, or none.
"""

from __future__ import annotations

import importlib
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from bzlgraph.ops.pytorch.tracer import PytorchTracer
from bzlgraph.workspace.sources.source import DiskSource

STRUCTURED_KEYS = ("CPU", "CUDA", "MPS", "XPU")
"""Of these an operator that delegates has the kernel of the one that it names (``torchgen/model.py``)."""
UFUNC = "ufunc_"
"""Names of functions that torchgen generates from ``ufunc_inner_loop``: ``op`` shows the inner functions."""
Kernels = Mapping[str, Mapping[str, str]]
"""Operator -> dispatch key -> function."""


def registered(tree: Path) -> Kernels:
    """What torchgen would register; without operators that it makes up itself."""
    sys.path.insert(0, str(tree))
    native = tree / "aten/src/ATen/native"
    parsed = importlib.import_module("torchgen.gen").parse_native_yaml(
        str(native / "native_functions.yaml"), str(native / "tags.yaml")
    )
    written = {str(each.func.name): each for each in parsed.native_functions if "generated" not in each.tags}
    found: dict[str, dict[str, str]] = {name: {} for name in written}
    for key, index in parsed.backend_indices.items():
        for name, kernel in index.index.items():
            if str(name) in written:
                found[str(name)][str(key)] = kernel.kernel.rpartition("::")[2]
    for name, each in written.items():
        if each.structured_delegate is not None:
            inherited = found[str(each.structured_delegate)]
            found[name] |= {key: inherited[key] for key in STRUCTURED_KEYS if key in inherited}
    return found


def shown(tree: Path) -> dict[str, dict[str, set[str]]]:
    """What ``op`` shows: operator -> key -> functions."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for story in PytorchTracer(DiskSource(tree), lambda _path: ()).ops():
        for kernel in story.kernels:
            found[story.op][kernel.device].add(kernel.kernel_class.rpartition("::")[2])
    return found


def compared(truth: Kernels, ours: Mapping[str, Mapping[str, set[str]]]) -> Iterator[tuple[str, str, str, str]]:
    """(verdict, operator, key, function) of each pair of torchgen."""
    for name, kernels in truth.items():
        for key, function in kernels.items():
            found = ours.get(name, {}).get(key, set())
            if function in found:
                yield "equal", name, key, function
            elif function.startswith(UFUNC):
                yield "generated", name, key, function
            else:
                yield "differs" if found else "missing", name, key, function


def main() -> None:
    """Prints how many pairs are equal, and each that is not."""
    tree = Path(sys.argv[1])
    rows = list(compared(registered(tree), shown(tree)))
    for verdict, name, key, function in rows:
        if verdict != "equal":
            print(f"{verdict}: {name} on {key}: {function}")
    counts = Counter(verdict for verdict, *_ in rows)
    print(f"{len(rows)} pairs of operator and dispatch key: {dict(counts)}")
    sys.exit(1 if counts["differs"] + counts["missing"] else 0)


if __name__ == "__main__":
    main()
