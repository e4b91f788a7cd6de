"""Where a repository comes from, as lines of text: one line, or one for each call that leads to it.

>>> from bzlgraph.base.span import Location
>>> from bzlgraph.workspace.repositories.origin import Origin, OriginStep
>>> calls = OriginStep("deps", "", Location("WORKSPACE", 3, 1)), OriginStep("http_archive", "", Location("d.bzl", 9, 1))
>>> origin_lines(Origin("zlib", "made by http_archive", calls))
['Repository @zlib: made by http_archive, WORKSPACE:3 > d.bzl:9.']
>>> one, two = OriginStep("bazel_dep", "a@1", Location("MODULE.bazel", 3, 1)), OriginStep("bazel_dep", "zlib@1.3")
>>> origin_lines(Origin("zlib~", "module zlib@1.3", (one, two)))
['Repository @zlib~: module zlib@1.3.', ' ├ bazel_dep  a@1       MODULE.bazel:3', ' └ bazel_dep  zlib@1.3']
"""

from __future__ import annotations

from bzlgraph.base.span import place_text
from bzlgraph.base.words import column_width, in_columns, plural

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from bzlgraph.workspace.repositories.origin import Origin, OriginStep

MAX_OTHERS = 5
WIDEST = 64


def origin_lines(origin: Origin) -> list[str]:
    """The lines; one is enough for plain calls, each inside the one before."""
    if not (origin.others or any(step.what or step.note for step in origin.steps)):
        places = " > ".join(place_text(step.location) for step in origin.steps if step.location is not None)
        return [f"Repository @{origin.name}: {origin.kind}{', ' if places else ''}{places}."]
    rows = [_cells(step) for step in origin.steps]
    widths = [column_width(cells, WIDEST) for cells in zip(*rows, strict=True)]
    lines = [f"Repository @{origin.name}: {origin.kind}."]
    lines += [f" {'└' if row is rows[-1] else '├'} {in_columns(row, widths)}" for row in rows]
    return [*lines, _others(origin)] if origin.others else lines


def _cells(step: OriginStep) -> tuple[str, str, str, str]:
    return step.word, step.what, place_text(step.location), step.note


def _others(origin: Origin) -> str:
    """Who else asks for it, in one line."""
    shown = [_other(each) for each in origin.others[:MAX_OTHERS]]
    more = len(origin.others) - MAX_OTHERS
    rest = f" and {more} more {plural(more, 'place')}" if more > 0 else ""
    return f"Also requested elsewhere: {'; '.join(shown)}{rest}."


def _other(step: OriginStep) -> str:
    place = f" ({place_text(step.location)})" if step.location is not None else ""
    return f"{step.note or step.what}{place}"
