"""allrdeps() and rbuildfiles(): what belongs to the universe. 4.2.3 and 7.7.1 were asked, with --universe_scope and
--order_output=no."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.cli.main import main
from tests.written_files import write_files

FILES = {
    "WORKSPACE": "",
    "a/BUILD": 'filegroup(name = "a", srcs = ["//b"])\nexports_files(["x.txt"])\ngenrule(name = "g", outs = ["o"])\n',
    "b/BUILD": 'filegroup(name = "b", visibility = ["//visibility:public"])\nfilegroup(name = "c", srcs = ["d"])\n',
    "files/BUILD": 'load("//a:f.bzl", "F")\nexports_files(["z"])\n',
    "a/f.bzl": "F = 1\n",
}


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """What asks the tree of FILES, with a cache folder of its own."""
    write_files(tmp_path / "tree", FILES)
    return ["-C", str(tmp_path / "tree"), f"--cache_dir={tmp_path / 'cache'}", "query"]


@pytest.mark.parametrize(
    ("scope", "question", "answer"),
    [
        ("//...", "allrdeps(//a:x.txt)", "//a:x.txt"),
        ("//a/...", "allrdeps(//a:*, 1)", "//a:BUILD //a:a //a:g //a:o //a:x.txt"),
        ("//a/...", "allrdeps(//b:c)", "//b:c"),
        ("//a/...", "allrdeps(//b:BUILD, 0)", "//b:BUILD"),
        ("//a/...", "allrdeps(//b:b)", "//a:a //b:b"),
        ("//...", "allrdeps(//files:*)", "//files:BUILD //files:z"),
        ("//...,-//files/...", "allrdeps(//a:x.txt + //files:z)", "//a:x.txt"),
        ("//...", "rbuildfiles(files/BUILD)", "//files:BUILD"),
        ("//...", "rbuildfiles(a/f.bzl)", "//files:BUILD"),
        ("//...,-//files/...", "rbuildfiles(a/f.bzl)", ""),
        ("//files:z", "rbuildfiles(a/f.bzl)", "//files:BUILD"),
        ("//...", "same_pkg_direct_rdeps(buildfiles(//files:z))", ""),
    ],
)
def test_the_universe_is_every_package_that_is_loaded_for_it(
    command: list[str], capfd: pytest.CaptureFixture[str], scope: str, question: str, answer: str
) -> None:
    chosen = [f"--universe_scope={scope}"] if scope != "//..." else []
    for text in (question, "//...:*", question):
        capfd.readouterr()
        with pytest.raises(SystemExit):
            main([*command, *chosen, text])
        if text is question:
            assert " ".join(sorted(capfd.readouterr().out.split())) == answer


@pytest.mark.parametrize("first", ["//...", "//...:*"])
def test_a_target_outside_of_the_universe_is_an_error(
    command: list[str], capfd: pytest.CaptureFixture[str], first: str
) -> None:
    """4.2.3 and 7.7.1: ``Evaluation of query "//files:z" failed: no such package 'files'``, exit code 3. The rest of
    the answer stays."""
    for text in (first, "allrdeps(//a:x.txt + //files:z)"):
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([*command, "-k", "--universe_scope=//a/...", text])
    out, told = capfd.readouterr()
    assert (out, ended.value.code) == ("//a:x.txt\n", 3)
    assert "error: //files:z: not in the universe of the query (//a/...)" in told
    assert "hint: --universe_scope says where allrdeps() searches" in told
