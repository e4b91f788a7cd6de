"""The parts of benchmarks/ that decide whether its figures mean anything."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import bzlgraph
from benchmarks import measure, page, parse_speed, synthetic
from benchmarks.compare import Failed, Figure, in_turns


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


def test_ratios_are_of_runs_of_the_same_turn() -> None:
    def runs(*seconds: float) -> Callable[[], measure.Run]:
        waiting = iter(seconds)
        return lambda: measure.Run(next(waiting), 0, 0, 0, 3, "")

    figure = in_turns("x", 2, 3, runs(1, 10, 2), runs(2, 20, 8))
    assert (figure.own, figure.other, figure.ratio) == ((1, 10, 2), (2, 20, 8), 0.5)


def test_a_run_that_gives_no_answer_is_no_figure() -> None:
    with pytest.raises(Failed, match="no such thing"):
        in_turns("x", 2, 1, lambda: measure.Run(1, 0, 0, 7, 0, "no such thing"), None)


def test_a_section_of_the_page_is_replaced_and_the_rest_stays(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text("# Ours\nWritten by hand.\n", encoding="utf-8")
    for name, text in (("a", "old"), ("b", "other"), ("a", "new")):
        page.write_section(path, name, text)
    assert path.read_text(encoding="utf-8").split("\n") == [
        *("# Ours", "Written by hand.", ""),
        *("<!-- made by `make bench`: a -->", "new", "<!-- end -->", ""),
        *("<!-- made by `make bench`: b -->", "other", "<!-- end -->", ""),
    ]


def test_the_plot_has_a_line_for_each_side(tmp_path: Path) -> None:
    pytest.importorskip("pygal")
    sizes = {f"{size} targets": [Figure("cold", 2, (size / 10,), (size / 2,))] for size in (10, 100)}
    page.plot(tmp_path / "plot.svg", sizes, ["cold"], "Bazel 1.0")
    drawn = (tmp_path / "plot.svg").read_text(encoding="utf-8")
    assert "cold: bzlgraph" in drawn
    assert "cold: Bazel 1.0" in drawn
    assert "<script" not in drawn
