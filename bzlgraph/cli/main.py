"""``bzlgraph``: options, commands, exit codes. Commands are imported when they run, so that ``--help`` is quick.

A command returns an ``Outcome``; ``outcome.conclude`` prints it and chooses the exit code.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module

import click

from bzlgraph import __version__
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.links import Links, template_of, use
from bzlgraph.cli import transcript
from bzlgraph.cli.arguments import apart
from bzlgraph.cli.default_options import checked
from bzlgraph.cli.global_options import GlobalOptions, parse_override
from bzlgraph.cli.outcome import ExitCode, Outcome, conclude, refused, stopped, tell
from bzlgraph.cli.printing import profile_lines, say
from bzlgraph.cli.terminal.progress import LINE
from bzlgraph.defaults.files import Defaults, checkout_root
from bzlgraph.defaults.words import with_defaults

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


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("-C", "--directory", default=".", metavar="DIR", help="The checkout, or a folder inside it (default: .).")
@click.option(
    "--override_repository", multiple=True, metavar="NAME=PATH", help="Use PATH as repository @NAME. Repeatable."
)
@click.option(
    "--bazel_version",
    default="",
    metavar="V",
    help="Bazel version to emulate: 0.17.2 ... 9.1.0, 8.x, latest (default: from .bazeliskrc, then .bazelversion).",
)
@click.option(
    "--repository_folder",
    multiple=True,
    metavar="DIR",
    help="Folder with external repositories, each in a subfolder named after it. Repeatable.",
)
@click.option("--output_base", metavar="DIR", help="Bazel output base with fetched repositories.")
@click.option("--stay_inside", is_flag=True, help="Read nothing outside the checkout.")
@click.option(
    "--allow_outside",
    multiple=True,
    metavar="DIR",
    help="Folder outside the checkout that symbolic links may lead to. Repeatable.",
)
@click.option("--host_os", default="linux", metavar="OS", help="Operating system that repository rules see.")
@click.option("--host_arch", default="x86_64", metavar="CPU", help="CPU architecture that repository rules see.")
@click.option("--strict", is_flag=True, help="Exit with 3 if gaps (unknown inputs) may affect the answer.")
@click.option(
    "--jobs", default=0, metavar="N", help="Processes that load packages, at most 4 per core; 0: one per core."
)
@click.option(
    "--executor",
    default="local",
    metavar="WHO",
    help="Where to load packages: local, dask://HOST:PORT (a cluster that has the files) or dask+ship://HOST:PORT (a "
    "cluster that the files are sent to).",
)
@click.option("--max_steps", type=int, metavar="N", help="Limit on evaluation steps per file (default: 100000000).")
@click.option("--max_seconds", type=float, metavar="S", help="Limit on CPU seconds per package (default: 8).")
@click.option("--max_megabytes", type=int, metavar="MB", help="Limit on memory per package, in MB (default: 256).")
@click.option("--cache_dir", metavar="DIR", help="Cache folder (default: the user's cache folder).")
@click.option("--no_cache", is_flag=True, help="Do not use the cache on disk.")
@click.option("--profile", is_flag=True, help="Report on stderr how the answer was computed and what was read.")
@click.option("--csv_raw", is_flag=True, help="Do not escape CSV cells that spreadsheets would read as formulas.")
@click.option(
    "--show_progress/--noshow_progress", default=True, expose_value=False, hidden=True, help="As Bazel's; see -q."
)
@click.option("-q", "--quiet", is_flag=True, help="Print errors only: no progress, notes or gaps.")
@click.option("-v", "--all_gaps", is_flag=True, help="List all gaps and problems.")
@click.option("--color", type=click.Choice(["auto", "yes", "no"]), default="auto", help="Color text output.")
@click.option(
    "--link_template",
    default="",
    metavar="URL",
    help="Turn source locations into links, for example vscode://file/{root}/{path}:{line}:{column}.",
)
@click.version_option(__version__)
@click.pass_context
def cli(
    ctx: click.Context, /, directory: str, override_repository: tuple[str, ...], repository_folder: tuple[str, ...],
    output_base: str | None, stay_inside: bool, allow_outside: tuple[str, ...], host_os: str, host_arch: str,
    bazel_version: str, strict: bool, jobs: int, executor: str, cache_dir: str | None, no_cache: bool, profile: bool,
    csv_raw: bool, quiet: bool, all_gaps: bool, color: str, link_template: str, **limits: float | None,
) -> None:  # fmt: skip
    """Answer questions about a Bazel build without running Bazel.

    Example: bzlgraph -C tensorflow why @swig//:swig --from //tensorflow/tools/pip_package:build_pip_package
    """
    if link_template:
        use(Links(template_of(link_template), checkout_root(directory) or ""))
    ctx.obj = GlobalOptions(
        directory=directory,
        overrides=dict(parse_override(each) for each in override_repository),
        bazel_version=bazel_version,
        strict=strict,
        jobs=jobs,
        executor=executor,
        cache_dir=cache_dir,
        use_cache=not no_cache,
        color=color,
        host_os=host_os,
        host_arch=host_arch,
        output_base=output_base,
        repository_folders=repository_folder,
        stay_inside=stay_inside,
        allow_outside=allow_outside,
        csv_raw=csv_raw,
        profile=profile,
        quiet=quiet,
        verbose=all_gaps,
        defaults=ctx.obj if isinstance(ctx.obj, Defaults) else Defaults(),
        limits={name.removeprefix("max_"): limit for name, limit in limits.items()},
    )


@cli.result_callback()
@click.pass_context
def _conclude(ctx: click.Context, /, outcome: Outcome, **_options: object) -> None:
    code = conclude(outcome, strict=ctx.obj.strict, quiet=ctx.obj.quiet, verbose=ctx.obj.verbose, look=ctx.obj.look())
    noted, command = transcript.current(), (ctx.invoked_subcommand or "").replace("_", "-")
    if noted is not None and command in transcript.REPEATED and code == 0:
        noted.ends_with(outcome.completeness, outcome.output_file)
    if ctx.obj.profile:
        for line in profile_lines():
            say(line, passing=True)
    ctx.exit(code)


SHOW_BUGS = "BZLGRAPH_TRACEBACK"
"""The variable of the environment that lets an unexpected exception through, to find its cause."""

LESS_MEMORY = (
    "the question needs more memory than this process may use: 'ulimit -v' shows the limit; --jobs=1 needs less"
)


def _held(defaults: Defaults | None, typed: list[str]) -> Defaults:
    """The defaults that mean something; of the others is told."""
    if defaults is None or not defaults.settings:
        return Defaults()
    held, wrong = checked(cli, defaults, typed)
    for each in wrong:
        say(f"warning: {each}")
    return held


def _prepare(typed: list[str]) -> None:
    """Show progress; or let a shell complete a line, which shows nothing."""
    if "_BZLGRAPH_COMPLETE" in os.environ:
        from bzlgraph.cli.commands.completion import complete

        complete()
    else:
        LINE.begin(quiet=not {"-q", "--quiet", "--noshow_progress"}.isdisjoint(typed))


def main(typed: list[str] | None = None, defaults: Defaults | None = None) -> None:
    """The console script, with what files set by default. Ends the process with the exit code."""
    typed = sys.argv[1:] if typed is None else typed
    _prepare(typed)
    try:
        with warnings.catch_warnings(action="ignore"):  # Python's, of code and patterns, are no part of an answer
            held = _held(defaults, typed)
            code = cli.main(args=with_defaults(typed, held), prog_name="bzlgraph", standalone_mode=False, obj=held)
    except click.ClickException as problem:
        from bzlgraph.cli.complaints import complain

        LINE.end()
        complain(problem)
        code = ExitCode.USAGE
    except BzlgraphError as problem:
        code = refused(problem)
    except (KeyboardInterrupt, click.Abort, OSError) as problem:
        code = stopped(problem)
    except MemoryError:
        tell([Diagnostic("not enough memory", hint=LESS_MEMORY)])
        code = ExitCode.FAILED
    except RecursionError:
        tell([Diagnostic("the answer needs too deep a recursion", hint="ask about a smaller part of the checkout")])
        code = ExitCode.FAILED
    except Exception as bug:
        LINE.end()
        if SHOW_BUGS in os.environ:
            raise
        hint = f"this is a bug in bzlgraph; please report the command ({SHOW_BUGS}=1 shows a traceback)"
        tell([Diagnostic(f"internal error: {type(bug).__name__}: {bug}", hint=hint)])
        code = ExitCode.BUG
    LINE.end()
    try:
        transcript.finish()
    except Exception:  # what is kept for the next time never spoils an answer
        if SHOW_BUGS in os.environ:
            raise
    sys.exit(code if isinstance(code, int) else 0)
