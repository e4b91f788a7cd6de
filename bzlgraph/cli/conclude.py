"""The one place that prints what a command returns, and chooses the exit code.

stdout is data only; everything else goes to stderr.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import click

from bzlgraph.base.causes import SHOWN_PROBLEMS, problem_texts, told_lines
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError, QueryProblem, UsageProblem
from bzlgraph.cli import transcript
from bzlgraph.cli.outcome import ExitCode, Outcome
from bzlgraph.cli.printing import say
from bzlgraph.cli.terminal.layout import Look, as_shown
from bzlgraph.cli.terminal.progress import LINE


def conclude(outcome: Outcome, *, strict: bool, quiet: bool, verbose: bool, look: Look) -> ExitCode:
    """Print an outcome, tell on stderr what is wrong and what is unknown; the exit code.

    ``quiet``: only of what is wrong; ``verbose``: of every problem and every gap, one by one. ``look``: that of stdout.
    Raises UsageProblem for a file that cannot be written, OSError for a stdout that cannot.
    """
    _print(outcome.pieces, outcome.output_file, look)
    problems, gaps = outcome.completeness.problems, outcome.completeness.gaps
    if outcome.code is not None:
        for line in outcome.notes:
            say(line)
        return outcome.code
    rendered, most = (each.render() for each in problems), None if outcome.all_problems else SHOWN_PROBLEMS
    untold = [gap for gap in gaps if gap not in outcome.told_gaps]
    for line in told_lines(outcome.notes, rendered, untold, quiet=quiet, verbose=verbose, most=most):
        say(line)
    if outcome.says_no:
        return ExitCode.SAYS_NO
    if problems:
        return ExitCode.PARTIAL if outcome.keep_going else ExitCode.FAILED
    return ExitCode.PARTIAL if strict and gaps else ExitCode.ANSWERED


def refused(problem: BzlgraphError) -> ExitCode:
    """Tell why there is no answer; the exit code."""
    tell(problem.diagnostics)
    return ExitCode.USAGE if isinstance(problem, UsageProblem | QueryProblem) else ExitCode.FAILED


def stopped(problem: BaseException) -> ExitCode:
    """Tell what stopped a command that is not to blame; the exit code."""
    if not isinstance(problem, OSError):
        return ExitCode.INTERRUPTED
    if isinstance(problem, BrokenPipeError):  # whoever reads stdout has seen enough, and needs no message
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.UNREAD
    tell([Diagnostic(f"{problem.filename or 'stdout'}: {problem.strerror or problem}")])
    return ExitCode.FAILED


def tell(problems: Iterable[Diagnostic]) -> None:
    """Show problems on stderr, each once."""
    for text in problem_texts(each.render() for each in problems):
        say(text)


def _print(pieces: Iterable[bytes], output_file: Path | None, look: Look) -> None:
    if output_file is None:
        _print_to_stdout(pieces, look)
        return
    waiting = iter(pieces)
    first = next(waiting, b"")  # before the file is opened: an answer that cannot be given leaves none
    try:
        file = open(output_file, "wb")  # noqa: SIM115 - what fails here is the name, what fails below is the disk
    except OSError as error:
        folder = output_file.parent
        hint = f"there is no folder {folder}" if isinstance(error, FileNotFoundError) and not folder.exists() else None
        raise UsageProblem(Diagnostic(f"--output_file={output_file}: {error.strerror}", hint=hint)) from None
    try:
        with file:
            file.writelines(_noted(chain((first,), waiting)))
    except BaseException as problem:
        if output_file.is_file():
            output_file.unlink()  # a part of an answer looks like one
        if isinstance(problem, OSError) and problem.filename is None:
            raise OSError(problem.errno, problem.strerror, str(output_file)) from None
        raise


def _print_to_stdout(pieces: Iterable[bytes], look: Look) -> None:
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed", "stdout")
    try:
        for piece in _noted(as_shown(piece, look) for piece in pieces):
            LINE.end()
            sys.stdout.buffer.write(piece)
        sys.stdout.flush()
    except BrokenPipeError as problem:  # click would take it for an error
        raise click.exceptions.Exit(stopped(problem)) from None


def _noted(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same pieces, kept for the next time as they pass."""
    noted = transcript.current()
    for piece in pieces:
        if noted is not None:
            noted.printed(piece)
        yield piece
