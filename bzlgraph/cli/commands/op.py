"""``bzlgraph op NAME...``: which sources back an op of TensorFlow, PyTorch or JAX, each step with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.cli.config_options import ConfiguredCommand, config_options
from bzlgraph.cli.printing import ROW_FORMATS, print_bytes
from bzlgraph.cli.session import EXIT_FAILED, EXIT_PARTIAL, Session, tell, tell_gaps

if TYPE_CHECKING:
    from bzlgraph.base.gap import Gap
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.export.row_formats.row_table import RowTable
    from bzlgraph.ops.tracer import Answer, Tracer

FORMATS = ("text", *ROW_FORMATS)
NAMES = ("tensorflow", "pytorch", "jax")


@click.command("op", cls=ConfiguredCommand)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--framework", type=click.Choice(NAMES), help="Whose ops; default: the framework that the tree holds.")
@click.option("--table", is_flag=True, help="All ops with their files and targets, one row for each kernel.")
@click.option(
    "--supported-by",
    "--supported_by",
    metavar="COMPILER",
    help="With xla: the ops that tf2xla compiles, with their types.",
)
@click.option(
    "--needs", is_flag=True, help="The targets and files that the ops bring along; in a configuration, if one is given."
)
@click.option("--why", is_flag=True, help="The way from --from to each target that builds a part of the op.")
@click.option("--from", "from_", default="", metavar="PATTERN", help="With --why; default: the framework's package.")
@click.option("--gdb", is_flag=True, help="Breakpoints for gdb, and how to build with symbols.")
@click.option("--all", "everything", is_flag=True, help="Show also what is only counted otherwise.")
@click.option(
    "--output",
    type=click.Choice(FORMATS),
    default=None,
    metavar="FORMAT",
    help=f"How to print: {', '.join(FORMATS)}; default text, csv for --table.",
)
@click.option(
    "-o", "--output_file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Print there instead."
)
@config_options
@click.pass_obj
def command(
    session: Session, /, names: tuple[str, ...], framework: str | None, table: bool, supported_by: str | None,
    needs: bool, why: bool, from_: str, gdb: bool, everything: bool, output: str | None, output_file: Path | None,
    configured: ConfigArguments,
) -> None:  # fmt: skip
    """Which .cc backs a Python op: its wrapper, registration, kernels, gradients and the targets that build them.

    NAME is a public name, an op, a generated function, a source file, a kernel class or a target.

    Example: bzlgraph op tf.nn.conv2d
    """
    from bzlgraph.export.op_formats.tables import needs_table, ops_table, supported_table

    _check(names, table, supported_by, needs or why, gdb, output)
    tracer = _opened(session, framework or "")
    if table:
        _print_rows(ops_table(tracer), output or "csv", output_file)
        _tell(session, (), tracer.gaps())
        return
    if supported_by:
        _print_rows(supported_table(tracer), output or "text", output_file)
        _tell(session, (), tracer.gaps())
        return
    answers = [tracer.explain(name) for name in names]
    if needs:
        view = session.graph(configured=configured)[1]
        _print_rows(needs_table(view, answers), output or "text", output_file)
    elif why:
        print_bytes(_ways(session, answers, from_, configured), output_file)
    else:
        print_bytes((text.encode() for text in _written(answers, output or "text", gdb, everything)), output_file)
    _tell(session, answers, tuple(gap for answer in answers for gap in answer.gaps))


def _check(
    names: Sequence[str], table: bool, supported_by: str | None, needs: bool, gdb: bool, output: str | None
) -> None:
    whole = table or supported_by is not None
    if not names and not whole:
        raise UsageProblem("op needs a NAME, such as tf.nn.conv2d or Conv2D, or --table for all ops")
    if names and whole:
        raise UsageProblem("--table and --supported-by are about all ops and take no NAME")
    if supported_by not in (None, "xla"):
        raise UsageProblem(f"--supported-by={supported_by}: only xla is known")
    if gdb and (needs or whole or output not in (None, "text")):
        raise UsageProblem("--gdb prints a script and goes with no other form of answer")
    if not whole and not needs and output not in (None, "text", "json", "jsonl"):
        raise UsageProblem(f"--output={output} is for tables: --table, --supported-by and --needs have them")


def _opened(session: Session, framework: str) -> Tracer:
    from bzlgraph.ops.frameworks import choose, open_tracer
    from bzlgraph.workspace.program_cache import default_folder

    loader = session.loader()
    chosen = choose(loader.workspace.repository("").tree.source, framework)
    folder = (Path(session.cache_dir) if session.cache_dir else default_folder()) if session.use_cache else None
    return open_tracer(chosen, loader, folder)


def _ways(session: Session, answers: list[Answer], from_: str, configured: ConfigArguments) -> Iterator[bytes]:
    from bzlgraph.api import ask_why
    from bzlgraph.export.op_formats.built_into import built_into_text
    from bzlgraph.export.op_formats.text import answer_text
    from bzlgraph.ops.frameworks import product_of
    from bzlgraph.ops.needs import targets_of

    loader, graph = session.graph(configured=configured)
    for answer in answers:
        start = from_ or product_of(answer.framework, graph)
        yield answer_text(answer).encode()
        yield built_into_text(ask_why(loader, graph, each, start, False) for each in targets_of([answer])).encode()


def _written(answers: list[Answer], output: str, gdb: bool, everything: bool) -> Iterator[str]:
    if output in ("json", "jsonl"):
        yield from _json([answer for answer in answers if answer.found], output)
        return
    if gdb:
        from bzlgraph.export.op_formats.gdb import gdb_text

        yield "\n".join(gdb_text(each) for each in answers if each.found)
        return
    from bzlgraph.export.op_formats.text import answer_text

    yield "\n".join(answer_text(each, everything) for each in answers if each.found)


def _json(answers: list[Answer], output: str) -> Iterator[str]:
    import json

    from bzlgraph.export.op_formats.as_json import to_dict

    listed: list[dict[str, Any]] = [to_dict(each) for each in answers]
    if output == "jsonl":
        yield from (json.dumps(each, ensure_ascii=False) + "\n" for each in listed)
    elif listed:
        yield json.dumps(listed[0] if len(listed) == 1 else listed, indent=2, ensure_ascii=False) + "\n"


def _print_rows(rows: RowTable, output: str, output_file: Path | None) -> None:
    from bzlgraph.export.row_formats.formats import write_rows

    print_bytes(write_rows("table" if output == "text" else output, rows), output_file)


def _tell(session: Session, answers: Sequence[Answer], found: Sequence[Gap]) -> None:
    """Words that mean nothing, gaps, and the exit code."""
    unknown = [answer for answer in answers if not answer.found]
    tell([_unknown(answer) for answer in unknown])
    gaps = tuple(dict.fromkeys(found))
    tell_gaps(gaps)
    if unknown:
        raise click.exceptions.Exit(EXIT_FAILED)
    if session.strict and gaps:
        raise click.exceptions.Exit(EXIT_PARTIAL)


def _unknown(answer: Answer) -> Diagnostic:
    hint = f"did you mean {' or '.join(answer.suggestions)}?" if answer.suggestions else None
    return Diagnostic(
        f"'{answer.asked}' is no public name, op, file, kernel class or target of {answer.framework}", hint=hint
    )
