"""``Kinds`` and ``Flags``: ``enum.IntEnum`` and ``enum.IntFlag``, for modules imported before anything heavy is.

Importing enum takes 5 ms, of the 60 that an answer from a kept graph may take. Whoever checks types sees the classes of
enum; what runs are numbers that have names.

>>> class Size(Kinds):
...     SMALL = 0
...     LARGE = 1
>>> Size(1) is Size.LARGE, Size.LARGE.name, list(Size), Size["SMALL"] == 0
(True, 'LARGE', [<Size.SMALL: 0>, <Size.LARGE: 1>], True)
>>> class Mark(Flags):
...     OLD = 1
...     WIDE = 2
>>> Mark.OLD | Mark.WIDE, list(Mark(3)), Mark.WIDE in Mark.OLD, Mark(3) & 2
(<Mark.OLD|WIDE: 3>, [<Mark.OLD: 1>, <Mark.WIDE: 2>], False, <Mark.WIDE: 2>)
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import IntEnum as Kinds
    from enum import IntFlag as Flags
else:

    class _Making(type):
        """What a class body becomes: each number in it is a member, in the order of the body."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            numbers = {key: value for key, value in body.items() if type(value) is int and not key.startswith("_")}
            made = super().__new__(cls, name, bases, {**body, **numbers})
            made._members, made._known = {}, {}
            for key, number in numbers.items():
                member = made._known[number] = made._members[key] = int.__new__(made, number)
                member.name = key
                setattr(made, key, member)
            return made

        def __call__(cls, value: int) -> object:
            return cls._known[value] if value in cls._known else cls._other(value)

        def __getitem__(cls, name: str) -> object:
            return cls._members[name]

        def __iter__(cls) -> Iterator[object]:
            return iter(cls._members.values())

        def __len__(cls) -> int:
            return len(cls._members)

        def __contains__(cls, value: object) -> bool:
            return value in cls._known

    class Kinds(int, metaclass=_Making):
        """Numbers of which each has a name."""

        __str__ = int.__repr__

        @property
        def value(self) -> int:
            """The number itself."""
            return int(self)

        @classmethod
        def _other(cls, value: int) -> object:
            raise ValueError(f"{value!r} is not a valid {cls.__name__}")

        def __repr__(self) -> str:
            return f"<{type(self).__name__}{f'.{self.name}' if self.name else ''}: {int(self)}>"

        def __reduce_ex__(self, _: int) -> tuple[type, tuple[int]]:
            return type(self), (int(self),)

    class Flags(Kinds):
        """Numbers of which each is one bit; and all sets of them."""

        @classmethod
        def _other(cls, value: int) -> object:
            made = cls._known[value] = int.__new__(cls, value)
            made.name = "|".join(each.name for each in made) or None
            return made

        def __iter__(self) -> Iterator[object]:
            return (each for each in type(self) if each & int(self))

        def __contains__(self, other: int) -> bool:
            return int(self) & other == other

        def __or__(self, other: int) -> object:
            return type(self)(int(self) | int(other))

        def __and__(self, other: int) -> object:
            return type(self)(int(self) & int(other))

        def __xor__(self, other: int) -> object:
            return type(self)(int(self) ^ int(other))

        def __invert__(self) -> object:
            return type(self)(sum(type(self)) & ~int(self))

        __ror__, __rand__, __rxor__ = __or__, __and__, __xor__


__all__ = ["Flags", "Kinds"]
