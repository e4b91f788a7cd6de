"""What Bazel would refuse about flags and platforms that are set: settings -> diagnostics, before anything is asked of
the configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.bazel.model import Rule
from bzlgraph.config.kinds.alias import actual_of
from bzlgraph.config.kinds.build_setting import flag_fault
from bzlgraph.config.kinds.platform import HOST_PLATFORMS
from bzlgraph.config.option_use import ON_COMMAND_LINE
from bzlgraph.config.value import Evaluation

_PLATFORMS = ("platforms", "host_platform")


class Suggesting(Evaluation, Protocol):
    """A configuration that knows what may be meant by a label without a target."""

    def meant(self, label: Label, before: str = "--") -> str | None:
        """The words for it; ``before`` stands before a label on the command line."""


def option_faults(settings: Suggesting) -> Iterator[Diagnostic]:
    """Flags that are no build settings, or not of that value, and platforms of the command line that are none."""
    for label in settings.configuration.flags():
        if fault := flag_fault(label, settings):
            told = fault if fault.startswith("--") else f"--{label}: {fault}"
            yield Diagnostic(told, hint=settings.meant(label))
    for option in _PLATFORMS:
        named, fault = _platform_fault(option, settings)
        if fault:
            hint = settings.meant(named, f"--{option}=") if named is not None else None
            yield Diagnostic(f"--{option}: {fault}", hint=hint)


def _platform_fault(option: str, evaluation: Evaluation) -> tuple[Label | None, str]:
    """The target that a command line names as a platform, and why it is none: "" when it is one or that is unknown.

    Bazel refuses a platform that a .bazelrc names as well; here such a one is an unknown value of the conditions on it.
    """
    setting = evaluation.configuration.value(option)
    if setting.origin != ON_COMMAND_LINE or not setting.value:
        return None, ""
    try:
        label = parse(setting.value.partition(",")[0].strip(), "", "", evaluation.mapping)
    except LabelError as error:
        return None, str(error)
    actual = actual_of(label, evaluation)
    if actual is None or not HOST_PLATFORMS.isdisjoint((label, actual)):
        return None, ""
    target = evaluation.target(actual)
    if target is None:
        return actual, f"{actual} does not exist" if evaluation.is_error(actual) else ""
    fits = isinstance(target, Rule) and (target.rule_class.name == "platform" or not target.rule_class.native)
    return actual, "" if fits else f"{actual} is not a platform ({target.kind})"
