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
    for option, typed, kind in _typed_labels(settings):
        yield from _told(option, *_label_fault(typed, kind, settings), settings)


def _told(option: str, named: Label | None, fault: str, settings: Suggesting) -> Iterator[Diagnostic]:
    if fault:
        hint = settings.meant(named, f"--{option}=") if named is not None else None
        yield Diagnostic(f"--{option}: {fault}", hint=hint)


def _typed_labels(settings: Suggesting) -> Iterator[tuple[str, Label | str, str]]:
    """What options of the command line are set to, those but platforms, and of which kind it has to be ("": of any)."""
    configuration = settings.configuration
    for use in configuration.uses:
        if use.origin != ON_COMMAND_LINE:
            continue
        fact = configuration.table.find(use.name)
        if use.name in _REGISTERED:
            kind = _REGISTERED[use.name]
            yield from ((use.name, each, kind) for each in settings.registered_by(use.value, kind))
        elif fact is not None and fact.kind == "label" and use.name not in _PLATFORMS:
            yield from [(use.name, use.value, "")] if use.value.startswith(("//", "@")) else ()  # else it is a word


def _label_fault(typed: Label | str, kind: str, evaluation: Evaluation) -> tuple[Label | None, str]:
    """The target that is typed, and that it does not exist or is no rule of that kind; "" where it may be all right."""
    try:
        label = parse(typed, "", "", evaluation.mapping) if isinstance(typed, str) else typed
    except LabelError as error:
        return None, str(error)
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
