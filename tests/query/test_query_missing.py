"""A target that names a package that does not exist keeps its other edges, whichever function asks.

Bazel 4.2.3 was asked, and 7.7.1 with --order_output=full: they say the same (docs/query.md tells of its default).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.cli.main import main
from bzlgraph.questions.session import QueryOptions, ask_query, open_session

BUILD = """
filegroup(name = "a", srcs = [":x", "//nope:n", ":y"], data = [":z"])
filegroup(name = "b", srcs = [":x", ":gone", ":y"], data = [":z"])
filegroup(name = "c", srcs = [":x"], data = [":gone", ":y"])
filegroup(name = "d", srcs = ["//nope:n"], data = [":x"])
filegroup(name = "e", srcs = [":b", ":x"])
filegroup(name = "over_b", srcs = [":b"])
filegroup(name = "over_x", srcs = [":x"])
filegroup(name = "x")
filegroup(name = "y")
filegroup(name = "z")
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("rdeps(//p:all, //p:x)", "a b c d e over_b over_x x"),
        ("rdeps(//p:all, //p:y)", "a b c e over_b y"),
        ("rdeps(//p:all, //p:z)", "a b e over_b z"),
        ("rdeps(//p:all, //p:x, 1)", "a b c d e over_x x"),
        ("allpaths(//p:all, //p:x)", "a b c d e over_b over_x x"),
        ("somepath(//p:d, //p:x)", "d x"),
    ],
)
def test_other_edges_are_followed(tmp_path: Path, text: str, names: str) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "BUILD").write_text(BUILD, encoding="utf-8")
    answer = ask_query(open_session(tmp_path), text, QueryOptions(keep_going=True)).answer
    assert sorted(each.name for each in answer) == names.split()
    assert any("no such package '//nope'" in each.message for each in answer.problems)


def test_what_is_not_there_is_told_with_the_place_of_the_first_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "p").mkdir()
    (tmp_path / "q").mkdir()
    (tmp_path / "p" / "BUILD").write_text(BUILD, encoding="utf-8")
    (tmp_path / "q" / "BUILD").write_text('filegroup(name = "q", srcs = ["//p:none"], data = ["//p:a"])\n')
    session = open_session(tmp_path)
    for text, places in {
        "deps(//p:d)": ["p/BUILD:5:10: error: //nope:n: no such package '//nope'"],
        "deps(//p:all)": ["p/BUILD:2:10: error: //nope:n: no such package '//nope'"],
        "deps(//q:q)": [
            "p/BUILD:2:10: error: //nope:n: no such package '//nope'",
            "q/BUILD:1:10: error: no such target '//p:none'",
        ],
        "rdeps(//p:all, //p:x, 1)": ["p/BUILD:2:10: error: //nope:n: no such package '//nope'"],
    }.items():
        answer = ask_query(session, text, QueryOptions(keep_going=True)).answer
        assert [each.headline.partition(": BUILD")[0].partition(": target")[0] for each in answer.problems] == places


GROUP = 'filegroup(name = "shown", visibility = [":group"])\n'


@pytest.mark.parametrize(
    ("bazel", "told"),
    [
        ("4.2.3", ["no such package '//nope'", "no such target '//p:group'"]),
        ("7.7.1", ["no such target '//p:group'"]),
    ],
)
@pytest.mark.parametrize("kept", [False, True])
def test_same_package_dependents_look_at_what_the_package_names(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], bazel: str, told: list[str], kept: bool
) -> None:
    (tmp_path / "tree" / "p").mkdir(parents=True)
    (tmp_path / "tree" / "WORKSPACE").touch()
    (tmp_path / "tree" / "p" / "BUILD").write_text(BUILD + GROUP, encoding="utf-8")
    options = ["-C", str(tmp_path / "tree"), f"--bazel_version={bazel}", f"--cache_dir={tmp_path / 'cache'}"]
    for text in ("//...", "same_pkg_direct_rdeps(//p:z)")[not kept :]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as end:
            main([*options, "query", "-k", text])
    out, err = capfd.readouterr()
    assert (end.value.code, sorted(out.split())) == (3, ["//p:a", "//p:b"])
    assert [each for each in ("no such package '//nope'", "no such target '//p:group'") if each in err] == told
    assert "p/BUILD:12:10: error: no such target '//p:group'" in err
