"""Configuration transitions: ``cfg = ...`` of rules and attributes. The loading phase only keeps them.

``transition(implementation, inputs, outputs)``, ``analysis_test_transition(settings)``, and ``configuration_field``,
whose default labels come from the facts. Rules: https://bazel.build/rules/lib/builtins/transition
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bzlgraph.bazel.files.scope import resolve
from bzlgraph.bazel.rules.attr import ConfigurationField
from bzlgraph.facts.predeclared import configuration_field as default_of_field
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.value import Value
from bzlgraph.starlark.values import freeze


@dataclass(slots=True, eq=False)
class Transition(Value):
    """A transition; ``tool`` when it leads to the configuration of tools."""

    type_name: ClassVar[str] = "transition"
    name: str
    function: object = None
    tool: bool = False

    def freeze(self) -> None:
        freeze(self.function)

    def to_repr(self) -> str:
        return f"<{self.name}>"


def is_defined(configuration: object) -> bool:
    """Whether ``cfg`` is a transition that a .bzl file defines."""
    return isinstance(configuration, Transition) and configuration.function is not None


@builtin("transition")
def transition_function(*, implementation: object, inputs: object = (), outputs: object = ()) -> Transition:
    """``transition(implementation, inputs, outputs)``"""
    return Transition("transition object", implementation)


@builtin("analysis_test_transition")
def analysis_test_transition(*, settings: object) -> Transition:
    """``analysis_test_transition(settings)``"""
    return Transition("analysis_test_transition object")


@builtin("configuration_field")
def configuration_field(fragment: str, name: str) -> ConfigurationField:
    """``configuration_field(fragment, name)``: a default taken from the configuration."""
    text = default_of_field(fragment, name)
    return ConfigurationField(resolve(text) if text is not None else None)


@builtin("exec")
def exec_transition(exec_group: object = None) -> Transition:
    """``config.exec(exec_group)``"""
    return Transition("config.exec()", tool=True)


@builtin("target")
def target_transition() -> Transition:
    """``config.target()``"""
    return Transition("config.target()")


@builtin("none")
def none_transition() -> Transition:
    """``config.none()``"""
    return Transition("config.none()")
