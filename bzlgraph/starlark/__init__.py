"""The Starlark language: resolver, compiler to CPython code, values, universe. Knows no Bazel and touches no file."""

from typing import TYPE_CHECKING, Any

from bzlgraph.starlark.builtin import BoundMethod, Builtin, builtin, method_table
from bzlgraph.starlark.evaluation.program import Program, StaleProgram
from bzlgraph.starlark.evaluation.thread import Language, Thread, current_thread
from bzlgraph.starlark.module import Module, execute
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import Dict, List

if TYPE_CHECKING:
    from bzlgraph.starlark.compile import compile_file

__all__ = [
    "BoundMethod",
    "Builtin",
    "Dict",
    "EvalError",
    "Language",
    "List",
    "Module",
    "Program",
    "StaleProgram",
    "Thread",
    "Value",
    "builtin",
    "compile_file",
    "current_thread",
    "execute",
    "method_table",
]


def __getattr__(name: str) -> Any:
    """The compiler is imported when it is used: a run that finds all its programs compiles nothing."""
    if name == "compile_file":
        from bzlgraph.starlark.compile import compile_file

        return compile_file
    raise AttributeError(f"module 'bzlgraph.starlark' has no attribute '{name}'")
