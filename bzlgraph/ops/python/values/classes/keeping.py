"""Functions that keep numbers: what they give holds no text as long as they are given none (``value_classes``).

>>> def asked(find, text):
...     function = ast.parse(text).body[0]
...     return find(function, [each.value for each in walk(function) if isinstance(each, ast.Return)])
>>> asked(keeps, "def f(x, n):\\n  x = (x,) if n else x\\n  return tuple(g(a, n) for a in x)")
'=g'
>>> asked(keeps, "def f(axis):\\n  return 'name' if axis else axis")
''
>>> text = "def f(x, axis):\\n  if axis is None: return (0,) * 2\\n  every = tuple(a for a in axis)"
>>> text += "\\n  some = tuple(a for a in every if isinstance(a, int))\\n  return some, every"
>>> asked(apart, text)
((1,), ())
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bzlgraph.ops.python.values.classes.value_classes import (
    AND,
    FACTS,
    GATHERING,
    GIVES,
    KEEPS,
    NUMBER,
    TEXTS,
    Apart,
    gives_back,
    is_message,
    is_number,
    of_one_class,
    says,
)
from bzlgraph.python_source.syntax import AnyFunction, dotted, last_name, parameter_names, walk


class _Made(NamedTuple):
    """The parameters that a value is made of, and the functions that must keep numbers for it to hold numbers only."""

    parameters: frozenset[str] = frozenset()
    functions: tuple[str, ...] = ()


def made_by(function: AnyFunction, returned: Sequence[ast.expr], ways: Sequence[str]) -> str:
    """What is known of what a function gives (``Function.made``): as it says, or what it makes of what it is given.
    ``ways``: the classes of what it returns."""
    parameters = [each.arg for each in walk(function.args) if isinstance(each, ast.arg)]
    return says(function.returns) or gives_back(ways, parameters) or keeps(function, returned)


def keeps(function: AnyFunction, returned: Sequence[ast.expr]) -> str:
    """Whether a function gives numbers, None or collections of them where it is given nothing else, and what that
    depends on; "" for nobody knows. ``returned``: what it returns, and functions inside."""
    made = _Reader(function).together(returned) if returned else None
    return KEEPS + AND.join(made.functions) if made is not None else ""


def apart(function: AnyFunction, returned: Sequence[ast.expr]) -> Apart | None:
    """Of a function that gives the same twice as long as it is given numbers: the positions of the parameters that
    decide, and the functions that must keep numbers. ``return some, all`` where some are those of all that are numbers.
    """
    pairs: list[tuple[str, str]] = []
    for each in returned:
        match each:
            case ast.BinOp(left=ast.Tuple(elts=[_]), op=ast.Mult(), right=ast.Constant(value=2)):
                continue
            case ast.Tuple(elts=[ast.Name(id=one), ast.Name(id=other)]):
                pairs.append((one, other))
            case _:
                return None
    if not pairs:
        return None
    found, reader = _Made(), _Reader(function)
    for one, other in pairs:
        made = _Made() if one == other else reader.filtered(one, other)
        if made is None:
            return None
        found = _Made(found.parameters | made.parameters, (*found.functions, *made.functions))
    names = parameter_names(function.args)
    places = tuple(sorted(names.index(each) for each in found.parameters if each in names))
    return (places, tuple(dict.fromkeys(found.functions))) if places else None


class _Reader:
    """What the names of one function are made of."""

    def __init__(self, function: AnyFunction) -> None:
        self._parameters = set(parameter_names(function.args)) | {each.arg for each in function.args.kwonlyargs}
        self._values: dict[str, list[ast.expr | None]] = {}
        self._inner: set[str] = set()
        for each in walk(function):
            match each:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        self._bind(target, value)
                case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                    self._bind(target, value)
                case ast.AugAssign() | ast.AnnAssign() | ast.NamedExpr():
                    self._bind(each.target, each.value)
                case ast.FunctionDef() | ast.Lambda() if each is not function:
                    self._inner |= {one.arg for one in each.args.args}
                    self._inner |= {each.name} if isinstance(each, ast.FunctionDef) else set()
        self._bound = self._parameters | self._inner | self._values.keys()
        self._known: dict[str, _Made | None] = {}
        self._asked: set[str] = set()
        self._cut: set[str] = set()
        """Of the names that are asked for, those that what is looked at now depends on."""

    def _bind(self, target: ast.expr, value: ast.expr | None) -> None:
        for each in walk(target):
            if isinstance(each, ast.Name):
                self._values.setdefault(each.id, []).append(value)

    def filtered(self, one: str, other: str) -> _Made | None:
        """What a name is made of of which another one has only the numbers."""
        values = self._values.get(one, [])
        match values[0] if len(values) == 1 else None:
            case ast.Call(
                func=ast.Name(id="tuple" | "list"),
                args=[
                    ast.GeneratorExp(
                        elt=ast.Name(id=member),
                        generators=[
                            ast.comprehension(
                                target=ast.Name(id=target),
                                iter=ast.Name(id=whole),
                                ifs=[ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=asked), kind])],
                            )
                        ],
                    )
                ],
            ) if member == target == asked and whole == other and NUMBER in of_one_class(kind):
                return self.made_of(ast.Name(other, ast.Load()))
        return None

    def made_of(self, node: ast.expr | None) -> _Made | None:
        """What an expression is made of; None for what may hold a text, whatever is given."""
        match node:
            case ast.Constant(value=value):
                return _Made() if value is None or is_number(value) else None
            case ast.Name(id=name):
                return self._of_name(name)
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return _Made()
            case ast.Attribute(value=value) | ast.Subscript(value=value) | ast.UnaryOp(operand=value):
                return _Made() if isinstance(node, ast.Attribute) and node.attr in FACTS else self.made_of(value)
            case ast.Starred(value=value) | ast.Lambda(body=value):
                return self.made_of(value)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.BoolOp(values=parts):
                return self.together(parts)
            case ast.BinOp(left=left, right=right):
                return self.together([left, right])
            case ast.IfExp(body=body, orelse=orelse):
                return self.together([body, orelse])
            case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part):
                return self.made_of(part)
            case ast.Call(func=function, args=given, keywords=named):
                called, arguments = dotted(function), [*given, *(each.value for each in named)]
                last = last_name(function)
                if GIVES.get(last, TEXTS) != TEXTS:
                    return _Made()
                made = self.together([each for each in arguments if not is_message(each)])
                if called in GATHERING or called in self._inner or called in self._parameters or made is None:
                    return made
                if isinstance(function, ast.Attribute) and called.partition(".")[0] in self._bound:
                    return self.together([function.value]) if not arguments else None
                return _Made(made.parameters, (*made.functions, called)) if called else None
        return None

    def _of_name(self, name: str) -> _Made | None:
        if name in self._known:
            return self._known[name]
        own = _Made(frozenset([name]) if name in self._parameters else frozenset())
        if name not in self._bound:
            return None
        if name in self._asked:
            self._cut.add(name)
            return own
        before, self._cut = self._cut, set()
        self._asked.add(name)
        made = self.together([each for each in self._values.get(name, []) if each is not None])
        self._asked.discard(name)
        self._cut.discard(name)
        found = None if made is None else _Made(made.parameters | own.parameters, made.functions)
        if not self._cut:
            self._known[name] = found
        self._cut |= before
        return found

    def together(self, parts: Iterable[ast.expr]) -> _Made | None:
        """What several expressions are made of; None as soon as one may hold a text."""
        parameters, functions = set[str](), dict[str, None]()
        for part in parts:
            made = self.made_of(part)
            if made is None:
                return None
            parameters |= made.parameters
            functions.update(dict.fromkeys(made.functions))
        return _Made(frozenset(parameters), tuple(functions))
