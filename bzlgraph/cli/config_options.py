"""Bazel's own options on our commands: ``bzlgraph query --config=cuda -c opt --define=a=b 'deps(//x)'``.

``@click.command("query", cls=ConfiguredCommand)`` takes them out of the arguments before click sees them; with
``@config_options`` the command gets them as its argument ``configured``, one ``ConfigArguments``. Where a command has
an option of the same name, the command's own wins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


class ConfiguredCommand(click.Command):
    """A command that also takes options of Bazel."""


def config_options(command: Command) -> Command:
    """Pass ``configured: ConfigArguments`` to the command."""
    raise NotImplementedError
