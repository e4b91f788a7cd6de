"""``test_suite``: which tests a suite without ``tests`` stands for.

All tests of its package that are not tagged ``manual``, in ``$implicit_tests``; the tags of the suite choose among
them when a question expands it. Doc: https://bazel.build/reference/be/general#test_suite
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package, SelectorList


def expand_test_suites(package: Package) -> None:
    """Give every ``test_suite`` that names no tests those of its package that are not tagged ``manual``."""
    suites = [rule for rule in package.rules() if rule.rule_class.name == "test_suite" and rule.rule_class.native]
    if not suites:
        return
    tests = sorted(_automatic_tests(package))
    for suite in suites:
        named = suite.get("tests")
        if not named and not isinstance(named, SelectorList):
            suite.values = {**suite.values, "$implicit_tests": list(tests)}


def _automatic_tests(package: Package) -> Iterator[Label]:
    for rule in package.rules():
        tags = rule.get("tags") or ()
        if rule.rule_class.test and "manual" not in (tags if isinstance(tags, list) else ()):
            yield rule.label
