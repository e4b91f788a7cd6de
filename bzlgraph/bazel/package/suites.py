"""``test_suite``: which tests a suite without ``tests`` stands for.

All tests of its package that are not tagged ``manual``, in ``$implicit_tests``; the tags of the suite choose among
them when a question expands it, since Bazel 7 (``chosen``) when the package is loaded.
Doc: https://bazel.build/reference/be/general#test_suite
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.bazel.conditional import is_conditional
from bzlgraph.bazel.model import Package, Rule


def expand_test_suites(package: Package, chosen: bool) -> None:
    """Give every ``test_suite`` that names no tests those of its package that are not tagged ``manual``."""
    suites = [rule for rule in package.rules() if rule.rule_class.name == "test_suite" and rule.rule_class.native]
    if not suites:
        return
    tests = sorted(_automatic_tests(package), key=lambda test: test.label)
    for suite in suites:
        named = suite.get("tests")
        if not named and not is_conditional(named):
            fitting = [test.label for test in tests if not chosen or fits(test, suite)]
            suite.values = {**suite.values, "$implicit_tests": fitting}


def _automatic_tests(package: Package) -> Iterator[Rule]:
    for rule in package.rules():
        tags = rule.get("tags") or ()
        if rule.rule_class.test and "manual" not in (tags if isinstance(tags, list) else ()):
            yield rule


def fits(test: Rule, suite: Rule) -> bool:
    """Whether the tags of a suite choose a test: it has those asked for, its size among them, and no ``-tag``."""
    wanted = [tag for tag in _strings(suite.get("tags")) if tag != "manual"]
    tags = {*_strings(test.get("tags")), *_strings([test.get("size")])}
    return all(tag[1:] not in tags if tag.startswith("-") else tag.removeprefix("+") in tags for tag in wanted)


def _strings(value: object) -> Iterator[str]:
    yield from (item for item in (value if isinstance(value, list | tuple) else ()) if isinstance(item, str))
