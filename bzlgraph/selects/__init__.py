"""Which values depend on which conditions: the selects of targets, branch by branch."""

from bzlgraph.selects.answer import SelectAnswer, SelectCounts
from bzlgraph.selects.model import Branch, ConditionKind, Select, Value

__all__ = ["Branch", "ConditionKind", "Select", "SelectAnswer", "SelectCounts", "Value"]
