"""The parameters of a function that matter: what a walk must know of what a call gives."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

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
    needs = {need for event in events for need in event.needs}
    needs |= {need for each in branches for way in (*each.ways, *each.against) for need in way}
    asked = {name_of(need).replace(TRULY, "").rpartition(" ")[2] for need in needs}  # "len xs", "dtype bb:x"
    needed = {name for each in asked for name in _PARTED.split(each)}
    needed.update(name.removesuffix(MEMBER) for event in events if event.kind == "maybe" for name in event.on.split(OR))
    needed.update(name for event in events if event.kind == "parameter" for name in event.text.split(OR))
    sources = {source.lstrip(MADE_OF) for event in events for _slot, source in event.gives}
    sources |= {event.on for event in events if event.kind == "operator"} | {dtype}
    sources = {each for one in sources for each in one.split(EITHER)}
    handed = {name for source in sources for each in source.split(OR) for name in _PARTED.split(name_of(each))}
    return {name: each for name, each in parameters.items() if name in needed or name in handed or each.converted}
