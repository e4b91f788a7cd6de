"""The protocol of host values: what a Starlark value that is not a plain Python one must answer.

Plain values are Python's own: ``None``, ``bool``, ``int``, ``float``, ``str``, ``bytes``, ``tuple``; ``List`` and
``Dict`` are our subclasses of Python's (they know freezing and locks). Everything else that Starlark code can hold is a
``Value``. Operators, attributes and printing of the evaluator go through the methods below and nothing else: no Python
attribute is ever reachable from Starlark code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType
from typing import ClassVar, TypeVar

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import EvalProblem

T = TypeVar("T")
CONSTANTS = {"None": None, "True": True, "False": False}
"""The names that mean the same in every file and cannot be bound."""


class EvalError(EvalProblem):
    """Starlark code did something wrong; ``hint`` says what to do next.

    Raised without a location: ``Thread.run`` makes it an ``EvalProblem`` that has one, and the call stack. Where no
    evaluation is running (a package is being completed, a value printed) it is a problem of the user all the same.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(Diagnostic(message, hint=hint))
        self.message = message
        self.hint = hint
        self.place: tuple[int, int] | None = None
        self.at_start = False  # the error belongs to the start of the failing node: the dot of ``x.f()``

    def __str__(self) -> str:
        return self.message

    def at(self, place: tuple[int, int]) -> EvalError:
        """The same error at another line and column of the function that is running (long expressions only)."""
        self.place = place
        return self


class Value:
    """Base class of host values. Defaults: immutable, true, hashed and compared by identity, no attributes."""

    __slots__ = ()
    type_name: ClassVar[str] = "object"
    lacking: ClassVar[str] = "'{type}' value has no field or method '{name}'"
    """What is said of ``x.name`` where there is none."""
    methods: ClassVar[Mapping[str, Callable[..., object]]] = {}
    """Methods by name; each function takes ``self`` first. Found before ``get_attr`` is asked."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        for name, function in cls.__dict__.get("methods", {}).items():
            if isinstance(function, FunctionType):
                function.__qualname__ = f".{name}"  # see builtin.name_function

    def __bool__(self) -> bool:
        return self.truth()

    def get_attr(self, name: str) -> object:
        """The value of ``self.name``; raises AttributeError when there is none (the evaluator words the error)."""
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        """What ``dir()`` lists."""
        return ()

    def truth(self) -> bool:
        """``bool(self)``"""
        return True

    def hashable(self) -> bool:
        """Whether it may be a key of a dict, and in a depset."""
        return True

    def to_repr(self) -> str:
        """``repr(self)`` as Starlark prints it."""
        return f"<{self.type_name}>"

    def to_str(self) -> str:
        """``str(self)``"""
        return self.to_repr()

    def freeze(self) -> None:
        """Make this value and what it holds immutable."""

    def is_fixed(self) -> bool:
        """Whether it, with all that it holds, can never change, so that one may stand for any equal one."""
        return False

    def iterate(self) -> Iterable[object]:
        """The elements for ``for``, ``list()`` and the like."""
        raise EvalError(f"type '{self.type_name}' is not iterable")

    def unpack(self, count: int) -> Sequence[object]:
        """The elements for ``a, b = self`` (``count`` names): those of ``iterate`` unless the value knows better."""
        return list(self.iterate())

    def length(self) -> object:
        """``len(self)``: an int, or a value that stands for one."""
        raise EvalError(f"{self.type_name} is not iterable")

    def get_index(self, key: object) -> object:
        """``self[key]``; NotImplemented when there is no such operator."""
        return NotImplemented

    def set_index(self, key: object, value: object) -> None:
        """``self[key] = value``"""
        raise EvalError(f"can only assign an element in a dictionary or a list, not in a '{self.type_name}'")

    def contains(self, item: object) -> object:
        """``item in self``; NotImplemented when nothing can be in it."""
        return NotImplemented

    def binary(self, op: str, other: object, reflected: bool) -> object:
        """``self OP other`` (``other OP self`` when ``reflected``); NotImplemented when there is no such operation."""
        return NotImplemented

    def unary(self, op: str) -> object:
        """``-self``, ``+self``, ``~self``; NotImplemented when there is no such operation."""
        return NotImplemented

    def stand_in(self, kind: type[T]) -> T:
        """The plain ``kind`` (str, int) that a builtin takes in place of this value; NotImplemented: it refuses."""
        return NotImplemented  # type: ignore[no-any-return]

    def converted(self, function: str) -> object:
        """What ``int(self)``, ``list(self)`` and their like give; NotImplemented: what they give for any value."""
        return NotImplemented

    def discard(self) -> None:
        """The value came from a call that stands as a statement: it was made for what else it does."""

    def compare(self, op: str, other: object) -> object:
        """``self < other`` and friends (not ``==``); NotImplemented when unordered."""
        return NotImplemented

    # Values that can be called define ``__call__(self, *args, **kwargs)``; equality and hashing are Python's
    # ``__eq__``/``__hash__``; a value that may not be a dict key sets ``__hash__ = None``.
