"""Configurable values -> what the model stores: a ``SelectValue`` becomes a ``SelectorList``.

Keys resolve against the package, branch values are converted by the attribute's type. Macros give the same value to one
target after another (copts, nearly always): what is written alike is converted once a package, and shared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bzlgraph.base.label import LabelError, may_be_target
from bzlgraph.bazel.context.contexts import Context, PackageContext
from bzlgraph.bazel.context.scope import facts, resolve
from bzlgraph.bazel.model import DICT_TYPES, LABEL_TYPES, LIST_TYPES, AttrType, Condition, Selector, SelectorList
from bzlgraph.bazel.parts import Flattened, Select, Uncertain
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.bazel.values.select import SelectValue, is_uncertain, parts_of, text_of
from bzlgraph.starlark.evaluation.budget import LOOK, charge
from bzlgraph.starlark.sets import Set
from bzlgraph.starlark.value import EvalError

Converter = Callable[[object], object]
BRANCHES_OF_A_VALUE = 4
"""An edge under a condition tells all others beside it: so many of them take as much room as a value does."""
_SIZED = (list, tuple, dict)
_CERTAIN = frozenset({str, LabelValue})
"""Elements that need no second look: all of nearly every list."""
_UNLIKE = object()
"""Something that is compared with nothing."""


def listed(value: object) -> Sequence[object] | None:
    """The elements of a value that Bazel takes for a list in an attribute; None for any other value."""
    if isinstance(value, (list, tuple, range)):
        return value
    if isinstance(value, Flattened):
        return value.to_list()
    if isinstance(value, Set):
        return list(value.items)
    return list(value) if isinstance(value, dict) and facts().dicts_are_lists else None


def lift(value: object, is_list: bool) -> object:
    """A list with uncertain elements as the concatenation it stands for; anything else as it is.

    ``[":a", if_cuda(":b")]`` -> ``[":a"] + if_cuda(":b")``; what only stands for a list too, where one is wanted.
    """
    if is_list and not isinstance(value, list):
        items = listed(value)
        value = value if items is None else items
    if isinstance(value, dict) and any(isinstance(item, Uncertain) for pair in value.items() for item in pair):
        return {key: text_of(item) for key, item in value.items() if not isinstance(key, Uncertain)}
    if not isinstance(value, (list, tuple)) or _CERTAIN.issuperset(map(type, value)):
        return value
    if not any(isinstance(item, (Uncertain, SelectValue)) for item in value):
        return value
    parts: list[object] = []
    plain: list[object] = []
    for item in value:
        if not is_uncertain(item):
            plain.append(item)
            continue
        if plain:
            parts.append(plain)
            plain = []
        parts.extend(parts_of(item))
    return SelectValue((*parts, plain)) if plain else SelectValue(tuple(parts))


def is_configurable(value: object) -> bool:
    """Whether ``to_model`` is the way to convert ``value``. See also ``lift``."""
    return isinstance(value, (SelectValue, Uncertain))


def to_model(value: object, kind: AttrType, convert: Converter, context: Context) -> SelectorList:
    """A configurable value -> SelectorList. ``convert`` turns a plain value into what the attribute's type stores."""
    return SelectorList(tuple(_part_to_model(part, kind, convert, context) for part in parts_of(value)))


def shared_model(
    value: object, kind: AttrType, convert: Converter, context: PackageContext, of: object
) -> SelectorList:
    """``to_model``; for a value, and for a select in it, that is written like one before, the same object. ``of`` says
    what ``convert`` does."""
    known: dict[object, _Shared] = context.state.setdefault(__name__, {})
    content = _content(value)
    if content is None:
        return to_model(value, kind, convert, context)
    key = (of, kind, content)
    shared = known.get(key)  # asked for once: its hash is that of all texts in it
    if shared is not None:
        model: SelectorList = _again(shared, context)
        return model
    parts, prices = list[object](), list[_Shared]()
    for part, written in zip(parts_of(value), content, strict=True):
        if type(part) is not Select:
            parts.append(convert(part))
            continue
        of_part = (of, kind, written)
        shared = known.get(of_part)
        if shared is not None:
            parts.append(_again(shared, context))
        else:
            selector = _select_to_model(part, kind, convert, context)
            known[of_part] = shared = _Shared(selector, *_price(part))
            parts.append(selector)
        prices.append(shared)
    model = SelectorList(tuple(parts))
    known[key] = _Shared(model, sum([each.steps for each in prices]), sum([each.room for each in prices]))
    return model


