"""Java's regular expressions, as far as they differ from Python's."""

from __future__ import annotations

import pytest

from bzlgraph.base.java_regex import searcher


@pytest.mark.parametrize(
    ("pattern", "found", "not_found"),
    [
        ("core$", "//lib:core", "//lib:core.cc"),
        (r"\Qa+b\E+", "xa+bb", "aab"),
        (r"\Qa[", "xa[y", "a"),
        (r"^\p{Alpha}+\z", "abc", "ab1"),
        (r"a{2}", "aa", "a"),
        (r"a\{", "a{", "aa"),
        (r"x*+y", "xxy", "xx"),
    ],
)
def test_java(pattern: str, found: str, not_found: str) -> None:
    search = searcher(pattern)
    assert search(found)
    assert not search(not_found)


@pytest.mark.parametrize("pattern", ["{}", "(", "[", "a|{1}", "*"])
def test_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="invalid regular expression"):
        searcher(pattern)
