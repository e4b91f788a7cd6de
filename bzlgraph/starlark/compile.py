"""Compiling: ``ast.File`` -> ``Program``, or every static name error at once.

>>> from bzlgraph.syntax import BZL, parse
>>> compile_file(parse("x = [1, len('ab')]", "f.bzl", BZL), BZL, ["len"]).globals
(('x', 'x'),)
"""

from __future__ import annotations

import ast as py
import gc
import sys
import warnings
from collections.abc import Collection

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import SyntaxProblem
from bzlgraph.base.span import Location
from bzlgraph.starlark.codegen.nodes import constant, helper, statement
from bzlgraph.starlark.codegen.scope import FileScope, collect
from bzlgraph.starlark.codegen.statements import Statements
from bzlgraph.starlark.evaluation.program import LoadStatement, Program
from bzlgraph.syntax import ast
from bzlgraph.syntax.dialect import Dialect
from bzlgraph.syntax.problem import diagnostics

_DEPTH = 6000


def compile_file(file: ast.File, dialect: Dialect, predeclared: Collection[str], start: int = 0) -> Program:
    """Resolve and compile a parsed file; SyntaxProblem when names are wrong.

    With ``start`` the code begins at that top-level statement: it goes on where that of the whole file failed.
    """
    scope = collect(file, dialect, predeclared)
    limit, collecting = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, _DEPTH))
    gc.disable()
    try:
        return _compile(file, scope, start)
    except RecursionError:
        raise SyntaxProblem(Diagnostic("the code is nested too deeply", Location(file.path, 1, 1))) from None
    except SyntaxError as error:  # CPython's own limit: 20 loops in one another
        where = Location(file.path, error.lineno or 1, max(error.offset or 1, 1))
        raise SyntaxProblem(Diagnostic(f"the code cannot be compiled: {error.msg}", where)) from None
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()


def _compile(file: ast.File, scope: FileScope, first: int) -> Program:
    translator = Statements(file, scope)
    translator.block_of(file.body[:first])  # for the names it gives, which are those of the whole file
    body = translator.block_of(file.body[first:])
    if scope.problems:
        raise SyntaxProblem(diagnostics(scope.problems, file))
    start = (1, 0)
    pay = statement(helper("$charge", [constant(translator.weight, start)], start), start)
    tree = py.Module([pay, *body], [])
    with warnings.catch_warnings(action="ignore"):  # CPython's, which know nothing of Starlark
        code = compile(tree, file.path, "exec", dont_inherit=True, optimize=0)
    return Program(
        path=file.path,
        code=code,
        loads=tuple(_load_statement(file, each) for each in file.body if isinstance(each, ast.Load)),
        globals=tuple((name, translator.python_name(name)) for name in _exported(scope)),
        marks=translator.marks,
        functions=tuple(translator.functions),
        statements=tuple(file.position(each.start)[0] for each in file.body),
        candidates=tuple(translator.candidates),
    )


def _exported(scope: FileScope) -> dict[str, None]:
    """The names that others can load, in file order; loaded ones are among them where the dialect says so."""
    loaded = scope.loaded if scope.dialect.load_binds_globally else {}
    return dict.fromkeys([*loaded, *scope.globals])


def _load_statement(file: ast.File, node: ast.Load) -> LoadStatement:
    line, column = file.position(node.start)
    bindings = tuple((binding.local, binding.original) for binding in node.bindings)
    return LoadStatement(str(node.module.value), bindings, Location(file.path, line, column))
