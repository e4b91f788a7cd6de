"""Problems: an exception that left generated code -> EvalProblem with Starlark's words, location and call stack.

Our own helpers raise ``EvalError``. Generated code also fails natively (a call with wrong arguments, a name used before
it is assigned): those messages are Python's, and are worded again here. Anything else is a bug of ours and says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import EvalProblem
from bzlgraph.starlark.callstack import from_traceback
from bzlgraph.starlark.value import EvalError


def problem_from(error: Exception) -> EvalProblem:
    """The problem to show for an exception raised during an evaluation."""
    stack = from_traceback(error.__traceback__).frames()
    if isinstance(error, EvalError) and error.place and stack:
        moved = stack[0].location._replace(line=error.place[0], column=error.place[1])
        stack = (stack[0]._replace(location=moved), *stack[1:])
    location = stack[0].location if stack else None
    message, hint = _words(error)
    return EvalProblem(Diagnostic(message, location=location, hint=hint, stack=stack))


def _words(error: Exception) -> tuple[str, str | None]:
    if isinstance(error, EvalError):
        return error.message, error.hint
    if isinstance(error, RecursionError):
        return "the call stack or a value is nested too deeply", None
    if isinstance(error, MemoryError):
        return "out of memory", None
    text = str(error)
    for kind, pattern, word in _NATIVE:
        if isinstance(error, kind):
            match = re.search(pattern, text)
            if match:
                return word(match), None
    return f"internal error: {type(error).__name__}: {text}", "this is a bug of bzlgraph; please report it"


def _before_assignment(scope: str) -> Callable[[re.Match[str]], str]:
    return lambda match: f"{scope} variable '{plain_name(match[1])}' is referenced before assignment"


def plain_name(name: str) -> str:
    """A generated name as the file has it."""
    return name.rpartition("$")[2]


def _function(match: re.Match[str]) -> str:
    """``outer.<locals>.inner`` -> ``inner``"""
    return match[1].rpartition(".")[2].replace("<lambda>", "lambda")


def _missing(match: re.Match[str]) -> str:
    names = re.findall(r"'([^']*)'", match[4])
    kind = "named argument" if match[3] == "keyword-only" else "positional argument"
    return f"{_function(match)}() missing {len(names)} required {kind}{'s'[: len(names) > 1]}: {', '.join(names)}"


def _too_many(match: re.Match[str]) -> str:
    receiver = match[1].startswith(".")
    wanted, got = int(match[2].split()[-1]) - receiver, int(match[3]) - receiver
    if not wanted:
        got_text = "" if receiver else f", but got {got}"
        return f"{_function(match)}() does not accept positional arguments{got_text}"
    plural = "" if wanted == 1 else "s"
    return f"{_function(match)}() accepts no more than {wanted} positional argument{plural} but got {got}"


def _unexpected(match: re.Match[str]) -> str:
    hint = f" (did you mean '{match[3]}'?)" if match[3] else ""
    return f"{_function(match)}() got unexpected keyword argument: {match[2]}{hint}"


_PYTHON_TYPES = {"str": "string", "List": "list", "FrozenList": "list", "LockedList": "list"}


def _not_callable(match: re.Match[str]) -> str:
    name = match[1]
    if name.endswith(("Dict",)):
        name = "dict"
    return f"'{_PYTHON_TYPES.get(name, name)}' object is not callable"


_CALLEE = r"^([^()]+)\(\) "
_NATIVE: tuple[tuple[type[Exception], str, Callable[[re.Match[str]], str]], ...] = (
    (UnboundLocalError, r"local variable '([^']*)'", _before_assignment("local")),
    (NameError, r"free variable '([^']*)'", _before_assignment("local")),
    (NameError, r"name '([^']*)' is not defined", _before_assignment("global")),
    (TypeError, _CALLEE + r"missing (\d+) required (positional|keyword-only) arguments?: (.*)", _missing),
    (TypeError, _CALLEE + r"takes (.*?) positional arguments? but (\d+)", _too_many),
    (
        TypeError,
        _CALLEE + r"got an unexpected keyword argument '([^']*)'(?:\. Did you mean '([^']*)'\?)?",
        _unexpected,
    ),
    (
        TypeError,
        _CALLEE + r"got some positional-only arguments passed as keyword arguments: '([^']*)'",
        lambda match: f"{_function(match)}() got named argument for positional-only parameter '{match[2]}'",
    ),
    (
        TypeError,
        _CALLEE + r"got multiple values for (?:keyword )?argument '([^']*)'",
        lambda match: f"{_function(match)}() got multiple values for parameter '{match[2]}'",
    ),
    (TypeError, r"^'([^']*)' object is not callable", _not_callable),
    (TypeError, r"keywords must be strings", lambda match: "keywords must be strings"),
)
