"""Problems: an exception that left generated code -> EvalProblem with Starlark's words, location and call stack.

Our own helpers raise ``EvalError``. Generated code also fails natively (a call with wrong arguments, a name used before
it is assigned): those messages are Python's, and are worded again here. Anything else is a bug of ours and says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import FrameType, FunctionType, TracebackType

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import EvalProblem
from bzlgraph.base.span import Frame, Location
from bzlgraph.starlark.evaluation.budget import OverBudget, exhausted
from bzlgraph.starlark.evaluation.callstack import MARK, from_traceback, start_of
from bzlgraph.starlark.value import EvalError, Value

INTERNAL = "internal error: "
"""How the message of a bug of ours begins."""


def problem_from(error: Exception) -> EvalProblem:
    """The problem to show for an exception raised during an evaluation."""
    stack = from_traceback(error.__traceback__).frames()
    if isinstance(error, EvalError) and stack:
        stack = _moved(error, stack)
    message, hint = words_of(error)
    if isinstance(error, TypeError):
        stack = _with_callee(error, stack)
    location = stack[0].location if stack else None
    return EvalProblem(Diagnostic(message, location=location, hint=hint, stack=stack))


def is_bug(problem: EvalProblem) -> bool:
    """Whether it is a bug of ours."""
    return problem.diagnostic.message.startswith(INTERNAL)


def _moved(error: EvalError, stack: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """The stack with the innermost location corrected, for errors that know better."""
    location = stack[0].location
    if error.place is not None:
        location = location._replace(line=error.place[0], column=error.place[1])
    elif error.at_start:
        code, lasti = from_traceback(error.__traceback__).entries[0]
        location = start_of(code, lasti)
    return (stack[0]._replace(location=location), *stack[1:])


def _with_callee(error: TypeError, stack: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Bazel counts a function that refused its arguments as called: its frame stands at its ``def``."""
    match = re.match(_CALLEE, str(error))
    frame = _innermost_frame(error.__traceback__)
    if match is None or frame is None or match[1][0] in ".:":
        return stack
    function = _find_function(match[1], frame)
    if function is None:
        return stack
    program = function.__globals__[MARK].program
    line = function.__code__.co_firstlineno
    column = next((column for at, column in program.functions if at == line), 1)
    return (Frame(_function(match), Location(program.path, line, column)), *stack)


def _innermost_frame(traceback: TracebackType | None) -> FrameType | None:
    """The frame that raised, if it runs generated code."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    frame = None if traceback is None else traceback.tb_frame
    return frame if frame is not None and MARK in frame.f_globals else None


def _find_function(qualname: str, frame: FrameType) -> FunctionType | None:
    """The Starlark function of this name that the frame could have called."""
    candidates: list[object] = [*frame.f_locals.values(), *frame.f_globals.values()]
    for value in candidates:
        if type(value) is FunctionType and value.__qualname__ == qualname and MARK in value.__globals__:
            return value
    return None


def words_of(error: Exception) -> tuple[str, str | None]:
    """The message of an exception in Starlark's words, and a hint."""
    if isinstance(error, (EvalError, OverBudget)):
        return error.message, error.hint
    if isinstance(error, RecursionError):
        return "Starlark stack overflow: calls or values are nested too deeply", None
    if isinstance(error, MemoryError):
        over = exhausted()
        return over.message, over.hint
    text = str(error)
    ours = isinstance(error, NameError) and _innermost_frame(error.__traceback__) is None
    for kind, pattern, word in _NATIVE:
        if isinstance(error, kind) and not ours:
            match = re.search(pattern, text)
            if match:
                return word(match), None
    return f"{INTERNAL}{type(error).__name__}: {text}", "this is a bug in bzlgraph; please report it"


def _before_assignment(scope: str) -> Callable[[re.Match[str]], str]:
    return lambda match: f"{scope} variable '{plain_name(match[1])}' is referenced before assignment."


def plain_name(name: str) -> str:
    """A generated name as the file has it."""
    return name.rpartition("$")[2]


def _function(match: re.Match[str]) -> str:
    """``outer.<locals>.inner``, ``:len`` or ``.append`` -> the bare name"""
    return plain_name(match[1].rpartition(".")[2].lstrip(":")).replace("<lambda>", "lambda")


