"""Which toolchains a rule asks for: ``toolchains``, ``exec_compatible_with`` and ``exec_groups`` of ``rule()``.

``exec_groups(arguments of rule())`` -> ``ExecGroup``s: the rule's own, called "", and those it names. Which toolchain a
target gets is decided in a configuration (``config/toolchains``).
Rules: https://bazel.build/extending/exec-groups, https://bazel.build/rules/lib/toplevel/config_common#toolchain_type
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from bzlgraph.base.label import Label
from bzlgraph.bazel.context.scope import facts, resolve
from bzlgraph.bazel.model import ExecGroup, ToolchainNeed
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.rules.attr import IDENTIFIER
from bzlgraph.bazel.values.analysis_stubs import Inert
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.bazel.values.select import SelectValue
from bzlgraph.bazel.values.versioned import versioned_builtin
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import type_name

OWN = ""
"""The group of the actions that name none."""


@dataclass(slots=True, eq=False)
class ToolchainTypeValue(Value):
    """``config_common.toolchain_type("//x:type", mandatory = False)``"""

    type_name: ClassVar[str] = "toolchain_type"
    need: ToolchainNeed

    def to_repr(self) -> str:
        return f"<toolchain_type: {self.need.type}>"


@dataclass(slots=True, eq=False)
class ExecGroupValue(Value):
    """``exec_group(toolchains = [...], exec_compatible_with = [...])``; ``copies`` what the rule itself asks for."""

    type_name: ClassVar[str] = "exec_group"
    group: ExecGroup
    copies: bool = False

    def hashable(self) -> bool:
        return False

    def to_repr(self) -> str:
        return "<exec_group>"


@versioned_builtin("exec_group")
def exec_group_function(
    toolchains: object = (), exec_compatible_with: object = (), copy_from_rule: object = False
) -> ExecGroupValue:
    """``exec_group(toolchains, exec_compatible_with)``"""
    return ExecGroupValue(_group(OWN, toolchains, exec_compatible_with), bool(copy_from_rule))


def _refuse_experiment() -> None:
    if not facts().exec_groups_are_known:
        unavailable = "is experimental and thus unavailable with the current flags"
        flag = "It may be enabled by setting --experimental_exec_groups"
        raise EvalError(f"in call to rule(), parameter 'exec_groups' {unavailable}. {flag}")


@versioned_builtin("config_common.toolchain_type")
def toolchain_type_function(name: object, mandatory: object = True) -> ToolchainTypeValue | None:
    """``config_common.toolchain_type(name, mandatory)``; None for a name that is unknown."""
    label = _label(name)
    return ToolchainTypeValue(ToolchainNeed(label, bool(mandatory))) if label is not None else None


def exec_groups(arguments: Mapping[str, object], inherited: tuple[ExecGroup, ...] = ()) -> tuple[ExecGroup, ...]:
    """The groups of a rule with these arguments, its own first; () when it asks for nothing.

    ``inherited``: those of its parent.
    """
    if "exec_groups" in arguments:
        _refuse_experiment()
    own = _group(OWN, arguments.get("toolchains"), arguments.get("exec_compatible_with"))
    groups = {each.name: each for each in inherited}
    groups[OWN] = _joined(groups[OWN], own) if OWN in groups else own
    named = arguments.get("exec_groups")
    for name, value in named.items() if isinstance(named, dict) else ():
        if isinstance(name, str) and not IDENTIFIER.fullmatch(name):
            raise EvalError(f"Exec group name '{name}' is not a valid name.")
        if not isinstance(value, ExecGroupValue | Uncertain | Inert):
            got = f"got dict<{type_name(name)}, {type_name(value)}>"
            raise EvalError(f"{got} for 'exec_group', want dict<string, exec_group>")
        if isinstance(value, ExecGroupValue):
            copied = groups[OWN] if value.copies else value.group
            groups[str(name)] = ExecGroup(str(name), copied.toolchains, copied.constraints, copied.unknown)
    nothing = ExecGroup(OWN)
    own = groups.pop(OWN)
    return (own, *groups.values()) if groups or own != nothing else ()


def _joined(first: ExecGroup, second: ExecGroup) -> ExecGroup:
    toolchains = {each.type: each for each in (*first.toolchains, *second.toolchains)}
    constraints = tuple(dict.fromkeys((*first.constraints, *second.constraints)))
    return ExecGroup(first.name, tuple(toolchains.values()), constraints, first.unknown or second.unknown)


def _group(name: str, toolchains: object, constraints: object) -> ExecGroup:
    needs = list(_needs(toolchains))
    labels = [_label(each) for each in _items(constraints)]
    known = {each.type: each for each in needs if each is not None}
    unknown = None in needs or None in labels
    return ExecGroup(name, tuple(known.values()), tuple(each for each in labels if each is not None), unknown)


def _needs(value: object) -> Iterator[ToolchainNeed | None]:
    """What a list of toolchain types asks for; None stands for what is unknown."""
    for item in _items(value):
        if isinstance(item, ToolchainTypeValue):
            yield item.need
        elif not isinstance(item, str | LabelValue | Uncertain | SelectValue | Inert):
            wanted = "'toolchains' takes a toolchain_type, Label, or String"
            raise EvalError(f"{wanted}, but instead got a {type_name(item)}")
        else:
            label = _label(item)
            yield ToolchainNeed(label) if label is not None else None


def _items(value: object) -> Iterable[object]:
    if value is None:
        return ()
    return list(value) if isinstance(value, list | tuple) else (value,)


def _label(value: object) -> Label | None:
    """A label, or the text of one; None for what is unknown, or is no label, which only matters to an analysis."""
    if isinstance(value, LabelValue):
        return value.label
    try:
        return resolve(value) if isinstance(value, str) else None
    except EvalError:
        return None
