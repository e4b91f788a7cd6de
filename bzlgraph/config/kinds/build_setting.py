"""``flag_values`` of a config_setting: a build setting and the value it is wanted to have -> Comparison.

A build setting is a rule with ``build_setting = config.bool(...)`` (bool_flag, string_flag, ...), a label_flag or
label_setting, a config_feature_flag, or the flag that names the C++ compiler. Its value is what ``--//pkg:name=...``
set, else its ``build_setting_default``. Any other rule of a .bzl file may give a value, too: its code may return
``config_common.FeatureFlagInfo``. That code is not run, so this value is unknown.

Rules
- The option is looked up by the label that ``flag_values`` names, the default in the target behind its aliases.
- A list holds one wanted value when that is among its elements.

Mirrors ConfigSetting.UserDefinedFlagMatch and BuildSettingProvider of Bazel's source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeGuard

from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.bazel.conditional import is_conditional
from bzlgraph.bazel.model import Rule
from bzlgraph.config.kinds.alias import LABEL_SETTINGS, actual_of, is_alias
from bzlgraph.config.kinds.compiler import COMPILER_FLAG, compiler_name
from bzlgraph.config.kinds.compiler import LABEL as COMPILER_LABEL
from bzlgraph.config.option_use import OptionUse, Origin
from bzlgraph.config.value import Evaluation
from bzlgraph.config.verdict import Comparison, Truth, truth_of
from bzlgraph.facts.options import OptionFact

FEATURE_FLAG = "config_feature_flag"
NATIVE_FEATURE_FLAGS = {"android_binary": "feature_flags"}
"""The native rules that set such flags, and the attribute that says which."""
BY_DEFAULT = Origin("default")
_COMMON_SETTINGS = ("rules", "common_settings.bzl")
_BOOLEAN = OptionFact("", "boolean", None)
_INTEGER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0|[1-9][0-9]{0,999})", re.ASCII)
"""As ``int(text, 0)`` of Starlark reads it: no number but 0 begins with a plain 0."""


@dataclass(frozen=True, slots=True)
class FlagValue:
    """The value of a build setting: as plain data, as text, and who set it. ``fault`` when there is none."""

    label: Label
    kind: str
    value: object
    origin: Origin | None
    fault: str = ""
    known: bool = True

    @property
    def text(self) -> str:
        """The value as one writes it on a command line; quoted where a text is no label."""
        if self.kind == "label" and isinstance(self.value, str):
            return f'"{self.value}"'
        return flag_text(self.value)


def flag_text(value: object) -> str:
    """A value as one writes it on a command line.

    >>> flag_text(True), flag_text(["a", "b"]), flag_text(Label("", "a", "b"))
    ('true', 'a,b', '//a:b')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if _is_list(value) else str(value)


def _is_list(value: object) -> TypeGuard[list[object] | tuple[object, ...]]:
    return isinstance(value, list | tuple) and not isinstance(value, Label)  # which is a tuple, too


def kind_of(rule: Rule) -> str:
    """bool, int, string, string_list, label, feature; "" for what is not a build setting."""
    if rule.rule_class.name in LABEL_SETTINGS:
        return "label"
    if rule.rule_class.name == FEATURE_FLAG:
        return "feature"
    return rule.rule_class.build_setting.kind if rule.rule_class.build_setting is not None else ""


