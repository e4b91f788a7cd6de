"""``Record``: ``typing.NamedTuple``, for modules that are imported before anything heavy is.

Importing typing takes 9 ms and dataclasses 15 ms, of the 60 that an answer from a kept graph may take; ``collections``
and the thirty named tuples that a ``why`` goes through take 6 more. Whoever checks types sees ``NamedTuple`` itself;
what runs is a class that is made at once, and a constructor that is compiled when the first value is made.

>>> class Place(Record):
...     path: str
...     line: int = 0
>>> Place("a/BUILD"), Place("a/BUILD", 3).line, Place("a/BUILD")._replace(line=2), Place._fields
(Place(path='a/BUILD', line=0), 3, Place(path='a/BUILD', line=2), ('path', 'line'))
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any
    from typing import NamedTuple as Record
else:
    from _collections import _tuplegetter  # what collections.namedtuple uses

    _new = tuple.__new__

    class _Making(type):
        """What a class body becomes that is based on ``Record``."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            names = tuple(body.setdefault("__annotations__", {}))
            defaults = {each: body[each] for each in names if each in body}
            methods = {key: value for key, value in vars(Record).items() if key in _METHODS}
            fields = {each: _tuplegetter(at, f"Field {at} of the tuple") for at, each in enumerate(names)}
            of_tuple = {"__slots__": (), "_fields": names, "_field_defaults": defaults, "__match_args__": names}
            made = type(name, (tuple,), {**methods, **of_tuple, **body, **fields})
            made.__new__ = _constructor(made, names, defaults)
            return made

    def _constructor(made: type, names: tuple[str, ...], defaults: dict[str, object]) -> Callable[..., Any]:
        """What makes a value, itself made when the first is."""

        def __new__(cls: type, *given: object, **named: object) -> Any:
            listed = ", ".join(names)
            construct = eval(f"lambda _cls, {listed}: _new(_cls, ({listed},))", {"_new": _new, "__builtins__": {}})
            construct.__name__, construct.__defaults__ = "__new__", tuple(defaults.values())
            construct.__qualname__, construct.__module__ = f"{made.__qualname__}.__new__", made.__module__
            made.__new__ = construct
            return construct(cls, *given, **named)

        return __new__

    class Record(metaclass=_Making):
        """The base of classes of plain fields, which are named tuples."""

        @classmethod
        def _make(cls, values: Iterable[object]) -> Any:
            """A value of these fields."""
            made = _new(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **values: object) -> Any:
            """The same with other values of some fields."""
            made = self._make(map(values.pop, self._fields, self))
            if values:
                raise ValueError(f"Got unexpected field names: {list(values)!r}")
            return made

        __replace__ = _replace

        def _asdict(self) -> dict[str, object]:
            """The fields by name."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self) -> tuple[object, ...]:
            return tuple(self)

    _METHODS = ("_make", "_replace", "__replace__", "_asdict", "__repr__", "__getnewargs__")


__all__ = ["Record"]
