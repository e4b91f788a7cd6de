"""What aspects bring, in a configuration: a rule that applies aspects -> where their own attributes lead.

Rules
- An aspect is in the configuration of the target that it is applied to: that which the attribute leads to. It is not
  applied to files.
- Its own attributes lead on from there: to tools, or where their ``cfg`` leads. So do the toolchains it asks for.
- Where an aspect goes on along the attributes of that target, it is taken to stay in this configuration.

Mirrors DependencyResolver and AspectFunction of Bazel's source; `bazel cquery` shows them from Bazel 5 on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import plain_values
from bzlgraph.bazel.model import Aspect, Attribute, Rule, RuleClass
from bzlgraph.graph.edges import written_name

if TYPE_CHECKING:
    from bzlgraph.config.transitions.reached import ReachedConfigurations


class Brought(NamedTuple):
    """An attribute of an aspect, and the attribute of the rule that applies that."""

    applying: Attribute
    aspect: Aspect
    attribute: Attribute


class Applied:
    """The aspects of a rule class: what they bring, by the names that the edges have; those that ask for toolchains."""

    def __init__(self, rule_class: RuleClass) -> None:
        self.brought: dict[str, list[Brought]] = {}
        self.asking: list[tuple[Attribute, Aspect]] = []
        self._own = {written_name(each.name, rule_class): each for each in rule_class.attributes.values()}
        for applying in rule_class.attributes.values():
            for aspect in with_required(applying.aspects):
                self.asking += [(applying, aspect)] if aspect.exec_groups else []
                for each in aspect.attributes.values():
                    self.brought.setdefault(written_name(each.name, None), []).append(Brought(applying, aspect, each))

    def bring(self, name: str, label: Label, rule: Rule) -> list[Brought]:
        """What is behind an edge of this name: [] where the rule has it by itself."""
        own = self._own.get(name)
        if own is not None and label in _labels(rule.get(own.name)):
            return []
        return [each for each in self.brought.get(name, ()) if label in _labels(each.attribute.default)]


def with_required(aspects: Iterable[Aspect]) -> list[Aspect]:
    """Aspects, and those that they require, each once."""
    found = list(aspects)
    for aspect in found:
        found.extend(each for each in aspect.requires if each not in found)
    return found


class Applying(NamedTuple):
    """A rule that applies aspects, in a configuration. ``is_applied`` tells of an attribute, by the name that people
    write, whether there is a target that its aspects are applied to."""

    rule: Rule
    here: int
    reached: ReachedConfigurations
    is_applied: Callable[[str], bool]

    def places(self, brought: Iterable[Brought]) -> Iterator[int]:
        """The configurations of what aspects bring."""
        for applying, aspect, attribute in brought:
            for there in self.applied_in(applying):
                if attribute.tool:
                    yield self.reached.tools_of_aspect(there, aspect, attribute)
                elif attribute.transition:
                    yield from self.reached.behind_aspect(aspect, attribute, self.rule, there)
                else:
                    yield there

    def applied_in(self, applying: Attribute) -> tuple[int, ...]:
        """The configurations of the targets that an attribute applies its aspects to."""
        name = written_name(applying.name, self.rule.rule_class)
        if not self.is_applied(name):
            return ()
        if applying.transition:
            return self.reached.behind(self.rule, applying.name, self.here).numbers
        return (self.reached.tools_of(self.here, self.rule, name) if applying.tool else self.here,)


def _labels(value: object) -> set[Label]:
    """All labels in a value, of all branches."""
    found: set[Label] = set()
    for each in plain_values(value):
        if isinstance(each, Label):
            found.add(each)
        elif isinstance(each, dict):
            found.update(label for label in (*each, *each.values()) if isinstance(label, Label))
        elif isinstance(each, list | tuple):
            found.update(label for label in each if isinstance(label, Label))
    return found
