"""``depset``: a set of values in one of Bazel's four orders, shared as a graph and flattened on demand.

``depset(direct, order, transitive = [...])`` -> ``Depset``; ``to_list()`` walks the graph once, leaving out
repetitions.

Theory of operation: as Bazel's NestedSet, a depset is an array of children: elements and the arrays of other depsets,
laid out when it is made (before or after the transitive ones, reversed for "topological"), so that flattening is the
same walk for all orders; "topological" reverses the result. A subset of one element is hoisted into the array.
Rules: https://bazel.build/rules/lib/builtins/depset
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from bzlgraph.bazel.context.scope import facts
from bzlgraph.bazel.parts import Flattened, Uncertain
from bzlgraph.bazel.values.select import SelectValue
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.checks import want_member, want_string, wrong_type
from bzlgraph.starlark.equality import equals
from bzlgraph.starlark.evaluation.budget import LOOK, charge
from bzlgraph.starlark.iterate import elements as iterated
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import List, hash_key, type_name

_MISSING = object()
DEFAULT, POSTORDER, PREORDER, TOPOLOGICAL = "default", "postorder", "preorder", "topological"
ORDERS = {
    **{order: order for order in (DEFAULT, POSTORDER, PREORDER, TOPOLOGICAL)},
    # Names of long ago, accepted by every Bazel up to 0.20.
    "stable": DEFAULT,
    "compile": POSTORDER,
    "naive_link": PREORDER,
    "link": TOPOLOGICAL,
}


class _Branch(tuple[object, ...]):
    """The children of a depset with more than one child, told from an element by its class."""

    __slots__ = ()

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


@dataclass(slots=True, eq=False)
class Depset(Flattened):
    """A depset. ``element`` is the type of its elements, None when empty."""

    type_name: ClassVar[str] = "depset"
    children: _Branch
    order: str
    element: str | None
    direct: tuple[object, ...]
    transitive: tuple[Depset, ...]

    def to_list(self) -> list[object]:
        """The elements in order, each once."""
        charge(LOOK * (1 + len(self.children)))
        found: dict[object, Any] = {}
        seen: set[_Branch] = set()
        stack: list[Any] = [iter(self.children)]
        while stack:
            for child in stack[-1]:
                if type(child) is not _Branch:
                    found.setdefault(hash_key(child), child)
                elif child not in seen:
                    charge(LOOK * len(child))
                    seen.add(child)
                    stack.append(iter(child))
                    break
            else:
                stack.pop()
        elements = list(found.values())
        if self.order == TOPOLOGICAL:
            elements.reverse()
        return elements

    def truth(self) -> bool:
        return bool(self.children)

    def iterate(self) -> Iterable[object]:
        if facts().depset_iteration:
            return self.to_list()
        raise EvalError("type 'depset' is not iterable", "use to_list() to get a list of its elements")

    def length(self) -> int:
        if facts().depset_iteration:
            return len(self.to_list())
        raise EvalError("depset is not iterable", "use len(x.to_list()) to measure it")

    def contains(self, item: object) -> bool:
        if facts().depset_iteration:
            return any(equals(item, each) for each in self.to_list())
        raise EvalError(f"unsupported binary operation: {type_name(item)} in depset", "write x in y.to_list()")

    def binary(self, op: str, other: object, reflected: bool) -> object:
        """``+`` and ``|`` of old Bazels: new elements are direct, other depsets transitive."""
        if op not in ("+", "|") or reflected or not facts().depset_union:
            return NotImplemented
        return self._union(other) if isinstance(other, Depset | list | tuple) else NotImplemented

    def to_repr(self) -> str:
        order = f', order = "{self.order}"' if self.order != DEFAULT else ""
        return f"depset({to_repr(List(self.to_list()))}{order})"

    def _to_list(self) -> List:
        return List(self.to_list())

    def _union(self, new_elements: object, /) -> Depset:
        """``union`` of Bazel before 0.26. EvalError for newer ones."""
        want_member("depset", "union")
        if not facts().depset_union:
            raise EvalError("depset.union() is not supported since Bazel 0.26", "use depset(transitive = [...])")
        if isinstance(new_elements, Depset):
            order = new_elements.order if self.order == DEFAULT else self.order
            return make(self.direct, (*self.transitive, new_elements), order)
        return make((*self.direct, *iterated(new_elements)), self.transitive, self.order)

    methods: ClassVar[dict[str, Callable[..., object]]] = {"to_list": _to_list, "union": _union}


def make(direct: Iterable[object], transitive: Iterable[Depset], order: str) -> Depset:
    """A depset of direct elements and other depsets. EvalError for unlike types, orders that do not agree."""
    elements = list({hash_key(item): item for item in direct}.values())
    charge(4 * LOOK * len(elements))
    subsets = [subset for subset in transitive if subset.children]
    for subset in transitive:
        if DEFAULT not in (order, subset.order) and subset.order != order:
            raise EvalError(f"Order '{order}' is incompatible with order '{subset.order}'")
    kind = _common_type(elements, subsets)
    if not elements and len(subsets) == 1 and subsets[0].order == order:
        return subsets[0]
    return Depset(_children(elements, subsets, order), order, kind, tuple(elements), tuple(subsets))


def _common_type(elements: list[object], subsets: list[Depset]) -> str | None:
    kind: str | None = None
    for found in (*map(_element_type, elements), *(subset.element for subset in subsets)):
        if kind is not None and found != kind and "unknown" not in (found, kind):
            raise EvalError(f"cannot add an item of type '{found}' to a depset of '{kind}'")
        kind = kind or found
    return kind


def _element_type(element: object) -> str:
    return "unknown" if isinstance(element, Uncertain) else type_name(element)


def _children(elements: list[object], subsets: list[Depset], order: str) -> _Branch:
    """Lay the children out as Bazel's NestedSet does."""
    if order == TOPOLOGICAL:
        elements, subsets = elements[::-1], subsets[::-1]
    direct_keys = {hash_key(item) for item in elements}
    taken = direct_keys if order == PREORDER else set()
    hoisted: dict[object, None] = {}
    nested: list[object] = []
    for subset in subsets:
        only = subset.children[0] if len(subset.children) == 1 else subset.children
        if type(only) is _Branch:
            nested.append(only)
        elif (key := hash_key(only)) not in taken and key not in hoisted:
            hoisted[key] = None
            nested.append(only)
    if order == PREORDER:
        return _Branch((*elements, *nested))
    return _Branch((*nested, *(item for item in elements if hash_key(item) not in hoisted)))


