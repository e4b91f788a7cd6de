"""Java's regular expressions, as far as they differ from Python's."""

from __future__ import annotations

import pytest

from bzlgraph.base.java.regex import searcher


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
        ("^[a-z&&[^b]]$", "a", "b"),
        ("^[a-z&&c-f&&[def]]$", "d", "c"),
        ("^[a-d[m-p]]$", "n", "["),
        ("^[^a-d[m-p]]$", "z", "n"),
        ("^[[a]b]$", "a", "ab"),
        ("^[&&a]$", "a", "&"),
        ("^[]a]$", "]", "x"),
        ("^[a-]$", "-", "b"),
        (r"^[\Qa-c]\E]$", "]", "b"),
        (r"^[\w&&[^\d]]$", "a", "1"),
        (r"^[\p{Alpha}\h]$", " ", "1"),
        (r"^\w$", "_", "\u00e9"),
        (r"^\d$", "1", "\u0663"),
        (r"^\s$", "\x0b", "\xa0"),
        (r"^\h$", "\xa0", "\n"),
        (r"^\v$", "\x85", " "),
        (r"^a\R$", "a\r\n", "a"),
        (r"^\p{Lu}\P{L}\pN$", "\u00c9-1", "a-1"),
        (r"^\p{IsL}$", "\u00e9", "1"),
        (r"^\x{41}\x42\u0043\0104\cE$", "ABCD\x05", "A"),
        (r"\\Qa", "\\Qa", "a"),
        ("(?i)^\u00e9k$", "\u00e9K", "\u00c9K"),
        ("(?iu)^\u00e9$", "\u00c9", "e"),
        ("^a(?i)b|c$", "aB", "A"),
        ("^((?i)a)b$", "Ab", "AB"),
        ("(?i)^a(?-i)b$", "Ab", "aB"),
        ("(?i-s)^A$", "a", "b"),
        ("(?x) a [ b c ] # d", "ac", "a "),
        ("^a.b$", "axb", "a\rb"),
        ("^(?s)a.b$", "a\nb", "ab"),
        ("a$", "a\r\n", "a\nb"),
        ("(?m)a$", "a\u2028b", "ab"),
        ("(?m)^b", "a\rb", "ab"),
        ("(?d)a$", "a\n", "a\r"),
        (r"\r$", "a\r", "a\r\n"),
        (r"a\z", "a", "a\n"),
        ("^*a", "a", "b"),
        (r"\b+a", "a", "ba"),
        ("{2}a", "a", "b"),
        ("^a*{2}$", "aaa", "b"),
        (r"(?<first>a)\k<first>", "aa", "ab"),
        (r"^(a)\11$", "aa1", "aa"),
        (r"^(?:\1|b)$", "b", "a"),
        ("[{]k", "{k", "k"),
        ("^}$", "}", "{"),
    ],
)
def test_java(pattern: str, found: str, not_found: str) -> None:
    search = searcher(pattern)
    assert search(found)
    assert not search(not_found)


_REFUSED = (
    *("{}", "(", ")", "[", "[]", "[[]", "[a", "a{", "a{b}", "a{,3}", "a{2", "a{3,2}", "*", "a**", "a{2}*", "\\"),
    *("(?P<n>a)", "(?<n>a)(?<n>b)", "(?<1>a)", "(?#c)a", "(?a)a", "(a)?(?(1)b|c)", r"\k<n>", r"\0", r"\U00000041"),
    *(r"\y", r"\p", r"\p{foo}", r"\p{alpha}", r"\x4", r"[\1]", r"[\b]", r"[a-\d]", "[z-a]", "[&&]", "(?x)[ ] b"),
)
_NOT_KNOWN_HERE = (r"\X", r"\b{g}", r"\p{IsLatin}", "(?U)a", r"(?:\1a|(b))*", "[a&&]", "[&&[b]&]", "(?<=a+)b")
"""What Java takes, and we do not: nothing is answered then."""


@pytest.mark.parametrize("pattern", [*_REFUSED, *_NOT_KNOWN_HERE, "a|{}", "[" * 5_000])
def test_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="invalid regular expression"):
        searcher(pattern)
