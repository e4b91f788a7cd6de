"""What one setting is, in words: what it reads, its default, what stands behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import condition_labels, labels_in, parts
from bzlgraph.bazel.model import Rule, Selector
from bzlgraph.config.kinds.alias import LABEL_SETTINGS, POINTERS, is_alias
from bzlgraph.facts.options import OptionTable
from bzlgraph.graph.model import DEFAULT_CONDITION

GROUP = "config_setting_group"
_DEFAULTS = ("build_setting_default", "default_value")
_LABEL_LISTS = ("constraint_values", "constraint_setting")
NOT_SET = "not set"


def is_of_group(rule: Rule) -> bool:
    """Whether skylib's ``selects.config_setting_group`` made it: the group itself, or an inner link of its chain."""
    return rule.generator is not None and rule.generator.function.lstrip("_") == GROUP


def kind_text(rule: Rule) -> str:
    """The rule class; ``config_setting_group`` for what that macro makes."""
    return GROUP if is_of_group(rule) and rule.rule_class.name == "alias" else rule.rule_class.name


def options_read(rule: Rule) -> Iterator[tuple[str, str]]:
    """(option, value) that a config_setting wants of Bazel's own options; defines as ``("define", "key=value")``."""
    values, defines = rule.get("values"), rule.get("define_values")
    for name, value in values.items() if isinstance(values, Mapping) else ():
        yield str(name), str(value)
    for name, value in defines.items() if isinstance(defines, Mapping) else ():
        yield "define", f"{name}={value}"


def flags_read(rule: Rule) -> Iterator[tuple[Label, str]]:
    """(build setting, value) that a config_setting wants."""
    flags = rule.get("flag_values")
    for label, value in flags.items() if isinstance(flags, Mapping) else ():
        if isinstance(label, Label):
            yield label, str(value)


def reads_of(rule: Rule, find: Callable[[Label], Rule | None]) -> tuple[str, ...]:
    """What decides a setting, each as one would write it on a command line."""
    if is_alias(rule):
        return _read_by_alias(rule, find)
    found = [f"--{name}={value}" for name, value in options_read(rule)]
    found += [f"--{label}={value}" for label, value in flags_read(rule)]
    for name in _LABEL_LISTS:
        found += [str(label) for label in labels_in(rule.get(name))]
    if rule.rule_class.build_setting is not None or rule.rule_class.name in LABEL_SETTINGS:
        found.append(f"--{rule.label}")
    return tuple(found)


def _read_by_alias(rule: Rule, find: Callable[[Label], Rule | None]) -> tuple[str, ...]:
    """``all of``, ``any of`` for a group (a chain of aliases), the label for a plain alias."""
    actual = rule.get("actual")
    if isinstance(actual, Label):
        return (str(actual),)
    members: dict[Label, None] = {}
    word = ""
    for _ in range(100):
        link = _link(rule.get("actual"))
        if link is None:
            break
        key, chosen, other = link
        members[key] = None
        word = word or ("any of " if chosen == key else "all of ")
        following = other if chosen == key else chosen
        after = find(following) if following is not None else None
        if after is None or not _is_next(after, rule):
            if following is not None and following != DEFAULT_CONDITION:
                members[following] = None
            break
        rule = after
    if not members:
        return tuple(dict.fromkeys(str(label) for label in shown_behind(rule)))
    return (word + ", ".join(map(str, members)),)


def _is_next(after: Rule, rule: Rule) -> bool:
    """Whether a rule is a further link of the same group, and no condition of its own."""
    same = after.generator is not None and rule.generator is not None and after.generator.name == rule.generator.name
    return same and is_of_group(after) and _link(after.get("actual")) is not None


def _link(value: Any) -> tuple[Label, Label | None, Label | None] | None:
    """(condition, what it stands for then, what otherwise) of ``select({condition: a, default: b})``."""
    only = parts(value)[0] if len(parts(value)) == 1 else None
    if not isinstance(only, Selector) or len(only.branches) != 2:
        return None
    keyed = [(condition.label, target) for condition, target in only.branches if condition.label != DEFAULT_CONDITION]
    default = [target for condition, target in only.branches if condition.label == DEFAULT_CONDITION]
    if len(keyed) != 1 or len(default) != 1 or keyed[0][0] is None:
        return None
    return keyed[0][0], _as_label(keyed[0][1]), _as_label(default[0])


def _as_label(value: Any) -> Label | None:
    return value if isinstance(value, Label) else None


def shown_behind(rule: Rule) -> Iterable[Label]:
    """The labels that a setting stands for, or reads."""
    pointer = POINTERS.get(rule.rule_class.name)
    if pointer is not None:
        yield from (label for label in condition_labels(rule.get(pointer)) if label != DEFAULT_CONDITION)
        yield from labels_in(rule.get(pointer))
        return
    for label, _ in flags_read(rule):
        yield label
    for name in _LABEL_LISTS:
        yield from labels_in(rule.get(name))


def default_text(rule: Rule, table: OptionTable | None) -> str:
    """The default of what a setting reads: of a build setting its own, of a config_setting those of the options."""
    for name in _DEFAULTS:
        if name in rule.rule_class.attributes or name in rule.values:
            return value_text(rule.get(name))
    if rule.rule_class.name == "constraint_setting":
        value = rule.get("default_constraint_value")
        return str(value) if value else ""
    return ", ".join(dict.fromkeys(_option_default(name, table) for name, _ in options_read(rule)))


def _option_default(name: str, table: OptionTable | None) -> str:
    fact = table.find(name) if table is not None and name != "define" else None
    return NOT_SET if fact is None or not fact.default else fact.default


def value_text(value: Any) -> str:
    """A default as one writes it on a command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return "" if value is None else str(value)
