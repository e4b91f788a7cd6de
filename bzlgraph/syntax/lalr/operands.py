"""The order and form of what the grammar takes in any order: targets, arguments, parameters, load operands.

nodes -> problems. Everything here is a static error in every dialect, except where a ``Dialect`` switch says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from bzlgraph.syntax import ast
from bzlgraph.syntax.ast import Arg, Expr, Ident, Literal, Param
from bzlgraph.syntax.dialect import Dialect
from bzlgraph.syntax.problem import Problem

_ASSIGNABLE = (Ident, ast.Dot, ast.Index)


def check_target(target: Expr, problems: list[Problem]) -> None:
    """What stands left of ``=``, or after ``for``."""
    if isinstance(target, ast.TupleExpr | ast.ListExpr):
        for item in target.items:
            check_target(item, problems)
    elif not isinstance(target, _ASSIGNABLE):
        hint = None if isinstance(target, Literal) else "to compare, write `==`"
        problems.append(Problem(target.start, target.end, f"cannot assign to {_article(_noun(target))}", hint))


def check_augmented_target(target: Expr, op: str, problems: list[Problem]) -> None:
    """What stands left of ``+=``: one target, no tuple or list of them."""
    if isinstance(target, ast.TupleExpr | ast.ListExpr):
        problems.append(Problem(target.start, target.end, f"`{op}=` takes one target, not a {_noun(target)}"))
    else:
        check_target(target, problems)


def check_arguments(args: list[Arg], dialect: Dialect, problems: list[Problem]) -> None:
    """Positional, named, ``*args``, ``**kwargs``; no name twice."""
    # Nearly every call is positional arguments, then named ones: nothing to say, and nothing to keep for a message.
    names: set[str] = set()
    for arg in args:
        if arg.kind or arg.name in names or (arg.name is None and names):
            break
        if arg.name is not None:
            names.add(arg.name)
    else:
        return
    before = _Before({})
    for arg in args:
        literal = arg.kind == "**" and isinstance(arg.value, ast.DictExpr) and dialect.dict_arguments
        if arg.kind and not dialect.star_arguments and not literal:
            message = f"`{arg.kind}` arguments are not allowed in {dialect.name} files"
            problems.append(Problem(arg.start, arg.end, message))
        if (problem := before.problem_of(arg, dialect)) is not None:
            problems.append(problem)
        if arg.name is not None:
            before.named.setdefault(arg.name, arg)
        before.star = arg if arg.kind == "*" else before.star
        before.double = arg if arg.kind == "**" else before.double


@dataclass(slots=True)
class _Before:
    """The arguments of a call that stand before the one that is looked at."""

    named: dict[str, Arg]
    star: Arg | None = None
    double: Arg | None = None

    def problem_of(self, arg: Arg, dialect: Dialect) -> Problem | None:
        """Why this argument may not stand here."""
        if self.double is not None:
            return _misplaced(arg, "no argument may follow the `**` argument", self.double)
        if arg.kind:
            if arg.kind == "**" or self.star is None:
                return None
            return _misplaced(arg, "there may be only one `*` argument in a call", self.star)
        if arg.name is None:
            if self.star is not None:
                return _misplaced(arg, "positional arguments may not follow the `*` argument", self.star)
            for first in self.named.values():
                return _misplaced(arg, "positional arguments may not follow named arguments", first)
            return None
        if arg.name in self.named:
            return _misplaced(arg, f"argument `{arg.name}` is given twice", self.named[arg.name], "first given here")
        if self.star is not None and not dialect.keyword_after_star:
            return _misplaced(arg, f"named argument `{arg.name}` may not follow the `*` argument", self.star)
        return None


def _misplaced(arg: Arg, message: str, other: Arg, note: str = "this one") -> Problem:
    return Problem(arg.start, arg.end, message, None, ((other.start, note),))


def check_parameters(params: list[Param], dialect: Dialect, problems: list[Problem]) -> None:
    """Mandatory, optional, ``*``, keyword-only, ``**``; no name twice."""
    names: set[str] = set()
    before: set[str] = set()  # kinds of the parameters so far, and "=" for an optional one
    for param, following in zip_longest(params, params[1:]):
        name = param.name.name if param.name is not None else ""
        _check_order(param, name, before, problems)
        if not (param.kind or param.default or dialect.required_keywords) and "*" in before:
            _refuse(param, f"keyword-only parameter `{name}` needs a default value before Bazel 2.1", problems)
        if param.kind == "*" and not name and (following is None or following.kind):
            _refuse(param, "a bare `*` must be followed by a named parameter", problems)
        if name in names:
            _refuse(param, f"duplicate parameter: `{name}`", problems)
        if name:
            names.add(name)
        before.add(param.kind if param.default is None else "=")


def _check_order(param: Param, name: str, before: set[str], problems: list[Problem]) -> None:
    """Mandatory parameters first; one ``*``; nothing behind ``**``."""
    if "**" in before:
        _refuse(param, "no parameter may follow the `**` parameter", problems)
    elif param.kind == "*" and "*" in before:
        _refuse(param, "there may be only one `*` parameter", problems)
    elif param.kind == "" and param.default is None and "=" in before and "*" not in before:
        hint = "give it a default value, or move it before the optional ones"
        _refuse(param, f"mandatory parameter `{name}` may not follow an optional parameter", problems, hint)


def _refuse(param: Param, message: str, problems: list[Problem], hint: str | None = None) -> None:
    problems.append(Problem(param.start, param.end, message, hint))


def load_statement(start: int, end: int, args: list[Arg], problems: list[Problem]) -> ast.Load:
    """The node of a ``load`` from its operands."""
    module = args[0].value if args and not args[0].kind and not args[0].name else None
    if not isinstance(module, Literal) or not isinstance(module.value, str):
        place = (args[0].start, args[0].end) if args else (start, end)
        message = "the first operand of `load` must be a string literal: the label of a .bzl file"
        problems.append(Problem(*place, message))
        module = Literal(start, start, "")
    if len(args) == 1:
        hint = 'for example load("//x:y.bzl", "symbol")'
        problems.append(Problem(start, end, "`load` must name at least one symbol", hint))
    bindings = [binding for arg in args[1:] if (binding := _load_binding(arg, problems)) is not None]
    return ast.Load(start, end, module, bindings)


def _load_binding(arg: Arg, problems: list[Problem]) -> ast.LoadBinding | None:
    value = arg.value
    if arg.kind or not isinstance(value, Literal) or not isinstance(value.value, str):
        message = 'names in `load` must be string literals: "symbol" or local = "symbol"'
        problems.append(Problem(arg.start, arg.end, message))
        return None
    name = value.value
    if not name.isidentifier():
        problems.append(Problem(value.start, value.end, f'"{name}" is not a name that a .bzl file can define'))
        return None
    if name.startswith("_"):
        problems.append(Problem(value.start, value.end, f"symbol `{name}` is private and cannot be loaded"))
    return ast.LoadBinding(arg.start, arg.end, arg.name or name, name, value.start)


_NOUNS: dict[type, str] = {
    ast.Binary: "expression",
    ast.Call: "call",
    ast.Compare: "comparison",
    ast.Comprehension: "comprehension",
    ast.Conditional: "conditional expression",
    ast.DictExpr: "dict",
    ast.Lambda: "lambda",
    ast.ListExpr: "list",
    ast.Literal: "literal",
    ast.Logical: "expression",
    ast.Slice: "slice",
    ast.TupleExpr: "tuple",
    ast.Unary: "expression",
}


def _noun(node: Expr) -> str:
    return _NOUNS.get(type(node), "expression")


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
