"""The parameters of a function that matter: what a walk must know of what a call gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from bzlgraph.ops.python.summary import EITHER, ELSE, MADE_OF, MEMBER, OR, TRULY, Branch, Event, Parameter, name_of
from bzlgraph.ops.python.values.classes import value_classes
from bzlgraph.ops.python.values.classes.calls_told import INSIDE, SLOT

_PARTED = re.compile(
    f"[{re.escape(OR + ELSE + EITHER + value_classes.GIVEN + value_classes.ONLY + INSIDE + SLOT)}{{}},!~&#]"
)


def used(
    parameters: Mapping[str, Parameter], events: tuple[Event, ...], branches: Sequence[Branch], dtype: str
) -> dict[str, Parameter]:
    """The parameters that matter: those that an event or a branch needs something of, that a call hands on, or that the
    ``dtype`` of what a function gives depends on."""
    names = {*_needed(events, branches), *_handed(events, dtype)}
    return {name: each for name, each in parameters.items() if name in names or each.converted}


def _needed(events: Sequence[Event], branches: Sequence[Branch]) -> Iterator[str]:
    """The names that something is needed of."""
    needs = {need for event in events for need in event.needs}
    needs |= {need for each in branches for way in (*each.ways, *each.against) for need in way}
    for need in needs:
        yield from _PARTED.split(name_of(need).replace(TRULY, "").rpartition(" ")[2])  # "len xs", "dtype bb:x"
    for event in (each for each in events if each.kind in ("maybe", "parameter")):
        yield from (name.removesuffix(MEMBER) for name in (event.on or event.text).split(OR))


def _handed(events: Sequence[Event], dtype: str) -> Iterator[str]:
    """The names of what is handed on."""
    sources = {source.lstrip(MADE_OF) for event in events for _slot, source in event.gives}
    sources |= {event.on for event in events if event.kind == "operator"} | {dtype}
    for source in {each for one in sources for way in one.split(EITHER) for each in way.split(OR)}:
        yield from _PARTED.split(name_of(source))
