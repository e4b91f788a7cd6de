"""Broken and hostile inputs: one clear message each (or none), no traceback, within the budget."""

from __future__ import annotations

import time

import pytest

from bzlgraph.syntax import parse_prefix

MANY = 10_000
HUGE = 5_000_000
BUDGET = 4.0  # seconds, on a machine that does other things too; alone none takes half of it

# name: (source, what the first message says; None: accepted)
INPUTS: dict[str, tuple[bytes | str, str | None]] = {
    "empty": (b"", None),
    "only blanks": (b"  \n\n   ", None),
    "only a comment": (b"# x", None),
    "no line end": (b"x = 1", None),
    "byte order mark": (b"\xef\xbb\xbfx = 1\n", None),
    "byte order mark inside": ("x = 1\n\ufeffy = 2\n", "unexpected character U+FEFF"),
    "crlf": (b"x = [\r\n  1,\r\n]\r\ny = '''a\r\nb'''\r\n", None),
    "carriage returns only": (b"x = 1\ry = 2\r", "expected an operator or the end of the line"),
    "binary": (b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)), "this is a binary file, not text"),
    "zip": (b"PK\x03\x04\x14\x00\x00\x00\x08\x00\xb5\x9c", "this is a binary file, not text"),
    "invalid utf-8": (b"x = 1\ny = '\xff'\n", None),
    "latin-1": ("# caf\u00e9\n".encode("latin-1"), None),
    "a name in latin-1": ("caf\u00e9 = 1\n".encode("latin-1"), "unexpected character"),
    "utf-16": ("x = 1\n".encode("utf-16"), "this is UTF-16 text"),
    "utf-16 without mark": ("x = 1\n".encode("utf-16-le"), "unexpected character U+0000"),
    "nul": (b"x = 1\n\x00\n", "unexpected character U+0000"),
    "nul in a string": (b"x = '\x00'\n", None),
    "surrogate": ("x = '\ud800'\n", "unpaired surrogate"),
    "form feed": ("\x0cx = 1\n", "unexpected character U+000C"),
    "no-break space": ("x\u00a0= 1\n", "unexpected character U+00A0"),
    "line separator": ("x = 1\u2028y = 2\n", "unexpected character U+2028"),
    "tab": ("def f():\n\treturn 1\n", "tabs are not allowed for indentation"),
    "tab after spaces": ("def f():\n  \treturn 1\n", "tabs are not allowed for indentation"),
    "tab inside a line": ("x =\t[\n\t1]\n", None),
    "backslash at the end": (b"x = 1 + \\", "expected an expression"),
    "open string": ('x = "abc\n', "the string is not closed at the end of the line"),
    "open triple string": ('x = """abc\n' + "y\n" * MANY, "the string that begins here is never closed"),
    "brackets": (f"x = {'(' * MANY}{')' * MANY}", "brackets are nested more than 200 levels"),
    "lists": (f"x = {'[' * MANY}{']' * MANY}", "brackets are nested more than 200 levels"),
    "dicts": (f"x = {'{1:' * MANY}1{'}' * MANY}", "brackets are nested more than 200 levels"),
    "calls": (f"x = {'f(' * MANY}{')' * MANY}", "brackets are nested more than 200 levels"),
    "comprehensions": (f"x = {'[y for y in ' * MANY}z{']' * MANY}", "brackets are nested more than 200 levels"),
    "only opening": ("[" * MANY, "brackets are nested more than 200 levels"),
    "only closing": ("]" * MANY, "`]` is unmatched"),
    "minus signs": (f"x = {'-' * MANY}1", "expressions are nested more than 200 levels"),
    "not not not": (f"x = {'not ' * MANY}1", "expressions are nested more than 200 levels"),
    "attributes": (f"x = a{'.b' * MANY}", "expressions are nested more than 200 levels"),
    "calls of calls": (f"x = a{'()' * MANY}", "expressions are nested more than 200 levels"),
    "indices": (f"x = a{'[0]' * MANY}", "expressions are nested more than 200 levels"),
    "conditionals": (f"x = {'a if b else ' * MANY}c", "expressions are nested more than 200 levels"),
    "lambdas": (f"x = {'lambda: ' * MANY}1", "expressions are nested more than 200 levels"),
    "chains in brackets": (f"x = {'(' * 100}a{'.b.c.d)' * 100}", "expressions are nested more than 200 levels"),
    "nested ifs": (
        "def f():\n" + "".join(" " * (n + 1) + "if x:\n" for n in range(1000)) + " " * 1001 + "pass\n",
        "blocks are nested more than 100 levels",
    ),
    "nested defs": ("".join(" " * n + "def f():\n" for n in range(1000)), "blocks are nested more than 100 levels"),
    "clauses": (f"x = [y {'for y in z ' * MANY}]", "a comprehension may not have more than 100 clauses"),
    "elif": ("def f():\n  if a: pass\n" + "  elif b: pass\n" * MANY, None),
    "sum": ("x = " + "a + " * 100_000 + "a", None),
    "sum of products": ("x = " + "a + b * " * 50_000 + "a", None),
    "or": ("x = " + "a or " * 100_000 + "a", None),
    "semicolons": ("x = 1;" * 50_000 + "\n", None),
    "same argument": (f"f({'a = 1,' * MANY})", "argument `a` is given twice"),
    "same parameter": (f"def f({'a,' * MANY}): pass", "duplicate parameter: `a`"),
    "huge string": (f'x = "{"a" * HUGE}"', None),
    "huge name": ("a" * HUGE, None),
    "huge number": (f"x = {'1' * HUGE}", "integer literal has more than 4000 digits"),
    "huge hexadecimal number": (f"x = 0x{'1' * HUGE}", "integer literal has more than 4000 digits"),
    "huge exponent": ("x = 1e999999999", "floating-point literal is too large"),
    "huge comment": ("#" * HUGE, None),
    "huge margin": (" " * HUGE + "x", "unexpected indentation"),
    "huge quotes": ('"' * HUGE, "adjacent strings are not joined"),
    "huge escapes": ("'\\" * (HUGE // 2), "the string is not closed"),
    "huge garbage": ("$" * HUGE, "unexpected character `$`"),
    "huge list on one line": (f"x = [{'1,' * 500_000}]", None),
    "many errors": ("x = = 1\n" * MANY, "expected an expression, found `=`"),
}


@pytest.mark.parametrize("name", INPUTS)
def test_input(name: str) -> None:
    source, message = INPUTS[name]
    begin = time.process_time()
    diagnostics = parse_prefix(source, "a.bzl").diagnostics
    shown = [each.render() for each in diagnostics]
    assert time.process_time() - begin < BUDGET
    assert len(diagnostics) <= 20
    if message is None:
        assert shown == []
    else:
        assert diagnostics[0].message.startswith(message)
        assert all(len(line) < 300 for line in "\n".join(shown).split("\n"))


@pytest.mark.parametrize("name", ["binary", "zip", "utf-16"])
def test_of_what_is_no_text_no_line_is_shown(name: str) -> None:
    source, message = INPUTS[name]
    (first,) = parse_prefix(source, "BUILD").diagnostics
    assert first.render().splitlines()[0].startswith(f"BUILD:1:1: error: {message}")
    assert not first.source_line


@pytest.mark.parametrize(
    "text",
    [
        f"x = {'[' * 200}{']' * 200}",
        f"x = {'not ' * 199}a",
        f"x = a{'.b' * 199}",
        "def f():\n" + "".join(" " * (n + 1) + "if x:\n" for n in range(98)) + " " * 99 + "pass\n",
    ],
)
def test_just_below_the_limits(text: str) -> None:
    assert parse_prefix(text, "a.bzl").diagnostics == ()
