"""Objects of the tree's own classes that tensors are made of: what their conversion, properties and operators run.

``register_tensor_conversion_function(Array, to_tensor)``: where an ``Array`` is given as a tensor, ``to_tensor`` runs,
``a + b`` runs what ``setattr(Array, "__add__", add)`` or the class itself says, ``a.rank`` its property.

Rules
1. A function gives such an object if some ``return`` gives one: a value of the class, what a class method of it gives,
   or another function that gives one.
2. A name is one from such an assignment on, up to the next one that every way takes.
3. It is converted where the function that is given it makes a tensor of that argument (``Handing.packs``).
4. Variables are left out: what making one makes tells of its reads (``call_rules.CONSTRUCTED``).

Only the files that import the module of such a class, or of a function that gives one, are read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.base.words import utf8
from bzlgraph.ops.python.arguments import slots
from bzlgraph.ops.python.resolve import Resolver, Symbol
from bzlgraph.ops.python.summary import REST
from bzlgraph.ops.python.values.inner_names import own_imports
from bzlgraph.ops.python.values.operators import BINARY, UNARY
from bzlgraph.ops.tensorflow.python import call_rules
from bzlgraph.ops.tensorflow.python.walk.abstract import ROOT
from bzlgraph.ops.tensorflow.python.walk.handing import Handing
from bzlgraph.python_source.syntax import AnyFunction, children, dotted, flattened, last_name, parse_any, walk

REGISTER = "register_tensor_conversion_function"
_REGISTERED = re.compile(rb"^[ \t]*(?:\w+\.)*" + REGISTER.encode() + rb"\(\s*([\w.]+),\s*([\w.]+)", re.MULTILINE)
CLASS_METHOD, PROPERTY = "classmethod", "property"
_COMPARING = {
    ast.Eq: "__eq__",
    ast.NotEq: "__ne__",
    ast.Lt: "__lt__",
    ast.LtE: "__le__",
    ast.Gt: "__gt__",
    ast.GtE: "__ge__",
}
_VARIABLES = {path for made in call_rules.CONSTRUCTED.items() for path in (made[0][0], *(each[0] for each in made[1]))}
MAX_ROUNDS = 6
MAX_FILES = 60
"""Users of a module that are read for objects: what more files use is as common as a variable."""


class Used(NamedTuple):
    """What an object runs in a function: where, of ``operator`` the special method, "" for none, and why."""

    line: int
    operator: str
    symbol: Symbol
    owner: Symbol
    reason: str


@dataclass(slots=True)
class _Function:
    """A function that is read for objects. ``taken``: the names that it binds."""

    symbol: Symbol
    node: AnyFunction
    taken: set[str]


@dataclass(slots=True)
class Objects:
    """Of one tree."""

    resolver: Resolver
    handing: Handing
    conversions: dict[Symbol, Symbol] | None = None
    """Class -> the function that makes a tensor of its values."""
    gives: dict[Symbol, Symbol] = field(default_factory=dict)
    """Function -> the class of the objects that it gives."""
    special: dict[tuple[Symbol, str], list[Symbol]] = field(default_factory=dict)
    """(class, method) -> what ``setattr`` makes it run."""
    functions: dict[Symbol, _Function] = field(default_factory=dict)
    """Those of the files that are read."""
    _used: dict[Symbol, tuple[Used, ...]] = field(default_factory=dict)

    def used_in(self, symbol: Symbol) -> tuple[Used, ...]:
        """What the objects that a function works with run."""
        if self.conversions is None:
            self._find_all()
        if symbol not in self.functions:
            return ()
        if symbol not in self._used:
            self._used[symbol] = ()
            self._used[symbol] = tuple(_Reader(self, self.functions[symbol]).used())
        return self._used[symbol]

    def _find_all(self) -> None:
        self.conversions = dict(self._registered())
        if not self.conversions:
            return
        modules = {symbol.path for symbol in self.conversions}
        read: set[str] = set()
        for _ in range(MAX_ROUNDS):
            before = len(self.gives), len(read)
            for path in sorted(self._importing(modules) - read):
                read.add(path)
                self._take(path)
            for symbol, function in self.functions.items():
                if symbol not in self.gives and (owner := _Reader(self, function).given()):
                    self.gives[symbol] = owner
            modules = {symbol.path for symbol in (*self.conversions, *self.gives)}
            if (len(self.gives), len(read)) == before:
                return

    def _registered(self) -> Iterator[tuple[Symbol, Symbol]]:
        tree = self.resolver.tree
        for path in tree.containing(ROOT, (utf8(REGISTER),)):
            for names in () if call_rules.is_universal(path, "") else _REGISTERED.findall(tree.bytes_of(path)):
                owner, function = (self.resolver.resolve(path, each.decode()) for each in names)
                known = owner is not None and function is not None and owner.kind == "class"
                if known and owner is not None and function is not None and owner.path not in _VARIABLES:
                    yield owner, function

    def _importing(self, modules: set[str]) -> set[str]:
        """The files that import a module which few do, and the modules themselves."""
        found, tree = set(modules), self.resolver.tree
        for module in modules:
            package, _, name = module.removesuffix(".py").replace("/", ".").rpartition(".")
            needles = (utf8(f"from {package} import"), utf8(f"{package}.{name}"))
            named = re.compile(rb"^[ \t]*(?:from|import) [^#\n]*\b" + re.escape(utf8(name)) + rb"\b", re.MULTILINE)
            importing = (path for path in tree.containing(ROOT, needles) if not call_rules.is_universal(path, ""))
            users = [path for path in importing if named.search(tree.bytes_of(path))]
            found.update(users if len(users) <= MAX_FILES else ())
        return found

    def _take(self, path: str) -> None:
        """Take in the functions of a file, and the methods that it gives classes."""
        try:
            body = parse_any(self.resolver.tree.bytes_of(path)).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        own_imports(body, path.split("/")[:-1])  # names are those of what the resolver reads
        for node in flattened(body):
            for prefix, each in _functions(node):
                symbol = Symbol("function", path, prefix + each.name)
                self.functions.setdefault(symbol, _Function(symbol, each, set(_bound(each))))
            match node:
                case ast.Expr(ast.Call(func=ast.Name("setattr"), args=[owner, ast.Constant(str(name)), value])):
                    self._take_method(path, dotted(owner), name, value)

    def _take_method(self, path: str, owner: str, name: str, value: ast.expr) -> None:
        found = self.resolver.resolve(path, owner)
        if found is None or found not in (self.conversions or ()):
            return
        parts = [value, *value.args] if isinstance(value, ast.Call) else [value]
        runs = [self.resolver.resolve(path, text) for each in parts if (text := dotted(each))]
        self.special.setdefault((found, name), []).extend(
            each for each in runs if each is not None and each.kind == "function"
        )

    def methods(self, owner: Symbol, name: str) -> list[Symbol]:
        """What a method of a class runs, nothing for one of which nothing is known."""
        given = self.special.get((owner, name), [])
        found = self.resolver.method(owner.path, owner.name, name)
        return given or ([found] if found is not None and found.kind == "function" else [])

    def repeats(self, method: Symbol, special: str) -> bool:
        """Whether a special method uses its operator itself, on what the object holds: ``return Array(-self.data)``."""
        function = self.functions.get(method)
        return function is not None and special in map(_special, walk(function.node))

    def is_property(self, method: Symbol) -> bool:
        """Whether reading it runs it."""
        return self._is_marked(method, PROPERTY)

    def class_given(self, path: str, called: str) -> Symbol | None:
        """The class of the object that a call in a module gives, as the call is written."""
        found = self.resolver.resolve(path, called)
        if found is None:
            return None
        if found.kind == "class":
            return found if found in (self.conversions or ()) else None
        owner = Symbol("class", found.path, found.name.rpartition(".")[0])
        if owner in (self.conversions or ()) and self._is_marked(found, CLASS_METHOD):
            return owner
        return self.gives.get(found)

    def _is_marked(self, symbol: Symbol, decorator: str) -> bool:
        function = self.resolver.function(symbol)
        return function is not None and any(each.text == decorator for each in function.decorators)


@dataclass(slots=True)
class _Reader:
    """Reads a function in order."""

    objects: Objects
    function: _Function
    here: dict[str, Symbol] = field(default_factory=dict)
    found: list[Used] = field(default_factory=list)
    returned: list[Symbol] = field(default_factory=list)
    inside: int = 0

    def used(self) -> Iterator[Used]:
        """What objects run."""
        self._statements(self.function.node.body)
        yield from dict.fromkeys(self.found)

    def given(self) -> Symbol | None:
        """The class of the object that the function gives, if it gives one."""
        self._statements(self.function.node.body)
        return next(iter(self.returned), None)

    def _statements(self, body: list[ast.stmt]) -> None:
        for each in body:
            self._statement(each)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                self._visit(value)
                for each in targets:
                    self._assign(each, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._visit(value)
                self._assign(target, value)
            case ast.AugAssign(target=target, op=operator, value=value):
                both = ast.copy_location(ast.BinOp(target, operator, value), node)
                self._visit(both)
                self._assign(target, both)
            case ast.If(test=test, body=body, orelse=orelse):
                self._visit(test)
                self._branches([body, orelse])
            case ast.For() | ast.While() | ast.With() | ast.Try():
                bodies = [getattr(node, each, []) for each in ("body", "orelse", "finalbody")]
                self._visit_all([each for each in children(node) if isinstance(each, ast.expr | ast.withitem)])
                self._branches([[*bodies[0], *bodies[1]], *(each.body for each in getattr(node, "handlers", ()))])
                self._statements(bodies[2])
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function_inside(node.args, node.body)
            case ast.Return(value=ast.expr() as value):
                self._visit(value)
                owner = self._class_of(value)
                self.returned += [owner] if owner is not None and not self.inside else []
            case ast.Raise() | ast.ClassDef():
                pass
            case _:
                self._visit_all(children(node))

    def _branches(self, bodies: list[list[ast.stmt]]) -> None:
        before, after = self.here, dict[str, Symbol]()
        for each in bodies:
            self.here = dict(before)
            self._statements(each)
            if not (each and isinstance(each[-1], ast.Return | ast.Raise)):
                after |= self.here
        self.here = after

    def _function_inside(self, arguments: ast.arguments, body: list[ast.stmt]) -> None:
        before = self.here
        taken = {each.arg for each in walk(arguments) if isinstance(each, ast.arg)}
        self.here = {name: owner for name, owner in before.items() if name not in taken}
        self.inside += 1
        self._statements(body)
        self.inside -= 1
        self.here = before

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            for at, each in enumerate(target.elts):
                self._assign(each, parts[at] if len(parts) == len(target.elts) else ast.Constant(None))
        elif isinstance(target, ast.Name):
            owner = self._class_of(value)
            self.here.pop(target.id, None)
            self.here.update({target.id: owner} if owner is not None else {})

    def _class_of(self, node: ast.expr) -> Symbol | None:
        """The class of an object that an expression may give, None for anything else."""
        match node:
            case ast.Name(id=name):
                return self.here.get(name)
            case ast.IfExp(body=body, orelse=orelse):
                return self._class_of(body) or self._class_of(orelse)
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if (owner := self._class_of(value)) is not None:
                return self._given_by(owner, method)
            case ast.Call(func=function) if text := self._outer(function):
                return self.objects.class_given(self.function.symbol.path, text)
            case ast.BinOp() | ast.UnaryOp() | ast.Compare():
                called = self._operator(node)
                return self._given_by(called[1], called[0]) if called is not None else None
        return None

    def _given_by(self, owner: Symbol, method: str) -> Symbol | None:
        given = (self.objects.gives.get(each) for each in self.objects.methods(owner, method))
        return next((each for each in given if each is not None), None)

    def _outer(self, function: ast.expr) -> str:
        text = dotted(function)
        return text if text.partition(".")[0] not in self.function.taken else ""

    def _operator(self, node: ast.AST) -> tuple[str, Symbol] | None:
        """The special method that an operator calls, with the class of the operand that has it; None for others."""
        special = _special(node)
        operands = [each for each in children(node) if isinstance(each, ast.expr)] if special else []
        owner = next((one for each in operands if (one := self._class_of(each)) is not None), None)
        return (special, owner) if owner is not None else None

    def _visit_all(self, nodes: list[ast.AST]) -> None:
        for each in nodes:
            if isinstance(each, ast.stmt):
                self._statement(each)
            else:
                self._visit(each)

    def _visit(self, node: ast.AST) -> None:
        match node:
            case ast.Lambda(args=arguments, body=body):
                self._function_inside(arguments, [ast.copy_location(ast.Expr(body), body)])
                return
            case ast.BinOp() | ast.UnaryOp() | ast.Compare():
                if (called := self._operator(node)) is not None:
                    special, owner = called
                    self._note(node, special, owner, f"an operand is of the class {owner.name}", special)
            case ast.Subscript(value=value, ctx=ast.Load()):
                self._note_of(node, "__getitem__", value, "__getitem__")
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if self._class_of(value) is not None:
                self._note_of(node, method, value)
                self._visit_all([value, *node.args, *node.keywords])
                return
            case ast.Attribute(value=value, attr=name, ctx=ast.Load()):
                self._note_of(node, name, value, read=True)
            case ast.Call(func=function) if text := self._outer(function):
                self._converted(node, text)
        self._visit_all(children(node))

    def _note_of(self, node: ast.expr, method: str, value: ast.expr, operator: str = "", read: bool = False) -> None:
        """Note a method of a value, if that is an object; of what is only ``read``, a property."""
        owner = self._class_of(value)
        methods = self.objects.methods(owner, method) if owner is not None else []
        if owner is not None and (not read or any(map(self.objects.is_property, methods))):
            self._note(node, method, owner, self._is_of(value, owner), operator)

    def _is_of(self, value: ast.expr, owner: Symbol) -> str:
        called = value.func if isinstance(value, ast.Call) else value
        return f"{last_name(called) or 'it'} {'is' if called is value else 'gives one'} of the class {owner.name}"

    def _note(self, node: ast.AST, method: str, owner: Symbol, reason: str, operator: str = "") -> None:
        for each in self.objects.methods(owner, method):
            own = "" if self.objects.repeats(each, operator) else operator
            self.found.append(Used(getattr(node, "lineno", 0), own, each, owner, reason))

    def _converted(self, node: ast.Call, called: str) -> None:
        """Objects that a function makes tensors of."""
        for slot, value in slots(node):
            owner = self._class_of(value) if slot != REST else None
            if owner is not None and self.objects.handing.packs(self.function.symbol.path, called, slot):
                reason = f"{called} makes a tensor of a {owner.name}"
                function = (self.objects.conversions or {})[owner]
                self.found.append(Used(node.lineno, "", function, owner, reason))


def _special(node: ast.AST) -> str:
    """The special method that an operator calls, "" for anything else."""
    match node:
        case ast.BinOp(op=operator):
            return BINARY.get(type(operator), "")
        case ast.UnaryOp(op=operator):
            return UNARY.get(type(operator), "")
        case ast.Compare(ops=[operator]):
            return _COMPARING.get(type(operator), "")
    return ""


def _functions(node: ast.stmt, prefix: str = "") -> Iterator[tuple[str, AnyFunction]]:
    """The functions and methods of a statement at module level, with the name of the class before them."""
    if isinstance(node, AnyFunction):
        yield prefix, node
    elif isinstance(node, ast.ClassDef):
        for each in flattened(node.body):
            yield from _functions(each, f"{prefix}{node.name}.")


def _bound(function: AnyFunction) -> Iterator[str]:
    """The names that a function binds."""
    for each in walk(function):
        if isinstance(each, ast.arg):
            yield each.arg
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id
        elif isinstance(each, AnyFunction) and each is not function:
            yield each.name
