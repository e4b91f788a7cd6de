"""Which commands there are, and which words of a command line are whose.

Commands are imported when they run, so that ``--help`` is quick.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import click

from bzlgraph.cli.arguments import apart

COMMANDS = {
    "overview": "Summarize a checkout and suggest what to ask next (default command in a checkout).",
    "why": "Explain why a target is built: the dependency path, with a reason for each edge.",
    "deps": "Show the dependencies of targets as a tree.",
    "rdeps": "Show what depends on targets, as a tree.",
    "query": "List the targets that match a Bazel query expression.",
    "graph": "Draw the targets that match an expression.",
    "explore": "Write an interactive page of targets and all their dependencies.",
    "select": "List the branches of every select(), and which of them are chosen.",
    "diff-config": "Compare a build in two configurations.",
    "flags": "Show settings, configs and flags: what sets and reads them, what they add.",
    "op": "Find the sources that implement a TensorFlow, PyTorch or JAX op, and their targets.",
    "mod": "Show Bazel modules, what requires them, and how repositories are created.",
    "expand": "Show a target as a plain rule, with the macros that created it.",
    "export": "Export one or more checkouts as a dataset for DuckDB, Polars and Spark.",
    "doctor": "Report what loads, what is missing and what that may hide.",
    "parse": "Show the syntax tree of a BUILD or .bzl file.",
    "starlark": "Evaluate standalone Starlark files.",
    "completion": "Print a shell completion script for commands, options, labels, configs and ops.",
}

_PLACES = {
    "parse": ("language.parse", "command"),
    "starlark": ("language.starlark", "command"),
    "deps": ("trees", "deps"),
    "rdeps": ("trees", "rdeps"),
}
"""Commands that are not ``command`` in the module of their name: the module below ``commands``, and the name there."""
_TYPED = "bzlgraph.typed"
"""Where a context keeps the words that were typed."""


class LazyGroup(click.Group):
    """A group whose commands live in ``bzlgraph.cli.commands.<name>`` and are imported on use.

    A name may be written with underscores, as options may.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name.replace("_", "-") not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        module, place = _PLACES.get(name, (name, "command"))
        command = getattr(import_module(f"bzlgraph.cli.commands.{module}"), place)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_TYPED] = tuple(args)
        first, rest = apart(args, *self._global_options())
        words = [*first, *_as_options(rest)]
        alone = not ctx.resilient_parsing and len(rest) == 0 and (len(args) > 0 or _in_a_checkout(args))
        return super().parse_args(ctx, [*words, "overview"] if alone else words)

    def again(self, ctx: click.Context, words: Sequence[str]) -> click.Context:
        """The context of the command that runs in ``ctx`` as if ``words`` had been typed as well, at the end.

        Raises click's exceptions for what is no option.
        """
        typed: tuple[str, ...] = ctx.meta[_TYPED]
        end = typed.index("--") if "--" in typed else len(typed)
        first, (name, *rest) = apart([*typed[:end], *words, *typed[end:]], *self._global_options())
        own = self.make_context(ctx.find_root().info_name, [*first, name])
        assert self.callback is not None
        with own.scope(cleanup=False):
            self.callback(**own.params)
        command = self.get_command(own, name)
        assert command is not None
        return command.make_context(name, rest, parent=own)

    def _global_options(self) -> tuple[set[str], set[str]]:
        """Their names: of flags, and of those that take a value."""
        flags: set[str] = set()
        valued: set[str] = set()
        for parameter in self.params:
            if isinstance(parameter, click.Option):
                (flags if parameter.is_flag else valued).update([*parameter.opts, *parameter.secondary_opts])
        return flags, valued


def _as_options(words: list[str]) -> list[str]:
    """``help``, ``help COMMAND`` and ``version``, as Bazel has them, are our options.

    >>> _as_options(["help", "why"]), _as_options(["help"]), _as_options(["version"]), _as_options(["why", "help"])
    (['why', '--help'], ['--help'], ['--version'], ['why', 'help'])
    """
    if words[:1] == ["version"]:
        return ["--version", *words[1:]]
    return [*words[1:], "--help"] if words[:1] == ["help"] else words


def _in_a_checkout(words: Sequence[str]) -> bool:
    """Whether ``bzlgraph`` alone is asked about something: else its help is the answer."""
    from bzlgraph.cli.terminal.completion import root_of
    from bzlgraph.defaults.words import folder_of

    return root_of(folder_of(words)) is not None
