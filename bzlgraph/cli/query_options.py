"""The options that say what is asked (not how it is printed): Bazel's names.

``@query_options`` adds them to a click command; ``options_of(values)`` reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from bzlgraph.questions.session import QueryOptions

Command = TypeVar("Command", bound=Callable[..., object])

KEEP_GOING = click.option(
    "-k", "--keep_going/--nokeep_going", "keep_going",
    help="Answer as far as possible; exit with 3 instead of 7 if something is broken or missing.",
)  # fmt: skip

DEPTH_HELP = "How many edges to follow. [default: deps, rdeps 3; why 1; graph all, with --focus 1]"
IMPLICIT_DEPS = click.option(
    "--implicit_deps/--noimplicit_deps", "implicit_deps", default=True, help="Include implicit dependencies."
)
TOOL_DEPS = click.option(
    "--tool_deps/--notool_deps", "--host_deps/--nohost_deps", "tool_deps", default=True,
    help="Include tool (exec) dependencies.",
)  # fmt: skip
ASSUME_DECLARED = click.option(
    "--assume_declared", is_flag=True,
    help="Accept labels that only an unknown macro could declare.",
)  # fmt: skip

_OPTIONS = (
    IMPLICIT_DEPS,
    TOOL_DEPS,
    click.option(
        "--nodep_deps/--nonodep_deps", "nodep_deps", default=True, help="Include nodep dependencies (visibility)."
    ),
    click.option(
        "--universe_scope", "universe_scope", multiple=True, metavar="P,P,...",
        help="Patterns that allrdeps, rbuildfiles, made_by and callers search (default: //...); -P excludes P.",
    ),
    click.option(
        "--infer_universe_scope/--noinfer_universe_scope", "infer_universe_scope", default=False,
        help="Use the patterns of EXPR as the universe.",
    ),
    click.option(
        "--strict_test_suite/--nostrict_test_suite", "strict_test_suite", default=False,
        help="Make tests() report an error for test_suites that contain non-test targets.",
    ),
    KEEP_GOING,
    ASSUME_DECLARED,
    click.option(
        "--query_file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
        metavar="FILE", help="Read EXPR from FILE; - is stdin.",
    ),
)  # fmt: skip


def query_options(command: Command) -> Command:
    """Add the options to a click command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def options_of(values: dict[str, Any]) -> QueryOptions:
    """What ``@query_options`` added, taken out of a command's arguments."""
    from bzlgraph.questions.session import QueryOptions

    chosen = {each.name: values.pop(each.name) for each in fields(QueryOptions)}
    chosen["universe_scope"] = tuple(_split(chosen["universe_scope"]))
    return QueryOptions(**chosen)


def _split(lists: Sequence[str]) -> list[str]:
    """Comma-separated lists, one after another."""
    return [item.strip() for each in lists for item in each.split(",") if item.strip()]
