"""Broken tokens: reserved words, strings without an end, wrong numbers, foreign characters: WrongToken -> Problem."""

from __future__ import annotations

from bzlgraph.syntax.complaints.scene import WrongToken
from bzlgraph.syntax.lalr.lexer import RESERVED, string_parts, terminated
from bzlgraph.syntax.problem import Problem


def broken(found: WrongToken) -> Problem:
    """A token that is none: reserved words, strings without an end, wrong numbers, foreign characters."""
    token = found.text
    first = token.partition("\n")[0].rstrip("\r")
    end = found.start + len(first)
    message: str
    hint: str | None
    if token in RESERVED:
        message, hint = f"`{token}` is a reserved word and cannot be used", _RESERVED_HINTS.get(token)
    elif quote := string_parts(token)[1]:
        message, hint = _broken_string(token, quote)
    elif token[0].isdigit() or (token[0] == "." and token[1:2].isdigit()):
        message, hint = f"`{first[:40]}` is not a number", _number_hint(token)
    elif token in _SIGNS:
        message, hint = _SIGNS[token]
    elif token.isidentifier():
        message, hint = f"`{first[:40]}`: names consist of ASCII letters, digits and `_`", None
    else:
        message, hint = f"unexpected character {_character(token[0])}", _CHARACTER_HINTS.get(token[0])
    return Problem(found.start, end, message, hint)


def _broken_string(token: str, quote: str) -> tuple[str, str | None]:
    prefix = string_parts(token)[0].lower()
    if terminated(token):
        return _PREFIXES.get(prefix, (f"a string cannot have the prefix `{prefix}`", 'only r"..." is known'))
    if len(quote) == 3:
        return f"the string that begins here is never closed: expected `{quote}`", None
    hint = "a string cannot continue on the next line, except in triple quotes"
    return f"the string is not closed at the end of the line: expected `{quote}`", hint


def _number_hint(token: str) -> str | None:
    if len(token) > 1 and token[0] == "0" and token[1:].isdigit():
        digits = token.lstrip("0") or "0"
        return f"octal numbers are written `0o{digits}`; decimal ones have no leading zero"
    if "_" in token:
        return f"write `{token.replace('_', '')}`: numbers have no underscores"
    if token[-1] in "jJ":
        return "there are no complex numbers"
    return "a name cannot begin with a digit" if token.isalnum() and token[:2].lower() not in _BASES else None


_BASES = ("0x", "0o", "0b")


def _character(char: str) -> str:
    code = f"U+{ord(char):04X}"
    return f"`{char}` ({code})" if char.isprintable() and not char.isspace() else code


_PREFIXES: dict[str, tuple[str, str | None]] = {
    "f": ("there are no f-strings", 'write "...".format(...) or "..." % (...)'),
    "fr": ("there are no f-strings", 'write "...".format(...) or "..." % (...)'),
    "rf": ("there are no f-strings", 'write "...".format(...) or "..." % (...)'),
    "u": ("there is no prefix `u`: every string is Unicode", 'write "..."'),
    "b": ("there are no bytes literals in this kind of file", 'write "..."'),
    "rb": ("there are no bytes literals in this kind of file", 'write r"..."'),
    "br": ("there are no bytes literals in this kind of file", 'write r"..."'),
}

_SIGNS: dict[str, tuple[str, str | None]] = {
    "!": ("unexpected `!`", "negation is written `not`"),
    "...": ("unexpected `...`", None),
    "->": ("type annotations are not supported", "remove `->` and the type"),
    "**=": ("there is no operator `**=`", None),
    "!==": ("there is no operator `!==`", "write `!=`"),
}

_CHARACTER_HINTS = {
    "@": 'there are no decorators; a label is a string: "@repo//package:name"',
    "?": "a conditional expression is written `a if condition else b`",
    "$": "only strings may contain `$`",
    "\\": "a backslash continues a line only at its very end",
    "\x00": "this looks like a binary file, or UTF-16 text: Bazel's files are UTF-8",
    "\u00a0": "this is a no-break space; write an ordinary space",
    "\u201c": 'this is a typographic quote; write `"`',
    "\u201d": 'this is a typographic quote; write `"`',
    "\u2018": "this is a typographic quote; write `'`",
    "\u2019": "this is a typographic quote; write `'`",
    "\ufeff": "a byte order mark is only allowed at the very beginning of a file",
}

_RESERVED_HINTS = {
    "import": 'names from other files are loaded: load("//package:file.bzl", "name")',
    "from": 'names from other files are loaded: load("//package:file.bzl", "name")',
    "class": "there are no classes; a value with fields is struct(...)",
    "try": "errors cannot be caught; check beforehand",
    "except": "errors cannot be caught; check beforehand",
    "finally": "errors cannot be caught; check beforehand",
    "raise": "to stop with an error call fail(...)",
    "assert": "to stop with an error call fail(...)",
    "is": "to compare write `==`; `is None` is `== None`",
    "del": "to remove an entry call .pop(key)",
    "global": "a function cannot rebind names outside itself",
    "nonlocal": "a function cannot rebind names outside itself",
    "with": "there are no context managers",
    "yield": "there are no generators; return a list",
    "async": "nothing in Starlark is asynchronous",
    "await": "nothing in Starlark is asynchronous",
}
