"""The helpers generated code may call: name (with a ``$``, so that no Starlark name can be meant) -> function."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bzlgraph.starlark import iterate, ordering
from bzlgraph.starlark.equality import equals
from bzlgraph.starlark.evaluation.budget import STEPS, charge
from bzlgraph.starlark.ops import access, arithmetic, enter, fast, named
from bzlgraph.starlark.ops.pure import keep, recall
from bzlgraph.starlark.values import Dict, List

HELPERS: Mapping[str, object] = {
    "$List": List,
    "$Dict": Dict,
    "$dict": iterate.make_dict,
    "$dictcomp": iterate.collect_dict,
    "$key": iterate.check_key,
    **{f"${op}": function for op, function in arithmetic.BINARY.items()},
    **{f"${op}=": function for op, function in arithmetic.IN_PLACE.items()},
    **{f"${op}x": function for op, function in arithmetic.UNARY.items()},
    "$chain": arithmetic.chain,
    "$%s": fast.percent_strings,
    "$%t": fast.percent_tuple,
    "$format": fast.format_literal,
    "$eq": equals,
    "$ne": ordering.unequal,
    "$lt": ordering.less,
    "$le": ordering.less_equal,
    "$gt": ordering.greater,
    "$ge": ordering.greater_equal,
    "$in": ordering.contains,
    "$attr": access.attribute,
    "$setattr": access.set_attribute,
    "$index": fast.index,
    "$setindex": access.set_index,
    "$slice": access.slice_of,
    "$comp": fast.list_of,
    "$each": iterate.each,
    "$each_item": fast.each_item,
    "$each_held": iterate.each_held,
    "$each_unpacked": iterate.each_unpacked,
    "$each_held_unpacked": iterate.each_held_unpacked,
    "$nested": iterate.each_nested,
    "$hold": iterate.hold,
    "$release": iterate.release,
    "$unpack": iterate.unpack,
    "$star": iterate.star,
    "$starstar": iterate.star_star,
    "$call": iterate.call_in_order,
    "$named": named.call_named,
    "$B": STEPS,
    "$charge": charge,
    "$stop": enter.stop,
    "$enter": enter.enter,
    "$leave": enter.leave,
    "$discard": enter.discard,
    "$recall": recall,
    "$keep": keep,
    "$second": enter.second,
    "$load": enter.load,
    "$loaded": enter.loaded,
}
"""``$B`` is data: the step counter that generated code subtracts from in place."""


DISPATCHERS: Mapping[str, Callable[..., object]] = fast.dispatchers()
"""``value.name(...)`` in one call, for the method names of plain types."""
