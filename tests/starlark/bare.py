"""Evaluating a text in the bare environment, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bzlgraph.starlark.compile import compile_file
from bzlgraph.starlark.evaluation.thread import Thread
from bzlgraph.starlark.lib.json import json_module
from bzlgraph.starlark.lib.struct import struct
from bzlgraph.starlark.module import Module
from bzlgraph.starlark.universe import universe_for
from bzlgraph.syntax import BZL, Dialect, parse

STRICT = replace(BZL, strict_escapes=True, keyword_after_star=False, soft_load=False)


def module_of(
    text: str, dialect: Dialect = STRICT, extra: Mapping[str, Any] | None = None, path: str = "case.bzl"
) -> Module:
    """The module of a text, not run yet; SyntaxProblem when it is wrong."""
    environment = {**universe_for(dialect), "struct": struct, "json": json_module, **(extra or {})}
    return Module(compile_file(parse(text, path, dialect), dialect, environment), environment)


def run(text: str, dialect: Dialect = STRICT, extra: Mapping[str, Any] | None = None) -> Module:
    """The module of a text, run; EvalProblem when it fails."""
    module = module_of(text, dialect, extra)
    module.run(Thread(print=lambda _text, _where: None))
    return module


def evaluate(expression: str) -> Any:
    """The value of an expression."""
    return run(f"result = {expression}").globals["result"]
