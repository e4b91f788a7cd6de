"""On a terminal, lines of answers fit its width, and nothing of them is lost; a pipe gets them as they are."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bzlgraph.cli.terminal.layout import fitted, painted
from tests.cli.a_terminal import ROOT, on_a_terminal
from tests.written_files import write_files

LONG = "a_package_of_a_long_name/that_nobody_likes"
FILES = {
    "WORKSPACE": "",
    "BUILD": f"""
load("//{LONG}:macros.bzl", "outer")
config_setting(name = "fast", values = {{"compilation_mode": "opt"}})
sh_binary(name = "main", srcs = ["main.sh"], data = select({{":fast": ["//{LONG}:made"], "//conditions:default": []}}))
outer(name = "here")
""",
    f"{LONG}/BUILD": 'load(":macros.bzl", "outer")\nouter(name = "made")\n',
    f"{LONG}/macros.bzl": """
def inner(name):
    native.filegroup(name = name, srcs = ["//:main.sh"], visibility = ["//visibility:public"])
def outer(name):
    inner(name)
""",
    "main.sh": "",
    ".bazelrc": "build:fast --compilation_mode=opt --define=a_setting_of_a_long_name=a_value_of_a_long_name_too\n",
}
QUESTIONS = [
    ["why", "//:main.sh"],
    ["why", "//:main.sh", "--from", "//:main", "--all"],
    ["deps", "//:main"],
    ["rdeps", "//:main.sh"],
    ["select", "//:main"],
    ["select", "//:main", "--why", "-c", "opt"],
    ["flags"],
    ["flags", "bazelrc"],
    ["flags", "settings"],
    ["diff-config", "//:main", "--vs", "--config=fast"],
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("layout")
    return write_files(root, FILES)


def command(tree: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "bzlgraph", "-C", str(tree), "-q", "--jobs=1", *arguments]


def piped(tree: Path, *arguments: str, columns: int = 60) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": str(columns)}
    return subprocess.run(command(tree, *arguments), capture_output=True, text=True, env=environment).stdout


def shown(tree: Path, *arguments: str, columns: int = 60) -> str:
    answer = on_a_terminal(command(tree, *arguments), COLUMNS=str(columns), NO_COLOR="1")[0]
    return answer.replace("\r\n", "\n")


def words(text: str) -> list[str]:
    return [word for word in text.split() if not set(word) <= set("│├└")]


def too_wide(text: str, columns: int) -> Iterator[str]:
    """Lines that are wider, though their last word is not one that is too wide wherever it stands."""
    for line in text.splitlines():
        if len(line) > columns and len(line) - len(words(line)[-1]) > columns // 3 + 4:
            yield line


@pytest.mark.parametrize("columns", [60, 100])
@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_an_answer_fits_the_terminal_and_loses_nothing(tree: Path, question: list[str], columns: int) -> None:
    whole, fitting = piped(tree, *question), shown(tree, *question, columns=columns)
    assert words(fitting) == words(whole)
    assert not list(too_wide(fitting, columns))
    again = shown(tree, *question, columns=columns)  # from what the first question left
    assert again == fitting
    assert shown(tree, *question, columns=1000) == whole  # another width is another look of it


EXAMPLES = ROOT / "examples"
OF_EXAMPLES = [
    ("mini_tensorflow", ["op", "tf.nn.conv2d"]),
    ("mini_tensorflow", ["op", "tf.nn.conv2d", "--why"]),
    ("mini_tensorflow", ["--no_cache", "doctor"]),
    ("mini_tensorflow", ["--no_cache", "doctor", "--missing"]),
    ("mini_tensorflow", ["overview"]),
    ("mini_modules", ["mod", "graph", "--verbose"]),
    ("mini_modules", ["mod", "explain", "ink", "--reasons"]),
]


@pytest.mark.parametrize(("example", "question"), OF_EXAMPLES, ids=str)
def test_answers_about_whole_trees_fit_too(example: str, question: list[str]) -> None:
    whole, fitting = (ask(EXAMPLES / example, *question) for ask in (piped, shown))
    assert words(fitting) == words(whole)
    prose = [line for line in fitting.splitlines() if not line.startswith("  bzlgraph ")]  # commands are copied whole
    assert not list(too_wide("\n".join(prose), 60))
    commands = [line for line in whole.splitlines() if line.startswith("  bzlgraph ")]
    assert [line for line in fitting.splitlines() if line.startswith("  bzlgraph ")] == commands


def test_a_pipe_gets_lines_as_they_are(tree: Path) -> None:
    question = ["why", "//:main.sh", "--from", "//:main"]
    whole = piped(tree, *question)
    assert max(map(len, whole.splitlines())) > 120
    assert piped(tree, *question, columns=40) == piped(tree, "--no_cache", *question, columns=200) == whole


def test_only_prose_is_laid_out(tree: Path, tmp_path: Path) -> None:
    for question in (["why", "//:main.sh", "--output=json"], ["query", "//..."], ["expand", f"//{LONG}:made"]):
        assert shown(tree, *question, columns=30) == piped(tree, *question)
    assert shown(tree, "why", "//:main.sh", "-o", str(tmp_path / "why.txt")) == ""
    assert (tmp_path / "why.txt").read_text() == piped(tree, "why", "//:main.sh")


def plain(text: str) -> str:
    return re.sub(r"\x1b\[\d+m", "", text)


@pytest.mark.parametrize(
    "question",
    [
        ["why", "//:main.sh", "--from", "//:main"],
        ["select", "//:main"],
        ["deps", "//:main"],
        ["overview"],
        ["diff-config", "//:main", "--vs", "--config=fast"],
    ],
)
def test_colours_change_no_word_and_no_width(tree: Path, question: list[str]) -> None:
    with_colours = on_a_terminal(command(tree, *question), COLUMNS="60", NO_COLOR="")[0].replace("\r\n", "\n")
    assert "\x1b[36m//:main\x1b[39m" in with_colours
    assert plain(with_colours) == shown(tree, *question)
    forced = piped(tree, "--color=yes", *question)
    assert piped(tree, "--color=yes", *question) == forced
    assert "\x1b[36m" in forced
    assert plain(forced) == piped(tree, *question) == piped(tree, "--color=no", *question)
    assert "\x1b" not in on_a_terminal(command(tree, "--color=no", *question), NO_COLOR="")[0]


def test_labels_conditions_and_attributes_have_colours() -> None:
    green, yellow, cyan, none = "\x1b[32m", "\x1b[33m", "\x1b[36m", "\x1b[39m"
    assert painted(" ├ deps  @a//b:c  x/BUILD:1  when not //d") == (
        f" ├ {green}deps{none}  {cyan}@a//b:c{none}  x/BUILD:1  {yellow}when{none} {yellow}not{none} {yellow}//d{none}"
    )
    assert painted("see https://a.b/c, (//d:e).") == f"see https://a.b/c, ({cyan}//d:e{none})."


def test_a_tree_goes_on_under_its_marks() -> None:
    line = " │  ├ deps   //a:b  cc_library  a/BUILD:1 > a/m.bzl:2  when //c:d (not //e:f)"
    assert fitted(line, 40) == [
        " │  ├ deps   //a:b  cc_library",
        " │  │        a/BUILD:1 > a/m.bzl:2",
        " │  │        when //c:d (not //e:f)",
    ]
    assert fitted(line.replace("├", "└"), 40)[1] == " │           a/BUILD:1 > a/m.bzl:2"


def test_lines_of_all_shapes_lose_no_word() -> None:
    chosen = random.Random(3)
    for _ in range(3000):
        lead = chosen.choice(["", "", "  ", " ├ ", " └ ", " │  ├ ", " " * 70])
        cells = [" ".join("x" * chosen.randint(1, 30) for _ in range(chosen.randint(1, 6))) for _ in range(5)]
        line = lead + (" " * chosen.randint(2, 30)).join(cells)
        width = chosen.randint(60, 120)  # wide enough for each word
        parts = fitted(line, width)
        assert words("\n".join(parts)) == words(line)
        assert all(part.strip() for part in parts)
        assert all(len(part) <= width for part in parts), (line, width)
