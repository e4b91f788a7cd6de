"""``bzlgraph``: global options, and how a command line ends whatever happens.

A command returns an ``Outcome``; ``conclude`` prints it and chooses the exit code.
"""

from __future__ import annotations

import os
import sys
import warnings

import click

from bzlgraph import __version__
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.links import Links, template_of, use
from bzlgraph.cli import transcript
from bzlgraph.cli.conclude import conclude, refused, stopped, tell
from bzlgraph.cli.default_options import checked
from bzlgraph.cli.global_options import GlobalOptions, parse_override
from bzlgraph.cli.group import LazyGroup
from bzlgraph.cli.outcome import ExitCode, Outcome
from bzlgraph.cli.printing import profile_lines, say
from bzlgraph.cli.terminal.progress import LINE
from bzlgraph.defaults.files import Defaults, checkout_root
from bzlgraph.defaults.words import with_defaults


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
