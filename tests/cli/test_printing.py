"""Where answers go: a file that cannot be written and a mistake of ours end in one line, never in a traceback."""

from __future__ import annotations

import resource
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import SHOW_BUGS, cli, main

EXAMPLE = Path(__file__).parents[2] / "examples" / "mini_tensorflow"


def run(*arguments: str) -> tuple[int, str, str]:
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["--no_cache", "-C", str(EXAMPLE), *arguments])
        return int(stop.value.code or 0), out.getvalue().decode(), err.getvalue().decode()


@pytest.mark.parametrize(
    "arguments",
    [
        ["query", "//tensorflow/c:all"],
        ["select", "//tensorflow/c:all"],
        ["diff-config", "//tensorflow/c:all", "--vs", "-c", "opt"],
        ["why", "//tensorflow/c:c_api"],
        ["graph", "//tensorflow/c:all"],
        ["flags", "configure"],
        ["op", "Conv2D"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_output_file_that_cannot_be_written_is_told(arguments: list[str], tmp_path: Path) -> None:
    file = tmp_path / "no" / f"folder.{'svg' if arguments[0] == 'graph' else 'txt'}"
    code, printed, said = run(*arguments, f"--output_file={file}")
    assert (code, printed) == (2, "")
    assert f"no/{file.name}" in said
    assert "No such file or directory" in said


@pytest.mark.parametrize(
    "words", [["query", "//...", "-o"], ["graph", "//...", "-o"], ["export", "dataset"]], ids=" ".join
)
def test_a_disk_that_is_full_leaves_no_part_of_an_answer(words: list[str], tmp_path: Path) -> None:
    """A limit of the size of files stands for the disk."""
    file = tmp_path / "answer.json"
    command = [sys.executable, "-m", "bzlgraph", "--no_cache", "--jobs=1", "-C", str(EXAMPLE), *words, str(file)]
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (4096, 4096))
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)
    assert done.returncode == 7, done.stderr
    assert f"error: {file}: File too large\n" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_stdout_would_show_is_in_the_file(tmp_path: Path) -> None:
    code, printed, _ = run("why", "//tensorflow/c:c_api")
    assert (code, run("why", "//tensorflow/c:c_api", "-o", str(tmp_path / "answer.txt"))[1]) == (0, "")
    assert (tmp_path / "answer.txt").read_text(encoding="utf-8") == printed != ""


def test_a_mistake_of_ours_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_options: object) -> None:
        raise KeyError("nobody thought of it")

    monkeypatch.delenv(SHOW_BUGS, raising=False)
    monkeypatch.setattr(cli, "main", broken)
    code, printed, said = run("query", "//...")
    assert (code, printed) == (37, "")
    assert "internal error: KeyError: 'nobody thought of it'" in said
    assert SHOW_BUGS in said


def test_a_full_disk_is_no_mistake_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_options: object) -> None:
        raise OSError(28, "No space left on device", "/tmp/answer")

    monkeypatch.setattr(cli, "main", full)
    assert run("query", "//...")[::2] == (7, "error: /tmp/answer: No space left on device\n")
