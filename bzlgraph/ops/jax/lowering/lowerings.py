"""Rules of lowering, as the modules of JAX register them with their primitives.

Forms
1. ``mlir.register_lowering(x_p, rule)`` gives the rule of every platform, ``platform=p`` that of one; ``gpu`` means
   CUDA and ROCm. A loop whose members are written out registers what each turn does (``turns.py``).
2. ``@register_lowering(x_p)``, ``@register_lowering_rule(x_p)`` and ``@partial(register_lowering, x_p)`` decorate one.
3. ``lowering_rules[x_p] = rule``, dicts of ``x_p: rule`` that are such a table, or that a loop goes through, and those
   that a table, or a part of it, takes in: ``lowering_rules[kind].update({x_p: rule})``. Before MLIR (until 2021) such
   tables were ``translations[x_p]`` and ``backend_specific_translations["gpu"][x_p]`` (``makers.py``).
4. A function that makes a primitive may register the rules for it: ``register_lowering(f, platform)`` in its body means
   that ``f`` is traced; its parameters are what the primitive was made with.
   What is registered below ``if`` keeps what that asks, unless it asks what the maker was given.
5. Rules in the folders of Pallas are for code inside its kernels only.
6. A function may register for a primitive or a platform that it is given: ``register_cpu_gpu_lowering(x_p, rule)`` is
   run for its loops over platforms (``registering.py``), and what it registers is what its caller registers.

A registration whose primitive is not found is told as such: it may be that of any primitive.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import NamedTuple

from bzlgraph.base.words import utf8
from bzlgraph.ops.jax.code import Definition, PythonCode
from bzlgraph.ops.jax.lowering.makers import made_with
from bzlgraph.ops.jax.lowering.registering import (
    REGISTERING,
    names_of_helpers,
    platform_of,
    registered,
    registers,
)
from bzlgraph.ops.jax.lowering.turns import Substitution, unrolled
from bzlgraph.ops.jax.primitives import ENDINGS, FOLDER, Primitive, stands_for_primitive
from bzlgraph.python_source.syntax import (
    COMPOUND,
    directly_inside,
    dotted,
    flattened,
    last_name,
    parameter_names,
    walk,
)

ANY_PLATFORM = "any"
SAME = {"gpu": ("cuda", "rocm")}
TABLES = ("lowering_rules", "translations")
PALLAS = {
    "jax/_src/pallas/mosaic_gpu/": "pallas on gpu (Mosaic)",
    "jax/_src/pallas/mosaic/": "pallas on tpu (Mosaic)",
    "jax/_src/pallas/triton/": "pallas on gpu (Triton)",
}
"""Form 5: what the rules of a folder are for."""
PLAIN = "jax/_src/pallas/primitives.py"
NEEDLES = (b"register_lowering", b"lowering_rules", b"register_translation", b"translations[")


class Unread(NamedTuple):
    """Where a rule is registered for a primitive that is not found."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Lowering:
    """A rule as it is registered."""

    primitive: tuple[str, str]
    """(path, variable) of the primitive."""
    platform: str
    rule: ast.expr
    path: str
    line: int
    condition: str = ""
    """What the module asks before it registers the rule."""

    @property
    def rule_name(self) -> str:
        """The rule's name; that of the function inside ``partial``."""
        inner = self.rule
        while isinstance(inner, ast.Call) and inner.args:
            if dotted(inner.args[0]).endswith(ENDINGS):  # what makes the rule of a primitive
                return dotted(inner.func)
            inner = inner.args[0]
        return dotted(inner) or "lambda"


def all_lowerings(code: PythonCode, primitives: list[Primitive], folder: str = FOLDER) -> Iterator[Lowering | Unread]:
    """Every registered rule of the tree."""
    paths = list(code.tree.containing(folder, NEEDLES))
    found = (code.within(path, partial(names_of_helpers, code.body(path))) for path in paths)
    helpers = frozenset(name for names in found for name in names)
    callers = code.tree.containing(folder, tuple(map(utf8, sorted(helpers)))) if helpers else ()
    for path in sorted({*paths, *callers}):
        yield from code.within(path, partial(_of_module, path, code, helpers))
    for path, made in groupby(primitives, key=lambda each: each.path):
        yield from code.within(path, partial(_of_makers, path, list(made), code))


def _of_module(path: str, code: PythonCode, helpers: frozenset[str]) -> Iterator[Lowering | Unread]:
    """Forms 1 to 3, 5 and 6 in one module."""
    module = _Module(path, code, helpers)
    for each in _placed(code.body(path)):
        for found in module.lowerings(each.statement):
            yield replace(found, condition=each.condition) if isinstance(found, Lowering) else found


