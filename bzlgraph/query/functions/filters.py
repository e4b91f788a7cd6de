"""Functions that choose or read, without following edges: attr, executables, filter, kind, labels, some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.java.regex import searcher
from bzlgraph.base.label import Label
from bzlgraph.base.spell import nearest_names
from bzlgraph.bazel.model import Rule
from bzlgraph.graph.model import KIND_WORDS
from bzlgraph.query.environment import Environment, Nodes
from bzlgraph.query.functions.attribute_text import attribute_texts, has_attribute, label_values, no_such_attribute
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import READING, watched

AT_ONCE = 1_000
"""Rules whose attributes are searched under one limit of time."""


@contextmanager
def _in_time(pattern: str) -> Iterator[None]:
    """Python's engine goes back and tries again: whoever chooses the texts must not choose how often."""
    try:
        with watched(READING, f"searching for `{pattern}`"):
            yield
    except OverBudget as problem:
        raise ValueError(str(problem)) from None


def kind(environment: Environment, pattern: str, targets: Nodes) -> Nodes:
    """Those whose kind (``cc_library rule``, ``source file``) the pattern is found in."""
    matches = searcher(pattern)
    with _in_time(pattern):
        found = {node for node in targets if matches(environment.graph.kind_words(node))}
        files = any(map(matches, KIND_WORDS.values()))
    if not files:  # what is asked for is a rule, not a file
        _note_unknown_kinds(environment, targets - found)
    if not found:
        classes = {each.name for node in targets if (each := environment.graph.rule_class(node)) is not None}
        _note_no_match(environment, "no kind of", targets, pattern.removesuffix(" rule"), classes)
    return found


def _note_unknown_kinds(environment: Environment, targets: Nodes) -> None:
    """Rules of a class that is not on disk have no kind that could be matched."""
    first: dict[str, Rule] = {}
    for _, rule in sorted(environment.rules(targets), key=lambda pair: pair[1].label):
        if rule.rule_class.unknown:
            first.setdefault(rule.rule_class.name, rule)
    hides = "the kind of the rules it creates is unknown and may match"
    environment.add_gaps(
        Gap(GapKind.MACRO.value, f"{name} is not on disk", hides, rule.location) for name, rule in first.items()
    )


def filter_(environment: Environment, pattern: str, targets: Nodes) -> Nodes:
    """Those whose label the pattern is found in: since Bazel 6 labels of other repositories begin with ``@@``."""
    matches, labels, facts = searcher(pattern), environment.graph.labels, environment.settings.facts
    canonical = environment.settings.mapping.canonical

    def texts(label: Label) -> Iterator[str]:
        if label.repo and (facts.labels_unambiguous or facts.tolerant):
            yield f"@{label._replace(repo=canonical(label.repo))}"
        if not label.repo or not facts.labels_unambiguous or facts.tolerant:
            yield str(label)

    with _in_time(pattern):
        found = {node for node in targets if any(map(matches, texts(labels[node])))}
    if not found:
        near = {part for node in targets for part in (labels[node].package, labels[node].name, str(labels[node]))}
        _note_no_match(environment, "no label of", targets, pattern, near)
    return found


def attr(environment: Environment, attribute: str, pattern: str, targets: Nodes) -> Nodes:
    """The rules that have the attribute with a value the pattern is found in: the default, or in a branch that may be
    taken."""
    matches, found = searcher(pattern), set[int]()
    rules = environment.rules(targets)
    _hint_attribute(environment, attribute, rules)
    if attribute.startswith("generator_"):
        _note_absent_macros(environment, rules)
    for start in range(0, len(rules), AT_ONCE):
        texts = [(node, _texts(environment, node, rule, attribute)) for node, rule in rules[start : start + AT_ONCE]]
        with _in_time(pattern):
            found.update(node for node, values in texts if any(map(matches, values)))
    if not found and any(has_attribute(rule, attribute) for _, rule in rules):
        values = {each for node, rule in rules for each in _texts(environment, node, rule, attribute)}
        _note_no_match(environment, f"no value of `{attribute}` in", {node for node, _ in rules}, pattern, values)
    return found


def _note_no_match(environment: Environment, what: str, targets: Nodes, pattern: str, texts: set[str]) -> None:
    """Note that a pattern matches nothing of what it was tried on, and what may have been meant by it."""
    if targets:
        of = "the target" if len(targets) == 1 else f"the {len(targets):,} targets"
        near = nearest_names(pattern.strip("^$"), sorted(texts))
        meant = f"; did you mean {', '.join(near)}?" if near else ""
        environment.unmatched.append(Diagnostic(f"{what} {of} matches '{pattern}'{meant}", severity="note"))


def _texts(environment: Environment, node: int, rule: Rule, attribute: str) -> list[str]:
    visibility = environment.effective_visibility(rule) if attribute == "visibility" else ()
    value, facts = _value(environment, node, rule, attribute), environment.settings.facts
    return list(attribute_texts(rule, attribute, value, facts, visibility))


def _note_absent_macros(environment: Environment, rules: Iterable[tuple[int, Rule]]) -> None:
    """A native rule that stands in for a name of an absent .bzl file may be made by a macro there."""
    packages = environment.graph.packages
    native = {
        (rule.label.repo, rule.label.package) for _, rule in rules if not rule.generator and rule.rule_class.native
    }
    files = {label for key in native for label in environment.files_stood_in_for(packages[key])}
    hides = "whether its functions are macros, named by generator_function, is unknown"
    environment.add_gaps(
        Gap(GapKind.LOAD.value, f"{label} is not on disk", hides, repository=label.repo) for label in sorted(files)
    )


def labels(environment: Environment, attribute: str, targets: Nodes) -> Nodes:
    """The targets that an attribute names: of all branches that may be taken, outputs and implicit ones included."""
    graph = environment.graph
    rules = environment.rules(targets)
    _hint_attribute(environment, attribute, rules)
    found: Nodes = set()
    for node, rule in rules:
        value = _value(environment, node, rule, attribute)
        package = graph.packages[rule.label.repo, rule.label.package]
        found.update(graph.resolve(label) for label in label_values(rule, attribute, value, package))
    return environment.targets(found)


def _value(environment: Environment, node: int, rule: Rule, attribute: str) -> object:
    """The value of an attribute in the configuration of the question; what decides and is not known is a gap."""
    value, gaps = environment.graph.possible_value(node, rule.get(attribute))
    environment.add_gaps(gaps)
    return value


def some(environment: Environment, targets: Nodes, count: int = 1) -> Nodes:
    """The first of the set by label, or the first few. An empty set is an error, as in Bazel, and none of it, too."""
    if not targets:
        raise ValueError("argument set is empty")
    if not count:
        raise ValueError("some needs a count of at least 1")
    order = environment.graph.labels
    return set(sorted(targets, key=lambda node: order[node])[:count])


def executables(environment: Environment, targets: Nodes) -> Nodes:
    """The rules that ``bazel run`` would take but tests, which ``tests()`` gives; in Bazel 8.5 and some later ones."""
    return {node for node, rule in environment.rules(targets) if not rule.rule_class.test and rule.runs}


def _hint_attribute(environment: Environment, attribute: str, rules: list[tuple[int, Rule]]) -> None:
    """Bazel's silent empty answer misleads where an attribute is mistyped."""
    if (remark := no_such_attribute(attribute, [rule for _, rule in rules])) is not None:
        environment.remark(remark)
