"""Defaults that files set, checked against the options there are: what means nothing is a warning with its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import click

from bzlgraph.base.spell import did_you_mean
from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.defaults.files import Defaults, Setting


def checked(group: click.Group, defaults: Defaults, typed: Collection[str]) -> tuple[Defaults, list[str]]:
    """The settings that mean something, and warnings about the others that ``typed`` words would have met."""
    kept, warnings = Defaults(), []
    context = click.Context(group)
    for setting in defaults.settings:
        if setting.command and setting.command not in group.list_commands(context):
            known = did_you_mean(setting.command, group.list_commands(context))
            warnings.append(f"{setting.place}: there is no command '{setting.command}'{known}")
        elif setting.command and not {setting.command, setting.command.replace("-", "_")} & set(typed):
            continue  # another command's
        elif (problem := _why_not(group, context, setting)) is not None:
            warnings.append(f"{setting.place}: {problem}")
        elif not _says_nothing(group, context, setting):
            kept.settings.append(setting)
    return kept, warnings


def _command(group: click.Group, context: click.Context, setting: Setting) -> click.Command:
    found = group.get_command(context, setting.command) if setting.command else group
    assert found is not None
    return found


def _options(command: click.Command) -> Iterator[tuple[str, click.Option]]:
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield from ((name, parameter) for name in (*parameter.opts, *parameter.secondary_opts))


def _why_not(group: click.Group, context: click.Context, setting: Setting) -> str | None:
    command = _command(group, context, setting)
    options, name = dict(_options(command)), f"--{setting.name}"
    whose = setting.command or "bzlgraph"
    option = options.get(name)
    if option is None:
        if isinstance(command, BazelCommand) and _is_bazels(setting, command):
            return None
        names = [each.removeprefix("--") for each in options if each.startswith("--")]
        return f"{whose} has no option '{setting.name}'{did_you_mean(setting.name, names)}"
    if option.is_flag or isinstance(setting.value, bool):
        fits = option.is_flag and isinstance(setting.value, bool)
        return None if fits else f"'{setting.name}' is {'true or false' if option.is_flag else 'no switch'}"
    try:
        for each in setting.value if isinstance(setting.value, list) else [setting.value]:
            option.type.convert(str(each), option, context)
    except click.BadParameter as problem:
        return f"'{setting.name}': {problem.message}"
    return None


def _is_bazels(setting: Setting, command: BazelCommand) -> bool:
    from bzlgraph.config.arguments import split_words

    rest, _ = split_words(setting.words(), {}, configures=command.configures)
    return not rest


def _says_nothing(group: click.Group, context: click.Context, setting: Setting) -> bool:
    """A switch that is off and cannot be switched off: it is not on by itself."""
    options = dict(_options(_command(group, context, setting)))
    return setting.value is False and f"--{setting.name}" in options and f"--no{setting.name}" not in options
