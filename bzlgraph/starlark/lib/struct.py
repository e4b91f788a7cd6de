"""``struct(a = 1, ...)``: an immutable record. Equal by fields, hashable if its fields are.

>>> struct(b = 1, a = "x").to_repr()
'struct(a = "x", b = 1)'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.equality import equals
from bzlgraph.starlark.evaluation.budget import LOOK, charge
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import freeze, hash_key


class Namespace(Value):
    """A fixed set of names with a dot before them: ``json``, ``native``, ``attr``."""

    __slots__ = ("fields",)

    def __init__(self, fields: Mapping[str, object]) -> None:
        self.fields = fields

    def get_attr(self, name: str) -> object:
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(name) from None

    def attr_names(self) -> Iterable[str]:
        return self.fields


class Struct(Namespace):
    """A record with ``fields`` (sorted by name when shown); ``provider`` is what made it, if not ``struct``.

    Structs of different providers are never equal, and cannot be added.
    """

    __slots__ = ()
    type_name = "struct"
    provider: object = None

    def with_fields(self, fields: Mapping[str, object]) -> Struct:
        """A struct of the same kind."""
        return type(self)(fields)

    def to_repr(self) -> str:
        charge(2 * LOOK * (len(self.fields) + 1))
        inside = ", ".join(f"{name} = {to_repr(self.fields[name])}" for name in sorted(self.fields))
        return f"{self.type_name}({inside})"

    def freeze(self) -> None:
        for value in self.fields.values():
            freeze(value)

    def binary(self, op: str, other: object, reflected: bool) -> object:
        """Old Bazels add structs."""
        if op != "+" or reflected or not isinstance(other, Struct) or other.provider is not self.provider:
            return NotImplemented
        common = sorted(self.fields.keys() & other.fields.keys())
        if common:
            raise EvalError(f"cannot add struct instances with common field '{common[0]}'")
        return self.with_fields({**self.fields, **other.fields})

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Struct) or other.provider is not self.provider:
            return False
        if self.fields.keys() != other.fields.keys():
            return False
        charge(2 * LOOK * (len(self.fields) + 1))
        return all(equals(value, other.fields[name]) for name, value in self.fields.items())

    def __hash__(self) -> int:
        charge(2 * LOOK * (len(self.fields) + 1))
        return hash(tuple((name, hash_key(self.fields[name])) for name in sorted(self.fields)))


@builtin("struct")
def struct(**kwargs: object) -> Struct:
    """An immutable record of the named arguments."""
    return Struct(kwargs)
