"""flags/reading: what a process of its own has read is not read again, and all of it is."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bzlgraph.flags import reading
from bzlgraph.flags.configure import questions
from bzlgraph.flags.reading import begin_reading, read_knowledge, read_written
from bzlgraph.flags.runtime import runtime_flags
from bzlgraph.flags.settings.table import SettingsAnswer
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace
from tests.flags.flags_workspace import written


def test_what_was_read_apart_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tree").mkdir()
    workspace = open_workspace(written(tmp_path / "tree"), Options(cache_folder=tmp_path / "cache", jobs=2))
    time.sleep(0.1)  # what has just changed may change again unseen
    waiting = begin_reading(workspace)
    assert waiting is not None
    assert waiting()

    def again(*_: object) -> None:
        raise AssertionError("it is read again")

    monkeypatch.setattr(questions, "_read_script", again)
    monkeypatch.setattr(runtime_flags, "_read", again)
    known = read_knowledge(workspace, SettingsAnswer(), read_written(workspace))
    assert [row.variable for row in known.configure.rows] == ["NEED_FAST"]
    assert "fast" in [flag.name for flag in known.runtime.rows]


def test_folders_are_listed_once_for_all_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tree" / "sub").mkdir(parents=True)
    workspace = open_workspace(written(tmp_path / "tree"), Options(cache_folder=tmp_path / "cache", jobs=2))
    source, listed = workspace.repository("").tree.source, list[str]()
    monkeypatch.setattr(reading, "start_apart", lambda _read, _jobs: listed.extend(source._listed))  # type: ignore[attr-defined]
    begin_reading(workspace)
    assert {"", "sub"} <= set(listed)


@pytest.mark.parametrize(("cache", "jobs"), [(False, 2), (True, 1)])
def test_nothing_is_read_apart_where_that_would_help_nobody(tmp_path: Path, cache: bool, jobs: int) -> None:
    options = Options(cache_folder=tmp_path / "cache" if cache else None, jobs=jobs)
    assert begin_reading(open_workspace(written(tmp_path), options)) is None
