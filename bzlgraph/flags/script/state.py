"""Where a symbolic run is (the guard of the path taken, and what variables hold there), and what it saw on its way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bzlgraph.flags.script.guard import ASKED, NEVER, SET, Guard, variable
from bzlgraph.flags.script.values import Cases, UserInput, merged

Scope = dict[str, Cases]


@dataclass(slots=True)
class State:
    """Local variables, global ones, the environment as far as the script has set it, and the path that led here."""

    path: Guard
    locals: Scope
    globals: Scope
    environment: Scope = field(default_factory=dict)

    def fork(self, condition: Guard) -> State | None:
        """The state on one side of an ``if``, None when that side cannot be."""
        path = self.path.also(condition)
        if not path.ways:
            return None
        module = dict(self.globals)
        return State(path, module if self.locals is self.globals else dict(self.locals), module, dict(self.environment))

    def become(self, other: State) -> None:
        """Go on from another state; the scopes stay the same objects, as others hold them."""
        for mine, its in (
            (self.locals, other.locals), (self.globals, other.globals), (self.environment, other.environment)
        ):  # fmt: skip
            if mine is not its:
                mine.clear()
                mine.update(its)
        self.path = other.path


def join(states: Sequence[State], before: State) -> State | None:
    """The state after paths that met again; guards are told relative to the path ``before`` they parted."""
    if len(states) < 2:
        return states[0] if states else None
    path = NEVER
    for state in states:
        path = path.either(state.path)
    guards = [state.path.within(before.path) for state in states]
    module = _join_scopes([state.globals for state in states], guards)
    own = module if before.locals is before.globals else _join_scopes([state.locals for state in states], guards)
    environment = _join_scopes([state.environment for state in states], guards, as_found)
    return State(path, own, module, environment)


def as_found(name: str) -> Cases:
    """An environment variable that the script has not set: somebody has, or nobody."""
    return Cases(((variable(name, SET), UserInput(name)), (variable(name, ASKED), None)))


def _join_scopes(
    scopes: Sequence[Mapping[str, Cases]], guards: Sequence[Guard], unset: Callable[[str], Cases] | None = None
) -> Scope:
    """A variable that one side alone has set has no cases for the other, but for what ``unset`` says."""
    found: Scope = {}
    for name in dict.fromkeys(name for scope in scopes for name in scope):
        held = [scope.get(name) for scope in scopes]
        if held[0] is not None and held.count(held[0]) == len(held):  # one object: most are
            found[name] = held[0]
            continue
        values = [each or (unset(name) if unset else None) for each in held]
        found[name] = merged(
            (guard.also(inner), plain)
            for guard, value in zip(guards, values, strict=True)
            if value is not None
            for inner, plain in value
        )
    return found


@dataclass(frozen=True, slots=True)
class Question:
    """A question on the terminal: its text, the environment variable that answers it beforehand, and when it is asked.

    ``line`` is that of the call that names the variable.
    """

    variable: str
    text: str
    line: int
    guard: Guard


@dataclass(frozen=True, slots=True)
class Write:
    """A line that may be written to ``file``, and when."""

    file: str
    text: str
    line: int
    guard: Guard


@dataclass(slots=True)
class Transcript:
    """All of it. ``reads`` are the variables that are looked up, with the line of the first look-up; ``defaults`` what
    the asking function returns, per variable; ``incomplete`` says where the reading stopped, "" when it did not."""

    questions: list[Question] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
    reads: dict[str, int] = field(default_factory=dict)
    defaults: dict[str, Cases] = field(default_factory=dict)
    incomplete: str = ""
