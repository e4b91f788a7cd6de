"""Defaults that files set: whose may set what, which counts more, and that kept answers know of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from bzlgraph.cli.main import cli
from bzlgraph.defaults.files import OF_CHECKOUT, read
from bzlgraph.defaults.words import GLOBAL_VALUED, command_at, folder_of, with_defaults

ROOT = Path(__file__).parents[2]
BUILD = 'filegroup(name = "a", srcs = [":b"])\nfilegroup(name = "b")\n'


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout, and a home without settings."""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    tree = tmp_path / "tree"
    (tree / "lib").mkdir(parents=True)
    (tree / "WORKSPACE").write_text("", encoding="utf-8")
    (tree / "lib" / "BUILD").write_text(BUILD, encoding="utf-8")
    return tree


def own(text: str) -> Path:
    path = Path(os.environ["XDG_CONFIG_HOME"]) / "bzlgraph" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def ask(tree: Path, *words: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "bzlgraph", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def test_what_is_typed_counts_more_than_ones_own_and_that_more_than_the_checkouts(tree: Path) -> None:
    (tree / ".bzlgraphrc").write_text('[query]\noutput = "package"\norder_output = "no"\n', encoding="utf-8")
    assert ask(tree, "query", "//lib:all")[1] == "lib\n"
    own('[query]\noutput = "label_kind"\n')
    assert ask(tree, "query", "//lib:b")[1] == "filegroup rule //lib:b\n"
    assert ask(tree, "query", "--output=label", "//lib:b")[1] == "//lib:b\n"


def test_another_default_is_another_question_for_kept_answers_and_graphs(tree: Path) -> None:
    assert ask(tree, "query", "//lib:b")[1] == "//lib:b\n"
    assert ask(tree, "query", "//lib:b")[1] == "//lib:b\n"
    own('[query]\noutput = "label_kind"\n')
    for target in ("//lib:b", "//lib:a", "//lib:b"):  # asked before, answered from the graph, given again
        code, printed, said = ask(tree, "query", "--profile", target)
        assert (code, printed) == (0, f"filegroup rule {target}\n"), said
    own('[query]\noutput = "package"\n')
    assert ask(tree, "query", "//lib:b")[1] == "lib\n"
    own('[query]\nimplicit_deps = false\ntool_deps = true\noutput = "label"\n')
    assert ask(tree, "query", "deps(//lib:a)")[1].split() == ["//lib:a", "//lib:b"]


def test_a_graph_answers_under_defaults_that_it_understands(tree: Path) -> None:
    own('jobs = 1\n[query]\noutput = "label_kind"\n')
    ask(tree, "query", "//lib:all")
    _, printed, said = ask(tree, "query", "--profile", "//lib:b")
    assert printed == "filegroup rule //lib:b\n"
    assert "answered from the graph" in said


FORBIDDEN = sorted(
    {
        name.removeprefix("--")
        for parameter in cli.params
        if isinstance(parameter, click.Option)
        for name in parameter.opts
        if name.startswith("--")
    }
    - OF_CHECKOUT
)


@pytest.mark.parametrize("name", [*FORBIDDEN, "query_file", "output_file", "config", "bazelrc", "registry", "allow"])
def test_a_checkout_may_not_set_what_is_not_about_presentation(name: str, tree: Path) -> None:
    (tree / ".bzlgraphrc").write_text(f'{name} = "x"\n[query]\n{name} = "y"\n', encoding="utf-8")
    found = read(str(tree))
    assert found.settings == []
    assert [re.match(r"\.bzlgraphrc:(\d): .*may not set", each)[1] for each in found.refused] == ["1", "3"]  # type: ignore[index]


def test_the_options_of_a_checkout_name_no_path_host_cache_executor_or_limit() -> None:
    named = re.compile(r"dir|path|folder|file|cache|host_os|host_arch|executor|max_(?!nodes)|jobs|base|repos|registry")
    assert [name for name in OF_CHECKOUT if named.search(name)] == []


def test_a_refused_line_is_told_with_its_place_and_the_others_count(tree: Path) -> None:
    (tree / ".bzlgraphrc").write_text('cache_dir = "/tmp/x"\n[query]\noutput = "package"\n', encoding="utf-8")
    path = own('colour = "no"\n[query]\noutputt = "x"\nkeep_going = "y"\norder_output = "sideways"\n[qury]\na = 1\n')
    code, printed, said = ask(tree, "query", "//lib:all")
    assert (code, printed) == (0, "lib\n")
    for line, words in ((1, "'color'"), (3, "'output'"), (4, "true or false"), (5, "'sideways'"), (7, "'query'")):
        assert re.search(rf"^warning: {re.escape(str(path))}:{line}: .*{words}", said, re.M), (line, said)
    assert "warning: .bzlgraphrc:1: a checkout may not set 'cache_dir'" in said
    assert ask(tree, "query", "//lib:all")[1:] == (printed, said)


def test_pyproject_is_read_where_there_is_no_bzlgraphrc(tree: Path) -> None:
    (tree / "pyproject.toml").write_text('[tool.other]\nx = 1\n[tool.bzlgraph.query]\noutput = "package"\n', "utf-8")
    assert ask(tree, "-C", "lib", "query", "//lib:all")[1] == "lib\n"
    (tree / ".bzlgraphrc").write_text("", encoding="utf-8")
    assert ask(tree, "query", "//lib:b")[1] == "//lib:b\n"


@pytest.mark.parametrize("text", ["[query", "\x00", 'a = "\x1b[31m"'])
def test_what_is_no_toml_is_told_and_nothing_of_it_counts(text: str, tree: Path) -> None:
    (tree / ".bzlgraphrc").write_text(text, encoding="utf-8")
    code, printed, said = ask(tree, "query", "//lib:b")
    assert (code, printed) == (0, "//lib:b\n")
    assert said.startswith("warning: .bzlgraphrc: ")
    assert "\x1b" not in said


def test_a_checkout_cannot_smuggle_words_in(tree: Path) -> None:
    (tree / ".bzlgraphrc").write_text(
        '"output=x --cache_dir" = "y"\n[query]\noutput = "label\\n--strict"\nuniverse_scope = [[1]]',
        encoding="utf-8",
    )
    found = read(str(tree))
    assert found.settings == []
    assert len(found.refused) == 3


@pytest.mark.parametrize("kind", ["link", "large", "folder", "pipe"])
def test_a_file_that_is_no_plain_small_one_is_not_followed(kind: str, tree: Path, tmp_path: Path) -> None:
    path = tree / ".bzlgraphrc"
    if kind == "link":
        (tmp_path / "elsewhere").write_text('[query]\noutput = "package"\n', encoding="utf-8")
        path.symlink_to(tmp_path / "elsewhere")
    elif kind == "large":
        path.write_text("#" * (1 << 17) + '\n[query]\noutput = "package"\n', encoding="utf-8")
    elif kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    assert ask(tree, "query", "//lib:b")[1] == "//lib:b\n"


def test_doctor_tells_which_defaults_apply(tree: Path) -> None:
    path = own("jobs = 1\n[doctor]\nkeep_going = true\n[query]\noutput = 'package'\n")
    printed = ask(tree, "doctor")[1]
    assert f"default --jobs=1 ({path}:1)\ndefault --keep_going ({path}:3)\n" in printed
    data = json.loads(ask(tree, "doctor", "--output=json")[1])
    assert data["defaults"][0] == {"command": None, "words": ["--jobs=1"], "place": f"{path}:1"}


def test_the_light_table_of_global_options_is_clicks() -> None:
    valued = {
        name.removeprefix("--")
        for parameter in cli.params
        if isinstance(parameter, click.Option) and not parameter.is_flag
        for name in parameter.opts
        if name.startswith("--")
    }
    assert valued == GLOBAL_VALUED


def test_where_the_command_stands() -> None:
    assert command_at(["-C", "query", "--jobs", "2", "--strict", "why", "x"]) == 5
    assert command_at(["--jobs=2"]) is None
    assert folder_of(["query", "-C", "a", "--directory=b", "--", "-C", "c"]) == "b"
    assert folder_of(["-Cx", "query"]) == "x"


def test_help_needs_no_defaults(tree: Path) -> None:
    own('[query]\noutputt = "x"\n')
    assert with_defaults(["query", "--help"], read(str(tree))) == ["query", "--help"]
    assert ask(tree, "query", "--help")[0] == 0
