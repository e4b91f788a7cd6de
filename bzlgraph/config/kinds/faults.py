"""What Bazel would refuse about flags and platforms that are set: settings -> diagnostics, before anything is asked of
the configuration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import UNKNOWN_REPOSITORY, Label, LabelError, parse, unknown_repository_words
from bzlgraph.bazel.model import Rule
from bzlgraph.config.kinds.alias import actual_of
from bzlgraph.config.kinds.build_setting import flag_fault
from bzlgraph.config.kinds.platform import HOST_PLATFORMS
from bzlgraph.config.option_use import ON_COMMAND_LINE
from bzlgraph.config.value import Evaluation

_PLATFORMS = ("platforms", "host_platform")
_REGISTERED = {"extra_toolchains": "toolchain", "extra_execution_platforms": "platform"}
"""Options that take patterns, and the kind of rule that those have to stand for."""


class Suggesting(Evaluation, Protocol):
    """A configuration that knows what may be meant by a label without a target."""

    def meant(self, label: Label, before: str = "--") -> str | None:
        """The words for it; ``before`` stands before a label on the command line."""

    def registered_by(self, text: str, kind: str) -> Iterable[Label]:
        """The labels that the patterns of an option stand for, as far as that is known."""


def option_faults(settings: Suggesting) -> Iterator[Diagnostic]:
    """Flags that are no build settings, or not of that value, and platforms of the command line that are none."""
    for label in settings.configuration.flags():
        if fault := flag_fault(label, settings):
            told = fault if fault.startswith("--") else f"--{label}: {fault}"
            yield Diagnostic(told, hint=settings.meant(label))
    for option in _PLATFORMS:
        yield from _told(option, *_platform_fault(option, settings), settings)
    for option, label in _registered(settings):
        yield from _told(option, *_label_fault(label, "", settings), settings)


def _told(option: str, named: Label | None, fault: str, settings: Suggesting) -> Iterator[Diagnostic]:
    if fault:
        hint = settings.meant(named, f"--{option}=") if named is not None else None
        yield Diagnostic(f"--{option}: {fault}", hint=hint)


def _registered(settings: Suggesting) -> Iterator[tuple[str, Label]]:
    """The toolchains and platforms that the command line adds. What is no toolchain is refused by Bazel only where one
    is looked for, and so is a label of another option (asked of 2.1.0, 4.2.3 and 7.7.1)."""
    for use in settings.configuration.uses:
        if use.origin == ON_COMMAND_LINE and use.name in _REGISTERED:
            yield from ((use.name, each) for each in settings.registered_by(use.value, _REGISTERED[use.name]))


def _label_fault(label: Label, kind: str, evaluation: Evaluation) -> tuple[Label | None, str]:
    """The target that is typed, and that it does not exist or is no rule of that kind ("": of any); "" where it may be
    all right."""
    actual = actual_of(label, evaluation)
    if actual is None:
        return None, ""
    if actual.repo.startswith(UNKNOWN_REPOSITORY):
        return actual, unknown_repository_words(actual.repo)
    target = evaluation.target(actual)
    if target is None:
        return actual, f"{actual} does not exist" if evaluation.is_error(actual) else ""
    fits = not kind or (isinstance(target, Rule) and (target.rule_class.name == kind or not target.rule_class.native))
    return actual, "" if fits else f"{actual} is not a {kind} ({target.kind})"


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
    return _label_fault(actual, "platform", evaluation)
