"""``bzlgraph completion SHELL``: what a shell has to read to complete commands, options, labels, configs and ops."""

from __future__ import annotations

from collections.abc import Mapping

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ShellComplete, ZshComplete

from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import text_bytes
from bzlgraph.cli.terminal.completion import configs
from bzlgraph.defaults.words import folder_of


class _Configs(ShellComplete):
    """Completes ``--config=``, which is Bazel's and none of click's options; the rest is click's."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """What may stand at the cursor; bash takes the equals sign for a word of its own."""
        if args[-2:] == ["--config", "="] or (args[-1:] == ["--config"] and incomplete == "="):
            return [CompletionItem(each) for each in configs(folder_of(args), incomplete.lstrip("="))]
        if incomplete.startswith("--config="):
            begun = incomplete.partition("=")[2]
            return [CompletionItem(f"--config={each}") for each in configs(folder_of(args), begun)]
        return super().get_completions(args, incomplete)


SHELLS: Mapping[str, type[ShellComplete]] = {
    "bash": type("_Bash", (_Configs, BashComplete), {}),
    "zsh": type("_Zsh", (_Configs, ZshComplete), {}),
    "fish": type("_Fish", (_Configs, FishComplete), {}),
}
_WHOLE_LABELS = "COMP_WORDBREAKS=${COMP_WORDBREAKS//[:@]/}\n"
"""bash takes colons and at-signs for ends of words; a label has them inside."""


def script(shell: str, group: click.Group) -> str:
    """What a shell has to read."""
    made = SHELLS[shell](group, {}, "bzlgraph", "_BZLGRAPH_COMPLETE")
    return (_WHOLE_LABELS if shell == "bash" else "") + (made.source_template % made.source_vars()).strip() + "\n"


def complete() -> None:
    """A shell runs this process to complete a line: click gets what completes it."""
    for name, each in SHELLS.items():
        click.shell_completion.add_completion_class(each, name)


@click.command("completion")
@click.argument("shell", type=click.Choice(tuple(SHELLS)))
@click.pass_context
def command(ctx: click.Context, /, shell: str) -> Outcome:
    """Print a script that lets SHELL complete commands, options, labels, configs and ops.

    \b
    bash  eval "$(bzlgraph completion bash)" in ~/.bashrc
    zsh   eval "$(bzlgraph completion zsh)" in ~/.zshrc
    fish  bzlgraph completion fish > ~/.config/fish/completions/bzlgraph.fish

    Labels come from recent questions about the checkout, or else from its BUILD files.

    Example: bzlgraph completion bash
    """
    group = ctx.find_root().command
    assert isinstance(group, click.Group)
    return Outcome(text_bytes([script(shell, group)]))
