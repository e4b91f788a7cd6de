"""config_setting -> Verdict: all that it asks for must hold. Mirrors ConfigSetting of Bazel's source.

Doc: https://bazel.build/reference/be/general#config_setting
"""

from __future__ import annotations

from collections.abc import Mapping

from bzlgraph.base.label import Label, parse
from bzlgraph.bazel.model import Rule, RuleClass, Target
from bzlgraph.config.kinds.alias import actual_of
from bzlgraph.config.kinds.build_setting import compare_flag
from bzlgraph.config.kinds.native_option import compare_option, wanted_options
from bzlgraph.config.kinds.platform import Platform, compare_constraint, constraint_of
from bzlgraph.config.value import Evaluation
from bzlgraph.config.verdict import Comparison, Truth, Verdict, all_of, invalid
from bzlgraph.facts.built_in import shared_setting

_ASKED = ("values", "define_values", "flag_values", "constraint_values")


def config_setting(rule: Rule, evaluation: Evaluation, platform: Platform) -> Verdict:
    """Whether a config_setting holds."""
    options = tuple(wanted_options(rule))
    flags = _flags(rule)
    constraints = tuple(label for label in rule.get("constraint_values") or () if isinstance(label, Label))
    if not (options or flags or constraints):
        return invalid(f"{rule.label} has no condition: it needs values, flag_values or constraint_values", rule.label)
    reasons = [compare_option(name, wanted, evaluation.configuration, evaluation.facts) for name, wanted in options]
    reasons += [compare_flag(label, wanted, rule.label, evaluation) for label, wanted in flags.items()]
    reasons += [compare_constraint(label, platform, evaluation) for label in constraints]
    asked = {actual_of(label, evaluation) or label: wanted for label, wanted in flags.items()}
    if len(asked) < len(flags):
        return invalid(f"{rule.label} names a flag twice: {', '.join(map(str, flags))}", rule.label)
    if twice := _of_one_setting(constraints, evaluation):
        return invalid(f"{rule.label} wants several values of one constraint_setting: {twice}", rule.label)
    return Verdict(
        all_of(reason.truth for reason in reasons),
        tuple(reasons),
        rule.label,
        frozenset(options),
        frozenset(asked.items()),
        frozenset(constraints),
        _error(reasons),
    )


def constraint_value(rule: Rule, evaluation: Evaluation, platform: Platform) -> Verdict:
    """A constraint_value that is itself a key of a select()."""
    reason = compare_constraint(rule.label, platform, evaluation)
    return Verdict(reason.truth, (reason,), rule.label, constraints=frozenset({rule.label}))


def of_bazel(label: Label, target: Target | None, version: str) -> Rule | None:
    """A condition of Bazel's own repository where that is not on disk, as far as we know what it asks for."""
    known = shared_setting(version, label.package_label, label.name)
    written = isinstance(target, Rule) and any(target.get(name) for name in _ASKED)
    if known is None or written:
        return None
    constraints = [parse(text, "", "") for text in known.get("constraint_values", ())]
    values = {"values": known.get("values", {}), "constraint_values": constraints}
    stack = target.stack if isinstance(target, Rule) else ()
    return Rule(label, RuleClass("config_setting", {}), values, stack)


def _of_one_setting(constraints: tuple[Label, ...], evaluation: Evaluation) -> str:
    """The values of the first constraint_setting that several are wanted of, "" where there is none."""
    by_setting: dict[Label, list[Label]] = {}
    for known in filter(None, (constraint_of(label, evaluation) for label in constraints)):
        by_setting.setdefault(known[0], []).append(known[1])
    return next((", ".join(map(str, each)) for each in by_setting.values() if len(each) > 1), "")


def _flags(rule: Rule) -> dict[Label, str]:
    value = rule.get("flag_values")
    return dict(value) if isinstance(value, Mapping) else {}


def _error(reasons: list[Comparison]) -> str:
    """What Bazel refuses in it: a comparison that cannot be made is no plain NO."""
    return next((reason.missing for reason in reasons if reason.missing and reason.truth is Truth.NO), "")
