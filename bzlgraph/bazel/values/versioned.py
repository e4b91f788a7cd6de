"""Functions of .bzl files whose parameters differ from one version of Bazel to the next.

``@versioned_builtin("aspect")`` -> as ``builtin``, but a call is refused when it names a parameter that the Bazel at
hand does not have, or gives one a value of a type that it does not take: a tree that needs a newer Bazel breaks there
as it does in Bazel. Values that are unknown, or of the analysis phase, pass, and sources of ours that stand for a file.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature

from bzlgraph.base.spell import nearest
from bzlgraph.bazel.context.scope import facts, in_stand_in
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.values.analysis_stubs import Inert
from bzlgraph.facts.names import Types, parameters
from bzlgraph.starlark.builtin import Builtin, builtin
from bzlgraph.starlark.evaluation.budget import charge
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import type_name

_WORDS = {"list": "sequence", "tuple": "sequence", "range": "sequence", "builtin_function_or_method": "function"}
"""What the messages about parameters call a type, where it is not its own name."""


def versioned_builtin(called: str) -> Callable[[Callable[..., object]], Builtin]:
    """Make a Python function a Starlark function; ``called`` has its namespace before its name (``attr.label``)."""
    name = called.rpartition(".")[2]

    def wrap(function: Callable[..., object]) -> Builtin:
        checked = builtin(name)(function)
        positional = tuple(signature(function).parameters)

        @wraps(function)
        def call(*args: object, **kwargs: object) -> object:
            here = facts()
            known = parameters(called, here.version, here.tolerant)
            for parameter, value in zip(positional, args, strict=False):
                if (types := known.get(parameter)) and not _takes(types, value) and not in_stand_in():
                    raise _unlike(name, parameter, value, types)
            for parameter, value in kwargs.items():
                types = known.get(parameter)
                if types == () or (types and _takes(types, value)) or in_stand_in():
                    if type(value) is range:
                        charge(len(value))
                        kwargs[parameter] = tuple(value)
                    continue
                if types is None:
                    raise _unexpected(called, parameter, nearest(parameter, known))
                raise _unlike(name, parameter, value, types)
            return checked(*args, **kwargs)

        return builtin(name)(call)

    return wrap


def _unlike(name: str, parameter: str, value: object, types: Types) -> EvalError:
    got = f"got value of type '{type_name(value)}', want '{_listed(types)}'"
    return EvalError(f"in call to {name}(), parameter '{parameter}' {got}")


def _unexpected(called: str, parameter: str, near: str | None) -> EvalError:
    name, here = called.rpartition(".")[2], facts()
    meant = f" (did you mean '{near}'?)" if near else ""
    elsewhere = parameter in parameters(called, here.version, tolerant=True)
    hint = f"Bazel {here.version} does not have it, others do (--bazel_version)" if elsewhere else None
    return EvalError(f"{name}() got unexpected keyword argument '{parameter}'{meant}", hint)


def _takes(types: Types, value: object) -> bool:
    if isinstance(value, Uncertain | Inert) or ("callable" in types and callable(value)):
        return True
    found = type_name(value)
    return _WORDS.get(found, found) in types


def _listed(types: Types) -> str:
    """As Bazel lists types.

    >>> _listed(("dict", "NoneType", "function")), _listed(("string", "NoneType"))
    ('dict, NoneType, or function', 'string or NoneType')
    """
    *first, last = types
    return f"{', '.join(first)}{',' * (len(first) > 1)} or {last}" if first else last
