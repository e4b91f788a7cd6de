"""The language's own case files: ``tests/cases/starlark/*.star``; a new case needs no Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.equality import equals
from bzlgraph.starlark.evaluation.callstack import release_marks
from bzlgraph.starlark.evaluation.problems import words_of
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import freeze as freeze_value
from tests.starlark.bare import run
from tests.starlark.chunks import Case, cases_of


@builtin("assert_eq")
def assert_eq(x: Any, y: Any, /) -> None:
    if not equals(x, y):
        raise EvalError(f"{to_repr(x)} != {to_repr(y)}")


@builtin("assert_fails")
def assert_fails(function: Any, pattern: Any, /) -> None:
    try:
        function()
    except Exception as error:
        release_marks(error.__traceback__)
        message = words_of(error)[0]
        if re.search(pattern, message):
            return
        raise EvalError(f"failed with {message!r}, want {pattern!r}") from None
    raise EvalError(f"did not fail, want {pattern!r}")


@builtin("freeze")
def freeze(x: Any, /) -> Any:
    freeze_value(x)
    return x


ENVIRONMENT: Mapping[str, Any] = {"assert_eq": assert_eq, "assert_fails": assert_fails, "freeze": freeze}


@pytest.mark.parametrize("case", cases_of("language.star"), ids=lambda case: case.name)
def test_language(case: Case) -> None:
    found: list[tuple[int, str]] = []
    try:
        run(case.text, extra=ENVIRONMENT)
    except BzlgraphError as problem:
        for diagnostic in problem.diagnostics:
            assert diagnostic.location is not None
            found.append((diagnostic.location.line, diagnostic.message))
    assert len(found) == len(case.errors), found
    for (line, message), (expected_line, pattern) in zip(found, case.errors, strict=True):
        assert re.search(pattern, message), message
        assert line == expected_line, message
