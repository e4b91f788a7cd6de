"""``Record``: ``typing.NamedTuple``, for modules that are imported before anything heavy is.

Importing typing takes 9 ms and dataclasses 15 ms, of the 60 that an answer from a kept graph may take. Whoever checks
types sees ``NamedTuple`` itself; what runs is ``collections.namedtuple`` with the fields that a class body annotates.

>>> class Place(Record):
...     path: str
...     line: int = 0
>>> Place("a/BUILD"), Place("a/BUILD", 3).line, Place._fields
(Place(path='a/BUILD', line=0), 3, ('path', 'line'))
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:
    _OF_THE_BODY = frozenset(("__annotations__", "__module__", "__qualname__"))

    class _Making(type):
        """What a class body becomes that is based on ``Record``."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body.get("__annotations__", {})
            defaults = [body[each] for each in fields if each in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            made.__annotations__ = fields
            made.__qualname__ = body["__qualname__"]
            for key in body.keys() - fields.keys() - _OF_THE_BODY:
                setattr(made, key, body[key])
            return made

    class Record(metaclass=_Making):
        """The base of classes of plain fields, which are named tuples."""


__all__ = ["Record"]
