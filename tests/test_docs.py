"""docs/ tells the truth: what a page shows as output is what the command prints, and each command has its page."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bzlgraph.cli.group import COMMANDS
from tools import make_docs
from tools.pages import man_page

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("page", make_docs.pages(), ids=lambda page: page.name)
def test_the_blocks_of_a_page_are_what_the_commands_print(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert make_docs.render(text) == text, "stale: make docs"


@pytest.mark.parametrize("page", make_docs.TABLES, ids=lambda page: page.name)
def test_the_tables_of_a_page_are_those_of_the_data(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert make_docs.TABLES[page](text) == text, "stale: make docs"


def test_the_manual_page_has_all_commands_as_they_are() -> None:
    assert man_page.PAGE.read_text(encoding="utf-8") == man_page.text(), "stale: make docs"
    for command in COMMANDS:
        assert f".SS bzlgraph {command.replace('-', chr(92) + '-')} " in man_page.text()


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
def test_the_manual_page_is_good_roff() -> None:
    command = ["groff", "-man", "-Tutf8", "-ww", str(man_page.PAGE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "--universe_scope" in re.sub("\x1b\\[[0-9;]*m|.\x08", "", done.stdout)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_page_with_its_help_and_an_example(command: str) -> None:
    text = (ROOT / "docs" / f"{command}.md").read_text(encoding="utf-8")
    assert f"$ bzlgraph {command} --help" in text
    assert f" {command} " in text.replace(f"$ bzlgraph {command} --help", "")


def test_the_readme_names_every_command_and_the_pictures_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [command for command in COMMANDS if f"docs/{command}.md" not in text] == []
    for picture in make_docs.PICTURES:
        assert picture.read_bytes().lstrip().startswith((b"<?xml", b"<svg"))


def test_the_example_of_the_explorer_is_what_the_command_writes() -> None:
    same = make_docs.EXPLORER.read_bytes() == make_docs.example_page()  # a difference is too long to be told
    assert same, "stale: make docs"
