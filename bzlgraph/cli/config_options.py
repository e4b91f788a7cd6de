"""Bazel's own options on our commands: ``bzlgraph query --config=cuda -c opt --define=a=b 'deps(//x)'``.

A ``BazelCommand`` takes them out of the arguments before click sees them and passes them to the command as its argument
``configured``, one ``ConfigArguments``. Where a command has an option of the same name, the command's own wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments

CONFIGURES = (
    "--config=NAME, -c opt, --define=K=V, --cpu=, --copt=, --platforms=, --//pkg:flag=V and Bazel's other options "
    "choose a configuration; the workspace's .bazelrc then applies too. --assume=NAME=true (or false) assumes a value "
    "for an unknown macro, function or config_setting. "
)
LOADS = (
    "--deleted_packages=P,P,..., --[no]enable_bzlmod and --[no]enable_workspace control what is loaded; "
    "--repo_env=NAME=VALUE sets a variable for repository rules; --registry=, --override_module=NAME=PATH, "
    "--distdir=, --repository_cache= and --vendor_dir= say where repositories come from. --bazelrc=FILE adds an rc "
    "file; --noworkspace_rc ignores the workspace's."
)
GLOBAL = "The options of bzlgraph --help, such as -C, --override_repository and -q, may also follow the command."


class BazelCommand(click.Command):
    """A command about a workspace: it also takes options of Bazel."""

    help_text = CONFIGURES + LOADS
    takes_options_of_bazel = True
    configures = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if {"-h", "--help"} & set(args):
            return super().parse_args(ctx, args)  # which needs nothing of Bazel, and is quick
        if ctx.resilient_parsing:  # a shell asks what may come next: as quick
            return super().parse_args(ctx, [each for each in args if not each.startswith("--config")])
        rest, configured = split_options(self, ctx, args)
        refuse_lost_dashes_of(self, ctx, rest)
        try:
            rest = super().parse_args(ctx, rest)
        except click.NoSuchOption as refused:
            if (aliases := self._aliases(ctx, configured, refused)) is None:
                raise
            rest, configured = split_options(self, ctx, args, aliases)
            rest = super().parse_args(ctx, rest)
        ctx.params["configured"] = configured
        return rest

    def _aliases(
        self, ctx: click.Context, configured: ConfigArguments, refused: click.NoSuchOption
    ) -> dict[str, str] | None:
        """The short names of flags that the checkout defines, where one of them is what was refused."""
        from bzlgraph.base.errors import UsageProblem
        from bzlgraph.config.arguments import flag_aliases

        if not self.configures or ctx.obj is None:
            return None
        try:
            known = flag_aliases(ctx.obj.session(configured).loader.workspace, configured)
        except UsageProblem:
            return None
        return known if refused.option_name.removeprefix("--") in known else None

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Bazel options"):
            formatter.write_text(self.help_text)
        with formatter.section("Global options"):
            formatter.write_text(GLOBAL)
        super().format_epilog(ctx, formatter)


class LoadingCommand(BazelCommand):
    """A command that no configuration changes: of Bazel's options only those that say what is loaded."""

    help_text = LOADS
    configures = False

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as refused:
            from bzlgraph.config.arguments import split_words

            if split_words([refused.option_name], {}, str(getattr(ctx.obj, "bazel_version", "")))[1].tokens:
                raise click.UsageError(
                    f"{refused.option_name} chooses a configuration, but {ctx.info_name} does not depend on one; "
                    "query, why, select and diff-config take it",
                    ctx,
                ) from None
            raise


def split_options(
    command: BazelCommand, ctx: click.Context, args: list[str], aliases: Mapping[str, str] = MappingProxyType({})
) -> tuple[list[str], ConfigArguments]:
    """(what is left for the command, Bazel's options); ``aliases`` of flags that the checkout defines."""
    from bzlgraph.config.arguments import split_words

    version = str(getattr(ctx.obj, "bazel_version", ""))
    return split_words(args, _own_options(command, ctx), version, configures=command.configures, aliases=aliases)


def refuse_lost_dashes_of(command: click.Command, ctx: click.Context, args: list[str]) -> None:
    """Raises NoSuchOption for a word that lacks the dashes of an option of the command."""
    if any("=" in each or (len(each) > 2 and each[0] == "-" != each[1]) for each in args):
        from bzlgraph.cli.complaints import refuse_lost_dashes

        refuse_lost_dashes(args, _own_options(command, ctx), ctx)


def _own_options(command: click.Command, ctx: click.Context) -> dict[str, bool]:
    """The names of the command's own options, and whether each takes a value."""
    return {
        name: not parameter.is_flag and not parameter.count
        for parameter in command.get_params(ctx)
        if isinstance(parameter, click.Option)
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