class _Module:
    """The registrations of one module."""

    def __init__(self, path: str, code: PythonCode, helpers: frozenset[str]) -> None:
        self._path = path
        self._code = code
        self._helpers = helpers
        folder = next((each for each in PALLAS if path.startswith(each)), "")
        self._inside = PALLAS.get(folder, "")
        self._tables = frozenset(filter(None, map(_gone_through, code.body(path))))

    def lowerings(self, statement: ast.stmt) -> Iterator[Lowering | Unread]:
        """Forms 1 to 3."""
        if isinstance(statement, ast.Expr):
            for node in walk(statement):
                if registers(node):
                    yield from self._call(node)
                elif (table := _taken_in(node)) is not None:
                    yield from self._table(table)
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and node.args:
                    yield from self._decorated(node.func, node.args[0], node.lineno)
                elif isinstance(node, ast.Call) and last_name(node.func) in self._helpers:
                    yield from self._helped(node)
        elif isinstance(statement, ast.FunctionDef):
            for decorator in statement.decorator_list:
                rule = ast.copy_location(ast.Name(statement.name), statement)
                yield from self._decorated(decorator, rule, statement.lineno)
            yield from self._in_function(statement)
        elif isinstance(statement, ast.ClassDef):
            for each in flattened(statement.body):
                yield from self._in_function(each) if isinstance(each, ast.FunctionDef) else ()
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                # what fills the tables of Pallas in a loop comes from the dicts that are read below
                found = self._into_table(target, statement.value)
                yield from (each for each in found if isinstance(each, Lowering) or not self._inside)
            holds_rules = any(
                dotted(each) in self._tables or dotted(each).endswith(TABLES) for each in statement.targets
            )
            if self._inside and holds_rules and isinstance(statement.value, ast.Dict):
                yield from (each for each in self._table(statement.value) if isinstance(each, Lowering))

    def _into_table(self, target: ast.expr, rule: ast.expr) -> Iterator[Lowering | Unread]:
        """``lowering_rules[x_p] = rule``, ``backend_specific_translations["gpu"][x_p] = rule``"""
        match target:
            case ast.Subscript(value=ast.Subscript(value=table, slice=ast.Constant(value=str(platform))), slice=made):
                platforms = SAME.get(platform, (platform,))
            case ast.Subscript(value=table, slice=made):
                platforms = (self._inside,)
            case _:
                return
        for each in platforms if last_name(table).endswith(TABLES) else ():
            yield from self._entry(made, rule, each, target.lineno)

    def _in_function(self, function: ast.FunctionDef) -> Iterator[Lowering | Unread]:
        """What a function registers for primitives that are not its own: callers say which those are (4 and 6)."""
        parameters = parameter_names(function.args)
        inside = list(walk(function))
        assigned = [target for each in inside if isinstance(each, ast.Assign) for target in each.targets]
        functions = {each.name for each in inside[1:] if isinstance(each, ast.FunctionDef)}
        own = {*parameters, *map(dotted, assigned)}
        for node in inside:
            if registers(node) and platform_of(node) not in parameters:
                known = (node.args and dotted(node.args[0]) in own) or dotted(node.func) in functions
                yield from (each for each in self._call(node) if isinstance(each, Lowering) or not known)

    def _table(self, table: ast.Dict) -> Iterator[Lowering | Unread]:
        for key, value in zip(table.keys, table.values, strict=True):
            if key is not None:
                yield from self._entry(key, value, self._inside, key.lineno)

    def _call(self, call: ast.Call) -> Iterator[Lowering | Unread]:
        if len(call.args) < 2:
            return
        for platform in self._platforms(call.keywords, call.args[2:3]):
            yield from self._entry(call.args[0], call.args[1], platform, call.lineno)

    def _helped(self, call: ast.Call) -> Iterator[Lowering | Unread]:
        """Form 6: what a call of a helper registers, told at that call."""
        helper = self._code.definition(self._path, dotted(call.func))
        for each in registered(helper, call, self._code) if helper is not None else ():
            yield from self._call(ast.copy_location(each, call))

    def _platforms(self, keywords: list[ast.keyword], further: list[ast.expr]) -> tuple[str, ...]:
        return _platforms(keywords, further) or (self._inside or ANY_PLATFORM,)

    def _decorated(self, decorator: ast.expr, rule: ast.expr, line: int) -> Iterator[Lowering | Unread]:
        if not isinstance(decorator, ast.Call) or not decorator.args:
            return
        args = decorator.args
        if last_name(decorator.func) == "partial" and last_name(args[0]) in REGISTERING:
            args = args[1:]
        elif last_name(decorator.func) not in REGISTERING:
            return
        for platform in self._platforms(decorator.keywords, []) if len(args) == 1 else ():
            yield from self._entry(args[0], rule, platform, line)

    def _entry(self, primitive: ast.expr, rule: ast.expr, platform: str, line: int) -> Iterator[Lowering | Unread]:
        name = dotted(primitive)
        found = self._code.definition(self._path, name) if name else None
        if found is not None and stands_for_primitive(name, found):
            yield Lowering((found.path, found.name), platform or ANY_PLATFORM, rule, self._path, line)
            return
        symbol = self._code.resolver.resolve(self._path, name) if name else None
        if symbol is None or symbol.kind not in ("class", "function"):  # these are for functions of the same name
            yield Unread(self._path, line)


