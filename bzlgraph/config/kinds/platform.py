"""Platforms: the constraints of the target platform, and whether a constraint_value is among them.

The target platform is ``--platforms`` (the first one), else ``--host_platform``: Bazel's own default is the machine it
runs on. Answers of bzlgraph must not depend on a machine, so that one is Linux on x86_64, as ``--cpu`` is k8.

Rules
- A platform has the constraints of its parent, changed by its own.
- A constraint_setting without a value on the platform has its ``default_constraint_value``, if any.
- Repositories that are not on disk are unknown, but for the few everyone shares: ``@platforms``, which holds
  ``//os:linux`` of setting ``//os:os``, and its old names in ``@bazel_tools//platforms``.

Mirrors PlatformInfo, ConstraintCollection and the platforms repository.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import Rule
from bzlgraph.config.configuration import Configuration
from bzlgraph.config.kinds.alias import actual_of
from bzlgraph.config.option_use import Origin, default_origin
from bzlgraph.config.value import Evaluation
from bzlgraph.config.verdict import Comparison, Truth, truth_of

HOST_PLATFORMS = frozenset(
    {
        Label("local_config_platform", "", "host"),
        Label("bazel_tools", "platforms", "host_platform"),
        Label("bazel_tools", "platforms", "target_platform"),
        Label("bazel_tools", "tools", "host_platform"),
        Label("platforms", "host", "host"),
    }
)
"""The machine that builds, in one Bazel or the other."""
_CPU, _OS = Label("platforms", "cpu", "cpu"), Label("platforms", "os", "os")
HOST = {_CPU: Label("platforms", "cpu", "x86_64"), _OS: Label("platforms", "os", "linux")}
_OLD_OS = frozenset({"android", "freebsd", "ios", "linux", "none", "openbsd", "osx", "qnx", "windows", "os"})
_OLD_PACKAGE = ("bazel_tools", "platforms")
_SAME = {"osx": "macos", "arm64": "aarch64"}
"""Two names of one thing, in the order old to new where the old one became an alias."""
MAX_PARENTS = 50


@dataclass(frozen=True, slots=True)
class Platform:
    """A platform: constraint_setting -> constraint_value. ``missing`` says what more it may have."""

    label: Label
    origin: Origin | None
    constraints: dict[Label, Label] = field(default_factory=dict)
    missing: str = ""
    assumed: bool = False
    flags: tuple[str, ...] = ()
    """The options that it stands for, those of its parents first."""
    required: tuple[Label, ...] = ()
    """The conditions that must hold where it is to run actions."""
    location: Location | None = None

    def __str__(self) -> str:
        return f"{self.label} (assumed to be Linux on x86_64)" if self.assumed else str(self.label)


def target_platform(evaluation: Evaluation) -> Platform:
    """The platform that is built for."""
    return _chosen(("platforms", "host_platform"), evaluation)


def host_platform(evaluation: Evaluation) -> Platform:
    """The machine that builds."""
    return _chosen(("host_platform",), evaluation)


def built_for(tools: Configuration, platform: Platform) -> Configuration:
    """A configuration of tools that are built for a platform; one with neither name nor constraints is not known."""
    if platform.missing and not platform.label.name:
        return tools.doubtful(("platforms",), platform.missing)
    machine = platform.label in HOST_PLATFORMS
    named = () if machine else (str(platform.label),)
    return tools.changed({"platforms": named}, default_origin(tools.table.version).through("the execution platform"))


def _chosen(options: tuple[str, ...], evaluation: Evaluation) -> Platform:
    """The platform that the first of these options names which is set."""
    configuration = evaluation.configuration
    if doubt := next(filter(None, map(configuration.doubt, options)), ""):
        return Platform(Label("", "", ""), None, missing=doubt)
    for name in options:
        setting = configuration.value(name)
        text = (setting.value or "").partition(",")[0].strip()
        if text:
            try:
                return read_platform(parse(text, "", "", evaluation.mapping), setting.origin, evaluation)
            except LabelError as error:
                return Platform(Label("", "", text), setting.origin, missing=str(error))
    return Platform(Label("local_config_platform", "", "host"), None, HOST, assumed=True)


def read_platform(label: Label, origin: Origin | None, evaluation: Evaluation) -> Platform:
    """A platform with what it has from its parents, nearest first; ``origin``: who chose it."""
    found: dict[Label, Label] = {}
    own = Platform(label, origin, found)
    here = label
    for number in range(MAX_PARENTS):
        if here in HOST_PLATFORMS:
            return replace(own, constraints={**HOST, **found}, assumed=here == label)
        actual = actual_of(here, evaluation)
        rule = evaluation.target(actual) if actual is not None else None
        if actual in HOST_PLATFORMS:
            here = actual
            continue
        if not isinstance(rule, Rule) or rule.rule_class.name != "platform":
            fault = (
                f"{here} is not a platform ({rule.kind})" if rule is not None else evaluation.absence(actual or here)
            )
            return replace(own, missing=fault)
        own = replace(own, flags=(*(rule.get("flags") or ()), *own.flags))
        if number == 0:
            required = tuple(each for each in rule.get("required_settings") or () if isinstance(each, Label))
            own = replace(own, required=required, location=rule.location)
        for value in rule.get("constraint_values") or ():
            known = constraint_of(value, evaluation)
            if known is None:
                return replace(own, missing=evaluation.absence(value))
            found.setdefault(*known)
        parents = rule.get("parents") or ()
        if not parents:
            return own
        here = parents[0]
    return replace(own, missing=f"the parents of {label} form a cycle")


def constraint_of(label: Label, evaluation: Evaluation) -> tuple[Label, Label] | None:
    """(constraint_setting, constraint_value) behind a label; None when it is unknown."""
    actual = actual_of(label, evaluation)
    rule = evaluation.target(actual) if actual is not None else None
    if actual is None or not isinstance(rule, Rule) or rule.rule_class.name != "constraint_value":
        return shared_constraint(actual or label) if rule is None else None
    setting = rule.get("constraint_setting")
    if not isinstance(setting, Label):
        return None
    shared = shared_constraint(actual)
    return shared if shared is not None else (actual_of(setting, evaluation) or setting, actual)


def shared_constraint(label: Label) -> tuple[Label, Label] | None:
    """(constraint_setting, constraint_value) of the repository that everyone shares, by the newer of two names; of any
    other label None."""
    if (label.repo, label.package) == _OLD_PACKAGE:
        label = Label("platforms", "os" if label.name in _OLD_OS else "cpu", label.name)
    if label.repo != "platforms" or not label.package or label.name == label.package.rpartition("/")[2]:
        return None
    value = label._replace(name=_SAME.get(label.name, label.name))
    return Label("platforms", label.package, label.package.rpartition("/")[2]), value


def compare_constraint(label: Label, platform: Platform, evaluation: Evaluation) -> Comparison:
    """Whether a platform has a constraint_value."""
    what, wanted = f"platform {platform}", str(label)
    known = constraint_of(label, evaluation)
    if known is None:
        rule = evaluation.target(label)
        if rule is not None or evaluation.is_error(label):
            fault = f"{label} is not a constraint_value" if rule is not None else evaluation.absence(label)
            return Comparison(what, wanted, None, Truth.NO, platform.origin, fault)
        return Comparison(what, wanted, None, Truth.UNKNOWN, platform.origin, evaluation.absence(label))
    setting, value = known
    found = platform.constraints.get(setting)
    if found is None and platform.missing:
        return Comparison(what, wanted, None, Truth.UNKNOWN, platform.origin, platform.missing)
    if found is None:
        found = _default(setting, evaluation)
    text = f"without a value of {setting}" if found is None else str(found)
    return Comparison(what, wanted, text, truth_of(found == value), platform.origin)


def _default(setting: Label, evaluation: Evaluation) -> Label | None:
    """The ``default_constraint_value`` of a constraint_setting, behind aliases."""
    rule = evaluation.target(setting)
    value = rule.get("default_constraint_value") if isinstance(rule, Rule) else None
    known = constraint_of(value, evaluation) if isinstance(value, Label) else None
    return known[1] if known is not None else None
