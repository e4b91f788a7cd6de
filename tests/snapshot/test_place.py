"""Which questions share a kept graph, and which look for none."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.snapshot import answer, command_line, place


def key(*arguments: str) -> bytes:
    asked = command_line.read(arguments)
    assert asked is not None
    return place.key_of(asked)


@pytest.mark.parametrize(
    ("options", "shared"),
    [
        (["--bazel_version=7.7.1"], True),
        (["--host_os=linux", "--stay_inside"], True),
        (["--override_repository=zlib=/src/zlib"], True),
        (["--override_repository=zlib=zlib"], False),
        (["--output_base", "../out"], False),
    ],
)
def test_where_a_question_is_asked_matters_for_relative_paths_alone(
    options: list[str], shared: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = set()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        keys.add(key("-C", str(tmp_path), *options, "query", "//:all"))
    assert (len(keys) == 1) == shared


@pytest.mark.parametrize(
    "text", ["attr(name, x)", "//:a + buildfiles(//:a)", "deps()", "let x = callers(a, //:a) in $x"]
)
def test_what_is_not_known_opens_no_graph(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*_: object) -> None:
        raise AssertionError("a graph was looked for")

    monkeypatch.setattr(answer, "open_kept", opened)
    asked = command_line.read(["query", text])
    assert asked is not None
    assert answer.find("/nowhere", asked) is None
