"""Which library follows edges best: ``python -m benchmarks.engines [GRAPH LABEL]``, a table for docs/asking_again.md.

Each engine answers the same question in a process of its own, as a command does: everything that one node reaches, with
the import of the engine and the making of its graph. Edges come as two columns in a file (where those of each node
begin, and where each leads), mapped as a kept graph is. GRAPH is a file of a kept graph, LABEL a target in it; without
them a graph of a million nodes and five million edges is made up. Engines that are not installed are left out; the
variable PYTHON_OF_ENGINES names a Python that has them.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Iterator
from pathlib import Path

from bzlgraph.snapshot import place
from bzlgraph.snapshot.mapped import Mapped

ROUNDS = 3
NODES, DEGREE = 1_000_000, 5
_LOAD = """
import mmap, sys, time
begun = time.process_time()
def column(path):
    with open(path, "rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)).cast("i")
first, ends = map(column, sys.argv[1:3])
start = int(sys.argv[3])
def step(name):
    global begun
    print(name, time.process_time() - begun)
    begun = time.process_time()
"""
_EDGES = "((node, end) for node in range(len(first) - 1) for end in ends[first[node]:first[node + 1]])"
ENGINES = {
    "plain Python": """
step("import")
step("make")
found, wave = {start}, {start}
while wave:
    wave = {end for node in wave for end in ends[first[node]:first[node + 1]]} - found
    found |= wave
""",
    "numpy": """
import numpy as np
step("import")
begins, leads = np.asarray(first), np.asarray(ends)
counts = np.diff(begins)
step("make")
found = np.zeros(len(counts), bool)
found[start] = True
fresh = found.copy()
while fresh.any():
    reached = np.zeros(len(counts), bool)
    reached[leads[np.repeat(fresh, counts)]] = True
    fresh = reached & ~found
    found |= fresh
found = np.flatnonzero(found)
""",
    "scipy.sparse.csgraph": """
import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order
step("import")
size = len(first) - 1
graph = csr_array((np.ones(len(ends), np.int8), np.asarray(ends), np.asarray(first)), shape=(size, size))
step("make")
found = breadth_first_order(graph, start, return_predecessors=False)
""",
    "rustworkx": f"""
import rustworkx as rx
step("import")
graph = rx.PyDiGraph(multigraph=False)
graph.add_nodes_from(range(len(first) - 1))
graph.add_edges_from_no_data(list({_EDGES}))
step("make")
found = rx.descendants(graph, start) | {{start}}
""",
    "networkx": f"""
import networkx as nx
step("import")
graph = nx.DiGraph()
graph.add_nodes_from(range(len(first) - 1))
graph.add_edges_from({_EDGES})
step("make")
found = nx.descendants(graph, start) | {{start}}
""",
}
_END = """
step("reach")
print("found", len(found))
"""
STEPS = ("import", "make", "reach")


def table(first: array[int], ends: array[int], start: int) -> Iterator[str]:
    """The rows of a table in Markdown: processor time in milliseconds, medians."""
    yield "| engine | import | its graph | all that one node reaches | together |"
    yield "|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("first", "ends")]
        for path, column in zip(paths, (first, ends), strict=True):
            path.write_bytes(column.tobytes())
        counts: set[str] = set()
        python = os.environ.get("PYTHON_OF_ENGINES", sys.executable)
        for name, code in ENGINES.items():
            command = [python, "-c", _LOAD + code + _END, *map(str, paths), str(start)]
            done = [subprocess.run(command, capture_output=True, text=True, check=False) for _ in range(ROUNDS)]
            if any(each.returncode for each in done):
                print(f"{name} left out: {done[0].stderr.splitlines()[-1:]}", file=sys.stderr)
                continue
            told = [dict(line.split() for line in each.stdout.splitlines()) for each in done]
            counts.update(each["found"] for each in told)
            times = [statistics.median(float(each[step]) for each in told) * 1000 for step in STEPS]
            yield f"| {name} | {' | '.join(f'{time:,.0f} ms' for time in (*times, sum(times)))} |"
    assert len(counts) == 1, f"the engines do not agree: {counts}"
    yield f"\n{len(first) - 1:,} nodes, {len(ends):,} edges; {counts.pop()} are reached."


def made_up(nodes: int, degree: int) -> tuple[array[int], array[int], int]:
    """A graph in which each node leads to some of the thousand before it, and to any before it."""
    choose = random.Random(1)
    first, ends = array("i", [0]), array("i")
    for node in range(nodes):
        for number in range(degree if node else 0):
            near = max(0, node - 1000) if number else 0
            ends.append(choose.randrange(near, node))
        first.append(len(ends))
    return first, ends, nodes - 1


def of_kept(path: Path, label: str) -> tuple[array[int], array[int], int]:
    """The edges of a kept graph, and a node of it."""
    file = Mapped(str(path), place.seal(), bytes.fromhex(path.name))
    first, ends = (array("i", file.whole(name)) for name in ("first_edge", "edge_target"))
    return first, ends, bytes(file.whole("texts")).decode().split("\n").index(label)


def main() -> None:
    """Print the table."""
    graph = of_kept(Path(sys.argv[1]), sys.argv[2]) if sys.argv[1:] else made_up(NODES, DEGREE)
    for line in table(*graph):
        print(line)


if __name__ == "__main__":
    main()
