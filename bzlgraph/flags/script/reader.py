"""The symbolic run: statements of a script, one path at a time, and the functions it enters.

``read(source)`` -> ``Transcript``. Statements give the state after them, None when nothing comes after (return, raise).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bzlgraph.flags.script import calls, values
from bzlgraph.flags.script.expressions import Expressions
from bzlgraph.flags.script.guard import ALWAYS, ASKED, ENTER, Guard
from bzlgraph.flags.script.state import Question, State, Transcript, Write, join
from bzlgraph.flags.script.values import Cases, EnvironmentDict, Function, Opaque, Template
from bzlgraph.python_source.syntax import imported_names, parameter_defaults, parameter_names, parse_any

MAX_STEPS = 20_000
MAX_DEPTH = 24
_MAX_LISTS = 6
_ENDS = frozenset({"sys.exit", "exit", "quit", "os._exit"})


class _BudgetSpent(Exception):
    """The budget of steps is spent."""


@dataclass(slots=True)
class _Call:
    """A function being run: where it was called, with what; the states at its ``return``s and in its loops."""

    line: int
    arguments: tuple[str, ...]
    returns: list[tuple[State, Cases]] = field(default_factory=list)
    breaks: list[list[State]] = field(default_factory=list)
    continues: list[list[State]] = field(default_factory=list)


def read(source: bytes) -> Transcript:
    """What a script asks and writes. Raises SyntaxError, ValueError, RecursionError or MemoryError for no Python."""
    reader = _Interpreter()
    module = parse_any(source)
    variables = {"__name__": values.always("__main__")}
    state = State(ALWAYS, variables, variables)
    try:
        reader.run(module.body, state)
        entry = state.globals.get("main")
        if not reader.entered and entry is not None and isinstance(entry.only, Function):
            reader.enter(_call_of(entry.only), entry.only, [], {}, state)
    except (_BudgetSpent, RecursionError):
        reader.transcript.incomplete = "the script is too long to be read to its end"
    return reader.transcript


def _call_of(function: Function) -> ast.Call:
    line = function.node.lineno
    name = ast.Name(function.name, ast.Load(), lineno=line, col_offset=0)
    return ast.Call(name, [], [], lineno=line, col_offset=0)


class _Interpreter:
    """Walks statements: ``_for`` walks an ``ast.For``, and so on; what has no such method does nothing."""

    def __init__(self) -> None:
        self.transcript = Transcript()
        self.entered = False
        self._calls: list[_Call] = [_Call(0, ())]
        self._steps = 0
        self._looked_up: dict[str, int] = {}
        self._expressions = Expressions(self.enter, self._ask, self._write, self._look_up)

    def run(self, statements: Sequence[ast.stmt], state: State) -> State | None:
        """Run statements one after another."""
        current: State | None = state
        for statement in statements:
            if current is None or not current.path.ways:
                return None
            self._steps += 1
            if self._steps > MAX_STEPS:
                raise _BudgetSpent
            do: Callable[..., State | None] | None = getattr(self, f"_{type(statement).__name__.lower()}", None)
            if do is not None:
                current = do(statement, current)
        return current

    # ---------------------------------------------------------------------------------------------- assignments
    def _assign(self, node: ast.Assign, state: State) -> State:
        value = self._expressions.value(node.value, state)
        for target in node.targets:
            self._bind(target, value, state)
        return state

    def _annassign(self, node: ast.AnnAssign, state: State) -> State:
        if node.value is not None:
            self._bind(node.target, self._expressions.value(node.value, state), state)
        return state

    def _augassign(self, node: ast.AugAssign, state: State) -> State:
        sum_of = ast.copy_location(ast.BinOp(_loading(node.target), node.op, node.value), node)
        self._bind(node.target, self._expressions.value(sum_of, state), state)
        return state

    def _bind(self, target: ast.expr, value: Cases, state: State) -> None:
        if isinstance(target, ast.Name):
            state.locals[target.id] = value
            if target.id in state.globals and _is_global(target.id, state):
                state.globals[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            for index, each in enumerate(target.elts):
                self._bind(each, values.combine(lambda plain, at=index: _item(plain, at), [value], state.path), state)
        elif isinstance(target, ast.Subscript):
            self._bind_item(target, value, state)

    def _bind_item(self, target: ast.Subscript, value: Cases, state: State) -> None:
        """``environ[key] = value``; other containers are left as they were."""
        container = self._expressions.value(target.value, state)
        key = self._expressions.value(target.slice, state).only
        if any(isinstance(plain, EnvironmentDict) for _, plain in container) and isinstance(key, str):
            state.environment[key] = value

    def _expr(self, node: ast.Expr, state: State) -> State | None:
        if isinstance(node.value, ast.Call):
            name = ast.unparse(node.value.func)
            if name in _ENDS:
                return None
            if isinstance(node.value.func, ast.Attribute) and node.value.func.attr in ("append", "extend"):
                return self._grow(node.value, node.value.func, state)
        self._expressions.value(node.value, state)
        return state if state.path.ways else None

    def _grow(self, node: ast.Call, function: ast.Attribute, state: State) -> State:
        """``names.append(x)``, ``names.extend(xs)``: a longer list."""
        if not isinstance(function.value, ast.Name) or len(node.args) != 1:
            return state
        added = node.args[0] if function.attr == "extend" else ast.Tuple([node.args[0]], ast.Load())
        total = ast.BinOp(_loading(function.value), ast.Add(), ast.copy_location(added, node))
        self._bind(function.value, self._expressions.value(ast.copy_location(total, node), state), state)
        return state

    # ------------------------------------------------------------------------------------------------- branches
    def _if(self, node: ast.If, state: State) -> State | None:
        yes, no = self._expressions.condition(node.test, state)
        return self._meet([self._branch(node.body, state, yes), self._branch(node.orelse, state, no)], state)

    def _branch(self, body: Sequence[ast.stmt], state: State, condition: Guard) -> State | None:
        side = state.fork(condition)
        return None if side is None else self.run(body, side)

    def _meet(self, ends: Sequence[State | None], state: State) -> State | None:
        """Go on after paths that met; the state keeps its scopes."""
        after = join([end for end in ends if end is not None], state)
        if after is None:
            return None
        state.become(after)
        return state

    def _for(self, node: ast.For, state: State) -> State | None:
        """Each item of a known list; an unknown one is walked once, or not at all. A range counts attempts: once."""
        call = self._calls[-1]
        call.breaks.append([])
        ends: list[State | None] = []
        attempts = isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) in ("range", "xrange")
        for guard, items in self._expressions.value(node.iter, state).items[:_MAX_LISTS]:
            start = state.fork(guard)
            if start is None:
                continue
            if not isinstance(items, tuple):
                ends.append(start.fork(ALWAYS) if not attempts else None)
            ends.append(
                self._rounds(node, start, (items[:1] if attempts else items) if isinstance(items, tuple) else (items,))
            )
        broken = call.breaks.pop()
        ended = join([each for each in ends if each is not None], state)
        if node.orelse and ended is not None:
            ended = self.run(node.orelse, ended)
        return self._meet([ended, *broken], state)

    def _rounds(self, node: ast.For, state: State, items: Sequence[object]) -> State | None:
        current: State | None = state
        for item in items:
            if current is None:
                break
            before = current
            self._calls[-1].continues.append([])
            self._bind(node.target, values.always(item), current)
            end = self.run(node.body, current)
            current = join([each for each in (end, *self._calls[-1].continues.pop()) if each is not None], before)
        return current

    def _while(self, node: ast.While, state: State) -> State | None:
        """Walked once; after it the condition is false."""
        call = self._calls[-1]
        yes, no = self._expressions.condition(node.test, state)
        call.breaks.append([])
        call.continues.append([])
        inside = state.fork(yes)
        end = None if inside is None else self.run(node.body, inside)
        rounds = [each for each in (end, *call.continues.pop()) if each is not None]
        broken = call.breaks.pop()
        ended = join(rounds, state)
        done = None if ended is None else ended.fork(self._expressions.condition(node.test, ended)[1])
        after = self._meet([state.fork(no), done, *broken], state)
        return after if after is not None else self._meet([ended], state)

    def _try(self, node: ast.Try, state: State) -> State | None:
        """What happens when nothing goes wrong."""
        after = self.run(node.body, state)
        after = None if after is None else self.run(node.orelse, after)
        return None if after is None else self.run(node.finalbody, after)

    def _with(self, node: ast.With, state: State) -> State | None:
        for item in node.items:
            value = self._expressions.value(item.context_expr, state)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, value, state)
        return self.run(node.body, state)

    # -------------------------------------------------------------------------------------------------- functions
    def _functiondef(self, node: ast.FunctionDef, state: State) -> State:
        defaults = {name: self._expressions.value(each, state) for name, each in parameter_defaults(node.args)}
        around = {} if state.locals is state.globals else state.locals
        state.locals[node.name] = values.always(Function(node, defaults, around))
        return state

    def enter(
        self, node: ast.Call, function: Function, arguments: list[Cases], names: dict[str, Cases], state: State
    ) -> Cases:
        """Run a function of the script where it is called; the state goes on behind it."""
        if len(self._calls) > MAX_DEPTH:
            return values.always(values.opaque(ast.unparse(node)))
        self.entered = True
        bound = {**function.defaults, **dict(zip(parameter_names(function.node.args), arguments, strict=False))}
        bound |= names
        shown = tuple(
            text
            for each in bound.values()
            for _, plain in each
            if isinstance(plain, str | Template)
            for text in [str(plain)]
        )
        inner = State(state.path, {**function.around, **bound}, state.globals, state.environment)
        call = _Call(node.lineno, shown)
        self._calls.append(call)
        try:
            if isinstance(function.node, ast.Lambda):
                return self._expressions.value(function.node.body, inner)
            end = self.run(function.node.body, inner)
        finally:
            self._calls.pop()
        if end is not None:
            call.returns.append((end, values.NOTHING))
        return self._leave(call, state)

    def _leave(self, call: _Call, state: State) -> Cases:
        """Join the ways out of a function: the state behind the call, and the value."""
        outer, path = state.locals, state.path
        ends = []
        for end, value in call.returns:
            module = state.globals is outer
            end.locals = end.globals if module else {**outer, _RETURNED: value}
            end.globals[_RETURNED] = value
            ends.append(end)
        after = join(ends, State(path, outer, state.globals, state.environment))
        if after is None:
            state.path = Guard(())
            return values.NOTHING
        value = after.globals.pop(_RETURNED)
        after.locals.pop(_RETURNED, None)
        state.become(after)
        state.globals.pop(_RETURNED, None)
        self._note_default(value)
        return value

    def _return(self, node: ast.Return, state: State) -> None:
        value = values.NOTHING if node.value is None else self._expressions.value(node.value, state)
        if state.path.ways:
            self._calls[-1].returns.append((state, value))

    def _raise(self, _node: ast.stmt, _state: State) -> None:
        return None

    def _break(self, _node: ast.stmt, state: State) -> None:
        if self._calls[-1].breaks:
            self._calls[-1].breaks[-1].append(state)

    def _continue(self, _node: ast.stmt, state: State) -> None:
        if self._calls[-1].continues:
            self._calls[-1].continues[-1].append(state)

    # ---------------------------------------------------------------------------------------------------- imports
    def _import(self, node: ast.Import | ast.ImportFrom, state: State) -> State:
        for name, dotted in imported_names(node, ()):
            state.locals[name] = values.always(EnvironmentDict() if dotted == calls.ENVIRONMENT else Opaque(dotted))
        return state

    _importfrom = _import

    # ----------------------------------------------------------------------------------------------------- events
    def _look_up(self, name: str, line: int) -> None:
        self.transcript.reads.setdefault(name, line)
        self._looked_up[name] = self._steps

    def _ask(self, node: ast.Call, question: Cases, state: State) -> Cases:
        """A question belongs to the variable whose absence led to it."""
        missing = [symbol[1:] for symbol, among in state.path.common().items()
                   if symbol.startswith("$") and among.values <= ASKED]  # fmt: skip
        if not missing:
            return values.always(values.opaque(ast.unparse(node)))
        name = max(missing, key=lambda each: self._looked_up.get(each, 0))
        line = self._line_naming(lambda argument: argument == name) or self.transcript.reads.get(name, node.lineno)
        for guard, text in question:
            asked = state.path.also(guard)
            if asked.ways:
                self.transcript.questions.append(Question(name, values.text_of(text), line, asked))
        return values.answer(name)

    def _note_default(self, value: Cases) -> None:
        """What the innermost asking function gives, for each variable that its cases are told by."""
        for each in {
            symbol[1:] for guard, _ in value for way in guard.ways for symbol in way if symbol.startswith("$")
        }:
            if any(question.variable == each for question in self.transcript.questions) and _says_default(value, each):
                self.transcript.defaults.setdefault(each, value)

    def _write(self, node: ast.Call, file: str, text: Cases, state: State) -> None:
        for guard, plain in text:
            when = state.path.also(guard)
            if not when.ways:
                continue
            for part in plain if isinstance(plain, tuple) else (plain,):
                for line in values.text_of(part).splitlines():
                    at = self._line_naming(_is_long_part_of(line))
                    self.transcript.writes.append(Write(file, line, at or node.lineno, when))

    def _line_naming(self, named: Callable[[str], bool]) -> int:
        """The line of the outermost call that was given such an argument, 0 when none was."""
        return next((call.line for call in self._calls if any(map(named, call.arguments))), 0)


def _is_long_part_of(line: str) -> Callable[[str], bool]:
    return lambda argument: len(argument) > 2 and argument in line


_RETURNED = "return"
"""A name no variable can have: the value of a function while its ways out are joined."""


def _loading(target: ast.expr) -> ast.expr:
    """A target of an assignment, to be read."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return target


def _is_global(name: str, state: State) -> bool:
    """A function that assigns to a name of the module says ``global``: taken for granted for ALL_CAPS names."""
    return state.locals is state.globals or name.lstrip("_").isupper()


def _item(value: object, index: int) -> object:
    """What a name of ``a, b = value`` gets."""
    if isinstance(value, tuple):
        return value[index] if index < len(value) else values.opaque(f"item {index}")
    return values.opaque(f"{value.text}[{index}]") if isinstance(value, Opaque) else value


def _says_default(value: Cases, name: str) -> bool:
    """Whether a value says what just Enter means."""
    return any(guard.states(f"${name}").allows(ENTER) and plain not in ("", None) for guard, plain in value)
