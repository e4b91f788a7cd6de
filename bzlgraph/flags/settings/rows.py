"""Every setting of a workspace -> a row: what it reads, its default, which selects use it, what they add.

A setting is a config_setting, a build setting (bool_flag, string_flag, ... : any rule with ``build_setting``), a
constraint_value or constraint_setting, a group of settings (``selects.config_setting_group``) or an alias of one; a
label that some select() names as a condition is a row as well, wherever it is.
``selects`` counts evaluated selects, as macros multiply them: one text can be thousands; ``places`` counts texts.
A select that names a group, or an alias, uses what stands behind it: ``through`` says how many of the selects do so.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule, RuleClass
from bzlgraph.config.kinds.alias import ALIASES, MAX_STEPS, is_alias
from bzlgraph.config.kinds.config_setting import of_bazel
from bzlgraph.facts.options import OptionTable
from bzlgraph.flags.mentions import DEFINE, FLAG, OPTION, PLATFORMS, Mention
from bzlgraph.flags.settings import setting_text
from bzlgraph.flags.settings.platforms import PLATFORM, deciding, values_of
from bzlgraph.flags.settings.select_use import SelectUses, select_uses
from bzlgraph.flags.settings.table import SettingRow, SettingsAnswer, Uses
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.stored import classes_of
from bzlgraph.graph.view import GraphView

_KINDS = frozenset(
    ("config_setting", "constraint_value", "constraint_setting", "config_feature_flag", "label_flag", "label_setting")
)
_MAIN = ""


def settings(
    graph: BuildGraph, table: OptionTable | None = None, *, whole: bool = True, behind_aliases: bool = True
) -> SettingsAnswer:
    """The settings of the main repository and those its selects name. Loads all of its packages, if ``whole``; else
    those count that are there. ``behind_aliases``: a config_setting that names an alias reads the flag behind it."""
    source = graph.source if whole else None
    keys = [(_MAIN, name) for name in (source.packages_below(_MAIN, "") if source is not None else ())]
    keys = keys or sorted(key for key in graph.packages if key[0] == _MAIN)
    return _SettingRows(graph, select_uses(graph, graph.load_in_turn(keys)), table, behind_aliases).answer(keys)


class _SettingRows:
    """Makes the rows: looks behind aliases and groups, and hands uses on to what stands there."""

    def __init__(self, graph: GraphView, uses: SelectUses, table: OptionTable | None, behind_aliases: bool) -> None:
        self.graph = graph
        self.uses = uses
        self.table = table
        self.behind_aliases = behind_aliases
        self._behind: dict[Label, tuple[Label, ...]] = {}
        self._direct: dict[Label, array[int]] = {}
        self._through: dict[Label, array[int]] = {}
        self._platforms: dict[Label, frozenset[Label]] = {}

    def answer(self, keys: Sequence[tuple[str, str]]) -> SettingsAnswer:
        """All rows, those of the main repository first."""
        self._hand_on()
        self._platforms = dict(self._platforms_of(keys))
        listed = [label for label, rule_class in self._declared(keys) if self._is_setting(label, rule_class)]
        labels = dict.fromkeys([*listed, *self._direct, *self._through])
        rows = [self._row(label) for label in sorted(labels, key=lambda each: (each.repo != _MAIN, each))]
        numbers = [number for label in labels if (number := self.graph.find(label)) is not None]
        gaps = [gap for gap in self.graph.gaps_of(numbers) if any(gap.what in str(label) for label in labels)]
        calls = {name: self._uses(numbers) for name, numbers in self.uses.by_call.items()}
        return SettingsAnswer(
            tuple(row for row in rows if not self._is_piece(row)),
            calls,
            tuple(gaps),
            self.uses.table,
            tuple(self._platforms),
        )

    def _uses(self, numbers: Iterable[int]) -> Uses:
        return Uses(self.uses.table, numbers)

    def _declared(self, keys: Iterable[tuple[str, str]]) -> Iterator[tuple[Label, RuleClass]]:
        """The rules that packages declare."""
        for key in keys:
            package = self.graph.packages.get(key)
            for name, rule_class in classes_of(package.targets).items() if package is not None else ():
                if rule_class is not None:
                    yield Label(*key, name), rule_class

    def _platforms_of(self, keys: Iterable[tuple[str, str]]) -> Iterator[tuple[Label, frozenset[Label]]]:
        """The platforms that packages declare, with their constraint values where these are known."""
        for label, rule_class in self._declared(keys):
            if rule_class.name == PLATFORM and (values := values_of(label, self._rule_behind)) is not None:
                yield label, values

    def _rule(self, label: Label) -> Rule | None:
        target = self.graph.target(self.graph.resolve(label))
        if not isinstance(target, Rule):
            return None
        return (of_bazel(label, target, self.table.version) if self.table is not None else None) or target

    def _is_setting(self, label: Label, rule_class: RuleClass) -> bool:
        if rule_class.name in _KINDS or rule_class.build_setting is not None:
            return True
        return rule_class.name in ALIASES and self._is_condition(label)

    def _is_condition(self, label: Label) -> bool:
        """Whether an alias stands for settings: some select() names it, or its own branches do."""
        return label in self.uses.by_label or any(
            rule is not None and rule.rule_class.name in _KINDS for rule in map(self._rule, self.behind(label))
        )

    def behind(self, label: Label) -> tuple[Label, ...]:
        """What a setting stands for or reads, at any depth."""
        found = self._behind.get(label)
        if found is not None:
            return found
        seen: dict[Label, None] = {label: None}
        waiting = [label]
        while waiting:
            rule = self._rule(waiting.pop())
            for each in setting_text.shown_behind(rule) if rule is not None else ():
                if each not in seen:
                    seen[each] = None
                    waiting.append(each)
        del seen[label]
        found = self._behind[label] = tuple(seen)
        return found

    def _meant(self, label: Label) -> Label:
        """The build setting that a config_setting names with a label."""
        return self._actual(label) if self.behind_aliases else label

    def _actual(self, label: Label) -> Label:
        """What is behind aliases without conditions; any other label itself."""
        for _ in range(MAX_STEPS):
            rule = self._rule(label)
            actual = rule.get("actual") if rule is not None and is_alias(rule) else None
            if not isinstance(actual, Label):
                break
            label = actual
        return label

    def _rule_behind(self, label: Label) -> Rule | None:
        return self._rule(self._actual(label))

    def _hand_on(self) -> None:
        """Give each use to the setting it names, and to what stands behind that. The selects of an alias that is a
        condition itself are its meaning, and no use."""
        meanings, target_of = self._meanings(), self.uses.table.target_of
        for label, numbers in list(self.uses.by_label.items()):
            own = array("i", (number for number in numbers if target_of[number] not in meanings))
            self._direct.setdefault(label, array("i")).extend(own)
            for each in self.behind(label) if own else ():
                self._through.setdefault(each, array("i")).extend(own)

    def _meanings(self) -> set[int]:
        """The aliases that are conditions, by their number as targets: named by a select(), behind one that is, or a
        part of a group."""
        conditions = {*self.uses.by_label, *(each for label in self.uses.by_label for each in self.behind(label))}
        aliases = ((number, self.uses.table.targets[number]) for number in self.uses.aliases)
        return {number for number, label in aliases if label in conditions or self._is_part(label)}

    def _is_part(self, label: Label) -> bool:
        rule = self._rule(label)
        return rule is not None and setting_text.is_of_group(rule)

    def _is_piece(self, row: SettingRow) -> bool:
        """The inner links of a group's chain of aliases are nobody's names."""
        rule = self._rule(row.label)
        return (
            rule is not None
            and rule.generator is not None
            and setting_text.is_of_group(rule)
            and rule.generator.name != rule.label.name
        )

    def _row(self, label: Label) -> SettingRow:
        uses = self.uses.table
        direct, through = self._uses(self._direct.get(label, ())), self._through.get(label, ())
        named = {uses.select_of(number) for number in direct.numbers}
        more = self._uses(number for number in through if uses.select_of(number) not in named)
        rule = self._rule(label)
        chosen = (Mention(OPTION, PLATFORMS, str(each)) for each in deciding(label, self._platforms, self._rule_behind))
        if rule is None:
            absent = self.graph.kinds[self.graph.resolve(label)] == NodeKind.UNLOADED
            kind = "unloaded target" if absent else "missing target"
            return SettingRow(label, kind, (), "", None, direct, more, mentions=tuple(chosen))
        reads = setting_text.reads_of(rule, self._rule)
        default = setting_text.default_text(rule, self.table)
        behind = self.behind(label)
        return SettingRow(
            label, setting_text.kind_text(rule), reads, default, rule.location, direct, more, behind,
            (*_mentions(rule, self.table, self._meant), *chosen),
        )  # fmt: skip


def _mentions(rule: Rule, table: OptionTable | None, meant: Callable[[Label], Label]) -> Iterator[Mention]:
    """What a config_setting reads, in the form in which others set it; ``meant``: what aliases stand for."""
    for name, value in setting_text.options_read(rule):
        if name == DEFINE:
            yield Mention(DEFINE, *value.split("=", 1)) if "=" in value else Mention(DEFINE, value, "")
            continue
        fact = table.find(name) if table is not None else None
        try:
            yield Mention(OPTION, name, fact.canonical(value) if fact is not None else value)
        except ValueError:
            yield Mention(OPTION, name, value)
    for label, value in setting_text.flags_read(rule):
        yield Mention(FLAG, str(meant(label)), value)
