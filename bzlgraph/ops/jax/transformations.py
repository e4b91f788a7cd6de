"""What JAX's transformations do with primitives and functions: rules of JVP, of transposition, of ``vmap``.

modules -> ``TransformationRule`` values of primitives, and of functions that have rules of their own.

Forms
1. ``ad.defjvp(x_p, f, g)`` and its kin (``CALLS``) register functions, assignments to ``TABLES`` one
   (``ad.primitive_jvps[x_p] = f``).
2. A function that makes a primitive may register for it (``batching.defvectorized(prim)`` in the body of ``unop``): its
   parameters are what the primitive was made with. It may be called through ``partial`` under another name.
3. ``for p in (x_p, y_p):`` and ``for p, f in zip(...)`` register for each of them (``lowering.turns``).
4. ``f.defjvp(rule)``, ``f.defjvps(...)``, ``f.defvjp(forward, backward)``, and ``@f.defjvp`` above a function, give a
   function of ``custom_jvp`` or ``custom_vjp`` its own rules.
5. A rule of ``deflinear`` and ``defbilinear`` is that of the transposition, and the JVP binds the primitive itself;
   ``defvectorized`` and its kin bind it with other axes: what ``defreducer`` is given besides is no rule.
6. Each fills tables (those of ``CALLS`` what their bodies in the tree fill): of what one module registers for a
   primitive in the same table, the last counts. Which of two modules runs first is not known, nor whether both are
   imported: the rules of both are told.

A JVP rule is called with arrays, so operators on its parameters count, and on those of a function of its file that it
returns with all that it is given (``return -f(g, x)``); the operators of other rules are mostly between axes and sizes,
and are left out.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from bzlgraph.ops.jax.code import Definition, PythonCode
from bzlgraph.ops.jax.follow import BIND, Follower
from bzlgraph.ops.jax.lowering.turns import Substitution, unrolled
from bzlgraph.ops.jax.pallas_kernels import events_of
from bzlgraph.ops.jax.primitives import ENDINGS, FOLDER, Primitive
from bzlgraph.ops.jax.uses import names_of
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.python.summary import Event
from bzlgraph.python_source.syntax import (
    COMPOUND,
    directly_inside,
    dotted,
    flattened,
    last_name,
    parameter_names,
    walk,
)

JVP, VJP, TRANSPOSE, BATCHING = "JVP rule", "VJP rule", "transpose rule", "batching rule"
LINEARIZATION = "linearization rule"
"""What reverse-mode derivatives use in place of a JVP rule."""
CALLS = {
    "defjvp": JVP,
    "defjvp2": JVP,
    "defjvp_zero": JVP,
    "deflinear": TRANSPOSE,
    "deflinear2": TRANSPOSE,
    "defbilinear": TRANSPOSE,
    "defvectorized": BATCHING,
    "defbroadcasting": BATCHING,
    "defreducer": BATCHING,
}
REGISTERING = ("interpreters/ad.py", "interpreters/batching.py")
"""Where the functions of ``CALLS`` are."""
LINEAR = ("deflinear", "deflinear2", "defbilinear")
"""Form 5: the JVP of these binds the primitive itself."""
TABLES = {
    "primitive_jvps": JVP,
    "primitive_linearizations": LINEARIZATION,
    "primitive_transposes": TRANSPOSE,
    "fancy_transposes": TRANSPOSE,
    "primitive_batchers": BATCHING,
    "fancy_primitive_batchers": BATCHING,
    "axis_primitive_batchers": BATCHING,
    "spmd_axis_primitive_batchers": BATCHING,
}
OF_FUNCTIONS = {"defjvp": JVP, "defjvps": JVP, "defvjp": VJP}
"""Form 4."""
PAIRED = 2
"""Rules that get lists of arrays: (primals, tangents) are the last parameters by position."""
NEEDLES = tuple(each.encode() for each in ("defjvp", "defvjp", "deflinear", "defbilinear", "batchers", *TABLES))
MAX_RULES = 8
"""Rules of one kind for one primitive: one for each operand, as a rule."""


class TransformationRule(NamedTuple):
    """``function`` is the rule as it is written, or what registers it when it is none of its own; ``primitives`` are
    those that it binds, nearest first; ``possible`` those of them that a branch decides of."""

    kind: str
    function: str
    path: str
    line: int
    primitives: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()


class _Filed(NamedTuple):
    """Rules of one kind that one registration for a primitive files in ``tables`` (none: not known in which)."""

    rules: list[TransformationRule]
    tables: list[str]
    module: str
    """Which module registers them."""
    always: bool


class _Registered(NamedTuple):
    """A registration: for what, of which kind, the rules as they are written, and by which call or table (``by`` is its
    last name, ``function`` that of a call as it is written)."""

    owner: ast.expr
    kind: str
    rules: tuple[ast.expr, ...]
    by: str
    line: int
    function: str = ""
    always: bool = True
    """Whether nothing is asked before it is registered."""


class TransformationReader:
    """Reads the rules of a tree."""

    def __init__(self, code: PythonCode, follower: Follower) -> None:
        self._code = code
        self._follower = follower

    def of_primitives(self, primitives: Sequence[Primitive]) -> dict[tuple[str, str], list[TransformationRule]]:
        """Primitive -> its rules, those that its maker registers first."""
        known = {each.key: each for each in primitives}
        found: dict[tuple[str, str], list[_Filed]] = {}
        paths = self._code.tree.containing(FOLDER, NEEDLES)
        works = [(each.path, partial(self._of_maker, each)) for each in primitives]
        works += [(path, partial(self._in_module, path, known)) for path in paths]
        for key, filed in chain(*self._code.within_each(works)):
            found.setdefault(key, []).append(filed)
        return {key: list(dict.fromkeys(_standing(filed))) for key, filed in found.items()}

    def of_functions(self) -> dict[str, list[TransformationRule]]:
        """Form 4: ``key_of_function`` -> rules."""
        found: dict[str, list[TransformationRule]] = {}
        paths = self._code.tree.containing(FOLDER, (b".defjvp", b".defvjp"))
        works = [(path, partial(self._of_functions_in, path)) for path in paths]
        for key, rule in chain(*self._code.within_each(works)):
            found.setdefault(key, []).append(rule)
        return found

    # ------------------------------------------------------------------------------------------------ registrations
    def _in_module(
        self, path: str, known: Mapping[tuple[str, str], Primitive]
    ) -> Iterator[tuple[tuple[str, str], _Filed]]:
        for each in self._registrations(path, self._code.body(path)):
            name = dotted(each.owner)
            found = self._code.definition(path, name) if name else None
            primitive = known.get((found.path, found.name)) if found is not None else None
            if primitive is not None:
                yield from ((primitive.key, filed) for filed in self._filed(each, path, path, primitive))

    def _of_maker(self, primitive: Primitive) -> Iterator[tuple[tuple[str, str], _Filed]]:
        """Form 2."""
        made = self._code.at(primitive.path, primitive.variable)
        call = made.node if made is not None else None
        if not isinstance(call, ast.Call) or not dotted(call.func):
            return
        maker = self._code.definition(primitive.path, dotted(call.func))
        first: list[ast.expr] = []
        if maker is not None and isinstance(maker.node, ast.Call) and last_name(maker.node.func) == "partial":
            function, *first = maker.node.args or [maker.node]
            maker = self._code.definition(maker.path, dotted(function)) if dotted(function) else None
        if maker is None or not isinstance(maker.node, ast.FunctionDef):
            return
        returned = {dotted(each.value) for each in maker.node.body if isinstance(each, ast.Return) and each.value}
        given: dict[str, ast.expr] = dict(zip(parameter_names(maker.node.args), [*first, *call.args], strict=False))
        given |= {name: ast.Name(primitive.variable) for name in returned if name}
        for each in self._registrations(maker.path, maker.node.body):
            if dotted(each.owner) in returned:
                rules = tuple(Substitution(given).visit(copy.deepcopy(rule)) for rule in each.rules)
                made_by = each._replace(rules=rules)
                yield from (
                    (primitive.key, filed) for filed in self._filed(made_by, maker.path, primitive.path, primitive)
                )

    def _registrations(self, path: str, body: Sequence[ast.stmt]) -> Iterator[_Registered]:
        """Those of functions of ``ad`` and ``batching``: others have functions of the same names (``jet``)."""
        for each in _registrations(body):
            named = self._code.resolver.resolve(path, each.function) if each.function else None
            if each.by in TABLES or (named is not None and named.path.endswith(REGISTERING)):
                yield each

    def _filed(self, each: _Registered, path: str, by: str, primitive: Primitive) -> Iterator[_Filed]:
        """The rules of one registration by kind, with the tables that they are in; the module ``by`` runs it."""
        tables = self._tables(each, path)
        rules: dict[str, list[TransformationRule]] = {}
        for rule in self._rules(each, path, primitive):
            rules.setdefault(rule.kind, []).append(rule)
        for kind, own in rules.items():
            yield _Filed(own, [table for table in tables if TABLES[table] == kind], by, each.always)

    def _tables(self, each: _Registered, path: str) -> frozenset[str]:
        """Form 6."""
        if each.by in TABLES:
            return frozenset([each.by])
        found = self._code.definition(path, each.function)
        return self._filled(found, 2) if found is not None else frozenset()

    def _filled(self, found: Definition, depth: int) -> frozenset[str]:
        """The tables that a function always fills for the primitive that it is given first."""
        if not isinstance(found.node, ast.FunctionDef):
            return frozenset()
        given = parameter_names(found.node.args)[:1]
        own = [each for each in _registrations(found.node.body) if [dotted(each.owner)] == given and each.always]
        filled = {each.by for each in own if each.by in TABLES}
        for called in own if depth else ():
            inner = self._code.definition(found.path, called.function) if called.function else None
            filled |= self._filled(inner, depth - 1) if inner is not None else frozenset()
        return frozenset(filled)

    def _rules(self, each: _Registered, path: str, primitive: Primitive) -> Iterator[TransformationRule]:
        """The rules of one registration."""
        if each.by in LINEAR:
            yield TransformationRule(JVP, each.by, path, each.line, (primitive.name,))
        batched = each.kind == BATCHING and each.by in CALLS
        rules = () if batched else each.rules[:MAX_RULES]
        if not rules:
            yield TransformationRule(each.kind, each.by, path, each.line, (primitive.name,) if batched else ())
        for rule in rules:
            yield self._rule(each, rule, path, each.by in TABLES)

    def _of_functions_in(self, path: str) -> Iterator[tuple[str, TransformationRule]]:
        for each in _of_functions(self._code.body(path)):
            name = dotted(each.owner)
            found = self._code.resolver.resolve(path, name)
            if found is None or found.kind not in ("function", "value"):
                continue
            for rule in each.rules[:MAX_RULES]:
                yield key_of_function(found.path, found.name), self._rule(each, rule, path, each.by != "defjvps")

    # -------------------------------------------------------------------------------------------------- what is bound
    def _rule(self, each: _Registered, rule: ast.expr, path: str, lists: bool) -> TransformationRule:
        """What one rule is; ``lists``: it is given lists of arrays."""
        inner = _innermost(rule)
        function = dotted(inner) or ("lambda" if isinstance(inner, ast.Lambda) else ast.unparse(inner)[:40])
        found = self._code.definition(path, dotted(inner)) if dotted(inner) else None
        place = (found.path, found.line) if found is not None else (path, rule.lineno)
        bound = self._follower.from_events(self._starts(rule, path, each.kind == JVP, lists))
        return TransformationRule(each.kind, function, *place, *names_of(bound))

    def _starts(
        self, rule: ast.expr, path: str, on_arrays: bool, lists: bool
    ) -> Iterator[tuple[Symbol, tuple[Event, ...]]]:
        """What a rule uses, with the functions that ``partial`` gives it."""
        if isinstance(rule, ast.Call) and last_name(rule.func) == "partial":
            for index, given in enumerate(rule.args):
                yield from self._starts(given, path, on_arrays and not index, lists)
            yield from self._given_primitives(rule, path)
            return
        found = self._code.definition(path, dotted(rule)) if dotted(rule) else None
        if isinstance(rule, ast.Lambda):
            found = Definition(path, "<lambda>", rule, rule.lineno)
        if found is None:
            return
        if isinstance(found.node, ast.FunctionDef | ast.Lambda):
            imports = self._code.tree.module(found.path).imports
            named = _handed_all(found.node) if on_arrays and not lists else ()
            others = {each: self._code.definition(found.path, each) for each in named if each != found.name}
            own = {name: each for name, each in others.items() if each is not None and each.path == found.path}
            events = events_of(found, imports, PAIRED if lists else 0, on_arrays, own)
            yield Symbol("function", found.path, found.name), events
            for name, each in own.items():
                yield Symbol("function", found.path, name), events_of(each, imports, on_arrays=True)
        elif isinstance(found.node, ast.Call | ast.Name | ast.Attribute) and found.node is not rule:
            yield from self._starts(found.node, found.path, on_arrays, lists)

    def _given_primitives(self, rule: ast.Call, path: str) -> Iterator[tuple[Symbol, tuple[Event, ...]]]:
        """``partial(f, x_p)`` of a function that binds this parameter."""
        found = self._code.definition(path, dotted(rule.args[0])) if rule.args and dotted(rule.args[0]) else None
        if found is None or not isinstance(found.node, ast.FunctionDef):
            return
        used = {dotted(each.func) for each in walk(found.node) if isinstance(each, ast.Call)}
        for parameter, given in zip(parameter_names(found.node.args), rule.args[1:], strict=False):
            if f"{parameter}{BIND}" in used and dotted(given).endswith(ENDINGS):
                event = Event("call", f"{dotted(given)}{BIND}", rule.lineno, True)
                yield Symbol("function", path, found.name), (event,)


def key_of_function(path: str, name: str) -> str:
    """What the rules of a function are found under."""
    return f"{path} {name}"


def _registrations(body: Iterable[ast.stmt], always: bool = True) -> Iterator[_Registered]:
    """Forms 1 and 3 in statements; ``always``: nothing is asked before them."""
    for each in body:
        yield from (found._replace(always=always) for found in _of_statement(each))
        turns = unrolled(each) if isinstance(each, ast.For) else None
        if turns is not None:
            for turn in turns:
                yield from _registrations(turn, always)
        elif isinstance(each, COMPOUND):
            yield from _registrations(directly_inside(each), always and isinstance(each, ast.With))


def _standing(filed: Sequence[_Filed]) -> Iterator[TransformationRule]:
    """Form 6: the rules that no later registration of the same module replaces.

    >>> rules = [TransformationRule(JVP, name, "a.py", 1) for name in "fgh"]
    >>> f, g, h = (_Filed([rule], ["primitive_jvps"], "a.py", True) for rule in rules)
    >>> ["".join(rule.function for rule in _standing(each)) for each in ([f, g, h], [f, g._replace(always=False)])]
    ['h', 'fg']
    >>> "".join(rule.function for rule in _standing([f._replace(tables=[]), g, h._replace(module="b.py")]))
    'fgh'
    """
    for at, each in enumerate(filed):
        later = [own for own in filed[at + 1 :] if own.module == each.module and own.always]
        replaced = {table for own in later for table in own.tables}
        if not each.tables or not replaced.issuperset(each.tables):
            yield from each.rules


def _of_statement(statement: ast.stmt) -> Iterator[_Registered]:
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.Expr) and isinstance(value, ast.Call) and value.args:
        by = last_name(value.func)
        if by in CALLS:
            yield _Registered(value.args[0], CALLS[by], _given(value.args[1:]), by, value.lineno, dotted(value.func))
    elif isinstance(statement, ast.Assign):
        for target in statement.targets:
            table = last_name(target.value) if isinstance(target, ast.Subscript) else ""
            if isinstance(target, ast.Subscript) and table in TABLES:
                yield _Registered(target.slice, TABLES[table], _given([statement.value]), table, statement.lineno)


def _of_functions(body: Sequence[ast.stmt]) -> Iterator[_Registered]:
    """Form 4."""
    for each in flattened(body):
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call):
            function = each.value.func
            if isinstance(function, ast.Attribute) and function.attr in OF_FUNCTIONS:
                rules = _given([*each.value.args, *(given.value for given in each.value.keywords)])
                yield _Registered(function.value, OF_FUNCTIONS[function.attr], rules, function.attr, each.lineno)
        elif isinstance(each, ast.FunctionDef):
            for decorator in each.decorator_list:
                function = decorator.func if isinstance(decorator, ast.Call) else decorator
                if isinstance(function, ast.Attribute) and function.attr in OF_FUNCTIONS:
                    rule = ast.copy_location(ast.Name(each.name), each)
                    yield _Registered(function.value, OF_FUNCTIONS[function.attr], (rule,), function.attr, each.lineno)


def _given(rules: Sequence[ast.expr]) -> tuple[ast.expr, ...]:
    """The rules that are functions: None stands for an operand without one."""
    return tuple(each for each in rules if not isinstance(each, ast.Constant))


def _handed_all(rule: ast.FunctionDef | ast.Lambda) -> list[str]:
    """The functions that a rule of one line gives all its parameters, in their order."""
    own = parameter_names(rule.args)
    lines = rule.body if isinstance(rule.body, list) else [ast.Return(rule.body)]
    value = lines[0].value if len(lines) == 1 and isinstance(lines[0], ast.Return) else None
    calls = [each for each in walk(value) if isinstance(each, ast.Call) and not each.keywords] if value else []
    return [dotted(each.func) for each in calls if own and [dotted(one) for one in each.args] == own]


def _innermost(rule: ast.expr) -> ast.expr:
    """The function inside of ``partial``."""
    while isinstance(rule, ast.Call) and last_name(rule.func) == "partial" and rule.args:
        rule = rule.args[0]
    return rule
