"""The operators that a function of another one calls, each told once: of several ways to it the simplest.

ways to operators (``Step`` values) -> the steps that are told, on each device.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bzlgraph.base.span import Location
from bzlgraph.ops.pytorch.cpp.questions import Constants
from bzlgraph.ops.pytorch.cpp.truth import add_way, is_special, others, weight
from bzlgraph.ops.pytorch.running.devices import OTHERS

_DEVICES = ("CPU", "CUDA", OTHERS)


@dataclass(frozen=True, slots=True)
class Step:
    """An operator that a function of another one calls: where, through which functions, under which conditions, and on
    which device ("": on any)."""

    op: str
    location: Location
    through: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    device: str = ""
    otherwise: bool = False
    """Whether it is called under other conditions, too, there or elsewhere."""
    moves: bool = False
    """Whether it is given a device, there or elsewhere, which may be another one than that of the tensors."""
    follows: bool = False
    """Whether it is given the device of a tensor, there or elsewhere."""
    plain: bool = False
    """Whether no call of it there or elsewhere is given a tensor of a special kind."""
    touching: bool = False
    """Whether a call of it is given what may be one, as it is made there (``special_uses``)."""
    native: bool = False
    """Whether all calls of it there and elsewhere run on a CPU or on CUDA."""
    given: Constants = ()
    """What every call of it there and elsewhere gives it (``given_values.py``)."""

    @property
    def special(self) -> bool:
        """Whether it runs for a special kind of tensor only (rule 5)."""
        return any(map(is_special, self.conditions))


def told(ways: Mapping[str, list[Step]]) -> tuple[Step, ...]:
    """Each operator once, in the order of the text, those that are called directly first; twice when it is reached
    elsewhere on CUDA than on a CPU."""
    moving = {name for name, each in ways.items() if any(step.moves for step in each)}
    following = {name for name, each in ways.items() if any(step.follows for step in each)}
    steps = (step for each in ways.values() for step in _on_each_device(each))
    special = {name for name, each in ways.items() if not all(step.plain for step in each)}
    elsewhere = {name for name, each in ways.items() if not all(step.native for step in each)}
    touching = {name for name, each in ways.items() if any(step.touching and not step.special for step in each)}
    told = (
        replace(
            step,
            moves=step.op in moving,
            follows=step.op in following,
            plain=step.op not in special,
            touching=step.op in touching,
            native=step.op not in elsewhere,
        )
        for step in steps
    )
    return tuple(sorted(told, key=lambda step: len(step.through)))


def _on_each_device(ways: Sequence[Step]) -> Iterator[Step]:
    anywhere = [each for each in ways if not each.device]
    by_device = {name: [each for each in ways if each.device in ("", name)] for name in _DEVICES}
    simplest = {name: _simplest(each) for name, each in by_device.items() if len(each) > len(anywhere)}
    if len({(each.location, each.conditions) for each in simplest.values()}) < len(simplest):
        anywhere, simplest = [next(iter(simplest.values()))], {}
    if anywhere:
        common = replace(_simplest(anywhere), device="", given=_common(ways))
        lighter = {name: each for name, each in simplest.items() if weight(each.conditions) < weight(common.conditions)}
        untold = bool(common.conditions) and len(lighter) < len(simplest)
        yield replace(common, otherwise=common.otherwise or untold)
        simplest = lighter
    yield from (replace(each, device=name) for name, each in simplest.items())


def _simplest(ways: Sequence[Step]) -> Step:
    """The way with the fewest conditions, when those that are the branches of an ``if`` have become one."""
    conditions: list[tuple[str, ...]] = []
    for step in ways:
        add_way(conditions, step.conditions)
    fewest = frozenset(conditions[0])
    going = [each for each in ways if fewest <= {*each.conditions}]
    told = min(going, key=lambda each: len(each.conditions))
    otherwise = bool(conditions[0]) and (told.otherwise or others(conditions))
    return replace(told, conditions=conditions[0], otherwise=otherwise, given=_common(ways))


def _common(ways: Sequence[Step]) -> Constants:
    """What the calls of all ways give, those for special tensors only where there are no others."""
    first, *more = [each for each in ways if not each.special] or ways
    return tuple(fact for fact in first.given if all(fact in each.given for each in more))
