"""Files on disk: links, loops, unreadable folders."""

import os
import tracemalloc

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.workspace.sources.source import MAX_FILE_BYTES, DiskSource
from bzlgraph.workspace.workspace import find_root


def test_entries_follow_links_but_not_into_their_own_parents(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_text("x")
    os.symlink(tmp_path / "a", tmp_path / "link")
    os.symlink(tmp_path, tmp_path / "a" / "loop")
    os.symlink("nowhere", tmp_path / "dangling")
    source = DiskSource(tmp_path)
    assert source.entries("") == ([], ["a", "link"])
    assert source.entries("a") == (["x"], [])
    assert source.entries("absent") == ([], [])


def test_a_file_is_read_into_the_memory_that_it_needs(tmp_path):
    (tmp_path / "small").write_bytes(b"x" * 1000)
    (tmp_path / "large").write_bytes(b"")
    os.truncate(tmp_path / "large", MAX_FILE_BYTES + 1)
    source = DiskSource(tmp_path)
    source.read("small")
    tracemalloc.start()
    assert source.read("small") == b"x" * 1000
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()
    with pytest.raises(OSError, match="larger than 64 MB"):
        source.read("large")


def test_a_file_that_grows_while_it_is_read_is_read_whole_but_not_beyond_the_limit(tmp_path, monkeypatch):
    """fstat of a file told 3 bytes, and then somebody wrote."""
    (tmp_path / "grown").write_bytes(b"x" * 1000)
    (tmp_path / "large").write_bytes(b"")
    os.truncate(tmp_path / "large", MAX_FILE_BYTES * 2)
    (tmp_path / "before").write_bytes(b"abc")
    told = os.stat(tmp_path / "before")
    monkeypatch.setattr(os, "fstat", lambda _number: told)
    assert DiskSource(tmp_path).read("grown") == b"x" * 1000
    with pytest.raises(OSError, match="larger than 64 MB"):
        DiskSource(tmp_path).read("large")


def test_root_is_the_nearest_boundary_upwards(tmp_path):
    (tmp_path / "WORKSPACE").touch()
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert find_root(below) == tmp_path.resolve()
    (tmp_path / "a" / "MODULE.bazel").touch()
    assert find_root(below) == (tmp_path / "a").resolve()


def test_no_workspace_is_a_clear_problem(tmp_path):
    with pytest.raises(UsageProblem, match="not in a Bazel workspace") as caught:
        find_root(tmp_path)
    assert "-C DIR" in (caught.value.diagnostic.hint or "")
    with pytest.raises(UsageProblem, match="no such folder"):
        find_root(tmp_path / "absent")
