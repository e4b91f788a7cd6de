"""Well-known .bzl files whose repository is not on disk: what their names stand for.

``fallback_module(label, environment, facts, evaluate, called)`` -> names, or None when nothing is known about the file.
Two ways, in this order:
* a source of our own in ``facts/fallbacks/REPOSITORY/PATH``, evaluated like any .bzl file (Skylib, Bazel's own tools);
* rule sets that grew out of Bazel (``@rules_cc//cc:defs.bzl%cc_library``): the native rule or global of that name,
  which is a gap for a Bazel that has it no more.
What neither has is Unknown. Which repositories: facts/fallbacks.json.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bzlgraph.base.label import Label
from bzlgraph.bazel.files.unknown import UnknownModule
from bzlgraph.bazel.rules.native_rules import stand_ins
from bzlgraph.facts import Facts, fallback_sources
from bzlgraph.starlark import Value

Environment = Mapping[str, object]


def fallback_module(
    label: Label, environment: Environment, facts: Facts, evaluate: Callable[[bytes], Environment], called: str
) -> UnknownModule | None:
    """The names of a well-known .bzl file of an absent repository, which is ``called`` otherwise where it is loaded;
    ``evaluate`` runs a source of ours in its place."""
    family = fallback_sources.family(label.repo)
    if family is None or not fallback_sources.is_there(family, facts.version):
        return None
    source = fallback_sources.source(family, label.path, facts.version)
    if source is not None:
        return UnknownModule(str(label), evaluate(source))
    if not fallback_sources.is_native(family, label.path):
        return None
    return NativeNames(str(label), environment, stand_ins(facts, called), apart=family in facts.rule_sets_apart)


class NativeNames(UnknownModule):
    """The native rules and globals of .bzl files, by name; anything else is Unknown. ``apart``: the rule set's rules
    are others than these."""

    def __init__(self, source: str, environment: Environment, rules: Environment, *, apart: bool) -> None:
        super().__init__(source)
        self._environment = environment
        self._rules = rules
        self.apart = apart

    def __missing__(self, name: str) -> object:
        if name in self._rules:
            self[name] = self._rules[name]
            return self[name]
        native = self._environment["native"]
        assert isinstance(native, Value)
        try:
            self[name] = native.get_attr(name)
        except AttributeError:
            if name not in self._environment:
                return super().__missing__(name)
            self[name] = self._environment[name]
        return self[name]
