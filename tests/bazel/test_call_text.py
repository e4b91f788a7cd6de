"""Reading the name and the start of a call out of a BUILD file's text."""

from __future__ import annotations

import pytest

from bzlgraph.base.span import Location, Position
from bzlgraph.bazel.context.call_text import BuildText

TEXT = """\
load(":m.bzl", "m")  # (comment
m(
    # name = "commented"
    srcs = [f(name = "inner")],
    name = 'outer',
)
[m (name = "b%d" % i) for i in range(2)]
native.m(x = {"name": "dict"}, name = "c" + "d")
m("positional", names = "no", name="end")
"""


@pytest.mark.parametrize(
    ("line", "column", "name", "start"),
    [
        (2, 2, "outer", (2, 1)),
        (2, 1, "outer", (2, 1)),
        (7, 4, None, (7, 2)),
        (7, 2, None, (7, 2)),
        (8, 9, None, (8, 1)),
        (9, 2, "end", (9, 1)),
    ],
)
def test_calls(line: int, column: int, name: str | None, start: tuple[int, int]) -> None:
    found = BuildText(TEXT).call_at(Location("BUILD", line, column))
    assert found.name == name
    assert found.start == Position(*start)


def test_text_that_ends_inside_the_call() -> None:
    assert BuildText("m(name = ").call_at(Location("BUILD", 1, 2)).name is None