def _gone_through(statement: ast.stmt) -> str:
    """The dict whose items a loop goes through, ``for x_p, rule in NAME.items()``; "" for anything else."""
    match statement:
        case ast.For(iter=ast.Call(func=ast.Attribute(value=table, attr="items"), args=[])):
            return dotted(table)
    return ""


def _taken_in(node: ast.AST) -> ast.Dict | None:
    """The dict that a table of rules, or a part of it, takes in; None for anything else."""
    match node:
        case ast.Call(func=ast.Attribute(value=table, attr="update"), args=[ast.Dict() as taken]):
            while isinstance(table, ast.Subscript):
                table = table.value
            return taken if last_name(table).endswith(TABLES) else None
    return None


def _of_makers(path: str, primitives: list[Primitive], code: PythonCode) -> Iterator[Lowering]:
    """Form 4, for the primitives of one module."""
    made: dict[tuple[str, int], Definition] = {}
    for each in code.definitions(path):
        made.setdefault((each.name, each.line), each)
    for primitive in primitives:
        definition = made.get((primitive.variable, primitive.line))
        if definition is not None:
            yield from _of_maker(primitive, definition.node, code)


def _of_maker(primitive: Primitive, call: ast.AST, code: PythonCode) -> Iterator[Lowering]:
    if not isinstance(call, ast.Call):
        return
    key = primitive.path, primitive.variable
    for rule, path, line, registering in made_with(primitive.path, call, code):
        further = registering.args[2:3] if registering is not None else []
        named = _platforms(registering.keywords, further) if registering is not None else ()
        for platform in named or (ANY_PLATFORM,):
            yield Lowering(key, platform, rule, path, line)
    maker = code.definition(primitive.path, dotted(call.func)) if dotted(call.func) else None
    if maker is None or maker.path != primitive.path or not isinstance(maker.node, ast.FunctionDef):
        return
    parameters = parameter_names(maker.node.args)
    given = dict(zip(parameters, call.args, strict=False))
    for statement, condition in _placed(maker.node.body, frozenset(parameters)):
        for node in walk(statement) if not isinstance(statement, COMPOUND) else ():
            if isinstance(node, ast.Call) and dotted(node.func) in REGISTERING and node.args:
                rule = Substitution(given).visit(copy.deepcopy(node.args[0]))
                traced = ast.Call(ast.Name("lower_fun"), [rule], [])
                lowered = ast.fix_missing_locations(ast.copy_location(traced, node))
                for platform in _platforms(node.keywords, node.args[1:2]) or (ANY_PLATFORM,):
                    yield Lowering(key, platform, lowered, primitive.path, node.lineno, condition)


def _platforms(keywords: list[ast.keyword], further: list[ast.expr]) -> tuple[str, ...]:
    """The platforms that a call names, by keyword or by position; () for one that names none."""
    given = [each.value for each in keywords if each.arg == "platform"] + further
    if given and isinstance(given[0], ast.Constant) and given[0].value:
        text = str(given[0].value).lower()
        return SAME.get(text, (text,))
    return ()


class _Placed(NamedTuple):
    """A statement with what the tests around it ask."""

    statement: ast.stmt
    condition: str


def _placed(
    body: Iterable[ast.stmt], unsaid: frozenset[str] = frozenset(), asked: tuple[str, ...] = ()
) -> Iterator[_Placed]:
    """Statements, each compound one followed by those inside it, those of a loop for each turn that is known; tests of
    ``unsaid`` names are left out."""
    for statement in body:
        yield _Placed(statement, " and ".join(asked))
        turns = unrolled(statement) if isinstance(statement, ast.For) else None
        if isinstance(statement, ast.If):
            named = {each.id for each in walk(statement.test) if isinstance(each, ast.Name)}
            test = ast.unparse(statement.test)
            told = ((test,), (f"not ({test})",)) if named.isdisjoint(unsaid) else ((), ())
            for part, more in zip((statement.body, statement.orelse), told, strict=True):
                yield from _placed(part, unsaid, (*asked, *more))
        elif turns is not None:
            for turn in turns:
                yield from _placed(turn, unsaid, asked)
        elif isinstance(statement, COMPOUND):
            yield from _placed(directly_inside(statement), unsaid, asked)
