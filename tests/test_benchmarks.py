"""The parts of benchmarks/ that decide whether its figures mean anything."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import measure, parse_speed, synthetic


def test_the_synthetic_workspace_is_always_the_same(tmp_path: Path) -> None:
    first, second = synthetic.write(tmp_path / "a", 25), synthetic.write(tmp_path / "b", 25)
    files = [path.relative_to(first) for path in sorted(first.rglob("*")) if path.is_file()]
    assert sum(path.name == "BUILD" for path in files) == 26
    assert [path for path in files if (first / path).read_bytes() != (second / path).read_bytes()] == []


def test_every_file_of_the_synthetic_workspace_parses(tmp_path: Path) -> None:
    files = parse_speed.source_files(synthetic.write(tmp_path, 11))
    assert len(files) == 14
    assert parse_speed.own([(path.read_bytes(), str(path), dialect) for path, dialect in files]).rejected == 0


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_memory_counts_children() -> None:
    child = "import time; block = bytearray(60_000_000); time.sleep(0.5)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}], check=True)"
    done = measure.run([sys.executable, "-c", parent])
    assert done.exit_code == 0
    assert done.peak_bytes > 60_000_000


def test_a_failed_run_keeps_its_exit_code_and_message() -> None:
    done = measure.run([sys.executable, "-c", "import sys; print('a'); print('b'); sys.exit('no')"])
    assert (done.exit_code, done.lines, done.errors) == (1, 2, "no\n")
