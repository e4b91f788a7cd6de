"""``visibility([...])`` at the top of a .bzl file: who may load it. Read, not enforced.

Doc: https://bazel.build/rules/lib/globals/bzl#visibility
"""

from __future__ import annotations

from bzlgraph.bazel.files.context import BzlContext
from bzlgraph.bazel.files.scope import evaluation_context
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.value import EvalError


@builtin("visibility")
def visibility_function(value: object, /) -> None:
    """``visibility("public")``, ``visibility(["//a/..."])``"""
    if not isinstance(evaluation_context(), BzlContext):
        raise EvalError(".bzl visibility can only be set while the .bzl file is initialized, not in a macro")