def flag_value(label: Label, evaluation: Evaluation, behind_aliases: bool | None = None) -> FlagValue:
    """The value of a build setting in a configuration; ``label`` may be an alias of it.

    ``behind_aliases``: whether what is set by another name than that counts; None asks the facts.
    """
    actual = actual_of(label, evaluation)
    rule = evaluation.target(actual) if actual is not None else None
    if actual == COMPILER_LABEL or (isinstance(rule, Rule) and rule.rule_class.name == COMPILER_FLAG):
        name, origin, missing = compiler_name(evaluation)
        return FlagValue(actual or label, "feature", name, origin, missing, known=not missing)
    if actual is not None and rule is not None and not isinstance(rule, Rule):
        return FlagValue(actual, "", None, None, f"{actual} is not a build setting ({rule.kind})")
    if actual is None or not isinstance(rule, Rule):
        missing = evaluation.absence(actual or label)
        return FlagValue(label, "", None, None, missing, evaluation.is_error(actual or label))
    kind = kind_of(rule)
    if not kind:
        known = not rule.rule_class.unknown
        return FlagValue(actual, "", None, None, f"{actual} is not a build setting ({rule.kind})", known)
    if doubt := evaluation.configuration.doubt(actual):
        return FlagValue(actual, kind, None, None, doubt, known=False)
    if kind == "feature":
        return _feature(actual, rule, evaluation)
    behind = evaluation.facts.flags_behind_aliases if behind_aliases is None else behind_aliases
    named = actual if behind and evaluation.configuration.flag(label) is None else label
    return _set_or_default(actual, named, rule, kind, evaluation)


def _set_or_default(actual: Label, label: Label, rule: Rule, kind: str, evaluation: Evaluation) -> FlagValue:
    """What a build setting was set to by that label, else its default."""
    setting = evaluation.configuration.flag(label)
    multiple = rule.rule_class.build_setting is not None and rule.rule_class.build_setting.multiple
    if setting is None or setting.value is None:
        default = rule.get("build_setting_default")
        return FlagValue(actual, kind, [default] if multiple and isinstance(default, str) else default, BY_DEFAULT)
    if label in evaluation.configuration.texts:
        return FlagValue(actual, kind, setting.value, setting.origin)
    if multiple:
        uses = [use.value for use in evaluation.configuration.flag_values(label)]
        return FlagValue(actual, kind, uses, setting.origin)
    try:
        # a label of the command line is no relative one: Bazel puts // before it
        written = f"//{setting.value}" if kind == "label" and setting.value[:1] not in ("", "/", "@") else setting.value
        value = convert(kind, written, label, evaluation)
        _check_allowed(rule, value)
        return FlagValue(actual, kind, value, setting.origin)
    except ValueError as error:
        return FlagValue(actual, kind, None, setting.origin, f"--{label}={setting.value}: {error}")


def _check_allowed(rule: Rule, value: object) -> None:
    """ValueError for a value that a ``string_flag`` of bazel_skylib refuses; what other rules do nobody knows here."""
    home, allowed = rule.rule_class.bzl, rule.get("values")
    is_skylib = home is not None and (home.package, home.name) == _COMMON_SETTINGS
    if is_skylib and _is_list(allowed) and allowed and value not in allowed:
        raise ValueError(f"'{value}' is not one of {', '.join(map(str, allowed))}")


def _feature(label: Label, rule: Rule, evaluation: Evaluation) -> FlagValue:
    """A config_feature_flag changes with transitions for it only; outside of one it has its default."""
    setting = evaluation.configuration.flag(label)
    if setting is not None:
        return FlagValue(label, "feature", setting.value, setting.origin)
    value = rule.get("default_value")
    fault = "" if value else f"{label} has no default_value, and nothing sets it"
    return FlagValue(label, "feature", value, BY_DEFAULT, fault)


def alias_fault(label: Label, evaluation: Evaluation) -> str:
    """Why a flag cannot be named by an alias, "" when it can: which one is named may not depend on flags."""
    chain = [label]
    while isinstance(rule := evaluation.target(chain[-1]), Rule) and rule.rule_class.name == "alias":
        actual = rule.get("actual")
        if is_conditional(actual):
            words = "resolves to an alias with an actual value that uses select()"
            return f"Failed to load build setting '{label}' as it {words}: {chain[-1]}"
        if actual in chain:
            shown = " -> ".join(map(str, (*chain, actual)))
            return f"Failed to load build setting '{label}' due to a cycle in alias chain: {shown}"
        if not isinstance(actual, Label):
            break
        chain.append(actual)
    return ""


