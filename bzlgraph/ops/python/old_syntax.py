"""Parsing of files that were written for an older Python than the one that runs."""

from __future__ import annotations

import ast
import re

PRINT = re.compile(rb"^([ \t]*)print[ \t]+(?![=(.])(.*)$", re.MULTILINE)
EXCEPT = re.compile(rb"^([ \t]*except[ \t]+[^:\n]+?),[ \t]*(\w+)[ \t]*:", re.MULTILINE)
ASYNC = re.compile(rb"\basync\b(?=[ \t]*[=,)])")


def parse_any(data: bytes) -> ast.Module:
    """The syntax tree; Python 2's ``print`` statement and ``except E, e`` are rewritten line by line when it fails.

    Raises SyntaxError or ValueError.
    """
    try:
        return ast.parse(data)
    except SyntaxError as problem:
        rewritten = ASYNC.sub(b"async_", EXCEPT.sub(rb"\1 as \2:", PRINT.sub(rb"\1print(\2)", data)))
        if rewritten == data:
            raise
        try:
            return ast.parse(rewritten)
        except SyntaxError:
            raise problem from None
