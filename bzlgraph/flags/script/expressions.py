"""Expressions of a symbolic run: syntax node + state -> ``Cases``. Calls of the script's own functions are ``enter``ed.

``_boolop`` reads a ``BoolOp``, and so on; what has no such method is an unknown value named by its source.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from bzlgraph.flags.script import calls, values
from bzlgraph.flags.script.guard import NEVER, Guard
from bzlgraph.flags.script.operators import binary, braces, compare, negated, text_method
from bzlgraph.flags.script.state import State, as_found
from bzlgraph.flags.script.values import Cases, EnvironmentDict, Function, Method, Opaque, OpenFile, Table, UserInput

Enter = Callable[[ast.Call, Function, list[Cases], dict[str, Cases], State], Cases]
Ask = Callable[[ast.Call, Cases, State], Cases]
Write = Callable[[ast.Call, str, Cases, State], None]
LookUp = Callable[[str, int], None]


class Expressions:
    """Evaluates expressions; ``enter``, ``ask``, ``write`` and ``look_up`` are what they do to the world."""

    def __init__(self, enter: Enter, ask: Ask, write: Write, look_up: LookUp) -> None:
        self._enter, self._ask, self._write, self._look_up = enter, ask, write, look_up

    def value(self, node: ast.expr, state: State) -> Cases:
        """The value of an expression, the cases that can be here."""
        read: Callable[..., Cases] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        return read(node, state).under(state.path) if read is not None else values.always(_unknown(node))

    def condition(self, node: ast.expr, state: State) -> tuple[Guard, Guard]:
        """When an expression is true, and when it is false."""
        return self.sides(self.value(node, state), state)

    @staticmethod
    def sides(cases: Cases, state: State) -> tuple[Guard, Guard]:
        """When a value counts as true, and when as false."""
        yes, no = NEVER, NEVER
        for guard, value in values.combine(values.truth, [cases], state.path):
            yes, no = (yes.either(guard), no) if value else (yes, no.either(guard))
        return yes, no

    # ------------------------------------------------------------------------------------------------- names
    def _constant(self, node: ast.Constant, _state: State) -> Cases:
        return values.always(node.value)

    def _name(self, node: ast.Name, state: State) -> Cases:
        found = state.locals.get(node.id) or state.globals.get(node.id)
        return found if found is not None and found.items else values.always(Opaque(node.id))

    def _attribute(self, node: ast.Attribute, state: State) -> Cases:
        def read(value: object) -> object:
            if not isinstance(value, Opaque):
                return Method(value, node.attr)
            dotted = f"{value.text}.{node.attr}"
            if dotted == calls.ENVIRONMENT:
                return EnvironmentDict()
            return Opaque(dotted)

        return values.combine(read, [self.value(node.value, state)], state.path)

    def _subscript(self, node: ast.Subscript, state: State) -> Cases:
        def read(value: object, key: object) -> object:
            if isinstance(value, EnvironmentDict):
                return self.environment(key, node.lineno, state, values.always(_unknown(node)))
            if isinstance(value, UserInput):
                return value
            if isinstance(value, Table):
                return next((each for known, each in value.entries if known == key), _unknown(node))
            if isinstance(value, str | tuple) and isinstance(key, int) and -len(value) <= key < len(value):
                return value[key]
            return _unknown(node)

        if isinstance(node.slice, ast.Slice):
            return self._part(node, node.slice, state)
        return values.combine(read, [self.value(node.value, state), self.value(node.slice, state)], state.path)

    def _part(self, node: ast.Subscript, ends: ast.Slice, state: State) -> Cases:
        def read(value: object, first: object, last: object) -> object:
            if isinstance(first, int | None) and isinstance(last, int | None) and ends.step is None:
                return value[first:last] if isinstance(value, str | tuple) else _given_or_unknown(value, node)
            return _given_or_unknown(value, node)

        bounds = [self.value(each, state) if each is not None else values.NOTHING for each in (ends.lower, ends.upper)]
        return values.combine(read, [self.value(node.value, state), *bounds], state.path)

    def environment(self, key: object, line: int, state: State, missing: Cases) -> Cases:
        """An environment variable: what the script has put there, else what the user has, else ``missing``."""
        if not isinstance(key, str):
            return values.always(values.opaque(f"{values.text_of(key)}"))
        self._look_up(key, line)
        found = state.environment.get(key) or as_found(key)
        return values.combine(lambda value: missing if value is None else value, [found], state.path)

    # ------------------------------------------------------------------------------------------------- calls
    def _call(self, node: ast.Call, state: State) -> Cases:
        function = self.value(node.func, state)
        arguments = [self.value(each, state) for each in node.args if not isinstance(each, ast.Starred)]
        names = {each.arg: self.value(each.value, state) for each in node.keywords if each.arg}
        found: list[tuple[Guard, object]] = []
        for guard, plain in function:
            if guard.meets(state.path):
                found += [(guard.also(inner), each) for inner, each in self._one(node, plain, arguments, names, state)]
        return values.merged(found)

    def _one(
        self, node: ast.Call, function: object, arguments: list[Cases], names: dict[str, Cases], state: State
    ) -> Cases:
        if isinstance(function, Function):
            return self._enter(node, function, arguments, names, state)
        if isinstance(function, Method):
            return self._method(node, function, arguments, names, state)
        if not isinstance(function, Opaque):
            return values.always(_unknown(node))
        if function.text in calls.ASKING:
            return self._ask(node, arguments[0] if arguments else values.always(""), state)
        if function.text in calls.LOOK_UPS and arguments:
            return self._get(node, arguments, state)
        if function.text == "print":
            self._print(node, arguments, names, state)
            return values.NOTHING
        return values.combine(lambda *plain: self._known(function, plain), arguments, state.path)

    @staticmethod
    def _known(function: Opaque, arguments: tuple[object, ...]) -> object:
        found = calls.call(function.text, arguments)
        if found is not calls.UNKNOWN:
            return found
        receiver, _, method = function.text.rpartition(".")
        if receiver in values.MACHINE:
            return text_method(Opaque(receiver), method, list(arguments), function.text)
        shown = ", ".join(repr(each) if isinstance(each, str) else values.text_of(each) for each in arguments)
        return values.opaque(f"{function.text}({shown})")

    def _method(
        self, node: ast.Call, method: Method, arguments: list[Cases], names: dict[str, Cases], state: State
    ) -> Cases:
        value, name = method.value, method.name
        if isinstance(value, EnvironmentDict):
            return self._environment_method(node, name, arguments, state)
        if isinstance(value, OpenFile) or name == "write_text":
            file = value.path if isinstance(value, OpenFile) else values.text_of(value)
            return self._file_method(node, file, name, arguments, state)
        if isinstance(value, Table) and name in ("items", "keys", "values", "get"):
            return values.combine(lambda *plain: _table_method(value, name, plain), arguments, state.path)
        if name == "format" and isinstance(value, str | values.Template):
            keys = list(names)
            return values.combine(
                lambda *plain: braces(str(value), list(plain[: len(arguments)]),
                                      dict(zip(keys, plain[len(arguments) :], strict=True))),
                [*arguments, *names.values()], state.path,
            )  # fmt: skip
        source = ast.unparse(node)
        return values.combine(lambda *plain: text_method(value, name, list(plain), source), arguments, state.path)

    def _environment_method(self, node: ast.Call, name: str, arguments: list[Cases], state: State) -> Cases:
        if name == "copy":
            return values.always(EnvironmentDict())
        if name in ("get", "setdefault", "pop") and arguments:
            return self._get(node, arguments, state)
        return values.always(_unknown(node))

    def _get(self, node: ast.Call, arguments: list[Cases], state: State) -> Cases:
        missing = arguments[1] if len(arguments) > 1 else values.NOTHING
        return values.combine(lambda key: self.environment(key, node.lineno, state, missing), arguments[:1], state.path)

    def _file_method(self, node: ast.Call, file: str, name: str, arguments: list[Cases], state: State) -> Cases:
        if name in ("write", "write_text", "writelines") and arguments:
            self._write(node, file, arguments[0], state)
            return values.NOTHING
        return values.always(OpenFile(file) if name == "open" else _unknown(node))

    def _print(self, node: ast.Call, arguments: list[Cases], names: dict[str, Cases], state: State) -> None:
        """``print(..., file = f)`` writes a line."""
        for _, file in names.get("file", values.NOTHING):
            if isinstance(file, OpenFile):
                line = values.combine(lambda *plain: values.joined(" ", plain), arguments, state.path)
                self._write(node, file.path, line, state)

    # ----------------------------------------------------------------------------------------------- operators
    def _binop(self, node: ast.BinOp, state: State) -> Cases:
        source = ast.unparse(node)
        operands = [self.value(node.left, state), self.value(node.right, state)]
        return values.combine(lambda left, right: binary(node.op, left, right, source), operands, state.path)

    def _boolop(self, node: ast.BoolOp, state: State) -> Cases:
        """``a or b`` is a where a is true; b is looked at only where it is not. ``and`` the other way round."""
        path, found = state.path, list[tuple[Guard, object]]()
        for each in node.values[:-1]:
            value = self.value(each, state)
            yes, no = self.sides(value, state)
            done, on = (yes, no) if isinstance(node.op, ast.Or) else (no, yes)
            found += [(guard.also(done), plain) for guard, plain in value]
            state.path = state.path.also(on)
            if not state.path.ways:
                break
        else:
            last = self.value(node.values[-1], state)
            found += [(guard.also(state.path.within(path)), plain) for guard, plain in last]
        state.path = path
        return values.merged(found)

    def _unaryop(self, node: ast.UnaryOp, state: State) -> Cases:
        value = self.value(node.operand, state)
        if isinstance(node.op, ast.Not):
            return negated(values.combine(values.truth, [value], state.path))

        def read(each: object) -> object:
            return -each if isinstance(node.op, ast.USub) and isinstance(each, int | float) else each

        return values.combine(read, [value], state.path)

    def _compare(self, node: ast.Compare, state: State) -> Cases:
        def read(*plain: object) -> object:
            if len(plain) > 2:
                return values.EITHER
            left, right = plain
            if isinstance(right, EnvironmentDict) and isinstance(node.ops[0], ast.In | ast.NotIn):
                found = self.environment(left, node.lineno, state, values.NOTHING)
                wanted = isinstance(node.ops[0], ast.In)
                return Cases((guard, (value is not None) is wanted) for guard, value in found)
            return compare(node.ops[0], left, right)

        return values.combine(read, [self.value(each, state) for each in (node.left, *node.comparators)], state.path)

    def _ifexp(self, node: ast.IfExp, state: State) -> Cases:
        yes, no = self.condition(node.test, state)
        path, found = state.path, list[tuple[Guard, object]]()
        for guard, branch in ((yes, node.body), (no, node.orelse)):
            state.path = path.also(guard)
            if state.path.ways:
                found += [(guard.also(inner), plain) for inner, plain in self.value(branch, state)]
        state.path = path
        return values.merged(found)

    # ------------------------------------------------------------------------------------------------- displays
    def _tuple(self, node: ast.Tuple | ast.List | ast.Set, state: State) -> Cases:
        items = [self.value(each, state) for each in node.elts if not isinstance(each, ast.Starred)]
        return values.combine(lambda *plain: plain, items, state.path)

    _list = _set = _tuple

    def _dict(self, node: ast.Dict, state: State) -> Cases:
        keys = [self.value(each, state) for each in node.keys if each is not None]
        found = [self.value(value, state) for key, value in zip(node.keys, node.values, strict=True) if key is not None]
        return values.combine(
            lambda *plain: Table(tuple(zip(plain[: len(keys)], plain[len(keys) :], strict=True))),
            [*keys, *found], state.path,
        )  # fmt: skip

    def _joinedstr(self, node: ast.JoinedStr, state: State) -> Cases:
        parts = [
            self.value(each.value if isinstance(each, ast.FormattedValue) else each, state) for each in node.values
        ]
        return values.combine(lambda *plain: values.joined("", plain), parts, state.path)

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp, state: State) -> Cases:
        """One ``for`` over a known list; anything else is unknown."""
        first = node.generators[0]
        items = self.value(first.iter, state).only
        if (
            len(node.generators) > 1
            or first.ifs
            or not isinstance(items, tuple)
            or not isinstance(first.target, ast.Name)
        ):
            return values.always(items if isinstance(items, UserInput) else _unknown(node))
        inner = State(state.path, dict(state.locals), state.globals, state.environment)
        found: list[Cases] = []
        for item in items:
            inner.locals[first.target.id] = values.always(item)
            found.append(self.value(node.elt, inner))
        return values.combine(lambda *plain: plain, found, state.path)

    _generatorexp = _listcomp

    def _lambda(self, node: ast.Lambda, state: State) -> Cases:
        return values.always(Function(node, {}, state.locals))


def _given_or_unknown(value: object, node: ast.expr) -> object:
    """A part of an answer is the answer's; of anything else it is unknown."""
    return value if isinstance(value, UserInput) else _unknown(node)


def _unknown(node: ast.expr) -> Opaque:
    """An unknown value, by its source."""
    return values.opaque(ast.unparse(node))


def _table_method(table: Table, name: str, arguments: tuple[object, ...]) -> object:
    if name == "items":
        return table.entries
    if name == "get":
        missing = arguments[1] if len(arguments) > 1 else None
        return next((value for key, value in table.entries if arguments and key == arguments[0]), missing)
    return tuple(entry[0 if name == "keys" else 1] for entry in table.entries)
