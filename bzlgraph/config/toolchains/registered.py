"""The registered toolchains and execution platforms of a configuration, in the order in which Bazel looks at them.

What options add comes first (``--extra_toolchains``: from Bazel 7 on the last one first), then what the workspace
registers, then the machine that builds. A pattern with ``:all`` or ``...`` stands for the rules of that kind in its
packages, by name, those of packages below before those of the package itself. What is not on disk is a text that says
so, at its place.

Mirrors RegisteredToolchainsFunction and RegisteredExecutionPlatformsFunction of Bazel's source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from bzlgraph.base.gap import HIDING_TARGETS
from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.bazel.model import Rule
from bzlgraph.config.kinds.alias import actual_of
from bzlgraph.config.kinds.platform import Platform, host_platform, read_platform
from bzlgraph.config.toolchains.answer import Toolchain
from bzlgraph.config.value import Evaluation
from bzlgraph.config.verdict import Truth, all_of
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.workspace.registrations import RegisteredPattern, Registrations

_WILDCARDS = frozenset({"all", "*", "all-targets"})
_LAST = chr(0x10FFFF)
"""Sorts after every name of a folder."""


class Registering(Evaluation, Protocol):
    """A configuration over a graph, in a workspace that registers toolchains and platforms."""

    @property
    def graph(self) -> GraphView:
        """The graph."""

    @property
    def registered(self) -> Registrations:
        """What the workspace registers."""


def registered_toolchains(settings: Registering) -> tuple[Toolchain, ...]:
    """All toolchains that are registered, each once."""
    registered = settings.registered
    extra = list(_of_option("extra_toolchains", settings))
    if settings.facts.extra_toolchains_last_first:
        extra.reverse()
    hidden = (Toolchain(None, missing=str(gap)) for gap in registered.gaps)
    found = expanded([*extra, *registered.toolchains], "toolchain", settings)
    return (*hidden, *(_toolchain(each, settings) for each in found))


def execution_platforms(settings: Registering) -> tuple[Platform | str, ...]:
    """The platforms that actions may run on, the machine that builds last; a text says what is not known."""
    patterns = (*_of_option("extra_execution_platforms", settings), *settings.registered.platforms)
    found: dict[Label | str, Platform | str] = {}
    for each in expanded(patterns, "platform", settings):
        found[each] = each if isinstance(each, str) else read_platform(each, None, settings)
    refused = {label: _refusal(each, settings) for label, each in found.items()}
    found = {label: refused[label] or each for label, each in found.items() if refused[label] is not None}
    host = host_platform(settings)
    return (*found.values(), *(() if host.label in found else (host,)))


def _refusal(platform: Platform | str, settings: Registering) -> str | None:
    """Why it is not known whether a platform may run actions here, "" where it may, None where it may not."""
    verdicts = [settings.verdict(each) for each in platform.required] if isinstance(platform, Platform) else []
    truth = all_of(verdict.truth for verdict in verdicts)
    if truth is Truth.NO:
        return None
    return next((verdict.why for verdict in verdicts if truth is verdict.truth is Truth.UNKNOWN), "")


def _of_option(name: str, settings: Registering) -> Iterator[RegisteredPattern]:
    configuration = settings.configuration
    fact = configuration.table.find(name)
    uses = configuration.values(name)
    for use in uses if fact is not None and fact.multiple else uses[-1:]:
        yield from patterns_of(use.value or "")


def patterns_of(text: str) -> Iterator[RegisteredPattern]:
    """The patterns of one value of an option."""
    yield from (RegisteredPattern(each.strip()) for each in text.split(",") if each.strip())


def expanded(patterns: Iterable[RegisteredPattern], kind: str, settings: Registering) -> list[Label | str]:
    """The labels that patterns stand for, each once; a text for what is not known."""
    return list(dict.fromkeys(each for pattern in patterns for each in _expand(pattern, kind, settings)))


def _expand(pattern: RegisteredPattern, kind: str, settings: Registering) -> Iterator[Label | str]:
    head, dots, _ = pattern.text.partition("...")
    if dots:
        head = f"{head if head.endswith('//') else head.removesuffix('/')}:all"
    try:
        label = parse(head, pattern.repo, "", settings.mapping) if not pattern.missing else None
    except LabelError as error:
        yield f"{pattern.text}: {error}"
        return
    if label is None:
        yield pattern.missing
    elif not dots and label.name not in _WILDCARDS:
        yield label
    else:
        names = _packages_below(label, settings) if dots else [label.package]
        for name in names or [label.package]:
            yield from _of_package(label._replace(package=name), kind, settings)


def _packages_below(label: Label, settings: Registering) -> list[str]:
    source = settings.graph.source
    names = source.packages_below(label.repo, label.package) if source is not None else ()
    return sorted(names, key=lambda name: (*filter(None, name.split("/")), _LAST))


def _of_package(wildcard: Label, kind: str, settings: Registering) -> Iterator[Label | str]:
    """The rules of a kind in a package, by name, and what may hide others; for a package that does not exist the
    wildcard itself, which is no target."""
    graph, key = settings.graph, (wildcard.repo, wildcard.package)
    graph.load([key])
    package = graph.packages.get(key)
    if package is None:
        unknown = graph.absent.get(key) == NodeKind.UNLOADED
        yield f"@{wildcard.repo} is not on disk ({wildcard.package_label})" if unknown else wildcard
        return
    yield from sorted(rule.label for rule in package.rules() if rule.rule_class.name == kind)
    gap = next((gap for gap in package.gaps if gap.kind in HIDING_TARGETS), None)
    if gap is not None:
        yield str(gap)


def _toolchain(found: Label | str, settings: Registering) -> Toolchain:
    """A registered toolchain, behind aliases."""
    if isinstance(found, str):
        return Toolchain(None, missing=found)
    label = actual_of(found, settings)
    rule = settings.target(label) if label is not None else None
    if label is None or (rule is None and not settings.is_error(label)):
        return Toolchain(found, missing=settings.absence(label or found))
    if not isinstance(rule, Rule) or rule.rule_class.name != "toolchain":
        if isinstance(rule, Rule) and rule.rule_class.unknown:
            return Toolchain(found, missing=f"{found} is a {rule.rule_class.name}, whose definition is not on disk")
        fault = "target does not provide the DeclaredToolchainInfo provider" if rule else settings.absence(label)
        return Toolchain(found, error=f"invalid registered toolchain '{found}': {fault}")
    kind, implementation = rule.get("toolchain_type"), rule.get("toolchain")
    actual = actual_of(kind, settings) if isinstance(kind, Label) else None
    missing = "" if actual is not None else f"what {kind} resolves to is unknown"
    return Toolchain(label, actual, implementation if isinstance(implementation, Label) else None, missing)
