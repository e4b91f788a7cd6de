"""A lowering rule -> what it makes: custom calls (patterns of their names), operations of HLO, other functions.

Rules
1. ``custom_call(name, ...)``, ``ffi_lowering(name)``, ``ffi_call(name, ...)`` and
   ``hlo.CustomCallOp(call_target_name=name)`` make a custom call.
2. ``hlo.x``, ``chlo.x`` and ``mhlo.x`` are operations that XLA compiles by itself; before MLIR these were ``xops.X``.
   Attributes of operations (``hlo.PrecisionAttr.get``) are none.
3. ``lower_fun(f)`` traces a function of JAX: its primitives are lowered in turn.
4. ``jaxpr_subcomp`` and its kin lower a computation that the primitive carries; ``emit_python_callback`` calls Python,
   through the custom calls that it makes itself.
5. Functions of the tree are followed with the texts and functions they are given (``partial`` included).
6. A parameter of the rule that the primitive is never bound with is its default: ``*, wide=None``, and
   ``params.pop("wide", None)`` of ``**params``.
"""

from __future__ import annotations

import ast
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bzlgraph.ops.jax.code import Definition, PythonCode
from bzlgraph.ops.jax.lowering.texts import decided, either, pattern
from bzlgraph.ops.python.values.function_parts import NOTHING_DECIDED, answer
from bzlgraph.python_source.syntax import (
    children,
    dotted,
    last_name,
    parameter_defaults,
    parameter_names,
    stored_name,
    walk,
)

CUSTOM_CALLS = {"custom_call": "call_target_name", "ffi_lowering": "call_target_name", "ffi_call": "target_name"}
"""Rule 1: functions and the keyword their first argument may be given by."""
OPERATION = "CustomCallOp"
WRAPPED = "StringAttr.get"
DIALECTS = ("hlo", "chlo", "mhlo", "stablehlo", "xops")
TRACING = ("lower_fun",)
INNER = ("jaxpr_subcomp", "core_call_lowering", "call_lowering", "_call_lowering", "lower_jaxpr_to_fun")
CALLBACK = "callback"
KINDS = {**dict.fromkeys(INNER, "inner"), "emit_python_callback": CALLBACK}
"""Rule 4: function -> the kind of its effect."""
NAMED_LATER = "named by caller"
AROUND = frozenset(
    "_numpy_array_constant _wrap_with_spmd_op eval_dynamic_shape eval_dynamic_shape_as_ivals"
    " eval_dynamic_shape_as_tensor eval_dynamic_shape_as_vals full_like_aval ir_constant ir_constants"
    " lower_with_sharding_in_types multi_broadcast_in_dim shape_tensor wrap_with_full_to_shard_op"
    " wrap_with_layout_op wrap_with_memory_kind wrap_with_shard_to_full_op wrap_with_sharding_op".split()
)
"""Functions that shape, place or spread the operands of an operation: followed when a rule makes nothing else."""
SYNTAX = ("hlo.return_",)
REFINED = "stablehlo\\."
"""Custom calls that stand for an operation of HLO with dynamic shapes."""
MAX_DEPTH = 8
MAX_FUNCTIONS = 4000


@dataclass(frozen=True, slots=True)
class FunctionArgument:
    """An argument that is a function: an expression, with what is known where it is written."""

    expression: ast.expr
    known: Bindings


