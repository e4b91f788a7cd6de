"""``attr`` of a transition's implementation: (a target, the configuration that is left) -> values, when asked for.

Rules
- The transition of an attribute sees the values that hold in that configuration.
- The transition of the rule itself sees no attribute with a ``select()`` before Bazel 7. Since then it sees those
  values, too, but none with a key that reads what the transition may set, by that very name, and none for which no
  branch holds.
- Bazel 7 does not look into values with nothing but defaults where no value of the target has another key.

Mirrors StarlarkRuleTransitionProvider of Bazel's source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import selectors
from bzlgraph.bazel.model import Rule, Selector, SelectorList
from bzlgraph.bazel.rules.transition import NATIVE_OPTION
from bzlgraph.bazel.targets.computed import starlark_value
from bzlgraph.config.settings import Settings
from bzlgraph.config.value import configured_value
from bzlgraph.graph.edges import written_name
from bzlgraph.graph.model import DEFAULT_CONDITION
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError, Value

_NO_ATTRIBUTE = (
    "No attribute '{}'. Either this attribute does not exist for this rule or was set by a select. "
    "Starlark transitions currently cannot read attributes behind selects."
)
_UNRESOLVED = (
    "No attribute '{}'. Either this attribute does not exist for this rule or the attribute was not resolved because "
    "it is set by a select that reads flags the transition may set."
)


class AttributesView(Value):
    """``attr`` of an implementation: the attributes of a target, each converted when it is asked for.

    ``written`` are the settings that the transition of the target itself writes, None for another transition's.
    ``stranger``: they are those of a target that is not known. ``open``: an attribute was asked for of which the value
    is not known, in words. ``resolved``: one with a ``select()`` was, or whether there is one.
    """

    type_name = "struct"

    def __init__(
        self, rule: Rule, settings: Settings, written: Mapping[str, Label | None] | None = None, stranger: str = ""
    ) -> None:
        self.rule = rule
        self._stranger = stranger
        self._settings = settings
        self._written = written
        self._names = {written_name(name, rule.rule_class): name for name in rule.rule_class.attributes}
        self.open = ""
        self.resolved = False

    def get_attr(self, name: str) -> object:
        key = self._names.get(name)
        if self._stranger:
            self.open = f"{self._stranger} is not known"
            return None
        if name == "name":
            return self.rule.label.name
        value = self.rule.get(key) if key is not None else None
        if key is None or (isinstance(value, SelectorList) and self._hidden(key, value)):
            resolved = self._settings.facts.rule_transitions_resolve_selects
            raise EvalError((_UNRESOLVED if resolved else _NO_ATTRIBUTE).format(name))
        if isinstance(value, SelectorList):
            if self._written is not None and not self._has_conditions():
                return _Unresolved(value)
            found = configured_value(self.rule, key, self._settings)
            if found.open:
                self.open = f"the value of attribute {name} is not known"
            value = found.value
        return starlark_value(value)

    def attr_names(self) -> Iterable[str]:
        if self._stranger:
            self.open = f"{self._stranger} is not known"
        values = self.rule.values.items()
        hidden = {key for key, each in values if isinstance(each, SelectorList) and self._hidden(key, each)}
        return [name for name, key in self._names.items() if key not in hidden]

    def _hidden(self, key: str, value: SelectorList) -> bool:
        """Whether the transition of a rule does not see an attribute."""
        if self._written is None:
            return False
        self.resolved = True
        if not self._settings.facts.rule_transitions_resolve_selects:
            return True
        written = {*self._written, *self._written.values()}
        for verdict in map(self._settings.verdict, _conditions(value)):
            read = {
                *(f"{NATIVE_OPTION}{option}" for option, _ in verdict.settings),
                *(flag for flag, _ in verdict.flags),
            }
            if read & written:
                return True
        return bool(configured_value(self.rule, key, self._settings).error)

    def _has_conditions(self) -> bool:
        values = (each for each in self.rule.values.values() if isinstance(each, SelectorList))
        return any(True for value in values for _ in _conditions(value))


def _conditions(value: SelectorList) -> Iterator[Label]:
    """The keys of its selects, but ``//conditions:default``."""
    keys = (condition.label for each in selectors(value) for condition, _ in each.branches)
    return (key for key in keys if key is not None and key != DEFAULT_CONDITION)


class _Unresolved(Value):
    """What Bazel 7 gives a transition for a value with nothing but defaults, where no other value has conditions."""

    type_name = "SelectorList"

    def __init__(self, value: SelectorList) -> None:
        self._value = value

    def to_repr(self) -> str:
        """As ``str()`` of Bazel has it."""
        return " + ".join(
            f'select({{Label("{DEFAULT_CONDITION}"): {to_repr(starlark_value(each.branches[0][1]))}}})'
            if isinstance(each, Selector)
            else to_repr(starlark_value(each))
            for each in self._value.parts
        )
