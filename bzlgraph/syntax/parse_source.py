"""Parsing as the rest of bzlgraph uses it: source -> ``ast.File``, or diagnostics in words for people.

Files are UTF-8, with or without a byte order mark; line ends stay as they are. A byte that is no UTF-8 is a lone
surrogate, as in names of files: Bazel reads Latin-1 and never notices (8 and 9 warn,
``--incompatible_enforce_starlark_utf8``).

>>> parse("x = 1 + 2", "a.bzl").body[0].value.ops
['+']
"""

from __future__ import annotations

import gc
import re
from typing import NamedTuple

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import SyntaxProblem
from bzlgraph.syntax import ast, checks, depth
from bzlgraph.syntax.dialect import Dialect, for_path
from bzlgraph.syntax.lalr.tables import tables
from bzlgraph.syntax.parser import Parser
from bzlgraph.syntax.problem import Problem, diagnostics

_MARK = "\ufeff"
"""What Windows writes before UTF-8."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class Parsed(NamedTuple):
    """What a text gave. With ``diagnostics``, ``file`` holds the top-level statements before the first of them."""

    file: ast.File
    diagnostics: tuple[Diagnostic, ...]


def parse(text: bytes | str, path: str, dialect: Dialect | None = None) -> ast.File:
    """The tree of a file; SyntaxProblem with every diagnostic when anything is wrong with it."""
    parsed = parse_prefix(text, path, dialect)
    if parsed.diagnostics:
        raise SyntaxProblem(parsed.diagnostics)
    return parsed.file


def parse_prefix(text: bytes | str, path: str, dialect: Dialect | None = None) -> Parsed:
    """The tree of a file, or of its part before the first error, and the diagnostics. Never raises."""
    dialect = dialect or for_path(path)
    clean, problem = _decoded(text)
    if problem is not None:
        before = clean[: clean.rfind("\n", 0, problem.start) + 1]  # whole lines that can be read
        file = ast.File(path, clean, parse_prefix(before, path, dialect).file.body)
        return Parsed(file, diagnostics([problem], file))
    body, problems = _statements(clean, dialect)
    if not problems:
        return Parsed(ast.File(path, clean, body), ())
    first = min(each.start for each in problems)
    file = ast.File(path, clean, [statement for statement in body if statement.end <= first])
    return Parsed(file, diagnostics(problems, file))


def _statements(text: str, dialect: Dialect) -> tuple[list[ast.Stmt], list[Problem]]:
    """Parse and check. Nodes never form cycles while they are made, so the collector would only lose time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        parser = Parser(text, dialect, tables())
        body = parser.parse()
        parser.builder.finish()
    finally:
        if collecting:
            gc.enable()
    checks.check_statements(body, dialect, parser.problems)
    depth.check_depth(body, parser.deepest, parser.builder.chain, parser.problems)
    return body, parser.problems


def _decoded(source: bytes | str) -> tuple[str, Problem | None]:
    """The text of a file. With a problem, the text is what the message points at: nothing where it is no text."""
    text = source if isinstance(source, str) else source.decode("utf-8", "surrogateescape")
    clean = text.removeprefix(_MARK)
    found = None if clean.isascii() else _SURROGATE.search(clean)
    if found is None:
        return clean, None
    if isinstance(source, str):
        what = f"unpaired surrogate U+{ord(found[0]):04X} is not a character"
        return _SURROGATE.sub("\ufffd", clean), Problem(found.start(), found.end(), what)
    problem = _not_text(source)
    return (clean if problem is None else ""), problem


def _not_text(source: bytes) -> Problem | None:
    """What a file is that is not UTF-8; None for text of another encoding that agrees with ASCII."""
    if source[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return Problem(0, 0, "this is UTF-16 text; Bazel's files are UTF-8", "convert it to UTF-8")
    if b"\x00" in source[:8192]:
        return Problem(0, 0, "this is a binary file, not text")
    return None