@builtin("depset")
def depset_function(
    x: object = None, order: str = DEFAULT, *, direct: Any = _MISSING, transitive: Any = None, items: Any = _MISSING
) -> object:
    """``depset(direct = None, order = "default", *, transitive = None)``; ``items`` is the old name of ``direct``."""
    for argument in (x, direct, items):
        if isinstance(argument, Uncertain):
            return argument
    if isinstance(order, Uncertain):
        order = DEFAULT
    if want_string(order, "depset", "order") not in ORDERS:
        raise EvalError(f"Invalid order: {order}", "use default, postorder, preorder or topological")
    if facts().depset_items:
        direct = _old_direct(x, direct, items)
        if isinstance(direct, Depset):  # depset(another_depset)
            transitive, direct = [direct, *(transitive or ())], None
    elif items is not _MISSING:
        raise EvalError("depset() got unexpected keyword argument 'items'", "use 'direct'")
    elif direct is _MISSING:
        direct = x
    elif x is not None:
        raise EvalError("depset() got multiple values for argument 'direct'")
    elements = _sequence(direct, "direct")
    subsets = _sequence(transitive, "transitive")
    charge(LOOK * (len(elements) + len(subsets)))
    # What may be a depset is an element: an attribute keeps it as something possible.
    elements += [subset for subset in subsets if isinstance(subset, Uncertain)]
    for at, subset in enumerate(subsets):
        if not isinstance(subset, Depset | Uncertain):
            raise EvalError(f"at index {at} of transitive, got element of type {type_name(subset)}, want depset")
    for element in elements:
        _check_hashable(element)
    return make(elements, [subset for subset in subsets if isinstance(subset, Depset)], ORDERS[order])


def _old_direct(x: object, direct: object, items: object) -> object:
    """The elements where they have three names; a second one may be given only if one of both is empty."""
    if items is None or (x is not None and items is not _MISSING and items != []):
        raise EvalError("parameter 'items' cannot be specified both positionally and by keyword")
    elements = items if x is None and items is not _MISSING else x
    if direct is None or direct is _MISSING:
        return elements
    if elements is not None and elements != []:
        raise EvalError("Do not pass both 'direct' and 'items' argument to depset constructor.")
    return direct


def _check_hashable(element: object) -> None:
    try:
        hash_key(element)
    except EvalError:
        raise EvalError("depset elements must not be mutable values", "make a tuple or a struct of it") from None


def _sequence(value: object, name: str) -> list[object]:
    if value is None:
        return []
    if isinstance(value, list | tuple | range):
        charge(len(value))
        return list(value)
    if isinstance(value, Uncertain):
        return [value]
    if isinstance(value, SelectValue) and value.uncertain():
        return [item for part in value.parts for item in _sequence(part, name)]
    raise wrong_type(value, "depset", name, "sequence or NoneType")
