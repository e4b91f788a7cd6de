"""Objects of the analysis phase (``cc_common``, ``CcInfo``, ...): there, so that .bzl files load, and without effect.

An inert object gives inert objects for its fields and its calls. A namespace with a known list of fields has those
and no others, so that ``hasattr(cc_common, "x")`` and ``getattr(cc_common, "x", None)`` answer as Bazel does. Names:
facts/builtins.json.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bzlgraph.facts import predeclared
from bzlgraph.facts.predeclared import Fields
from bzlgraph.starlark.value import Value

ANYTHING = Fields(frozenset(), True)


@dataclass(slots=True, eq=False)
class Inert(Value):
    """An object of the analysis phase, by its dotted name. Equal by name, so that it can be a key where Bazel's can."""

    type_name: ClassVar[str] = "Provider"
    name: str
    fields: Fields = ANYTHING
    given: Mapping[str, object] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inert) and other.name == self.name

    def hashable(self) -> bool:
        return self.name not in predeclared.no_keys()

    def __call__(self, *args: object, **kwargs: object) -> Inert:
        return Inert(f"{self.name}()")

    def get_attr(self, name: str) -> object:
        if name in self.given:
            return self.given[name]
        if name not in self.fields.names and not self.fields.open:
            raise AttributeError(name)
        return Inert(f"{self.name}.{name}")

    def attr_names(self) -> Iterable[str]:
        return self.fields.names | self.given.keys()

    def get_index(self, key: object) -> Inert:
        return Inert(f"{self.name}[...]")

    def iterate(self) -> Iterable[object]:
        return ()

    def length(self) -> int:
        return 0

    def contains(self, item: object) -> bool:
        return False

    def binary(self, op: str, other: object, reflected: bool) -> object:
        """``CcInfo in x`` and the like never matter here; anything else with an inert object is inert."""
        return (op == "not in") if op in ("in", "not in") else Inert(f"{self.name} {op} ...")

    def to_repr(self) -> str:
        return f"<{self.name}>"


def inert_names(given: dict[str, dict[str, object]], absent: Mapping[str, frozenset[str]]) -> dict[str, object]:
    """All inert globals; ``given`` are fields of namespaces that do mean something here, ``absent`` those that this
    Bazel has not."""
    found: dict[str, object] = {name: Inert(name) for name in predeclared.inert_globals()}
    fixed = predeclared.constants()
    for name, fields in predeclared.namespaces().items():
        own = {dotted.rpartition(".")[2]: value for dotted, value in fixed.items() if dotted.startswith(f"{name}.")}
        fields = fields._replace(names=fields.names - absent.get(name, frozenset()))
        known = {key: value for key, value in given.get(name, {}).items() if key in fields.names}
        found[name] = Inert(name, fields, {**own, **known})
    found.update({name: value for name, value in fixed.items() if "." not in name})
    return found
