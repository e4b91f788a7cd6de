"""Native rules: ``cc_library``, ``genrule`` ... as functions that BUILD files and macros call.

facts (bzlgraph/facts) -> ``RuleClass`` per native rule, made when it is first called; ``functions(facts)`` ->
Starlark functions.
Doc: https://bazel.build/reference/be/overview
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

from bzlgraph.base.label import parse
from bzlgraph.bazel.instantiate import instantiate
from bzlgraph.bazel.model import LABEL_TYPES, Attribute, AttrType, Rule, RuleClass
from bzlgraph.bazel.outputs import NativeOutputs
from bzlgraph.bazel.scope import package_context
from bzlgraph.facts import AttributeFact, Facts, RuleFact
from bzlgraph.facts.native import EXECUTABLE, FIXED, MANDATORY, NODEP, SORTED, TOOL, WORKSPACE_RULES
from bzlgraph.starlark.builtin import Builtin
from bzlgraph.starlark.value import EvalError


class NativeRule(Builtin):
    """A native rule as macros hold it."""

    type_name: ClassVar[str] = "rule"

    def to_repr(self) -> str:
        return f"<built-in rule {self.name}>"


def functions(facts: Facts) -> dict[str, Builtin]:
    """Every native rule that BUILD files may call, by name."""
    return {name: _function(facts, name) for name in facts.rule_names() if name not in WORKSPACE_RULES}


def _function(facts: Facts, name: str) -> Builtin:
    def call(*args: Any, **kwargs: Any) -> None:
        context = package_context(f"the rule {name}")
        if args:
            raise EvalError("unexpected positional arguments", f"write the name of each argument: {name}(name = ...)")
        rule_class = native_rule_class(facts, name)
        if rule_class is None:
            raise EvalError(f"no native rule is called '{name}'")
        instantiate(rule_class, kwargs, context)

    call.__qualname__ = name
    return NativeRule(call, name)


@cache
def native_rule_class(facts: Facts, name: str) -> RuleClass | None:
    """The rule class of a native rule as this Bazel version has it."""
    fact = facts.rule(name)
    if fact is None:
        return None
    return RuleClass(
        name,
        {each.name: _attribute(fact, each) for each in fact.attributes},
        test=fact.test,
        executable=fact.executable,
        outputs=NativeOutputs(fact.outputs) if fact.outputs else None,
    )


def _attribute(rule: RuleFact, fact: AttributeFact) -> Attribute:
    kind = AttrType(fact.type.lower())
    return Attribute(
        fact.name,
        kind,
        default=_default(kind, fact.default),
        mandatory=bool(fact.flags & MANDATORY),
        configurable=not fact.flags & FIXED,
        nodep=bool(fact.flags & NODEP),
        implicit=fact.name[0] in "$:",
        tool=bool(fact.flags & TOOL),
        executable=bool(fact.flags & EXECUTABLE),
        late_bound=fact.name[0] == ":",
        computed=_COMPUTED.get((rule.name, fact.name)),
        sorted=bool(fact.flags & SORTED),
    )


def _default(kind: AttrType, value: Any) -> Any:
    """A default of the table; labels there are text."""
    if kind not in LABEL_TYPES or not value:
        return value
    return [parse(item, "", "") for item in value] if isinstance(value, list) else parse(value, "", "")


def _genrule_runs(rule: Rule) -> Any:
    return rule.get("executable") or False


_COMPUTED = {("genrule", "$is_executable"): _genrule_runs}
"""Defaults that are functions of other attributes."""
