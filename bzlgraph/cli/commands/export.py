"""``bzlgraph export dataset DIR [EXPR]``: a checkout, or each of a list, as Parquet files.

With a list each checkout is asked as a command line of its own would ask it, one after the other; of one that fails
only that is recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError, LoadProblem, UsageProblem
from bzlgraph.base.gap import Completeness
from bzlgraph.base.words import counted, counted_targets
from bzlgraph.cli.checkout_list import ListedCheckout, read_list
from bzlgraph.cli.config_options import LoadingCommand
from bzlgraph.cli.group import LazyGroup
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import say
from bzlgraph.cli.query_options import KEEP_GOING
from bzlgraph.cli.terminal.completion import LABEL

if TYPE_CHECKING:
    from bzlgraph.export.dataset.files import DatasetWriter, Written
    from bzlgraph.questions.dataset import DatasetAnswer
    from bzlgraph.questions.reply import Reply


@click.command("export", cls=LoadingCommand)
@click.argument("what", type=click.Choice(["dataset"]), metavar="dataset")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.argument("expression", type=LABEL, nargs=-1, metavar="[EXPR]")
@click.option(
    "--checkouts", type=click.Path(path_type=Path), metavar="LIST",
    help="File that lists the checkouts to export instead of -C, one per line: NAME PATH [OPTION]...",
)  # fmt: skip
@KEEP_GOING
@click.pass_context
def command(ctx: click.Context, /, folder: Path, checkouts: Path | None, **_asked: object) -> Outcome:
    """Write the targets that match EXPR (default: deps(//...)), with edges, attributes, selects and gaps, as a folder
    of Parquet files for DuckDB, Polars and Spark.

    An existing dataset in DIR is replaced; if DIR holds anything else, nothing is written.

    Example: bzlgraph export dataset build/dataset
    """
    from bzlgraph.export.dataset.files import DatasetWriter
    from bzlgraph.export.dataset.folder import new_dataset
    from bzlgraph.export.row_formats.columnar import require_pyarrow

    require_pyarrow("export dataset")
    listed = read_list(checkouts) if checkouts is not None else ()
    contexts = {each.name: _context_of(each, ctx) for each in listed}
    with new_dataset(folder) as new:
        writer = DatasetWriter(new)
        return _many(contexts, writer) if listed else _one(ctx, writer, folder)


def _context_of(listed: ListedCheckout, ctx: click.Context) -> click.Context:
    """The context of this command for a checkout of the list. Raises UsageProblem."""
    root = ctx.find_root().command
    assert isinstance(root, LazyGroup)
    try:
        return root.again(ctx, ["-C", listed.path, *listed.options])
    except click.ClickException as problem:
        raise UsageProblem(f"checkout '{listed.name}': {problem.format_message()}") from None


def _ask(ctx: click.Context) -> Reply[DatasetAnswer]:
    """The answer to a command line. Raises BzlgraphError."""
    from bzlgraph.questions.dataset import ask_dataset

    session = ctx.obj.session(ctx.params["configured"])
    with closing(session.loader):
        return ask_dataset(session, _expression(ctx), keep_going=ctx.params["keep_going"])


def _expression(ctx: click.Context) -> str:
    from bzlgraph.questions.dataset import EVERYTHING

    return " ".join(ctx.params["expression"]) or EVERYTHING


def _one(ctx: click.Context, writer: DatasetWriter, folder: Path) -> Outcome:
    from bzlgraph.export.dataset.folder import checkout_name

    reply = _ask(ctx)
    rows = writer.write(checkout_name(reply.answer.workspace.root), reply.answer)
    notes = (f"{folder}: {_told(rows)}", *reply.notes)
    return Outcome((), reply.completeness, notes, keep_going=ctx.params["keep_going"])


def _many(contexts: Mapping[str, click.Context], writer: DatasetWriter) -> Outcome:
    """Each checkout by itself. Raises LoadProblem when none of them could be read."""
    problems: list[Diagnostic] = []
    completeness = Completeness()
    failed = 0
    for name, ctx in contexts.items():
        found = _one_of_many(name, ctx, writer)
        if isinstance(found, Diagnostic):
            failed += 1
            problems.append(found)
            continue
        completeness = completeness.with_more(gaps=found.gaps)
        if found.problems:
            number, first = counted(len(found.problems), "problem"), found.problems[0]
            problems.append(Diagnostic(f"checkout '{name}' has {number}: {first.headline}"))
    if failed == len(contexts):
        raise LoadProblem(problems)
    return Outcome((), completeness.with_more(problems), keep_going=True)


def _one_of_many(name: str, ctx: click.Context, writer: DatasetWriter) -> Completeness | Diagnostic:
    """Write a checkout of a list, or record why it cannot be read, which is given then."""
    try:
        reply = _ask(ctx)
    except (BzlgraphError, OSError, MemoryError, RecursionError) as problem:
        message = _why_not(problem)
        writer.record_failure(name, message, _expression(ctx))
        say(f"{name}: failed")
        return Diagnostic(f"checkout '{name}' failed: {message}")
    rows = writer.write(name, reply.answer)
    say(f"{name}: {_told(rows)}")
    return reply.completeness


def _why_not(problem: BaseException) -> str:
    if not isinstance(problem, BzlgraphError):
        return f"{type(problem).__name__}: {problem}"
    where = f"{problem.diagnostic.location}: " if problem.diagnostic.location else ""
    return f"{where}{problem.diagnostic.message}"


def _told(written: Written) -> str:
    rows = written.rows
    packages, edges = counted(rows["packages"], "package"), counted(rows["edges"], "edge")
    return f"{packages}, {counted_targets(rows['targets'], written.missing)}, {edges}"
