"""Answers that are given again: never a damaged one, never that of another question, never too many."""

import os
import time
from pathlib import Path

import pytest

from bzlgraph.cache import answers, looks
from bzlgraph.cache.private import make_private

QUESTION = ["query", "//..."]
ANSWER = (b"//:a\n//:b\n", b"Incomplete\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of a user, who asks in a checkout."""
    monkeypatch.setattr(looks, "TICK", 0)
    for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
        make_private(tmp_path / variable / "bzlgraph")
    (tmp_path / "checkout").mkdir()
    monkeypatch.chdir(tmp_path / "checkout")
    Path("BUILD").write_text("a")
    time.sleep(0.02)
    return tmp_path / "XDG_CACHE_HOME" / "bzlgraph"


def keep(folder: Path, question: list[str] = QUESTION, out: bytes = ANSWER[0]) -> Path:
    """Keep an answer that was made from BUILD; its file."""
    seen = looks.record()
    looks.is_file(os.path.abspath("BUILD"))
    looks.stop()
    before = set(folder.glob("answers/*"))
    answers.keep(str(folder), answers.question(question), seen, out, ANSWER[1])
    (path,) = set(folder.glob("answers/*")) - before
    return path


def test_no_bit_and_no_byte_may_be_missing(folder: Path) -> None:
    path = keep(folder)
    data = path.read_bytes()
    assert answers.find(QUESTION) == (*ANSWER, "")
    for at in range(len(data)):
        for bit in range(8):
            path.write_bytes(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])
            assert answers.find(QUESTION) is None
    for size in range(len(data)):
        path.write_bytes(data[:size])
        assert answers.find(QUESTION) is None
    path.write_bytes(data + b"\0")
    assert answers.find(QUESTION) is None
    path.write_bytes(data)
    assert answers.find(QUESTION) == (*ANSWER, "")


def test_the_answer_to_another_question_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = keep(folder), keep(folder, ["query", "//x"], b"//x\n")
    other.write_bytes(one.read_bytes())
    assert answers.find(["query", "//x"]) is None
    assert answers.find(["query", "//...", "-k"]) is None
    monkeypatch.setenv("CC", "clang")
    assert answers.find(QUESTION) is None


@pytest.mark.parametrize(
    ("variable", "known"),
    [
        ("TMUX_PANE", True),
        ("SSH_TTY", True),
        ("WINDOWID", True),
        ("OLDPWD", True),
        ("NO_COLOR", False),
        ("HOME", False),
    ],
)
def test_a_second_terminal_asks_again(
    variable: str, known: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "1")
    keep(folder)
    monkeypatch.setenv(variable, "2")
    assert (answers.find(QUESTION) is not None) == known


@pytest.mark.parametrize(
    "words", [["--no_cache"], ["--cache_dir", "x"], ["--cache_dir="], ["--cache_dir=a", "--no_cache"]]
)
def test_a_command_line_that_names_its_cache_in_another_way_has_no_answer(words: list[str], folder: Path) -> None:
    keep(folder, [*words, *QUESTION])
    assert answers.find([*words, *QUESTION]) is None


@pytest.mark.parametrize("expression", ["//cache:cache_dir", "deps(//no_cache:x)", "--cached=1"])
def test_other_words_about_caches_do_no_harm(expression: str, folder: Path) -> None:
    keep(folder, ["query", expression])
    assert (answers.find(["query", expression]) is None) == expression.startswith("-")


def test_nothing_is_kept_of_what_has_changed_meanwhile(folder: Path) -> None:
    seen = looks.record()
    looks.is_file(os.path.abspath("BUILD"))
    looks.stop()
    time.sleep(0.02)
    Path("BUILD").write_text("b")
    answers.keep(str(folder), answers.question(QUESTION), seen, *ANSWER)
    assert not (folder / "answers").exists()


def test_the_oldest_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MAX_KEPT", 5_000)
    for number in range(10):
        keep(folder, ["query", f"//x{number}"], b"x" * 1_000)
        time.sleep(0.01)
    kept = [number for number in range(10) if answers.find(["query", f"//x{number}"]) is not None]
    assert kept == list(range(10 - len(kept), 10))
    assert 2 <= len(kept) <= 4
    assert sum(path.stat().st_size for path in folder.glob("answers/*")) <= 5_000


def test_what_is_too_large_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MAX_BYTES", 5)
    seen = looks.record()
    looks.stop()
    answers.keep(str(folder), answers.question(QUESTION), seen, *ANSWER)
    assert not (folder / "answers").exists()


@pytest.mark.parametrize("mode", [0o755, 0o777])
def test_a_folder_that_others_may_enter_has_no_answers(mode: int, folder: Path) -> None:
    keep(folder)
    folder.chmod(mode)
    assert answers.find(QUESTION) is None


def test_a_folder_that_is_gone_is_no_fault(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder.parent / "gone").mkdir()
    monkeypatch.chdir(folder.parent / "gone")
    (folder.parent / "gone").rmdir()
    assert answers.find(QUESTION) is None


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["--cache_dir=/c", "query", "//..."], "/c"),
        (["--cache_dir", "/c", "query", "//..."], "/c"),
        (["query", "//...", "--cache-dir", "/c"], "/c"),
        (["query", "//...", "--cache_dir"], None),
        (["--no_cache", "query", "//..."], None),
        (["--cache_dir=/c", "--cache_dir", "/d", "query", "//..."], None),
        (["--cache_di", "/c", "query", "//..."], None),
    ],
    ids=str,
)
def test_the_folder_of_the_cache_may_be_a_word_of_its_own(words: list[str], meant: str | None) -> None:
    assert answers.folder_named(words) == meant
