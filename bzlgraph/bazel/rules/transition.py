"""Configuration transitions: ``cfg = ...`` of rules and attributes. The loading phase only keeps them.

``transition(implementation, inputs, outputs)``, ``analysis_test_transition(settings)``, and ``configuration_field``,
whose default labels come from the facts. ``config/transitions`` runs them for a configuration.
Rules: https://bazel.build/rules/lib/builtins/transition
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.context.contexts import Context
from bzlgraph.bazel.context.scope import facts, file_context, resolve
from bzlgraph.bazel.rules.attr import ConfigurationField
from bzlgraph.bazel.values.versioned import versioned_builtin
from bzlgraph.facts.predeclared import configuration_field as default_of_field
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import freeze

NATIVE_OPTION = "//command_line_option:"
"""How a transition writes an option of Bazel, among the labels of build settings."""
Names = Mapping[str, Label | None]
"""Settings as a transition writes them -> their labels; None for options of Bazel."""


@dataclass(slots=True, eq=False)
class Transition(Value):
    """A transition; ``tool`` when it leads to the configuration of tools, those of ``exec_group`` if that is named.

    ``function`` is asked with the ``inputs`` for the ``outputs``; without one the outputs are always ``settings``.
    ``context`` is that of the file which defines it. ``feature_flags`` names the attribute, of labels and texts, that
    says what each ``config_feature_flag`` is set to. ``clears``: it leads to where no option is set.
    """

    type_name: ClassVar[str] = "transition"
    name: str
    function: object = None
    tool: bool = False
    exec_group: str = ""
    inputs: Names = field(default_factory=dict)
    outputs: Names = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    location: Location | None = None
    context: Context | None = None
    feature_flags: str = ""
    clears: bool = False

    @property
    def changes(self) -> bool:
        """Whether it may lead to another configuration than that of tools: not so for ``config.target()``."""
        return self.function is not None or bool(self.outputs) or bool(self.feature_flags) or self.clears

    def hashable(self) -> bool:
        return False

    def freeze(self) -> None:
        freeze(self.function)
        for value in self.settings.values():
            freeze(value)

    def to_repr(self) -> str:
        return f"<{self.name}>"


def is_defined(configuration: object) -> bool:
    """Whether ``cfg`` is a transition that a .bzl file defines."""
    return isinstance(configuration, Transition) and configuration.function is not None


@versioned_builtin("transition")
def transition_function(*, implementation: object, inputs: object = (), outputs: object = ()) -> Transition:
    """``transition(implementation, inputs, outputs)``"""
    context = file_context()
    return Transition(
        "transition object",
        implementation,
        inputs=_names(inputs, context),
        outputs=_names(outputs, context),
        location=current_thread().innermost_location(),
        context=context,
    )


@builtin("analysis_test_transition")
def analysis_test_transition(*, settings: object) -> Transition:
    """``analysis_test_transition(settings)``"""
    context, fixed = file_context(), settings if isinstance(settings, dict) else {}
    return Transition(
        "analysis_test_transition object",
        outputs=_names(tuple(fixed), context),
        settings={key: value for key, value in fixed.items() if isinstance(key, str)},
        location=current_thread().innermost_location(),
        context=context,
    )


@builtin("config_feature_flag_transition")
def feature_flag_transition(attribute: str) -> Transition:
    """``config_common.config_feature_flag_transition(attribute)``"""
    where = current_thread().innermost_location()
    return Transition("config_feature_flag_transition object", location=where, feature_flags=str(attribute))


def _names(listed: object, context: Context) -> Names:
    """The settings that a transition reads or writes. What is no label is left to whoever runs it."""
    found: dict[str, Label | None] = {}
    for text in listed if isinstance(listed, list | tuple) else ():
        if isinstance(text, str):
            found[text] = setting_label(text, context)
    return found


def setting_label(text: str, context: Context) -> Label | None:
    """The label of a build setting that a transition names; None for an option of Bazel and for what is no label."""
    if text.startswith(NATIVE_OPTION):
        return None
    try:
        return resolve(text, context)
    except EvalError:
        return None


@builtin("configuration_field")
def configuration_field(fragment: str, name: str) -> ConfigurationField:
    """``configuration_field(fragment, name)``: a default taken from the configuration."""
    text = default_of_field(facts().version, fragment, name)
    return ConfigurationField(resolve(text) if text is not None else None)


@builtin("exec")
def exec_transition(exec_group: object = None) -> Transition:
    """``config.exec(exec_group)``"""
    return Transition("config.exec()", tool=True, exec_group=exec_group if isinstance(exec_group, str) else "")


@builtin("target")
def target_transition() -> Transition:
    """``config.target()``"""
    return Transition("config.target()")


@builtin("none")
def none_transition() -> Transition:
    """``config.none()``"""
    return Transition("config.none()", clears=True)
