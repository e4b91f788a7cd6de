"""Bazel's own options on our commands: ``bzlgraph query --config=cuda -c opt --define=a=b 'deps(//x)'``.

``@click.command("query", cls=ConfiguredCommand)`` takes them out of the arguments before click sees them; with
``@config_options`` the command gets them as its argument ``configured``, one ``ConfigArguments``. Where a command has
an option of the same name, the command's own wins. Taken are: options that are part of the configuration, Starlark
flags, ``--config``, and those that choose rc files; what else Bazel has is none of ours.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.facts.options import OptionTable

Command = TypeVar("Command", bound=Callable[..., Any])

META_KEY = "bzlgraph.config_arguments"
FLAG_STARTS = ("--//", "--@", "--no//", "--no@")
RC_SWITCHES = ("workspace_rc", "home_rc", "system_rc")
ALSO = frozenset({"config", "enable_platform_specific_config", "flag_alias"})
"""Options that are not part of the configuration, but lead to some that are."""

HELP = (
    "--config=NAME, -c opt, --define=K=V, --cpu=, --copt=, --platforms=, --//pkg:flag=V and Bazel's other options "
    "choose a configuration; then the workspace's .bazelrc counts too. "
    "--bazelrc=FILE adds one, --noworkspace_rc leaves the workspace's out."
)


class ConfiguredCommand(click.Command):
    """A command that also takes options of Bazel."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest, arguments = take_options(args, own_options(self, ctx), _version(ctx))
        ctx.meta[META_KEY] = arguments
        return super().parse_args(ctx, rest)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Options of Bazel"):
            formatter.write_text(HELP)
        super().format_epilog(ctx, formatter)


def config_options(command: Command) -> Command:
    """Pass ``configured: ConfigArguments`` to the command."""

    @functools.wraps(command)
    def called(*arguments: Any, **values: Any) -> Any:
        return command(*arguments, configured=click.get_current_context().meta[META_KEY], **values)

    return cast(Command, called)


def take_options(args: list[str], own: dict[str, bool], version: str = "") -> tuple[list[str], ConfigArguments]:
    """(what is left for the command, Bazel's options).

    ``own``: the names of the command's own options -> whether they take a value.

    >>> rest, taken = take_options(["--config", "x", "-c", "opt", "//a", "--output", "csv"], {"--output": True})
    >>> rest, taken.tokens
    (['//a', '--output', 'csv'], ('--config', 'x', '-c', 'opt'))
    """
    from bzlgraph.config.arguments import ConfigArguments

    rest: list[str] = []
    tokens: list[str] = []
    chosen: dict[str, Any] = {}
    files: list[str] = []
    waiting = iter(args)
    for argument in waiting:
        name = argument.partition("=")[0]
        if argument == "--":
            rest += [argument, *waiting]
        elif name in own:
            rest += [argument, *_next(waiting, own[name] and "=" not in argument)]
        elif argument.startswith(FLAG_STARTS):
            tokens.append(argument)
        elif name == "--bazelrc":
            files += [argument[len("--bazelrc=") :]] if "=" in argument else _next(waiting, True)
        elif name.removeprefix("--no").removeprefix("--") in RC_SWITCHES:
            chosen[name.removeprefix("--no").removeprefix("--")] = not name.startswith("--no")
        elif name == "--ignore_all_rc_files":
            chosen["workspace_rc"] = chosen["home_rc"] = chosen["system_rc"] = False
        elif argument.startswith("-") and len(argument) > 1 and not argument.startswith("-//"):
            more = _taken(argument, waiting, version)
            (tokens if more else rest).extend(more or [argument])
        else:
            rest.append(argument)
    return rest, ConfigArguments(tuple(tokens), tuple(files), **chosen)


def _taken(argument: str, waiting: Any, version: str) -> list[str]:
    """The words of the option of Bazel that begins with ``argument``; none when it is no such."""
    from bzlgraph.facts.options import options_for

    table = options_for(version)
    name, equals, _ = argument.lstrip("-").partition("=")
    if not argument.startswith("--"):
        name = table.abbreviations.get(name, "")
    fact = table.find(name) or _negated(name, table)
    if fact is None or not (fact.configures or fact.name in ALSO or _leads_to_some(fact.expansion, table)):
        return []
    return [argument, *_next(waiting, fact.takes_value and not equals)]


def _negated(name: str, table: OptionTable) -> Any:
    fact = table.find(name[2:]) if name.startswith("no") else None
    return fact if fact is not None and fact.has_no else None


def _leads_to_some(expansion: tuple[str, ...], table: OptionTable) -> bool:
    facts = (table.find(word.lstrip("-").partition("=")[0]) for word in expansion)
    return any(fact is not None and fact.configures for fact in facts)


def _next(waiting: Any, wanted: bool) -> list[str]:
    found = next(waiting, None) if wanted else None
    return [] if found is None else [found]


def own_options(command: click.Command, ctx: click.Context) -> dict[str, bool]:
    """The names of the command's own options, and whether each takes a value."""
    own: dict[str, bool] = {}
    for parameter in command.get_params(ctx):
        if isinstance(parameter, click.Option):
            for name in (*parameter.opts, *parameter.secondary_opts):
                own[name] = not parameter.is_flag and not parameter.count
    return own


def _version(ctx: click.Context) -> str:
    return str(getattr(ctx.obj, "bazel_version", ""))
