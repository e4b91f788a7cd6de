"""What texts and rows of selects share: how a value, the macros that made a rule, why a branch holds are written."""

from __future__ import annotations

from bzlgraph.base.span import place_text
from bzlgraph.export.value_text import UNQUOTED, as_json, expression

TYPE_CHECKING = False  # it is imported before anything heavy is
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bzlgraph.base.span import Location
    from bzlgraph.bazel.selects import Selecting
    from bzlgraph.selects.holds import Holds


def value_text(value: object) -> str:
    """As people read it: text without quotes, an entry of a dictionary with a colon; None is the default.

    >>> value_text("-O2"), value_text(""), value_text([]), value_text(None), value_text(("key", ["a", "b"]))
    ('-O2', '""', '[]', 'None', 'key: [a, b]')
    """
    if type(value) is tuple:
        return ": ".join(expression(each, UNQUOTED) for each in value)
    return expression(value, UNQUOTED)


def value_json(value: object) -> object:
    """As programs read it: an entry of a dictionary has ``key`` and ``value``."""
    if type(value) is tuple:
        return {"key": as_json(value[0]), "value": as_json(value[1])}
    return as_json(value)


def reason_text(holds: Holds) -> str:
    """Why a branch holds or not, and what Bazel refuses."""
    return f"{holds.reason}; error: {holds.refused}" if holds.refused else holds.reason


def macro_calls(rule: Selecting) -> Iterator[tuple[str, Location]]:
    """The macros a rule was made in, outermost first: each with the place it was called at."""
    frames = rule.stack
    for outer, inner in zip(frames[:0:-1], frames[-2::-1], strict=True):
        yield inner.function, outer.location


def macro_text(rule: Selecting) -> str:
    """``outer (a/BUILD:3) > inner (a/defs.bzl:7)``: the macros that made a rule, with the places they are called at."""
    return " > ".join(f"{function} ({place_text(location)})" for function, location in macro_calls(rule))
