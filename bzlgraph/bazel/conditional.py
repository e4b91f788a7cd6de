"""Values that depend on the configuration, walked in one place: every module that asks what may be in one asks here.

A value is *plain*, a ``Selector`` (one ``select()``), or a ``SelectorList`` (a concatenation of both). A branch may
hold such a value again where something uncertain stands in it; one that is None means the default of the attribute.

>>> from bzlgraph.base.label import parse
>>> fast = Condition(parse("//:fast", "", ""))
>>> value = SelectorList((["a"], Selector(((fast, ["b"]),))))
>>> [(list(map(str, conditions)), plain) for conditions, plain in branches(value)]
[([], ['a']), (['//:fast'], ['b'])]
>>> list(alternatives(value))
[['a', 'b']]

This module is imported before anything heavy is.
"""

from __future__ import annotations

from itertools import islice, product

from bzlgraph.base.record import Record
from bzlgraph.base.resolved_label import Label
from bzlgraph.bazel.condition import Condition, Selector, SelectorList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeGuard

_ALWAYS = "//conditions:default"


def is_conditional(value: object) -> TypeGuard[Selector | SelectorList]:
    """Whether the value depends on the configuration."""
    return isinstance(value, (Selector, SelectorList))


_CONDITIONAL = frozenset({Selector, SelectorList})


def any_conditional(values: Iterable[object]) -> bool:
    """Whether one of the values is; asked of every value of a checkout, so it looks at classes alone."""
    return not _CONDITIONAL.isdisjoint(map(type, values))


def parts(value: object) -> tuple[object, ...]:
    """The parts of a concatenation in order, plain values and Selectors; any other value is its own only part."""
    return value.parts if isinstance(value, SelectorList) else (value,)


def selectors(value: object) -> Iterator[Selector]:
    """The Selectors among the parts; not those inside of branches."""
    return (part for part in parts(value) if isinstance(part, Selector))


class Chosen(Record):
    """One branch of one select: what a value stands under."""

    selector: Selector
    position: int

    @property
    def condition(self) -> Condition:
        """The key of the branch."""
        return self.selector.branches[self.position][0]

    @property
    def keys(self) -> tuple[Condition, ...]:
        """The keys of all branches, this one included."""
        return tuple([condition for condition, _ in self.selector.branches])


def walk(value: object, above: tuple[Chosen, ...] = ()) -> Iterator[tuple[tuple[Chosen, ...], object]]:
    """Every plain value with the branches it stands in, outermost first; in none when it is always there."""
    for part in parts(value):
        if isinstance(part, Selector):
            for position, (_, branch) in enumerate(part.branches):
                path = (*above, Chosen(part, position))
                if is_conditional(branch):
                    yield from walk(branch, path)
                else:
                    yield path, branch
        else:
            yield above, part


def branches(value: object) -> Iterator[tuple[tuple[Condition, ...], object]]:
    """Every plain value with the conditions it stands under, outermost first; none for what is always there."""
    return ((tuple([each.condition for each in path]), plain) for path, plain in walk(value))


def plain_values(value: object) -> Iterator[object]:
    """Every plain value, under whatever condition."""
    return (plain for _, plain in walk(value))


def map_plain(value: object, change: Callable[[Any], object]) -> object:
    """The same selects with every plain value changed; None, the default of the attribute, is one of them."""
    if isinstance(value, SelectorList):
        return SelectorList(tuple(map_plain(part, change) for part in value.parts))
    if isinstance(value, Selector):
        changed = tuple((condition, map_plain(branch, change)) for condition, branch in value.branches)
        return value._replace(branches=changed)
    return change(value)


def map_labels(value: object, change: Callable[[Label], Label]) -> object:
    """The same value with every label changed: in lists, dictionaries, branches and conditions."""
    if isinstance(value, SelectorList):
        return SelectorList(tuple(map_labels(part, change) for part in value.parts))
    if isinstance(value, Selector):
        pairs = ((_map_condition(key, change), map_labels(branch, change)) for key, branch in value.branches)
        return value._replace(branches=tuple(pairs))
    if isinstance(value, Label):
        return change(value)
    if isinstance(value, dict):
        return {map_labels(key, change): map_labels(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [map_labels(item, change) for item in value]
    return value


def _map_condition(condition: Condition, change: Callable[[Label], Label]) -> Condition:
    return condition if condition.label is None else condition._replace(label=change(condition.label))


def alternatives(value: object, default: object = None, most: int = 256) -> Iterator[object]:
    """The plain values that the whole may have, one per combination of branches; ``default`` where a branch is None.

    There can be exponentially many: at most ``most`` are given.
    """
    choices = [list(_choices(part, default, most)) for part in parts(value)]
    return map(joined, islice(product(*choices), most))


def _choices(part: object, default: object, most: int) -> Iterator[object]:
    if not isinstance(part, Selector):
        yield part
        return
    for _, branch in part.branches:
        yield from alternatives(default if branch is None else branch, default, most)


def sums(value: object, most: int) -> Iterator[object]:
    """The dictionaries that a concatenation may be: as ``alternatives``, where selects with the same conditions take
    the same branch. Bazel visits the branches from the last to the first."""
    return islice(_ways([_branches(part) for part in parts(value)]), most)


def _branches(part: object) -> dict[str, object]:
    """The branches of a part of a sum by their conditions; what has none is a branch that always holds."""
    if not isinstance(part, Selector):
        return {_ALWAYS: part}
    return {str(condition): {} if branch is None else branch for condition, branch in part.branches}


def _ways(selects: Sequence[Mapping[str, object]]) -> Iterator[object]:
    """One value for each way through the branches; selects with the same conditions take the same one."""
    left: list[tuple[int, str, object]] = [(0, *branch) for branch in selects[0].items()]
    taken: dict[frozenset[str], tuple[int, str]] = {}
    while left:
        place, key, total = left.pop()
        if place + 1 == len(selects):
            yield total
            continue
        following = selects[place + 1]
        before, bound = taken.get(frozenset(following), (place, ""))
        taken[frozenset(selects[place])] = place, key
        if before < place:
            chosen = [bound]
        else:
            chosen = [key] if following.keys() == selects[place].keys() else list(following)
        left += [(place + 1, each, joined((total, following[each]))) for each in chosen]


def joined(values: Iterable[object]) -> object:
    """``a + b`` of plain values, None when there is none; a None among them adds nothing, nor does what cannot."""
    total: object = None
    for value in values:
        if total is None or value is None:
            total = value if total is None else total
        elif isinstance(total, dict) and isinstance(value, dict):
            total = {**total, **value}
        elif isinstance(total, list) and isinstance(value, list):
            total = [*total, *value]
        elif type(total) is type(value) and isinstance(total, str | int):
            total = total + value  # type: ignore[operator]
    return total


def condition_labels(value: object) -> Iterator[Label]:
    """The labels of the conditions of its selects, ``//conditions:default`` included; not those inside of branches."""
    for selector in selectors(value):
        yield from (condition.label for condition, _ in selector.branches if condition.label is not None)


def labels_in(value: object) -> Iterator[Label]:
    """Every label in a value: in lists, dictionaries and branches, but not those of conditions."""
    for plain in plain_values(value):
        if isinstance(plain, Label):
            yield plain
        elif isinstance(plain, dict):
            for pair in plain.items():
                yield from labels_in(pair)
        elif isinstance(plain, list | tuple):
            for item in plain:
                yield from labels_in(item)
