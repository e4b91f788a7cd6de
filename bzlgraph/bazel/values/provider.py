"""``provider()``: named structs that rules hand to each other.

``P = provider(fields = [...], init = f)`` -> ``Provider``; ``P(x = 1)`` -> ``ProviderInstance`` (of type "struct").
``provider(init = ...)`` gives the pair (provider, raw constructor).
Rules: https://bazel.build/rules/lib/globals/bzl#provider
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bzlgraph.bazel.context.contexts import Context
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.values.select import is_uncertain
from bzlgraph.bazel.values.struct_value import BazelStruct
from bzlgraph.bazel.values.versioned import versioned_builtin
from bzlgraph.starlark.builtin import Builtin
from bzlgraph.starlark.checks import wrong_type
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import freeze, type_name


@dataclass(slots=True, eq=False)
class Provider(Value):
    """A kind of provider. Called to make an instance; the key of ``target[P]`` and of ``providers = [P]``."""

    type_name: ClassVar[str] = "Provider"
    fields: frozenset[str] | None
    init: Any = None
    made: str = ""
    """The calls that made it, and how many its evaluation made before: what tells it from others before it has a name,
    and in other processes."""
    name: str = ""

    def export(self, _path: str, name: str) -> None:
        """The first global it is bound to names it."""
        self.name = self.name or name

    def __call__(self, *args: object, **kwargs: object) -> ProviderInstance:
        if self.init is None:
            if args:
                raise EvalError(f"{self.shown}: unexpected positional arguments", "name each field")
            return self.instance(kwargs)
        made = self.init(*args, **kwargs)
        if not isinstance(made, dict):
            raise EvalError(f"got {type_name(made)} for 'return value of provider init()', want dict")
        for key, value in made.items():
            if not isinstance(key, str | Uncertain):
                got = f"got dict<{type_name(key)}, {type_name(value)}> for 'return value of provider init()'"
                raise EvalError(f"{got}, want dict<string, unknown>")
        return self.instance(dict(made.items()))

    def instance(self, values: Mapping[str, object]) -> ProviderInstance:
        """An instance with these fields, without asking ``init``. EvalError for a field outside the schema."""
        extra = sorted(set(values) - self.fields) if self.fields is not None else []
        if extra:
            plural = "s" if len(extra) > 1 else ""
            names = ", ".join(f"'{name}'" for name in extra)
            raise EvalError(f"got unexpected field{plural} {names} in call to instantiate provider {self.shown}")
        return ProviderInstance(self, dict(values))

    def freeze(self) -> None:
        freeze(self.init)

    def to_repr(self) -> str:
        return "<provider>"

    @property
    def shown(self) -> str:
        """Its name in messages."""
        return self.name or "<no name>"


class ProviderInstance(BazelStruct):
    """What a provider's constructor gives."""

    __slots__ = ("provider",)
    provider: Provider

    def __init__(self, provider: Provider, fields: Mapping[str, object]) -> None:
        super().__init__(fields)
        self.provider = provider

    def binary(self, op: str, other: object, reflected: bool) -> object:
        """Instances of one provider can be added."""
        if op == "+" and isinstance(other, ProviderInstance) and other.provider is not self.provider and not reflected:
            names = f"{self.provider.shown} and {other.provider.shown}"
            raise EvalError(f"Cannot use '+' operator on instances of different providers ({names})")
        return super().binary(op, other, reflected)

    def with_fields(self, fields: Mapping[str, object]) -> ProviderInstance:
        """An instance of the same provider."""
        return ProviderInstance(self.provider, fields)


@versioned_builtin("provider")
def provider_function(doc: object = None, *, fields: object = None, init: object = None) -> object:
    """``provider(doc = None, *, fields = None, init = None)``"""
    names: frozenset[str] | None = None
    if fields is not None and not is_uncertain(fields):
        names = _field_names(fields)
    calls = (f"{each.function} {each.location}" for each in current_thread().call_stack().frames())
    made = Provider(names, init, f"{_count()} {', '.join(calls)}")
    if init is None:
        return made

    def raw(**kwargs: object) -> ProviderInstance:
        return made.instance(kwargs)

    return (made, Builtin(raw, "raw constructor"))


def _field_names(fields: object) -> frozenset[str]:
    """The names of ``fields``, a sequence of strings or a dict from them to what they mean."""
    if isinstance(fields, dict):
        for name, meaning in fields.items():
            if not (isinstance(name, str | Uncertain) and isinstance(meaning, str | Uncertain)):
                got = f"dict<{type_name(name)}, {type_name(meaning)}>"
                raise EvalError(f"got {got} for 'fields', want dict<string, string>")
    elif isinstance(fields, list | tuple):
        for at, name in enumerate(fields):
            if not isinstance(name, str | Uncertain):
                raise EvalError(f"at index {at} of fields, got element of type {type_name(name)}, want string")
    else:
        raise wrong_type(fields, "provider", "fields", "sequence of strings or dict")
    return frozenset(name for name in fields if isinstance(name, str))


def _count() -> int:
    """How many providers the running evaluation has made, with this one."""
    host = current_thread().host
    if not isinstance(host, Context):
        return 0
    host.calls_of_provider += 1
    return host.calls_of_provider


def check_providers(value: object, what: str) -> None:
    """EvalError for a list with something that is no provider, nor in one of the lists in it where it has any."""
    items = value if isinstance(value, list | tuple) else ()
    in_lists = any(isinstance(item, list | tuple) for item in items)
    for item in items:
        parts = item if isinstance(item, list | tuple) else (item,)
        stray = in_lists and parts is not item and not isinstance(item, Uncertain)
        wrong = item if stray else next((each for each in parts if not _may_be_provider(each)), None)
        if wrong is not None:
            wanted = "Either all elements should be providers, or all elements should be lists of providers"
            raise _no_provider(what, f"{wanted}, but got an element of type", wrong)


def check_provides(value: object) -> None:
    """EvalError for a list of what a rule or aspect provides with something that is no provider."""
    for item in value if isinstance(value, list | tuple) else ():
        if not _may_be_provider(item):
            raise _no_provider("provides", "Should be list of providers, but got item of type", item)


def _no_provider(what: str, wanted: str, wrong: object) -> EvalError:
    return EvalError(f"Illegal argument: element in '{what}' is of unexpected type. {wanted} {type_name(wrong)}.")


def _may_be_provider(value: object) -> bool:
    """Texts are providers of old; what a host value is may be unknown."""
    return isinstance(value, str | Value) and not isinstance(value, Builtin)
