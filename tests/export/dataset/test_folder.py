"""The folder of a dataset is complete or not there, and replaces nothing but a dataset."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.export.dataset.folder import MARK, new_dataset


def make(folder: Path, text: str = "rows") -> None:
    with new_dataset(folder) as new:
        (new / "targets").mkdir()
        (new / "targets" / "x").write_text(text, encoding="utf-8")


def content(folder: Path) -> str:
    return (folder / "targets" / "x").read_text(encoding="utf-8")


def test_it_appears_when_it_is_complete(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "dataset"
    with new_dataset(folder) as new:
        (new / "targets").mkdir()
        assert not folder.exists()
    assert {path.name for path in folder.iterdir()} == {"targets", MARK}
    assert [path.name for path in folder.parent.iterdir()] == ["dataset"]


def test_a_dataset_is_replaced(tmp_path: Path) -> None:
    make(tmp_path / "dataset")
    with new_dataset(tmp_path / "dataset") as new:
        (new / "edges").mkdir()
        assert content(tmp_path / "dataset") == "rows"
    assert {path.name for path in (tmp_path / "dataset").iterdir()} == {"edges", MARK}
    assert [path.name for path in tmp_path.iterdir()] == ["dataset"]


def test_an_empty_folder_and_a_link_to_a_dataset_are_filled(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    make(tmp_path / "link", "first")
    make(tmp_path / "link", "second")
    assert (tmp_path / "link").is_symlink()
    assert content(tmp_path / "real") == "second"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_was_there_stays_when_it_cannot_be_made(error: type[BaseException], tmp_path: Path) -> None:
    make(tmp_path / "dataset", "old")

    def break_off() -> None:
        with new_dataset(tmp_path / "dataset") as new:
            (new / "targets").mkdir()
            raise error

    with pytest.raises(error):
        break_off()
    assert content(tmp_path / "dataset") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["dataset"]


@pytest.mark.parametrize("foreign", ["notes.txt", "targets", ".git"])
def test_other_files_are_never_replaced(foreign: str, tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    folder.mkdir()
    (folder / foreign).write_text("mine", encoding="utf-8")
    with pytest.raises(UsageProblem, match="files that do not belong to a dataset"):
        make(folder)
    assert (folder / foreign).read_text(encoding="utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["dataset"]


@pytest.mark.parametrize("mark", ["", "[]", '{"schema": "other/1", "tables": ["mine"]}', '{"schema": 3}'])
def test_a_mark_that_is_not_ours_marks_nothing(mark: str, tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    (folder / "mine").mkdir(parents=True)
    (folder / MARK).write_text(mark, encoding="utf-8")
    with pytest.raises(UsageProblem, match="files that do not belong to a dataset"):
        make(folder)
    assert (folder / "mine").is_dir()


def test_a_file_somebody_added_to_a_dataset_keeps_it(tmp_path: Path) -> None:
    make(tmp_path / "dataset")
    (tmp_path / "dataset" / "notes.txt").touch()
    with pytest.raises(UsageProblem, match="files that do not belong to a dataset"):
        make(tmp_path / "dataset")
    assert content(tmp_path / "dataset") == "rows"


def test_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dataset").touch()
    with pytest.raises(UsageProblem, match="a dataset is a folder"):
        make(tmp_path / "dataset")
    with pytest.raises(UsageProblem):
        make(tmp_path / "dataset" / "below")


def test_what_comes_in_between_is_replaced_if_it_is_a_dataset(tmp_path: Path) -> None:
    with new_dataset(tmp_path / "dataset") as new:
        (new / "targets").mkdir()
        (new / "targets" / "x").write_text("slow", encoding="utf-8")
        make(tmp_path / "dataset", "quick")
    assert content(tmp_path / "dataset") == "slow"

    def slow() -> None:
        with new_dataset(tmp_path / "other") as new:
            (new / "targets").mkdir()
            (tmp_path / "other").mkdir()
            (tmp_path / "other" / "mine").touch()

    with pytest.raises(UsageProblem, match="files that do not belong to a dataset"):
        slow()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dataset", "other"]


def test_a_killed_run_leaves_no_half_dataset(tmp_path: Path) -> None:
    make(tmp_path / "dataset", "old")
    script = (
        "import sys, time\nfrom pathlib import Path\nfrom bzlgraph.export.dataset.folder import new_dataset\n"
        "with new_dataset(Path(sys.argv[1])) as new:\n"
        "    (new / 'targets').mkdir()\n    print(new, flush=True)\n    time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "dataset")], stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        left = Path(run.stdout.readline().strip())
        os.kill(run.pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert content(tmp_path / "dataset") == "old"
    assert left.name.startswith(".dataset.")
    make(tmp_path / "dataset", "new")
    assert content(tmp_path / "dataset") == "new"