def flag_fault(label: Label, evaluation: Evaluation) -> str:
    """Why ``--//pkg:name=...`` cannot be, "" when it can or that is unknown."""
    named = evaluation.target(label)
    if isinstance(named, Rule) and is_alias(named) and not evaluation.facts.flags_by_aliases:
        return f"{label} is not a build setting ({named.kind})"
    if fault := alias_fault(label, evaluation):
        return fault
    found = flag_value(label, evaluation)
    if found.fault:
        return found.fault if found.known else ""
    if found.kind != "bool" and any(map(_has_no_value, _uses(label, evaluation))):
        return f"--{label} needs a value"
    rule = evaluation.target(found.label)
    setting = rule.rule_class.build_setting if isinstance(rule, Rule) else None
    fixed = found.kind == "feature" or (setting is not None and not setting.flag)
    # a label_setting has a value that no command line changes
    fixed = fixed or (isinstance(rule, Rule) and rule.rule_class.name == "label_setting")
    return f"{found.label} cannot be set on the command line" if fixed else ""


def _uses(label: Label, evaluation: Evaluation) -> Iterator[OptionUse]:
    """The uses of a flag, as they were written."""
    configuration = evaluation.configuration
    return (use for use in configuration.uses if use.is_flag and configuration.name_of(use) == label)


def _has_no_value(use: OptionUse) -> bool:
    """Whether it is ``--//x:y`` or ``--no//x:y``, as only those of truth values may be."""
    return bool(use.written) and "=" not in use.written and " " not in use.written


def convert(kind: str, text: str, label: Label, evaluation: Evaluation) -> object:
    """A text as the value of a build setting of this kind. ValueError when it is none; ``label`` gives the package."""
    converter = _CONVERTERS.get(kind)
    if converter is not None:
        return converter(text)
    if kind != "label":
        return text
    try:
        return parse(text, label.repo, label.package, evaluation.mapping)
    except LabelError as error:
        raise ValueError(str(error)) from None


def _integer(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"'{text}' is not an int")
    return int(text, 0)


_CONVERTERS: dict[str, Callable[[str], object]] = {
    "bool": lambda text: _BOOLEAN.canonical(text) == "true",
    "int": _integer,
    "string_list": lambda text: text.split(",") if text else [],
    "string_set": lambda text: text.split(",") if text else [],
}


def compare_flag(label: Label, wanted: str, of: Label, evaluation: Evaluation) -> Comparison:
    """Whether a build setting has the value wanted by the config_setting ``of``."""
    found = flag_value(label, evaluation)
    what = str(label)
    if _computed(found, evaluation):
        missing = f"{what} is unknown: the code of its rule computes it, and is not run"
        return Comparison(what, wanted, None, Truth.UNKNOWN, None, missing)
    if found.fault:
        truth = Truth.NO if found.known else Truth.UNKNOWN
        return Comparison(
            what, wanted, None, truth, found.origin, f"{what}: {found.fault}" if found.kind else found.fault
        )
    try:
        asked = _asked(found, wanted, of, evaluation)
    except ValueError as error:
        return Comparison(what, wanted, None, Truth.NO, None, f"{what} cannot be {wanted}: {error}")
    if _is_list(found.value):
        return Comparison(what, wanted, found.text, truth_of(asked in found.value), found.origin)
    return Comparison(what, wanted, found.text, truth_of(asked == found.value), found.origin)


def _computed(found: FlagValue, evaluation: Evaluation) -> bool:
    """Whether it is no build setting, but of a rule whose code may give it a value for conditions."""
    rule = evaluation.target(found.label) if not found.kind else None
    return isinstance(rule, Rule) and not rule.rule_class.native and not rule.rule_class.unknown


def _asked(found: FlagValue, wanted: str, of: Label, evaluation: Evaluation) -> object:
    """What is wanted of a build setting, of a list one element. ValueError when it can never have that."""
    rule = evaluation.target(found.label)
    allowed = rule.get("allowed_values") if found.kind == "feature" and isinstance(rule, Rule) else None
    if allowed and wanted not in allowed:
        raise ValueError(f"it may be {', '.join(map(str, allowed))}")
    asked = convert(found.kind, wanted, of, evaluation)
    if not isinstance(asked, list):
        return asked
    if len(asked) != 1:
        raise ValueError("one exact value of a list can be asked for")
    return asked[0]
