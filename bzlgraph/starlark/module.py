"""Module: a program with its globals. Running it is the evaluation of one file.

>>> from bzlgraph.starlark.compile import compile_file
>>> from bzlgraph.starlark.evaluation.thread import Thread
>>> from bzlgraph.starlark.universe import UNIVERSE
>>> from bzlgraph.syntax import BZL, parse
>>> program = compile_file(parse("x = len('abc')", "f.bzl", BZL), BZL, UNIVERSE)
>>> dict(execute(program, UNIVERSE, Thread()).globals)
{'x': 3}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import EvalProblem
from bzlgraph.starlark.evaluation.callstack import MARK, forget
from bzlgraph.starlark.evaluation.program import Program
from bzlgraph.starlark.evaluation.thread import Thread
from bzlgraph.starlark.ops.pure import FROZEN, Candidate, variable_of
from bzlgraph.starlark.ops.table import DISPATCHERS, HELPERS
from bzlgraph.starlark.values import freeze

_RUNTIME: dict[str, object] = {**HELPERS, **DISPATCHERS}


class Module:
    """The globals of one file, also of one that failed half-way.

    ``predeclared`` holds everything the file may use without binding it, the universe included; it is not copied
    name by name but kept as the builtins of the generated code. ``origin`` is what functions print as their home.
    """

    def __init__(self, program: Program, predeclared: Mapping[str, object], origin: str | None = None) -> None:
        self.program = program
        self._variables: dict[str, object] = {
            "__builtins__": environment(predeclared),
            "__name__": program.path,
            MARK: self,
            "$origin": origin,
            FROZEN: False,
            **{f"$r{index}": [0] for index in range(program.marks)},
        }
        for line, names in program.candidates:
            self._variables[variable_of(line)] = Candidate(names, self._variables)

    @property
    def globals(self) -> dict[str, object]:
        """The names bound so far, in file order of their first binding; loaded names are not among them."""
        variables = self._variables
        return {name: variables[key] for name, key in self.program.globals if key in variables}

    @property
    def loaded(self) -> dict[str, object]:
        """The names bound by load statements so far: old Bazels let others load them from here."""
        variables = self._variables
        names = [local for load in self.program.loads for local, _original in load.bindings]
        keys = {name: name if name in variables else f"$g${name}" for name in names}
        return {name: variables[key] for name, key in keys.items() if key in variables}

    def run(self, thread: Thread, rest: Program | None = None) -> None:
        """Evaluate the file, or only the ``rest`` of it; EvalProblem when it fails.

        Tells values that want to know the name they got; they may refuse it.
        """
        try:
            thread.run(exec, (rest or self.program).code, self._variables)
        finally:
            refused = list(self._export())
        if refused:
            raise EvalProblem(refused)

    def bind_early(self, values: Mapping[str, object]) -> None:
        """Before it runs: globals that other code has bound already, by name."""
        self._variables.update((key, values[name]) for name, key in self.program.globals if name in values)

    def bind_missing(self, value: Callable[[str], object]) -> None:
        """After a failure: ``value(name)`` for every global that has none yet; a later statement may still bind it."""
        for name, key in self.program.globals:
            if key not in self._variables:
                self._variables[key] = value(name)

    def _export(self) -> Iterator[Diagnostic]:
        path = self.program.path
        for name, value in self.globals.items():
            export = getattr(value, "export", None)
            if export is not None:
                try:
                    export(path, name)
                except EvalProblem as problem:
                    yield from problem.diagnostics

    def freeze(self) -> None:
        """Make all globals, and what is reachable from them, immutable."""
        for value in self.globals.values():
            freeze(value)
        self._variables[FROZEN] = True

    def close(self) -> None:
        """Nothing of the file runs any more: let its globals and its code go, which no collector has to look for."""
        self._variables = {}
        forget(self.program.code)


_ENVIRONMENTS = 4
"""So many are remembered: most files of a workspace may use the same names."""
_environments: list[tuple[Mapping[str, object], dict[str, object]]] = []


def environment(predeclared: Mapping[str, object]) -> dict[str, object]:
    """Predeclared names and our helpers in one dict: the ``__builtins__`` of generated code, which cannot change it."""
    for known, made in _environments:
        if known is predeclared:
            return made
    made = {**predeclared, **_RUNTIME}
    _environments.insert(0, (predeclared, made))
    del _environments[_ENVIRONMENTS:]
    return made


def execute(program: Program, predeclared: Mapping[str, object], thread: Thread, origin: str | None = None) -> Module:
    """Run a program in a new module."""
    module = Module(program, predeclared, origin)
    module.run(thread)
    return module
