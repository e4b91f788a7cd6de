"""``--link_template``: places are links on a terminal and in pages, where the file is one of the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.a_terminal import ROOT, on_a_terminal
from tests.written_files import write_files

FILES = {
    "WORKSPACE": "",
    "lib/BUILD": 'filegroup(name = "a", srcs = [":b"])\nfilegroup(name = "b", srcs = ["odd name.txt"])\n',
    "lib/odd name.txt": "",
    "broken/BUILD": "x(\n",
}
EDITOR = "edit://open/{root}/{path}?at={line},{column}"
LINK = re.compile(r"\x1b\]8;;([^\x1b]*)\x1b\\([^\x1b]*)\x1b\]8;;\x1b\\")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_files(tmp_path / "tree", FILES)


def command(tree: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "bzlgraph", "-C", str(tree), "-q", "--jobs=1", *words]


def piped(tree: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(tree, *words), capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)} | environment
    )


def shown(tree: Path, *words: str, **environment: str) -> str:
    return on_a_terminal(command(tree, *words), NO_COLOR="1", **environment)[0].replace("\r\n", "\n")


@pytest.mark.parametrize("times", [1, 3])
def test_a_terminal_gets_links_and_the_same_words(tree: Path, times: int) -> None:
    question = ["why", "//lib:b", "--from", "//lib:a"]
    for _ in range(times):  # the second time from what the first left; another folder is another root
        inside = shown(tree / "lib", f"--link_template={EDITOR}", *question)
        answer = shown(tree, f"--link_template={EDITOR}", *question)
    assert inside == answer
    root = str(tree).removeprefix("/")
    assert LINK.findall(answer)[:2] == [
        (f"edit://open/{root}/lib/BUILD?at=1,1", "lib/BUILD:1"),
        (f"edit://open/{root}/lib/BUILD?at=2,1", "lib/BUILD:2"),
    ]
    assert LINK.sub(r"\2", answer) == shown(tree, *question) == piped(tree, *question).stdout


def test_a_graph_that_is_kept_links_as_well_and_refuses_as_well(tree: Path) -> None:
    piped(tree, "query", "//lib:all")
    answer = shown(tree, "--link_template", EDITOR, "query", "--output=location", "//lib:b", TERM="xterm")
    assert "//lib:b" in LINK.sub(r"\2", answer)
    assert shown(tree, "--link_template", EDITOR, "why", "//lib:b", "--from=//lib:a").count("edit://") > 0
    for wrong in ("{path}", "javascript://{path}", "edit://{root}", "edit://{file}", "edit://{path} x"):
        refused = piped(tree, f"--link_template={wrong}", "query", "//lib:b")
        assert (refused.returncode, refused.stdout) == (2, "")
        assert f"--link_template={wrong}" in refused.stderr
        assert "vscode://file/{root}/{path}" in refused.stderr


def test_a_pipe_and_a_dumb_terminal_get_no_links(tree: Path) -> None:
    question = [f"--link_template={EDITOR}", "why", "//lib:b", "--from", "//lib:a"]
    assert "\x1b" not in piped(tree, *question).stdout
    assert "\x1b" not in shown(tree, *question, TERM="dumb")


def test_only_files_of_the_checkout_are_linked(tree: Path) -> None:
    (tree.parent / "outside").write_text("")
    (tree / "lib" / "BUILD").write_text(
        'filegroup(name = "a", tags = ["../outside:1", "gone:1", "//lib/BUILD:3", "12:30", "lib/BUILD:7"])\n'
    )
    answer = shown(tree, f"--link_template={EDITOR}", "query", "--output=build", "//lib:a")
    linked = {text for _, text in LINK.findall(answer)}
    assert "lib/BUILD:7" in linked
    assert not [text for text in linked if "outside" in text or "gone" in text or "12" in text]


def test_problems_are_linked_on_stderr(tree: Path) -> None:
    program = "import sys, subprocess; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)"
    words = command(tree, f"--link_template={EDITOR}", "query", "//broken:all")
    told = on_a_terminal([sys.executable, "-c", program, *words])[0]
    assert ("broken/BUILD?at=1,2", "broken/BUILD:1:2") in [
        (address.partition("/tree/")[2], text) for address, text in LINK.findall(told)
    ]


def test_pictures_have_links_to_where_targets_are_declared(tree: Path) -> None:
    template = "https://site.example/{path}#L{line}"
    for form in ("svg", "html", "matrix", "dot"):
        said = piped(tree, f"--link_template={template}", "graph", "//lib:all", f"--output={form}").stdout
        assert "https://site.example/lib/BUILD#L2" in said, form
        assert "site.example" not in piped(tree, "graph", "//lib:all", f"--output={form}").stdout
    said = piped(tree, f"--link_template={template}", "why", "//lib:b", "--from", "//lib:a", "--output=svg").stdout
    assert said.count('xlink:href="https://site.example/lib/BUILD#L') == 2


def test_pictures_of_differences_and_modules_have_links(tree: Path) -> None:
    (tree / "lib" / "BUILD").write_text(
        'config_setting(name = "fast", define_values = {"fast": "1"})\n\n'
        'filegroup(name = "a", srcs = select({":fast": [":b"], "//conditions:default": []}))\nfilegroup(name = "b")\n'
    )
    (tree / "MODULE.bazel").write_text(
        'module(name = "tree")\n\nbazel_dep(name = "other", version = "1")\n'
        'local_path_override(module_name = "other", path = "other")\n'
        'more = use_extension("@other//:x.bzl", "more")\nuse_repo(more, "taken")\n'
    )
    (tree / "other").mkdir()
    (tree / "other" / "MODULE.bazel").write_text('module(name = "other", version = "1")\n')
    template = "--link_template=https://site.example/{path}#L{line}"
    drawn = ("dot", "svg")  # a page of differences is of tables
    asked = {
        ("diff-config", "//lib:a", "--vs", "--define=fast=1"): (drawn, "lib/BUILD", (3, 4)),
        ("--bazel_version=7.7.1", "mod", "graph", "--extension_info=all"): (
            (*drawn, "html"),
            "MODULE.bazel",
            (1, 3, 6),
        ),
    }
    for question, (forms, file, lines) in asked.items():
        for form in forms:
            said = piped(tree, template, *question, f"--output={form}").stdout
            missing = [line for line in lines if f'"https://site.example/{file}#L{line}"' not in said]
            assert missing == [], form
            assert "site.example" not in piped(tree, *question, f"--output={form}").stdout


def test_a_checkout_may_not_set_it_and_its_user_may(tree: Path, tmp_path: Path) -> None:
    (tree / ".bzlgraphrc").write_text(f'link_template = "{EDITOR}"\n')
    home = tmp_path / "config"
    question = ["graph", "//lib:all", "--output=dot"]
    refused = piped(tree, *question, XDG_CONFIG_HOME=str(home))
    assert "edit:" not in refused.stdout
    assert "a checkout may not set 'link_template'" in refused.stderr
    (home / "bzlgraph").mkdir(parents=True)
    (home / "bzlgraph" / "config.toml").write_text(f'link_template = "{EDITOR}"\n')
    assert "edit://open/" in piped(tree, *question, XDG_CONFIG_HOME=str(home)).stdout
