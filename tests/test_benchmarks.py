"""The parts of benchmarks/ that decide whether its figures mean anything."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import bzlgraph
from benchmarks import measure, parse_speed, synthetic


def test_the_synthetic_workspace_is_always_the_same(tmp_path: Path) -> None:
    first, second = synthetic.write(tmp_path / "a", 25), synthetic.write(tmp_path / "b", 25)
    files = [path.relative_to(first) for path in sorted(first.rglob("*")) if path.is_file()]
    assert sum(path.name == "BUILD" for path in files) == 26
    assert sum(path.name.startswith("c0") for path in files) == 25 * len(synthetic.SUFFIXES)
    assert [path for path in files if (first / path).read_bytes() != (second / path).read_bytes()] == []


def test_every_file_of_the_synthetic_workspace_parses(tmp_path: Path) -> None:
    files = [each for each in parse_speed.source_files(synthetic.write(tmp_path, 11)) if each[0].suffix != ".py"]
    assert len(files) == 14
    assert parse_speed.own([(path.read_bytes(), str(path), dialect) for path, dialect in files]).rejected == 0


def test_the_synthetic_workspace_has_a_hundred_targets_a_package_and_ten_edges_a_rule(tmp_path: Path) -> None:
    workspace = bzlgraph.open(synthetic.write(tmp_path, 40), bazel_version="4.2.3", jobs=1, cache=False)
    assert len(workspace.query("//project_0/... + //project_1/...:*")) == 20 * 50 + 20 * (synthetic.TARGETS + 1)
    assert 9 < len(workspace.build_graph.columns.edge_target) / (40 * 50) < 11


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="memory is read from /proc")
def test_memory_counts_children() -> None:
    child = "import time; block = bytearray(60_000_000); time.sleep(0.5)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}], check=True)"
    done = measure.run([sys.executable, "-c", parent])
    assert done.exit_code == 0
    assert done.peak_bytes > 60_000_000


def test_a_failed_run_keeps_its_exit_code_and_message() -> None:
    done = measure.run([sys.executable, "-c", "import sys; print('a'); print('b'); sys.exit('no')"])
    assert (done.exit_code, done.lines, done.errors) == (1, 2, "no\n")
