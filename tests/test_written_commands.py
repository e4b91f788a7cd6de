"""No page and no README shows a command that fails: every one is run, beside folders of the names that they use.

Examples of help texts are run by tests/cli/test_help.py; of a block that shows an error the error is what is meant.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from bzlgraph.cli.group import COMMANDS
from bzlgraph.cli.main import main
from bzlgraph.export.explorer.server import ExplorerServer

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "examples").glob("*/README.md"))]
EXAMPLE = ROOT / "examples" / "mini_tensorflow"
_FENCED = re.compile(r"^```\w*\n(.*?)^```$", re.M | re.S)
_INLINE = re.compile(r"`(bzlgraph [^`]+)`")
_PLACEHOLDER = re.compile(r"(?<!-)\b(A|B|X|DIR|EXPR|FILE|HOST|LABEL|LIST|NAME|PATH|PATTERN|SHELL|TARGET)\b|[|\[]")
"""A word that stands for another, as in a usage line."""


NEEDS_MORE = {"query", "op", "mod", "why", "graph", "expand", "parse", "starlark", "export", "completion"}
"""Commands that nobody can ask anything without an argument."""


class Written(NamedTuple):
    """A command, where it stands, and what the page shows below it."""

    page: str
    command: str
    shown: str = ""


def _written(page: Path) -> Iterator[Written]:
    text, name = page.read_text(encoding="utf-8"), page.relative_to(ROOT).as_posix()
    for block in _FENCED.findall(text):
        parts = re.split(r"^(\$ bzlgraph .*)$", block, flags=re.M)
        for command, shown in zip(parts[1::2], parts[2::2], strict=True):
            yield Written(name, command[2:], shown)
        if len(parts) == 1:
            yield from (Written(name, line) for line in block.splitlines() if line.startswith("bzlgraph "))
    outside = _FENCED.sub("", text)
    yield from (Written(name, line.strip()) for line in outside.splitlines() if line.startswith("    bzlgraph "))
    yield from (Written(name, _mentioned(command)) for command in _INLINE.findall(outside))


def _mentioned(command: str) -> str:
    """A command of a sentence; one without arguments is its name, and tells what it takes."""
    words = [word for word in command.split()[1:] if not word.startswith("-")]
    return f"{command} --help" if len(words) == 1 and words[0] in NEEDS_MORE else command


ALL = list(dict.fromkeys(each for page in PAGES for each in _written(page)))


def _is_whole(command: str) -> bool:
    return not any(
        _PLACEHOLDER.search(word) for word in command.split() if "'" not in word and ("//" not in word or "://" in word)
    )


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what pages speak of: the bundled example is a checkout of TensorFlow, too."""
    desk = tmp_path_factory.mktemp("desk")
    for name in ("examples", "tests", "docs"):
        (desk / name).symlink_to(ROOT / name)
    (desk / "build").mkdir()
    (desk / "path" / "to").mkdir(parents=True)
    for name in ("tensorflow", "path/to/tensorflow", "path/to/checkout"):
        (desk / name).symlink_to(EXAMPLE)
    shutil.copytree(EXAMPLE, desk / "checkout")
    return desk


def _run(words: list[str]) -> tuple[int, str]:
    with CliRunner().isolation() as (_out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(words)
        return int(stop.value.code or 0), err.getvalue().decode()


def _seen_enough(_server: ExplorerServer) -> None:
    """Ctrl+C, as soon as the page is served."""
    raise KeyboardInterrupt


def test_there_are_commands_to_run() -> None:
    assert len(ALL) > 100
    assert len([each for each in ALL if _is_whole(each.command)]) > len(ALL) // 2


@pytest.mark.parametrize("written", ALL, ids=lambda each: f"{each.page}: {each.command}"[:90])
def test_a_command_that_is_written_somewhere_works(
    written: Written, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = shlex.split(written.command.partition(" > ")[0], comments=True)[1:]
    named = [word for word in words if word in COMMANDS or word.replace("_", "-") in COMMANDS]
    assert named or {"--help", "--version"} & set(words) or words[:1] == ["-C"], "no command of bzlgraph"
    if not _is_whole(written.command):
        return
    apart = "-C" in words or written.shown or words[0] in ("parse", "starlark")
    monkeypatch.chdir(desk if apart else desk / "checkout")
    monkeypatch.setitem(os.environ, "COLUMNS", "100")
    monkeypatch.setattr(ExplorerServer, "serve_forever", _seen_enough)
    code, said = _run([f"--cache_dir={desk / 'cache'}", "--jobs=1", *words])
    assert "Traceback" not in said
    if "error: " not in written.shown:
        assert code in (0, 1, 3), said
