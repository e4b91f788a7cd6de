"""A JAX tree that several processes read gives the same as one that a single process reads."""

from pathlib import Path

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from bzlgraph.ops.python import tree
from tests.ops.jax.small_jax import small_jax

BROKEN = {"jax/_src/broken.py": b"broken_p = Primitive('broken'\n"}


@pytest.mark.parametrize("kept", [False, True])
def test_processes_read_what_one_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bool) -> None:
    monkeypatch.setattr(tree, "WORTH_A_POOL", 1)

    def tracer(jobs: int) -> JaxTracer:
        return JaxTracer(small_jax(BROKEN), lambda _: (), tmp_path / str(jobs) if kept else None, jobs=jobs)

    alone, together = tracer(1), tracer(2)
    assert alone.table().rows == together.table().rows
    assert alone.explain("jax.lax.linalg.lu") == together.explain("jax.lax.linalg.lu")
    assert [gap.what for gap in alone.gaps()] == ["jax/_src/broken.py"] == [gap.what for gap in together.gaps()]


def test_modules_are_read_ahead_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "WORTH_A_POOL", 1)
    files = small_jax()
    modules = tree.PythonTree(files, jobs=2)
    paths = list(modules.files("jax"))
    modules.read_ahead([*paths, *paths])
    monkeypatch.setattr(tree.PythonTree, "_read", None)  # nothing is left to read
    assert {modules.module(path).path for path in paths} == set(paths)