class _Shared(NamedTuple):
    """What was made of a value, and what it costs to make it: the steps, and the room in the package."""

    model: Any
    steps: int
    room: int


def _again(shared: _Shared, context: PackageContext) -> Any:
    """What was made before: its edges are those of one more target."""
    charge(shared.steps)
    context.hold(shared.room)
    return shared.model


def _content(value: object) -> tuple[object, ...] | None:
    """What is written in a configurable value and where; None unless it is made of texts, labels and lists of them."""
    found: list[object] = []
    for part in parts_of(value):
        if type(part) is Select:
            branches = part.branches
            values = [_plain_content(each) for each in branches.values()]
            if _UNLIKE in values or not _CERTAIN.issuperset(map(type, branches)):
                return None
            found.append((part.location, part.no_match_error, *branches, *values))  # as many of both
        else:
            plain = _plain_content(part)
            if plain is _UNLIKE:
                return None
            found.append(plain)
    return tuple(found)


def _price(part: Select) -> tuple[int, int]:
    """The steps and the room in the package that a select costs."""
    count = len(part.branches)
    size = count + sum([len(value) for value in part.branches.values() if isinstance(value, _SIZED)])
    return LOOK * count + size, size + count * (count // BRANCHES_OF_A_VALUE)


def _plain_content(value: object) -> object:
    if isinstance(value, list) and _CERTAIN.issuperset(map(type, value)):
        return tuple(value)
    return value if value is None or type(value) is str else _UNLIKE


def _part_to_model(part: object, kind: AttrType, convert: Converter, context: Context) -> object:
    if isinstance(part, Select):
        return _select_to_model(part, kind, convert, context)
    if isinstance(part, Uncertain):
        return _uncertain_to_model(part, kind, convert)
    return convert(part)


def _select_to_model(part: Select, kind: AttrType, convert: Converter, context: Context) -> Selector:
    steps, room = _price(part)
    charge(steps)
    if isinstance(context, PackageContext):
        context.hold(room)
    branches = [
        (_condition(key, context), _branch(lift(value, kind in LIST_TYPES), kind, convert, context))
        for key, value in part.branches.items()
    ]
    if not facts().select_keeps_equal_keys:
        branches = list(
            {condition.label or condition.unknown: (condition, value) for condition, value in branches}.values()
        )
    return Selector(tuple(branches), part.no_match_error, part.location)


def _branch(value: object, kind: AttrType, convert: Converter, context: Context) -> object:
    """The value of a branch; nested only where something uncertain stands in it, as Bazel forbids nested selects."""
    if value is None:
        return None
    if is_uncertain(value):
        return to_model(value, kind, convert, context)
    return convert(value)


def _condition(key: Any, context: Context) -> Condition:
    if isinstance(key, LabelValue):
        return Condition(key.label)
    if type(key) is not str and isinstance(key, Uncertain):
        return Condition(None, key.text)
    if not isinstance(context, PackageContext):
        return Condition(resolve(key, context))
    known: dict[str, Condition] = context.state.setdefault(__name__, {})
    condition = known.get(key)
    if condition is None:
        condition = known[key] = Condition(resolve(key, context))
    return condition


def _uncertain_to_model(part: Uncertain, kind: AttrType, convert: Converter) -> Selector:
    """One branch with an unknown condition, holding what may be in the value."""
    condition = Condition(None, part.text)
    found = part.candidates()
    if kind in LABEL_TYPES:
        found = [each for each in found if not isinstance(each, str) or may_be_target(each)]
    values: list[object]
    if kind in LIST_TYPES:
        values = [[item for item in found if not isinstance(item, dict)]]
    elif kind in DICT_TYPES:
        merged: dict[object, object] = {}
        for item in found:
            merged.update(item if isinstance(item, dict) else {})
        values = [merged]
    else:
        values = [item for item in found if not isinstance(item, dict)] or [None]
    return Selector(tuple((condition, _possible(item, convert)) for item in values), "", part.location)


def _possible(value: object, convert: Converter) -> Any:
    """A candidate, converted; what the attribute could not take is dropped, it was only a guess."""
    try:
        return convert(value) if value is not None else None
    except (EvalError, LabelError):
        if not isinstance(value, list):
            return None
        if len(value) < 2:
            return []
        return [converted for item in value for converted in _possible([item], convert)]
