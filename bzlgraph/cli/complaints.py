"""A command line that cannot be read -> what to say: click's words, and the names that may have been meant.

Imported when something is wrong with a command line, never else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

import click

from bzlgraph.base.spell import nearest_names, nearest_words, slips

_LOST_DASHES = re.compile(r"-\w[\w:-]{3,}(?:=.*)?|\w[\w:-]{3,}=.*", re.DOTALL)
"""One dash and a name, or a name without any and a value."""
_EXTRA = re.compile(r"Got unexpected extra arguments? \((\S+?)\)")
_EXAMPLE = re.compile(r"^ *Example: (.*)", re.DOTALL | re.MULTILINE)


_CHANGES = "bzlgraph rdeps FILE shows what depends on a file, query 'tests(rdeps(//..., FILE))' the tests among it"
OF_BAZEL = {
    "cquery": "query takes a configuration as Bazel options: bzlgraph query EXPR --config=NAME",
    "aquery": "actions need Bazel's analysis phase, which bzlgraph does not run; query, select and expand show rules",
    **dict.fromkeys(
        ("build", "test", "run", "coverage", "mobile-install"),
        "bzlgraph builds nothing; query, why and graph show what would be built",
    ),
    **dict.fromkeys(
        ("fetch", "sync", "vendor"), "bzlgraph downloads nothing; doctor lists the repositories that are missing"
    ),
    **dict.fromkeys(
        ("config", "canonicalize-flags"),
        "flags bazelrc NAME shows what a config sets, select EXPR --config=NAME what that chooses",
    ),
    **dict.fromkeys(("info", "dump"), "doctor shows which Bazel is read, what is missing, and where the cache is"),
    **dict.fromkeys(
        ("clean", "shutdown"),
        "there is no server and no output, only the cache: doctor says where, and it may be deleted",
    ),
    **dict.fromkeys(("affected", "changed", "impact"), _CHANGES),
    "diff": "diff-config compares two configurations: bzlgraph diff-config EXPR --config=A --vs --config=B",
}
"""Commands of Bazel and of tools around it, and what to do instead."""


def complain(problem: click.ClickException) -> None:
    """Tell what is wrong on stderr, as click does; the nearest name first where something else was meant."""
    meant, hint = _meant(problem), None
    if isinstance(problem, click.exceptions.NoSuchCommand) and problem.command_name in OF_BAZEL:
        problem = click.UsageError(f"{problem.message.rstrip('.')}: {OF_BAZEL[problem.command_name]}", problem.ctx)
    elif isinstance(problem, click.NoSuchOption) and _goes_behind(problem):
        hint = f"options of a command go after it: bzlgraph COMMAND ... {problem.option_name}"
        problem = click.UsageError(f"{problem.message.rstrip('.')} before the command", problem.ctx)
    elif isinstance(problem, click.NoSuchOption) and _is_of_bazel(problem):
        said = f"{problem.message.rstrip('.')}: bzlgraph lacks this option of Bazel"
        hint = "leave it out if it affects only how things are built (caches, execution, logging)"
        problem = click.UsageError(said, problem.ctx)
    elif meant and isinstance(problem, click.UsageError):
        said = problem.format_message() if isinstance(problem, click.BadParameter) else problem.message
        hint = None if isinstance(problem, click.NoSuchOption) else _hint(problem)
        problem = click.UsageError(f"{said.rstrip('.')}. Did you mean {', '.join(meant)}?", problem.ctx)
    else:
        hint = _hint(problem)
    problem.show()
    if hint:
        click.echo(f"hint: {hint}", err=True)


def _hint(problem: click.ClickException) -> str | None:
    """What to type instead."""
    ctx = problem.ctx if isinstance(problem, click.UsageError) else None
    if isinstance(problem, click.MissingParameter) or (ctx is not None and ctx.info_name == "export"):
        return example_of(ctx)
    extra = _EXTRA.match(problem.message)
    if extra is not None and ctx is not None and ctx.info_name == "why":
        return f"why takes one target; where paths start is --from: bzlgraph why TARGET --from {extra[1]}"
    return None


def _goes_behind(problem: click.NoSuchOption) -> bool:
    """Whether the option stands before the command, and some command has it."""
    ctx = problem.ctx
    if ctx is None or not isinstance(ctx.command, click.Group) or ctx.parent is not None:
        return False
    commands = [found for name in ctx.command.list_commands(ctx) if (found := ctx.command.get_command(ctx, name))]
    parameters = (each for command in commands for each in command.params if isinstance(each, click.Option))
    own = {name for each in parameters for name in (*each.opts, *each.secondary_opts)}
    return problem.option_name in own or problem.option_name in _taken_of_bazel("")


def _is_of_bazel(problem: click.NoSuchOption) -> bool:
    """Whether the emulated Bazel has an option that no command here takes."""
    option, ctx = problem.option_name, problem.ctx
    if not option.startswith("--") or ctx is None:
        return False
    if not (isinstance(ctx.command, click.Group) or getattr(ctx.command, "takes_options_of_bazel", False)):
        return False
    from bzlgraph.facts.options import options_for

    name, table = option.lstrip("-"), options_for(str(getattr(ctx.obj, "bazel_version", "")))
    return any(table.find(each) is not None for each in (name, name.removeprefix("no")))


def example_of(ctx: click.Context | None) -> str | None:
    """The command line that the help of a command ends with: what to type instead of one that lacks something."""
    found = _EXAMPLE.search((ctx.command.help or "") if ctx is not None else "")
    return f"for example: {' '.join(found[1].split())}" if found is not None else None


def _meant(problem: click.ClickException) -> tuple[str, ...]:
    match problem:
        case click.NoSuchOption(ctx=ctx, option_name=name) if ctx is not None:
            known = list(_options(ctx))
            return slips(name, known) or nearest_names(_long(name), known)
        case click.exceptions.NoSuchCommand(ctx=ctx, command_name=name) if ctx is not None:
            group = ctx.command
            return nearest_words(name, group.list_commands(ctx) if isinstance(group, click.Group) else ())
        case click.BadParameter(param=click.Parameter(type=click.Choice(choices=choices))):
            typed = re.match(r"'(.*)' is not one of", problem.message)
            return nearest_words(typed[1], map(str, choices)) if typed else ()
    return ()


def refuse_lost_dashes(words: list[str], own: Mapping[str, bool], ctx: click.Context) -> None:
    """Refuse what is near to a long option and lacks a dash or two: ``-output=x`` would be ``-o``, and a file's name.

    ``own``: the command's options, and whether each takes a value. Raises NoSuchOption. After ``--``, and in a query
    that begins with ``let``, anything may stand.
    """
    known: list[str] | None = None
    for before, word in pairwise(["", *words]):
        if word in ("--", "let"):
            return
        if _LOST_DASHES.fullmatch(word) is not None and not own.get(before, False):
            known = list(_options(ctx)) if known is None else known
            name = word.partition("=")[0]
            if slips(f"--{name.lstrip('-')}", known) or slips(name, known):
                raise click.NoSuchOption(name, ctx=ctx)


def _long(name: str) -> str:
    """An option as typed, with the dashes of a long one: one too few or too many is part of the slip."""
    return f"--{name.lstrip('-')}" if len(name) > 2 else name


def _options(ctx: click.Context) -> Iterator[str]:
    """Every option that may stand there: those of the command, the global ones, those of Bazel."""
    for each in (ctx, ctx.find_root()):
        for parameter in each.command.get_params(each):
            if isinstance(parameter, click.Option):
                yield from (name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("--"))
    if getattr(ctx.command, "takes_options_of_bazel", False):
        yield from _taken_of_bazel(str(getattr(ctx.obj, "bazel_version", "")))


def _taken_of_bazel(version: str) -> Iterator[str]:
    """The options of a Bazel that commands take."""
    from bzlgraph.config.arguments import OWN_TO_RC, taken_options

    yield from OWN_TO_RC
    for fact in taken_options(version):
        yield f"--{fact.name}"
        if fact.has_no:
            yield f"--no{fact.name}"
