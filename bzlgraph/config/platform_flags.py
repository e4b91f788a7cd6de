"""The ``flags`` of a platform: a configuration for it -> the same with these options.

Rules
- The platform is the first of ``--platforms``; a configuration that names none is left as it is.
- Flags of the parent come first, and what is set again wins. An option that collects values has only those that the
  platform says.
- They win over the command line, rc files and transitions, and are set again wherever a transition leads.
- A platform that has flags is not looked for in platform mappings.

Mirrors BuildConfigurationKeyProducer and ParsedFlagsValue of Bazel's source.
Doc: https://bazel.build/reference/be/platforms-and-toolchains#platform_flags
"""

from __future__ import annotations

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import LabelError, parse
from bzlgraph.config.configuration import ALL_SETTINGS, NO_OPTIONS, Configuration, SettingName
from bzlgraph.config.kinds.platform import Platform, read_platform
from bzlgraph.config.option_use import Origin, parse_options
from bzlgraph.config.value import Evaluation

PLATFORM = "platform"


def flags_applied(configuration: Configuration, evaluation: Evaluation) -> Configuration | None:
    """The configuration with the flags of its platform; None where that has none."""
    named = (configuration.value("platforms").value or "").partition(",")[0].strip()
    if not (named and evaluation.facts.platform_flags) or NO_OPTIONS in configuration.marks:
        return None
    try:
        platform = read_platform(parse(named, "", "", evaluation.mapping), None, evaluation)
        return configuration.changed(*_values(platform, configuration, evaluation)) if platform.flags else None
    except UsageProblem as refused:
        return configuration.doubtful((ALL_SETTINGS,), f"flags of {named}: {refused.diagnostic.message}")
    except LabelError:
        return None


def flag_gaps(evaluation: Evaluation, platform: Platform) -> tuple[Gap, ...]:
    """That the target platform, or a parent of it, may have flags: it is not on disk."""
    chosen = evaluation.configuration.value("platforms")
    if not (chosen.value and platform.missing and evaluation.facts.platform_flags):
        return ()
    what, repository = f"--platforms: {platform.missing}", platform.label.repo
    hides = "the options that it sets are unknown"
    return (Gap(GapKind.CONDITION.value, what, hides, chosen.origin.location, repository),)


def _values(
    platform: Platform, configuration: Configuration, evaluation: Evaluation
) -> tuple[dict[SettingName, tuple[str, ...]], Origin]:
    """What the flags set, as the repository of the platform means them, and who sets it."""
    origin = Origin(PLATFORM, platform.location, (f"flags of {platform.label}",))
    values: dict[SettingName, tuple[str, ...]] = {}
    for use in parse_options(platform.flags, configuration.table, origin):
        home = platform.label
        name = parse(use.name, home.repo, home.package, evaluation.mapping) if use.is_flag else use.name
        values[name] = (*values.get(name, ()), use.value)
    return values, origin