@dataclass(frozen=True, slots=True)
class Bindings:
    """What is known of names in a function of the module ``path``: texts (patterns) and functions."""

    path: str
    texts: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, FunctionArgument] = field(default_factory=dict)
    stands: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Local names, and the dotted names that they are assigned."""
    flags: Mapping[str, bool | None] = field(default_factory=dict)
    """Names that are True, False or None."""


@dataclass(frozen=True, slots=True)
class Effect:
    """``kind``: "custom call" (``what`` is a pattern), "hlo" (an operation), "traced" (a function; ``names`` are what
    it uses, as written), "inner" (a computation that the primitive carries) or "callback"."""

    kind: str
    what: str
    path: str
    line: int
    names: tuple[str, ...] = ()


class RuleReader:
    """Follows rules through the Python of a tree."""

    def __init__(self, code: PythonCode) -> None:
        self._code = code
        self._seen: set[tuple[str, str, str]] = set()
        self._left_out: frozenset[str] = frozenset()
        self._bound_with: frozenset[str] | None = None
        self._given: dict[str, frozenset[tuple[str, str]]] = {}

    def made(
        self, rule: ast.expr, path: str, left_out: frozenset[str] = AROUND, bound_with: frozenset[str] | None = None
    ) -> list[Effect]:
        """What a rule makes, each once, in the order it is met; ``left_out`` are functions that are not followed,
        ``bound_with`` what the primitive may be given by keyword, None for anything."""
        self._seen.clear()
        self._left_out = left_out
        self._bound_with = bound_with
        return list(dict.fromkeys(self._called(rule, Bindings(path), [], [], 0)))

    def inside(self, body: Sequence[ast.stmt], path: str) -> list[Effect]:
        """The same for statements of a module's function."""
        self._seen.clear()
        self._left_out = AROUND
        return list(dict.fromkeys(self._body(body, Bindings(path), 0)))

    def _called(
        self, callee: ast.expr, known: Bindings, args: list[ast.expr], keywords: list[ast.keyword], depth: int
    ) -> Iterator[Effect]:
        """What calling an expression makes; ``args`` are written where ``known`` holds."""
        if depth > MAX_DEPTH or len(self._seen) > MAX_FUNCTIONS:
            return
        name = dotted(callee)
        if isinstance(callee, ast.Lambda):
            yield from self._body([callee.body], known, depth)
        elif isinstance(callee, ast.Call) and last_name(callee.func) == "partial" and callee.args:
            given = [*callee.args[1:], *args]
            yield from self._called(callee.args[0], known, given, [*callee.keywords, *keywords], depth)
        elif isinstance(callee, ast.Call):
            yield from self._call(callee, known, depth)
        elif name in known.functions:
            function = known.functions[name]
            yield from self._called(function.expression, function.known, [], [], depth + 1)
        elif any(part in DIALECTS for part in name.split(".")[:-1]):
            yield from self._operation(name, known.path, callee.lineno)
        elif last_name(callee) not in self._left_out:
            head, dot, rest = name.partition(".")
            for each in known.stands.get(head, [head]) if name else ():
                found = self._code.definition(known.path, f"{each}{dot}{rest}")
                yield from self._defined(found, known, args, keywords, depth + 1)

    def _operation(self, name: str, path: str, line: int) -> Iterator[Effect]:
        """Rule 2."""
        dialect, _, operation = name.rpartition(".")
        dialect = dialect.rpartition(".")[2]
        if dialect in DIALECTS and name not in SYNTAX and operation not in self._left_out:
            yield Effect("hlo", f"{dialect}.{operation}", path, line)

    def _defined(
        self, found: Definition | None, known: Bindings, args: list[ast.expr], keywords: list[ast.keyword], depth: int
    ) -> Iterator[Effect]:
        """Rule 5: a function of the tree is read once for what it is given.

        ``cuda_getrf = partial(_getrf, "cu")``: its own arguments come first; texts given from outside stay texts.
        """
        if found is None:
            return
        if isinstance(found.node, ast.FunctionDef):
            inside = self._bound(found.node, found.path, known, args, keywords)
            if depth == 1 and self._bound_with is not None:
                named = {*self._bound_with, *(each.arg for each in keywords)}
                inside = replace(inside, flags={**dict(_defaults(found.node, named)), **inside.flags})
            key = (found.path, found.name, repr((sorted(inside.texts.items()), sorted(inside.flags.items()))))
            if key not in self._seen:
                self._seen.add(key)
                yield from self._body(found.node.body, inside, depth)
        elif isinstance(found.node, ast.Call | ast.Lambda | ast.Name | ast.Attribute):
            texts = {f"<{index}>": text for index, each in enumerate(args) if (text := pattern(each, known.texts))}
            given: list[ast.expr] = [ast.Name(f"<{index}>") for index in range(len(args))]
            yield from self._called(found.node, Bindings(found.path, texts), given, [], depth)

    def _bound(
        self, node: ast.FunctionDef, path: str, known: Bindings, args: list[ast.expr], keywords: list[ast.keyword]
    ) -> Bindings:
        """What a function of the module ``path`` knows of its parameters."""
        # ``f(*ctx, "potrf", x)``: one value each is what people write here
        plain = [each.value if isinstance(each, ast.Starred) else each for each in args]
        pairs = [*zip(parameter_names(node.args), plain, strict=False)]
        pairs += [(each.arg, each.value) for each in keywords if each.arg]
        texts: dict[str, str] = {}
        functions: dict[str, FunctionArgument] = {}
        flags: dict[str, bool | None] = {}
        for name, given in pairs:
            text = pattern(given, known.texts)
            if text is not None:
                texts[name] = text
            elif (flag := _flag(given, known.flags)) is not None:
                flags[name] = flag
            elif isinstance(given, ast.Name) and given.id in known.functions:
                functions[name] = known.functions[given.id]
            elif dotted(given) or isinstance(given, ast.Call | ast.Lambda):
                functions[name] = FunctionArgument(given, known)
        for name, default in parameter_defaults(node.args):
            text = pattern(default, {})
            if text is not None and name not in texts and name not in functions:
                texts[name] = text
            flag = _flag(default, {})
            if flag is not None and name not in dict(pairs) and (node.name, name) in self._by_partial(path):
                flags[name] = flag
        return Bindings(path, texts, functions, flags=flags)

    def _by_partial(self, path: str) -> frozenset[tuple[str, str]]:
        """(function, parameter) of the parameters that ``partial`` gives functions in a module: they are for who
        registers a rule, others are for what the primitive is bound with."""
        if path not in self._given:
            calls = (each for statement in self._code.body(path) for each in walk(statement))
            self._given[path] = frozenset(
                (dotted(each.args[0]), given.arg)
                for each in calls
                if isinstance(each, ast.Call) and last_name(each.func) == "partial" and each.args
                for given in each.keywords
                if given.arg
            )
        return self._given[path]

    def _body(self, body: Sequence[ast.AST], known: Bindings, depth: int) -> Iterator[Effect]:
        texts = dict(known.texts)
        stands: dict[str, list[str]] = {}
        inside = replace(known, texts=texts, stands=stands)
        nodes = list(_reached(body, known))
        for node in nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                text = self._text(node.value, inside, depth)
                if text is not None:
                    texts[name] = either(texts.get(name), text) or text
                elif dotted(node.value):
                    stands.setdefault(name, []).append(dotted(node.value))
        for node in nodes:
            if isinstance(node, ast.Call):
                yield from self._call(node, inside, depth)

    def _text(self, node: ast.expr, known: Bindings, depth: int) -> str | None:
        """The text of an expression, through a function of the tree that puts it together."""
        text = pattern(node, known.texts)
        if text is None and not isinstance(node, ast.Call):
            text = self._kept_text(node, known.path)
        if text is not None or not isinstance(node, ast.Call) or depth >= MAX_DEPTH:
            return text
        found = self._code.definition(known.path, dotted(node.func)) if dotted(node.func) else None
        if found is None or not isinstance(found.node, ast.FunctionDef):
            return None
        inside = self._bound(found.node, found.path, known, node.args, node.keywords)
        for each in walk(found.node):
            if isinstance(each, ast.Return) and each.value is not None:
                text = either(text, self._text(each.value, inside, depth + 1))
        return text

    def _kept_text(self, node: ast.expr, path: str) -> str | None:
        """The text that a module keeps under a name, or the texts of its dict."""
        name = dotted(node.value if isinstance(node, ast.Subscript) else node)
        found = self._code.definition(path, name) if name else None
        if found is None:
            return None
        if isinstance(node, ast.Subscript):
            text = None
            for each in found.node.values if isinstance(found.node, ast.Dict) else ():
                text = either(text, pattern(each, {}))
            return text
        return pattern(found.node, {}) if isinstance(found.node, ast.Constant) else None

    def _call(self, call: ast.Call, known: Bindings, depth: int) -> Iterator[Effect]:
        last = last_name(call.func)
        if last in CUSTOM_CALLS or last == OPERATION:
            first = _call_name(call, last)
            text = self._text(first, known, depth) if first is not None else None
            kind = NAMED_LATER if text is None else "hlo" if text.startswith(REFINED) else "custom call"
            yield Effect(kind, (text or "").replace("\\", "") if kind == "hlo" else text or "", known.path, call.lineno)
        elif last in TRACING:
            for each in call.args[:1]:
                yield self._traced(each, known)
        elif last in KINDS:
            yield Effect(KINDS[last], last, known.path, call.lineno)
            if KINDS[last] == CALLBACK:
                yield from self._called(call.func, known, call.args, call.keywords, depth)
        else:
            yield from self._called(call.func, known, call.args, call.keywords, depth)

    def _traced(self, function: ast.expr, known: Bindings) -> Effect:
        """Rule 3, with the functions that it was given in place of their names."""
        while dotted(function) in known.functions:
            given = known.functions[dotted(function)]
            function, known = given.expression, given.known
        names = [dotted(each) for each in walk(function) if isinstance(each, ast.Name | ast.Attribute)]
        used = tuple(name for name in names if name)
        return Effect("traced", ast.unparse(function)[:80], known.path, function.lineno, used)


