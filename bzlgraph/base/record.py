"""``Record``: ``typing.NamedTuple``, for modules that are imported before anything heavy is.

Importing typing takes 9 ms and dataclasses 15 ms, of the 60 that an answer from a kept graph may take. Whoever checks
types sees ``NamedTuple`` itself; what runs is what ``collections.namedtuple`` makes of the fields that a class body
annotates, without the text that this compiles for each class: that alone takes a third of its 0.1 ms.

>>> class Place(Record):
...     path: str
...     line: int = 0
>>> Place("a/BUILD"), Place("a/BUILD", 3).line, Place._fields
(Place(path='a/BUILD', line=0), 3, ('path', 'line'))
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]  # which namedtuple takes from there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FunctionType as Function
    from typing import Any
    from typing import NamedTuple as Record
else:
    _makers: dict[int, Function] = {}
    """A function that makes a tuple of so many values."""

    def _maker(fields: tuple[str, ...], defaults: tuple[object, ...], module: str) -> Function:
        """``__new__`` of a class with these fields: that of as many, with their names."""
        made = _makers.get(len(fields))
        if made is None:
            names = "".join(f", _{number}" for number in range(len(fields)))
            text = f"lambda _cls{names}: _new(_cls, ({names[2:]},))" if fields else "lambda _cls: _new(_cls, ())"
            made = _makers[len(fields)] = eval(text, {"_new": tuple.__new__})
        code = made.__code__.replace(co_varnames=("_cls", *fields), co_name="__new__", co_qualname="__new__")
        return type(made)(code, {"_new": tuple.__new__, "__name__": module}, "__new__", defaults)

    def _asdict(self: Any) -> dict[str, object]:
        return dict(zip(self._fields, self, strict=True))

    def _make(cls: Any, values: Iterable[object]) -> Any:
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"expected {len(cls._fields)} values, got {len(made)}")
        return made

    def _replace(self: Any, /, **changes: object) -> Any:
        made = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"no fields of these names: {list(changes)}")
        return made

    def _repr(self: Any) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({told})"

    def _as_tuple(self: Any) -> tuple[object, ...]:
        return tuple(self)

    _OF_ALL = {
        "__slots__": (),
        "__repr__": _repr,
        "__getnewargs__": _as_tuple,
        "_asdict": _asdict,
        "_make": classmethod(_make),
        "_replace": _replace,
    }
    """What named tuples have, whatever their fields are."""

    class _Making(type):
        """What a class body becomes that is based on ``Record``."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {each: body[each] for each in fields if each in body}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one that has one")
            return type(
                name,
                (tuple,),
                {
                    **_OF_ALL,
                    **body,
                    **{each: _tuplegetter(number, "") for number, each in enumerate(fields)},
                    "_fields": fields,
                    "_field_defaults": defaults,
                    "__match_args__": fields,
                    "__new__": _maker(fields, tuple(defaults.values()), str(body["__module__"])),
                },
            )

    class Record(metaclass=_Making):
        """The base of classes of plain fields, which are named tuples."""


__all__ = ["Record"]
