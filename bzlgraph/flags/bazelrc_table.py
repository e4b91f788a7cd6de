"""``flags bazelrc [CONFIG]``: options that rc files set -> groups of option uses, and which are overridden.

``bazelrc_view(workspace, arguments, config)`` -> ``BazelrcView``; ``rows(view)`` are its table; its text is made in
``export/flags_formats``. Lines of all commands are there, also of those that no question of ours asks as (``test``,
``startup``).

What overrides what: a later use of the same option, unless it collects its values; of ``--define`` and other options
that are ``KEY=VALUE``, a later use with the same key. Whether a Starlark flag collects values, only its BUILD file
tells: no use of one is called overridden.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.span import Location
from bzlgraph.base.spell import nearest_names
from bzlgraph.config.arguments import ConfigArguments, option_table, problems, workspace_bazelrc
from bzlgraph.config.bazelrc import Bazelrc, RcFile
from bzlgraph.config.expansion import ConfigExpander, OptionNode, commands_of, flatten, undefined_config
from bzlgraph.config.option_use import OptionUse
from bzlgraph.facts.options import OptionTable
from bzlgraph.workspace.workspace import Workspace

COLUMNS = ("config", "command", "order", "option", "file", "line", "via", "name", "value", "overridden_by", "problem")
KEYED = frozenset({"define", "action_env", "host_action_env", "test_env", "repo_env"})


@dataclass(frozen=True, slots=True)
class ConfigGroup:
    """The uses that one command gets: always (``config`` ""), or from ``--config=config``."""

    config: str
    command: str
    nodes: tuple[OptionNode, ...]

    def uses(self) -> Iterator[OptionNode]:
        """The uses in the order in which they count."""
        return flatten(self.nodes)

    @property
    def title(self) -> str:
        """``build`` or ``build --config=x``."""
        return f"{self.command} --config={self.config}" if self.config else self.command


@dataclass(frozen=True, slots=True)
class BazelrcView:
    """What the rc files of a workspace say.

    ``config``: the config that was asked for, "" for all. ``groups``: what is always on first, then each config.
    ``overriders``: ``id()`` of a node of a group -> the use that overrides it. ``problems``: what Bazel would refuse,
    and configs that cannot be expanded.
    """

    config: str
    files: tuple[RcFile, ...]
    groups: tuple[ConfigGroup, ...]
    overriders: Mapping[int, OptionUse]
    problems: tuple[Diagnostic, ...]
    broken: Mapping[str, Location | None] = field(default_factory=dict)
    """The configs that cannot be expanded, and where what they take in is not there."""

    def overrider(self, node: OptionNode) -> OptionUse | None:
        """The use that overrides a node of one of the groups."""
        return self.overriders.get(id(node))

    @property
    def configs(self) -> tuple[str, ...]:
        """The configs of the groups."""
        return tuple(dict.fromkeys(each.config for each in self.groups if each.config))


def bazelrc_view(workspace: Workspace, arguments: ConfigArguments | None = None, config: str = "") -> BazelrcView:
    """Expand what is always on and one config, or all configs for "". Raises UsageProblem for an unknown or cyclic one.

    ``arguments`` chooses the rc files. Asked for all configs, one that cannot be expanded is a problem in the answer.
    """
    rc = workspace_bazelrc(workspace, arguments or ConfigArguments())
    table = option_table(workspace)
    if config and config not in rc.configs():
        raise UsageProblem(undefined_config(config, rc, nearest_names(config, rc.configs())))
    groups = _always(rc, table)
    found, broken = list[Diagnostic](), dict[str, Location | None]()
    for name in (config,) if config else rc.configs():
        for command in _commands(rc, name):
            try:
                groups.append(ConfigGroup(name, command, ConfigExpander(rc, table, command).lines(command, name)))
            except UsageProblem as problem:
                if config:
                    raise
                found.append(problem.diagnostic)
                broken.setdefault(name, problem.diagnostic.location)
    kept = tuple(each for each in groups if each.nodes)
    uses = tuple(node.use for each in kept for node in each.uses() if node.use is not None)
    found += problems(uses, table, rc, workspace.options.bazel_version)
    for name in {each.config for each in kept} & broken.keys():  # for another command it can be
        del broken[name]
    return BazelrcView(config, rc.files, kept, _overriders(kept, table, config), tuple(dict.fromkeys(found)), broken)


def rows(view: BazelrcView) -> Iterator[tuple[str, str, int, str, str, int, str, str, str, str, str]]:
    """A row for each use, in the order in which they count within their group; see ``COLUMNS``."""
    for group in view.groups:
        for order, node in enumerate(group.uses(), 1):
            use = node.use
            assert use is not None
            place = use.origin.location
            winner = view.overrider(node)
            yield (
                group.config, node.command, order, use.written or str(use), place.path if place else "",
                place.line if place else 0, " > ".join(use.origin.via), f"--{use.name}" if use.name else "", use.value,
                str(winner.origin) if winner else "", use.problem,
            )  # fmt: skip


def _always(rc: Bazelrc, table: OptionTable) -> list[ConfigGroup]:
    """What commands get without any --config: the lines of build (with the config of the platform), then of the others.

    Raises UsageProblem: without these, no command runs.
    """
    usual = [ConfigGroup("", node.command, node.children) for node in ConfigExpander(rc, table).expand()]
    others = [each for each in _commands(rc, "") if each not in {group.command for group in usual}]
    return usual + [ConfigGroup("", each, ConfigExpander(rc, table, each).lines(each)) for each in others]


def _commands(rc: Bazelrc, config: str) -> list[str]:
    """The commands that have lines for a config, in the order of ``commands_of``, then of appearance."""
    there = dict.fromkeys(each.command for each in rc.sections if each.config == config)
    usual = [each for each in commands_of("test") if each in there]
    return [*usual, *(each for each in there if each not in usual)]


def _overriders(groups: Sequence[ConfigGroup], table: OptionTable, asked: str) -> dict[int, OptionUse]:
    """What overrides what when a command runs: the groups that it always gets, then those of one config.

    What is always on is overridden by the config that was asked for, too.
    """
    found: dict[int, OptionUse] = {}
    for config in (asked,) if asked else dict.fromkeys(each.config for each in groups):
        for command in dict.fromkeys(each.command for each in groups):
            chain = commands_of(command)
            part = [each for each in groups if each.command in chain and not each.config]
            part += [each for each in groups if each.command in chain and config and each.config == config]
            marked = [each for each in part if each.command == command and (asked or each.config == config)]
            _mark(part, marked, table, found)
    return found


def _mark(
    groups: Sequence[ConfigGroup], marked: Sequence[ConfigGroup], table: OptionTable, found: dict[int, OptionUse]
) -> None:
    """Note for the uses of ``marked`` which use of ``groups`` counts instead, if another does."""
    winners: dict[str, OptionUse] = {}
    to_mark = {id(each) for each in marked}
    for group in reversed(groups):
        for node in reversed(list(group.uses())):
            key = _key(node.use, table) if node.use is not None else ""
            if node.use is None or not key:
                continue
            winner = winners.setdefault(key, node.use)
            if winner is not node.use and id(group) in to_mark:
                found.setdefault(id(node), winner)


def _key(use: OptionUse, table: OptionTable) -> str:
    """What only one use of can hold; "" when all uses count."""
    fact = table.find(use.name)
    if use.name in KEYED:
        return f"{use.name}={use.value.partition('=')[0]}"
    if fact is None or fact.multiple or fact.kind == "expansion":
        return ""
    return use.name
