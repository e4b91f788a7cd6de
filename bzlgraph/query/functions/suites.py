"""``tests(x)``: the test rules among x, and those that its test suites stand for.

A suite takes the tests it names (or, when it names none, those of its package that are not ``manual``), keeps those
whose tags and size fit its own ``tags`` (``-tag`` must not be there), and adds what the suites it names give by
themselves. Mirrors TestsFunction of Bazel's source.
"""

from __future__ import annotations

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.bazel.model import Rule
from bzlgraph.bazel.package.suites import fits
from bzlgraph.graph.edges import attribute_labels
from bzlgraph.query.environment import Environment, Nodes


def tests(environment: Environment, targets: Nodes) -> Nodes:
    """The tests themselves and the suites' tests."""
    found: Nodes = set()
    seen: Nodes = set()
    for node in sorted(targets):
        if _is_test(environment, node):
            found.add(node)
        elif _is_suite(environment, node):
            found |= _of_suites(environment, node, seen)
    return found


def _is_test(environment: Environment, node: int) -> bool:
    """The name of a class says it: Bazel lets no other test rule be defined."""
    return environment.graph.class_name(node).endswith("_test")


def _is_suite(environment: Environment, node: int) -> bool:
    return environment.graph.class_name(node) == "test_suite"


def _of_suites(environment: Environment, node: int, seen: Nodes) -> Nodes:
    """The tests of a suite and of those that it names; ``seen`` stops suites that name each other."""
    found: Nodes = set()
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            tests_here, suites = _of_suite(environment, each)
            found |= tests_here
            waiting += reversed(suites)
    return found


def _of_suite(environment: Environment, node: int) -> tuple[Nodes, list[int]]:
    """The tests that a suite takes itself, and the suites that it names."""
    graph = environment.graph
    suite = graph.target(node)
    assert isinstance(suite, Rule)
    named = _prerequisites(environment, suite, "tests")
    tests_here = {each for each in named if _is_test(environment, each)}
    suites = [each for each in named if _is_suite(environment, each)]
    if environment.settings.strict_test_suite:
        for each in sorted(named.difference(tests_here, suites)):
            label = graph.labels[each]
            message = f"the label '{label}' in the test_suite '{suite.label}' is not a test or test_suite rule"
            environment.note(Diagnostic(message))
    automatic = _prerequisites(environment, suite, "$implicit_tests")
    tests_here |= {each for each in automatic if _is_test(environment, each)}
    rules = environment.rules(tests_here)
    return {each for each, test in rules if fits(test, suite)}, suites


def _prerequisites(environment: Environment, suite: Rule, attribute: str) -> Nodes:
    graph = environment.graph
    package = graph.packages[suite.label.repo, suite.label.package]
    return environment.targets(
        graph.resolve(label) for label in attribute_labels(suite, attribute, suite.get(attribute), package)
    )
