"""Functions that choose or read, without following edges: attr, executables, filter, kind, labels, some."""

from __future__ import annotations

from difflib import get_close_matches

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule
from bzlgraph.query.environment import Environment, Nodes
from bzlgraph.query.functions.attribute_text import attribute_texts, has_attribute, label_values
from bzlgraph.query.language.regex import searcher


def kind(environment: Environment, pattern: str, targets: Nodes) -> Nodes:
    """Those whose kind (``cc_library rule``, ``source file``) the pattern is found in."""
    matches = searcher(pattern)
    return {number for number in targets if matches(environment.graph.kind_words(number))}


def filter_(environment: Environment, pattern: str, targets: Nodes) -> Nodes:
    """Those whose label the pattern is found in."""
    matches, labels = searcher(pattern), environment.graph.labels
    return {number for number in targets if matches(str(labels[number]))}


def attr(environment: Environment, attribute: str, pattern: str, targets: Nodes) -> Nodes:
    """The rules that have the attribute with a value (default or in some branch) the pattern is found in."""
    matches = searcher(pattern)
    rules = _rules(environment, targets)
    _hint_attribute(environment, attribute, rules)
    return {
        number
        for number, rule in rules
        if any(matches(text) for text in attribute_texts(rule, attribute, environment.effective_visibility(rule)))
    }


def labels(environment: Environment, attribute: str, targets: Nodes) -> Nodes:
    """The targets that an attribute names: of all branches, outputs and implicit attributes included."""
    graph = environment.graph
    rules = _rules(environment, targets)
    _hint_attribute(environment, attribute, rules)
    found: Nodes = set()
    for _, rule in rules:
        package = graph.packages[rule.label.repo, rule.label.package]
        found.update(graph.resolve(label) for label in label_values(rule, attribute, package))
    return environment.targets(found)


def some(environment: Environment, targets: Nodes, count: int = 1) -> Nodes:
    """The first of the set by label, or the first few. An empty set is an error, as in Bazel."""
    if not targets:
        raise ValueError("argument set is empty")
    order = environment.graph.labels
    return set(sorted(targets, key=lambda number: order[number])[:count])


def executables(environment: Environment, targets: Nodes) -> Nodes:
    """The rules that ``bazel run`` or ``bazel test`` would take."""
    return {number for number, rule in _rules(environment, targets) if rule.rule_class.test or _runs(rule)}


def _runs(rule: Rule) -> bool:
    """What ``$is_executable`` says: it may follow other attributes (``genrule(executable = True)``)."""
    if "$is_executable" in rule.rule_class.attributes:
        return bool(rule.get("$is_executable"))
    return rule.rule_class.executable


def _rules(environment: Environment, targets: Nodes) -> list[tuple[int, Rule]]:
    found = ((number, environment.graph.target(number)) for number in targets)
    return [(number, target) for number, target in found if isinstance(target, Rule)]


def _hint_attribute(environment: Environment, attribute: str, rules: list[tuple[int, Rule]]) -> None:
    """Say so when no rule at all has the attribute: it is mistyped, and Bazel's silent empty answer misleads."""
    if not rules or any(has_attribute(rule, attribute) for _, rule in rules):
        return
    names = {name for _, rule in rules for name in (*rule.rule_class.attributes, *rule.values)}
    close = get_close_matches(attribute, names, 1)
    inside = f"${attribute[1:]}" if attribute.startswith("_") else ""
    near = inside if inside in names else close[0] if close else None
    some_rule = Label.__str__(rules[0][1].label)
    hint = f"did you mean `{near}`?" if near else f"bzlgraph expand {some_rule} shows the attributes of a rule"
    count = f"none of the {len(rules)} rules" if len(rules) > 1 else f"{some_rule}"
    verb = "has" if len(rules) > 1 else "does not have"
    environment.remark(Diagnostic(f"{count} {verb} an attribute `{attribute}`", hint=hint, severity="note"))
