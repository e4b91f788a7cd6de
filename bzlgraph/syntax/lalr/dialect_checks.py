"""Forms that the grammar knows and a dialect does not: operators, lambdas, numbers of later Bazels -> problems."""

from __future__ import annotations

import re

from bzlgraph.syntax.ast import Arg, Param
from bzlgraph.syntax.checks import DEFINE, MOVE
from bzlgraph.syntax.dialect import Dialect
from bzlgraph.syntax.problem import Problem

FLOOR = "// divides integers in every Bazel"
LAST_COMMA = re.compile(r"(?>(?:\s|\\\r?\n|#[^\n]*(?:\n|\Z))*),")  # atomic: a comma inside a comment is none
MAX_SMALL = (1 << 31) - 1
"""The largest integer of old Bazels."""
_BIT_OPERATORS = frozenset({"&", "^", "~", "<<", ">>", "+"})
"""What came with Bazel 0.29; of ``+`` the one that stands before a number. Depsets were united by ``|`` before."""


def check_operator(op: str, start: int, dialect: Dialect, problems: list[Problem]) -> None:
    """Operators that a Bazel does not have."""
    if op == "/" and not (dialect.floats or dialect.floor_slash):
        problems.append(
            Problem(start, start + 1, "there is no operator `/` after Bazel 0.20 and before Bazel 4", FLOOR)
        )
    if op in _BIT_OPERATORS and not dialect.bit_operators:
        problems.append(Problem(start, start + len(op), f"there is no operator `{op}` before Bazel 0.29"))


def check_lambda(start: int, end: int, dialect: Dialect, problems: list[Problem]) -> None:
    """Functions without a name, which are functions, and came with those inside of others."""
    if not dialect.definitions:
        problems.append(Problem(start, end, f"functions may not be defined in {dialect.name} files", MOVE))
    elif not dialect.inner_functions:
        problems.append(Problem(start, end, "there is no `lambda` before Bazel 5", DEFINE))


def check_last_comma(items: list[Arg] | list[Param], text: str, dialect: Dialect, problems: list[Problem]) -> None:
    """A comma behind the last argument or parameter, where a ``*`` stands before it."""
    if dialect.comma_after_star or not any(each.kind for each in items):
        return
    if comma := LAST_COMMA.match(text, items[-1].end):
        message = "a trailing comma after `*` or `**` is not allowed before Bazel 0.29"
        problems.append(Problem(comma.end() - 1, comma.end(), message))


def check_integer(value: int, token: str, start: int, dialect: Dialect, problems: list[Problem]) -> None:
    """Large integers, and those of base 2."""
    end = start + len(token)
    if value > MAX_SMALL and not dialect.large_integers:
        problems.append(Problem(start, end, "there are no integers above 2147483647 before Bazel 4"))
    if token[1:2] in ("b", "B") and not dialect.binary_integers:
        problems.append(Problem(start, end, "there are no binary integers in Bazel"))


def check_float(token: str, start: int, dialect: Dialect, problems: list[Problem]) -> None:
    """Floating-point numbers at all."""
    if not dialect.floats:
        message = "there are no floating-point numbers before Bazel 4"
        problems.append(Problem(start, start + len(token), message))
