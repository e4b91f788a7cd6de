"""The Starlark language: resolver, compiler to CPython code, values, universe. Knows no Bazel and touches no file."""

from bzlgraph.starlark.builtin import BoundMethod, Builtin, builtin, method_table
from bzlgraph.starlark.compile import compile_file
from bzlgraph.starlark.evaluation.module import Module, execute
from bzlgraph.starlark.evaluation.program import Program, StaleProgram
from bzlgraph.starlark.evaluation.thread import Thread, current_thread
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import Dict, List

__all__ = [
    "BoundMethod",
    "Builtin",
    "Dict",
    "EvalError",
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
