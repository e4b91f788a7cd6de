"""Graphs of a shape that no build has: one long chain, one target that names all others, layers that name each other
completely; and a WORKSPACE that loads from thousands of repositories that are nowhere. Every question about them ends
in time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.attack import Ended, assert_held, run, write

MANY = 20_000
SHAPES = {
    "chain": f"""
[filegroup(name = "a%d" % each, srcs = ["a%d" % (each + 1)]) for each in range({MANY})]
filegroup(name = "a{MANY}")
""",
    "wide": f"""
filegroup(name = "a0", srcs = ["b%d" % each for each in range({MANY})])
[filegroup(name = "b%d" % each, srcs = ["a{MANY}"]) for each in range({MANY})]
filegroup(name = "a{MANY}")
""",
    "layers": f"""
[
    filegroup(name = "l%d_%d" % (layer, each), srcs = ["l%d_%d" % (layer + 1, end) for end in range(60)])
    for layer in range(60) for each in range(60)
]
[filegroup(name = "l60_%d" % each, srcs = ["a{MANY}"]) for each in range(60)]
filegroup(name = "a0", srcs = ["l0_%d" % each for each in range(60)])
filegroup(name = "a{MANY}")
""",
}
END = f"//:a{MANY}"
COMMANDS = {
    "deps": ["query", "deps(//:a0)"],
    "somepath": ["query", f"somepath(//:a0, {END})"],
    "allpaths": ["query", f"allpaths(//:a0, {END})"],
    "rdeps": ["query", f"rdeps(//..., {END})"],
    "maxrank": ["query", "deps(//:a0)", "--output=maxrank"],
    "graph": ["query", "deps(//:a0)", "--output=graph"],
    "why": ["why", END, "--from", "//:a0"],
    "why in a picture": ["why", END, "--from", "//:a0", "-o", "why.dot"],
    "why as data": ["why", END, "--from", "//:a0", "--output=json"],
    "picture": ["graph", "deps(//:a0)", "-o", "all.svg"],
    "data": ["graph", "deps(//:a0)", "-o", "all.json"],
}


def ask(folder: Path, build: str, command: list[str]) -> Ended:
    written = [str(folder / word) if word.endswith((".dot", ".svg", ".json")) else word for word in command]
    return run(write(folder / "tree", {"BUILD": build}), *written)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_question_ends(tmp_path: Path, shape: str, command: str) -> None:
    ended = ask(tmp_path, SHAPES[shape], COMMANDS[command])
    assert_held(ended)
    assert ended.code == 0, ended.err
    made = [path for path in tmp_path.iterdir() if path.suffix in (".dot", ".svg", ".json")]
    assert all(path.read_text() for path in made) if made else END in ended.out


def test_layers_beyond_the_limit_of_a_package(tmp_path: Path) -> None:
    build = SHAPES["layers"].replace("60", "200")
    ended = ask(tmp_path, build, COMMANDS["deps"])
    assert_held(ended)
    assert ended.code == 7


def test_repositories_that_are_nowhere(tmp_path: Path) -> None:
    loads = "".join(f'load("@a{each}//:b.bzl", "f{each}")\n' for each in range(5_000))
    tree = write(tmp_path / "tree", {"WORKSPACE": loads, "BUILD": 'filegroup(name = "a")\n'})
    ended = run(tree, "query", "//...")
    assert_held(ended)
    assert "//:a" in ended.out
    assert ended.seconds < 5, "each is looked for once"


@pytest.mark.parametrize("pattern", ["//{}:all", "//{}", "{}", "//{}/...", "//:{}"])
@pytest.mark.parametrize("ignored", ["", "no"])
def test_a_label_of_two_thousand_folders(tmp_path: Path, pattern: str, ignored: str) -> None:
    files = {"WORKSPACE": "", "BUILD": 'filegroup(name = "a")\n', ".bazelignore": ignored}
    ended = run(write(tmp_path / "tree", files), "query", pattern.format("/".join("b" * 2_000)))
    assert_held(ended)
    assert ended.code == 7
    assert ended.seconds < 6, "each folder is looked at once"