def _flag(node: ast.expr, known: Mapping[str, bool | None]) -> bool | None:
    """True or False where an expression is one, None for any other."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return node.value
    return known.get(node.id) if isinstance(node, ast.Name) else None


def _defaults(rule: ast.FunctionDef, given: Collection[str | None]) -> Iterator[tuple[str, bool | None]]:
    """Rule 6: names of a rule -> defaults that are True, False or None, of parameters that nothing gives.

    >>> rule = "def rule(ctx, x=None, *, a=False, b=None, c=None, **more):\\n  d = more.pop('d', None)\\n  c = f(d)"
    >>> list(_defaults(ast.parse(rule).body[0], ["b"]))
    [('a', False), ('d', None)]
    """
    stored = Counter(name for each in walk(rule) if (name := stored_name(each)))
    rest = rule.args.kwarg.arg if rule.args.kwarg is not None else ""
    named = zip([each.arg for each in rule.args.kwonlyargs], rule.args.kw_defaults, strict=True)
    defaults: list[tuple[str, str, ast.expr | None]]
    defaults = [(name, name, default) for name, default in named if not stored[name]]
    for each in rule.body if rest else ():
        match each:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=taken), attr="pop" | "get"),
                    args=[ast.Constant(value=str(key)), default],
                ),
            ) if taken == rest and stored[name] == 1 and not stored[rest]:
                defaults.append((name, key, default))
    for name, key, value in defaults:
        plain = value.value if isinstance(value, ast.Constant) else ...
        if key not in given and (plain is None or isinstance(plain, bool)):
            yield name, plain


def _reached(nodes: Iterable[ast.AST], known: Bindings) -> Iterator[ast.AST]:
    """Syntax trees and all in them, but for the side of an ``if`` that known texts and flags rule out."""
    waiting = deque(nodes)
    while waiting:
        node = waiting.popleft()
        yield node
        holds = decided(node.test, known.texts) if isinstance(node, ast.If) else None
        if isinstance(node, ast.If) and holds is None and known.flags:
            holds = answer(node.test, NOTHING_DECIDED, known.flags)
        if isinstance(node, ast.If) and holds is not None:
            waiting.extend([node.test, *(node.body if holds else node.orelse)])
        else:
            waiting.extend(children(node))


def _call_name(call: ast.Call, last: str) -> ast.expr | None:
    """Rule 1: the expression of the name, taken out of an attribute of MLIR."""
    keyword = CUSTOM_CALLS.get(last, "call_target_name")
    named = [each.value for each in call.keywords if each.arg == keyword]
    first = call.args[0] if call.args and last in CUSTOM_CALLS else named[0] if named else None
    if isinstance(first, ast.Call) and dotted(first.func).endswith(WRAPPED) and first.args:
        return first.args[0]
    return first
