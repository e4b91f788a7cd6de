"""``subrule()``: a part of an implementation with dependencies of its own, which whoever uses it depends on.

``subrule(implementation, attrs, toolchains, subrules)`` -> ``SubruleValue``. Its private attributes become attributes
of each rule and aspect that names it in ``subrules``, once it has a name: ``$//pkg:file.bzl%name%_attribute``.
``want_rule_extension()``: refuses what a Bazel keeps for its own files.
Rules: https://bazel.build/rules/lib/globals/bzl#subrule; Bazel 7.7.1 with --experimental_rule_extension_api was asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from bzlgraph.bazel.context.scope import facts, file_context, file_label
from bzlgraph.bazel.model import Attribute
from bzlgraph.bazel.rules.attr import AttrValue, schema
from bzlgraph.bazel.values.arguments import want_function
from bzlgraph.bazel.values.exported import ExportedValue
from bzlgraph.bazel.values.versioned import versioned_builtin
from bzlgraph.starlark.value import EvalError


@dataclass(slots=True, eq=False)
class SubruleValue(ExportedValue):
    """A subrule; ``uses`` are those that it calls."""

    type_name: ClassVar[str] = "subrule"
    attrs: Mapping[str, AttrValue]
    toolchains: tuple[object, ...]
    uses: tuple[SubruleValue, ...]

    def attributes(self) -> Iterator[Attribute]:
        """What it brings, by Bazel's own names; nothing before it has a name."""
        if self.bzl is None:
            return
        label = f"@{self.bzl}" if self.bzl.repo else str(self.bzl)
        for name, value in self.attrs.items():
            yield value.attribute(f"_{label}%{self.name}%{name}")

    def to_repr(self) -> str:
        return f"<subrule {self.name or 'unexported subrule'}>"


@versioned_builtin("subrule")
def subrule_function(
    implementation: object, attrs: object = None, toolchains: object = (), fragments: object = (), subrules: object = ()
) -> SubruleValue:
    """``subrule(implementation, attrs, toolchains, fragments, subrules)``"""
    want_rule_extension()
    needs = tuple(toolchains) if isinstance(toolchains, list | tuple) else ()
    function = want_function(implementation, "implementation", "subrule")
    return SubruleValue(function, schema(attrs, "subrule"), needs, named_subrules(subrules))


def named_subrules(value: object) -> tuple[SubruleValue, ...]:
    """The subrules in an argument."""
    return tuple(each for each in value if isinstance(each, SubruleValue)) if isinstance(value, list | tuple) else ()


def bring(subrules: Iterable[SubruleValue], attributes: Mapping[str, Attribute]) -> None:
    """Add to the attributes of a rule or aspect those of its subrules, which have their names by now."""
    assert isinstance(attributes, dict)
    for each in _with_all_used(subrules):
        for attribute in each.attributes():
            attributes.setdefault(attribute.name, attribute)


def all_toolchains(arguments: Mapping[str, object], subrules: Iterable[SubruleValue]) -> Mapping[str, object]:
    """The arguments of a rule or aspect with the toolchains that its subrules ask for."""
    brought = [need for each in _with_all_used(subrules) for need in each.toolchains]
    own = arguments.get("toolchains", ())
    if not brought or not isinstance(own, list | tuple):
        return arguments
    return {**arguments, "toolchains": [*own, *brought]}


def want_rule_extension(function: str = "", argument: str = "") -> None:
    """Raise EvalError where the Bazel at hand keeps ``subrule()``, or an argument of a function, to itself."""
    state = facts().rule_extension
    if state == "unknown":
        raise EvalError(f"{function}() got unexpected keyword argument '{argument}'")
    if state != "public":
        label = file_label(file_context())
        file = f"@{label}" if label.repo else str(label)
        raise EvalError(
            f"file '{file}' cannot use private API", "--experimental_rule_extension_api lets any file use it"
        )


def _with_all_used(subrules: Iterable[SubruleValue]) -> tuple[SubruleValue, ...]:
    """These and those that they use, each once."""
    found = list(dict.fromkeys(subrules))
    for each in found:
        found += [used for used in each.uses if used not in found]
    return tuple(found)
