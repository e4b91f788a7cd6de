"""Which values depend on which conditions: the selects of targets, branch by branch."""

from bzlgraph.graph.selects import Branch, ConditionKind, Select, Value
from bzlgraph.selects.answer import EVERYTHING, SelectAnswer, SelectCounts, Wanted
from bzlgraph.selects.holds import Chooser, Holds

__all__ = [
    "EVERYTHING",
    "Branch",
    "Chooser",
    "ConditionKind",
    "Holds",
    "Select",
    "SelectAnswer",
    "SelectCounts",
    "Value",
    "Wanted",
]
