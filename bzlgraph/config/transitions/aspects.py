"""What aspects bring, in a configuration: a rule that applies aspects -> where their own attributes lead.

Rules
- An aspect is in the configuration of the target that it is applied to: that which the attribute leads to, or the
  transition of the target's rule. It is not applied to files.
- It is applied to what advertises the providers that it requires, or that an aspect requires which requires it. What
  counts of an alias is the target behind it.
- Its own attributes lead on from there: to tools, or where their ``cfg`` leads. So do the toolchains it asks for.
- Where an aspect goes on along the attributes of that target, it brings nothing more: a rule depends on what its
  aspects bring to the targets that it names itself.

Mirrors DependencyResolver and AspectFunction of Bazel's source; `bazel cquery` shows them from Bazel 5 on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bzlgraph.bazel.model import Aspect, Attribute, Rule, RuleClass
from bzlgraph.config.transitions.reached import ReachedConfigurations
from bzlgraph.graph.edges import written_name


class Application(NamedTuple):
    """An attribute of a rule and one of the aspects that it applies; ``accepting``: this one and those that require it,
    each of which may have it applied."""

    attribute: Attribute
    aspect: Aspect
    accepting: tuple[Aspect, ...]

    def is_applied_to(self, classes: Iterable[RuleClass]) -> bool | None:
        """Whether it is applied to a target of these classes; None where that is not known."""
        found = {aspect.is_applied_to(each) for each in classes for aspect in self.accepting}
        return True if True in found else None if None in found else False


class Applications(dict[RuleClass, list[Application]]):
    """All aspects that the attributes of each class apply, those that others require included."""

    def __missing__(self, rule_class: RuleClass) -> list[Application]:
        found: list[Application] = []
        for attribute in rule_class.attributes.values():
            chains: list[tuple[Aspect, ...]] = [(aspect,) for aspect in attribute.aspects]
            for chain in chains:  # which grows
                chains += [(each, *chain) for each in chain[0].requires]
            accepting: dict[int, tuple[Aspect, ...]] = {}
            for chain in chains:
                accepting[id(chain[0])] = accepting.get(id(chain[0]), chain[:1]) + chain[1:]
            found += [Application(attribute, each[0], each) for each in accepting.values()]
        self[rule_class] = found
        return found


class Applying(NamedTuple):
    """A rule that applies aspects, in a configuration."""

    rule: Rule
    here: int
    reached: ReachedConfigurations

    def applied_in(self, applying: Attribute) -> tuple[int, ...]:
        """The configurations of the targets that an attribute applies its aspects to."""
        if applying.transition:
            return self.reached.behind(self.rule, applying.name, self.here).numbers
        name = written_name(applying.name, self.rule.rule_class)
        return (self.reached.tools_of(self.here, self.rule, name) if applying.tool else self.here,)

    def places(self, aspect: Aspect, own: Attribute, there: int) -> tuple[int, ...]:
        """The configurations of what an attribute of an aspect names that is applied to a target in this one."""
        if own.tool:
            return (self.reached.tools_of_aspect(there, aspect, own),)
        return self.reached.behind_aspect(aspect, own, self.rule, there) if own.transition else (there,)
