"""Tokens: text -> ``(blank, plain string, other token)`` triples, made by one compiled expression.

``findall`` runs wholly in C. Every character of the text is in exactly one part of one triple, so offsets are running
sums. The parser's loop makes NEWLINE, INDENT and DEDENT from the blanks, because only it knows the bracket depth.

* blank: spaces, line ends, comments, backslash-newline;
* plain string: the inside of a ``"..."`` without a backslash, not empty: three of four strings in real BUILD files;
* other: names, words, punctuation, numbers, all other strings, and broken things, classified by ``Kinds``.

Lexical rules: https://github.com/bazelbuild/starlark/blob/master/spec.md#lexical-elements
"""

from __future__ import annotations

import re

from bzlgraph.syntax.dialect import Dialect
from bzlgraph.syntax.lalr.tables import BAD, BYTES, END, FLOAT, INT, NAME, STRING

# Groups are kept from going back by `(?> )`: with `)*+` Python before 3.11.5 loses matches (gh-106052).
TOKEN = re.compile(
    r"""
    ([ \n\t\r]*+ (?> (?: (?: \#[^\n]*+ | \\\r?\n ) [ \n\t\r]*+ )* ) )           # blank
    (?: "([^"\\\n]++)"                                                          # plain string
    | ( [^\W\d]\w*+ (?!["'])                                                    # name or word
      | [,()\[\]{}:;~] | \.(?>(?:\.\.)?)(?!\d) | \*\*=? | -> | (?: // | << | >> | [-+*/%&|^<>=!] ) =?+
      | [rRbBuUfF]{0,2}+                                                        # string, perhaps with prefixes
        (?: \"""[^"\\]*+ (?> (?: (?: \\[\s\S] | "(?!"") ) [^"\\]*+ )* ) \"""
          | '''[^'\\]*+ (?> (?: (?: \\[\s\S] | '(?!'') ) [^'\\]*+ )* ) '''
          | "(?!"")[^"\\\n]*+ (?> (?: \\(?:\r\n|[\s\S]) [^"\\\n]*+ )* ) "
          | '(?!'')[^'\\\n]*+ (?> (?: \\(?:\r\n|[\s\S]) [^'\\\n]*+ )* ) '
          | \"""[\s\S]*+ | '''[\s\S]*+ | ["'][^\n]*+                             # not terminated
        )
      | [^\W\d]\w*+                                                             # `in"x"`
      | (?: \d++(?>(?:\.\d*+)?) | \.\d++ | 0[xX][0-9a-fA-F]++ ) (?=(?:and|for|if|in|not|or)\b)   # `0in x`
      | (?: \d++(?>(?:\.\d*+)?) | \.\d++ ) [eE][-+]?+\d++ (?= (?:and|else|for|if|in|not|or)\b | \.[^\W\d] )
      | (?: \d++\.\d*+ | \.\d++ ) (?=\.[^\W\d])                                # `1.5.name`
      | 0[oO][0-7]++ (?= (?:if|in|not|or)\b | \.[^\W\d] )
      | 0[xX]\w*+ | \.?\d (?> (?: [eE][-+] | [\w.] )* )                        # number, perhaps a wrong one
      | [^\s\x21-\x7e]++ | [$?@`\\]++ | [\s\S] | \Z                               # foreign characters; the end
      )
    )
    """,
    re.VERBOSE,
)

CONTINUATION = re.compile(r"(#[^\n]*)|\\\r?\n")

_INT = re.compile(r"0|[1-9][0-9]*|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+")
_OLD_OCTAL = re.compile(r"0[0-7]+")
_FLOAT = re.compile(r"(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+")
_QUOTE = re.compile(r"""([rRbBuUfF]{0,2})("{3}|'{3}|["'])""")


def string_parts(token: str) -> tuple[str, str]:
    """The prefix and the quote of a token that starts like a string; empty texts for any other token."""
    match = _QUOTE.match(token)
    return (match[1], match[2]) if match else ("", "")


def terminated(token: str) -> bool:
    """Whether a string token ends with the quote it began with."""
    prefix, quote = string_parts(token)
    body = token[len(prefix) + len(quote) :]
    if not quote or not body.endswith(quote):
        return False
    inside = body[: -len(quote)]
    return (len(inside) - len(inside.rstrip("\\"))) % 2 == 0


class Kinds(dict[str, int]):
    """Column of every token text seen so far: fixed words first, the rest classified when first met."""

    __slots__ = ("dialect",)

    def __init__(self, words: dict[str, int], dialect: Dialect) -> None:
        super().__init__(words)
        self.dialect = dialect
        self[""] = END

    def __missing__(self, token: str) -> int:
        kind = self[token] = self._classify(token)
        return kind

    def _classify(self, token: str) -> int:
        if token.isidentifier():
            dialect = self.dialect
            good = token not in RESERVED or token in dialect.free_words
            good = good and (token.isascii() or dialect.unicode_names)
            return NAME if good else BAD
        if "'" in token or '"' in token:
            return self._string(token)
        if _INT.fullmatch(token) or (self.dialect.old_octals and _OLD_OCTAL.fullmatch(token)):
            return INT
        return FLOAT if _FLOAT.fullmatch(token) else BAD

    def _string(self, token: str) -> int:
        if not terminated(token):
            return BAD
        prefix = string_parts(token)[0].lower()
        if prefix in ("", "r"):
            return STRING
        return BYTES if prefix in ("b", "rb", "br") and self.dialect.bytes_literals else BAD


# Not names, although the grammar does not know them: the specification keeps them for later.
RESERVED = frozenset(
    "as assert async await class del except finally from global import is nonlocal raise try with yield".split()
)
