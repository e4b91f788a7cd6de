"""The calls that made a rule and its class, as Bazel tells them: those in the .bzl files inside Bazel too."""

from __future__ import annotations

from bzlgraph.base.span import Frame, Location
from bzlgraph.bazel.model import Rule
from bzlgraph.facts import Facts
from bzlgraph.facts.native import BuiltinStacks, builtin_stacks
from bzlgraph.facts.native import Frame as BuiltinFrame


def made_at(rule: Rule, facts: Facts) -> tuple[Frame, ...]:
    """The call stack of a target, innermost first."""
    return (*map(_frame, _inside(rule, facts).made), *rule.stack)


def defined_at(rule: Rule, facts: Facts) -> tuple[Frame, ...]:
    """The call stack of the ``rule()`` behind a target, innermost first; empty where Bazel has it in Java."""
    return (*map(_frame, _inside(rule, facts).defined), *rule.rule_class.stack)


def _inside(rule: Rule, facts: Facts) -> BuiltinStacks:
    """Only for who asked for that Bazel: to everybody else its inside is noise."""
    if facts.tolerant or not rule.rule_class.native:
        return BuiltinStacks()
    return builtin_stacks(facts.version, rule.rule_class.name)


def _frame(frame: BuiltinFrame) -> Frame:
    function, path, line, column = frame
    return Frame(function, Location(path, line, column))
