"""Whether a file is what it was, without reading it."""

import os
import time
from pathlib import Path

import pytest

from bzlgraph.cache import looks
from bzlgraph.cache.freshness import file_state, key_of, state_of
from bzlgraph.workspace.sources.source import DiskSource, MemorySource, folder_of


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(looks, "TICK", 0)
    (tmp_path / "a.cc").write_text("int a;")
    return tmp_path / "a.cc"


def test_an_edit_that_keeps_size_mtime_and_inode_is_seen(file: Path) -> None:
    before, source = os.stat(file), DiskSource(file.parent)
    one, all_of = file_state(file), state_of(source.root, ["a.cc"])
    assert (file_state(file), state_of(source.root, ["a.cc"])) == (one, all_of)
    time.sleep(0.02)
    file.write_text("int b;")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = os.stat(file)
    same = ("st_size", "st_mtime_ns", "st_ino")
    assert [getattr(after, each) for each in same] == [getattr(before, each) for each in same]
    assert file_state(file) != one
    assert state_of(source.root, ["a.cc"]) != all_of


def test_what_changed_a_moment_ago_is_never_the_same(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "TICK", 10**12)
    assert file_state(file) != file_state(file)


def test_a_clock_that_was_set_back_changes_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "TICK", 50_000_000)
    monkeypatch.setattr(time, "time_ns", lambda: 10**18)
    assert file_state(file) == file_state(file)


def test_what_is_not_on_disk_has_none() -> None:
    assert state_of(folder_of(MemorySource({"a.cc": b""})), ["a.cc"]) is None


def test_keys_differ_by_name_and_by_every_part() -> None:
    keys = {key_of("a", ()), key_of("b", ()), key_of("a", (b"x",)), key_of("a", (b"x", b"")), key_of("a", (b"", b"x"))}
    assert len(keys) == 5