def _missing(match: re.Match[str]) -> str:
    names = re.findall(r"'([^']*)'", match[4])
    by_name = "named" if match[1][0] in ".:" else "keyword-only"  # of functions of Bazel, and of Starlark
    kind = by_name if match[3] == "keyword-only" else "positional"
    plural = "s" if len(names) > 1 else ""
    return f"{_function(match)}() missing {len(names)} required {kind} argument{plural}: {', '.join(names)}"


def _too_many(match: re.Match[str]) -> str:
    receiver = match[1].startswith(".")
    wanted, got = int(match[2].split()[-1]) - receiver, int(match[3]) - receiver
    if not wanted:
        if match[1][0] in ".:":
            return f"{_function(match)}() got unexpected positional argument"
        return f"{_function(match)}() does not accept positional arguments, but got {got}"
    plural = "" if wanted == 1 else "s"
    return f"{_function(match)}() accepts no more than {wanted} positional argument{plural} but got {got}"


def _unexpected(match: re.Match[str]) -> str:
    hint = f" (did you mean '{match[3]}'?)" if match[3] else ""
    if match[1][0] in ".:":
        return f"{_function(match)}() got unexpected keyword argument '{match[2]}'{hint}"
    return f"{_function(match)}() got unexpected keyword argument: {match[2]}{hint}"


def _repeated(match: re.Match[str]) -> str:
    return f"{_function(match)}() got multiple values for parameter '{match[2]}'"


def _repeated_of_value(match: re.Match[str]) -> str:
    """Of a callable that is no function Python tells its ``repr()`` only."""
    return f"got multiple values for parameter '{match[1]}'"


def _positional_only(match: re.Match[str]) -> str:
    return f"{_function(match)}() got named argument for positional-only parameter '{match[2]}'"


_TYPE_NAMES = {"str": "string", "NoneType": "NoneType"}


def _not_callable(match: re.Match[str]) -> str:
    name = _type_of_class(match[1])
    for container in ("List", "Dict"):
        if name.endswith(container):
            name = container.lower()
    return f"'{_TYPE_NAMES.get(name, name)}' object is not callable"


def _type_of_class(name: str) -> str:
    """The Starlark type of values whose Python class has that name, which is all that Python's message says of them."""
    waiting: list[type[Value]] = [Value]
    while waiting:
        each = waiting.pop()
        if each.__name__ == name and isinstance(each.type_name, str):
            return each.type_name
        waiting += each.__subclasses__()
    return name


def _iteration(match: re.Match[str]) -> str:
    return "dict value is temporarily immutable due to active for-loop iteration"


_REPEATED = r"^<built-in (?:function|method) (\w+).*> got multiple values for keyword argument '([^']*)'"
_CALLEE = r"^([^()]+)\(\) "
_NATIVE: tuple[tuple[type[Exception], str, Callable[[re.Match[str]], str]], ...] = (
    (UnboundLocalError, r"local variable '([^']*)'", _before_assignment("local")),
    (NameError, r"free variable '([^']*)'", _before_assignment("local")),
    (NameError, r"name '([^']*)' is not defined", _before_assignment("global")),
    (TypeError, _CALLEE + r"missing (\d+) required (positional|keyword-only) arguments?: (.*)", _missing),
    (TypeError, _CALLEE + r"takes (.*?) positional arguments? but (\d+)", _too_many),
    (TypeError, _CALLEE + r"got an unexpected keyword argument '([^']*)'(?:\. Did you mean '([^']*)'\?)?", _unexpected),
    (
        TypeError,
        _CALLEE + r"got some positional-only arguments passed as keyword arguments: '([^']*)'",
        _positional_only,
    ),
    (TypeError, _CALLEE + r"got multiple values for (?:keyword )?argument '([^']*)'", _repeated),
    (TypeError, _REPEATED, _repeated),
    (TypeError, r"(?s)^.* got multiple values for keyword argument '([^']*)'$", _repeated_of_value),
    (TypeError, r"^'([^']*)' object is not callable", _not_callable),
    (OverflowError, r"too large to convert", lambda _match: "the integer is too large"),
    (RuntimeError, r"dictionary .*changed.* during iteration", _iteration),
)
