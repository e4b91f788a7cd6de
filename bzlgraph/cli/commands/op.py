"""``bzlgraph op NAME...``: which sources back an op of TensorFlow, PyTorch or JAX, each step with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.cli.global_options import GlobalOptions, folder
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import (
    ROW_FORMATS,
    format_for,
    json_bytes,
    output_options,
    prose_bytes,
    row_bytes,
    text_bytes,
)
from bzlgraph.cli.query_options import KEEP_GOING
from bzlgraph.cli.terminal.completion import OP

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.ops.tracer import Answer, OpTable
    from bzlgraph.questions.framework_ops import BuiltInto
    from bzlgraph.questions.reply import Reply
    from bzlgraph.questions.session import Session

FORMATS = ("text", *ROW_FORMATS)
NAMES = ("tensorflow", "pytorch", "jax")


class _Table(NamedTuple):
    """A table: the parameter that asks for it, whether it is about NAMEs (else about the whole tree), and its format
    unless another one is asked for."""

    parameter: str
    of_names: bool
    form: str = "text"


TABLES = {
    "op_needs": _Table("needs", True),
    "op_slice": _Table("sliced", True),
    "op_tests": _Table("tests", True),
    "op_mentions": _Table("mentions", True),
    "bindings": _Table("bindings", False, "csv"),
    "registrations": _Table("registrations", False, "csv"),
    "ops": _Table("table", False, "csv"),
    "xla_ops": _Table("supported_by", False),
}
"""By what their JSON is called; of several that are asked for the first is given."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a table is asked: ``macro`` of registrations, ``compiler`` of the ops that it supports, ``within`` which
    targets tests are looked for, ``built_into`` which target kernels are carried (None: nobody asks)."""

    names: Sequence[str]
    configured: ConfigArguments
    framework: str
    macro: str
    compiler: str
    within: str
    built_into: str | None


@click.command("op", cls=BazelCommand)
@click.argument("names", nargs=-1, metavar="[NAME]...", type=OP)
@click.option("--framework", type=click.Choice(NAMES), help="Framework of the ops (default: the one in the checkout).")
@click.option("--table", is_flag=True, help="List all ops with their files and targets, one row per kernel.")
@click.option(
    "--bindings",
    is_flag=True,
    help="List all names that C++ exposes to Python: pybind11, nanobind, SWIG, ctypes, torch.",
)
@click.option("--registrations", metavar="MACRO", help="List all uses of a registration macro, such as REGISTER_OP.")
@click.option(
    "--supported-by", "--supported_by", metavar="COMPILER",
    help="List the ops that a compiler supports, with their types; COMPILER is xla (tf2xla).",
)  # fmt: skip
@click.option(
    "--python_path", "--python-path", "python_path", multiple=True, metavar="NAME=DIR",
    help="Folder of a Python package outside the tree, such as Keras or your model; NAME may be FILE.py:Class.method.",
)  # fmt: skip
@click.option(
    "--needs",
    is_flag=True,
    help="List the transitive dependencies of the ops' libraries, in the given configuration if there is one.",
)
@click.option(
    "--slice",
    "sliced",
    is_flag=True,
    help="List the smallest set of targets and files that builds the ops; as a table, with their sizes.",
)
@click.option(
    "--tests",
    is_flag=True,
    help="List the tests whose source calls the ops; with --all, also those that depend on their files.",
)
@click.option(
    "--mentions",
    is_flag=True,
    help="List where grappler, the oneDNN rewriter and the TFLite converter mention the ops, and TFLite's kernels.",
)
@click.option(
    "--why",
    is_flag=True,
    help="Show a dependency path from --from to each target that builds a part of the op; with --table, the shared"
    " object that carries each kernel.",
)
@click.option(
    "--from",
    "from_",
    default="",
    metavar="PATTERN",
    help="With --why: start of paths (default: the framework's package); with --tests --all: tests (default //...).",
)
@click.option("--gdb", is_flag=True, help="Print gdb breakpoints, and how to build with symbols.")
@click.option("--all", "everything", is_flag=True, help="Show everything that is otherwise only counted.")
@output_options(FORMATS, default="text, csv for --table")
@KEEP_GOING
@click.pass_obj
def command(
    options: GlobalOptions, /, names: tuple[str, ...], framework: str | None, python_path: tuple[str, ...], why: bool,
    from_: str, gdb: bool, everything: bool, output: str | None, output_file: Path | None, keep_going: bool,
    configured: ConfigArguments, **tables: Any,
) -> Outcome:  # fmt: skip
    """Show which .cc files implement a Python op: wrapper, registration, kernels, gradients, and their targets.

    NAME is a public name, an op, a generated function, a source file, a kernel class, a target, a function that C++
    exposes to Python (MODULE.function), or a function or class of a Python package that calls such functions.

    Example: bzlgraph op tf.nn.conv2d
    """
    from bzlgraph.questions import framework_ops as ask

    kind = next((name for name, each in TABLES.items() if tables[each.parameter] not in (None, False)), "")
    whole, form = bool(kind) and not TABLES[kind].of_names, TABLES[kind].form if kind else "text"
    _check(names, whole, bool(kind) or why, gdb, tables["supported_by"])
    chosen = format_for(output, output_file, _formats(gdb), default=form)
    if chosen not in _formats(gdb):
        raise UsageProblem(f"--gdb prints a script; it has no format '{chosen}'")
    session = _session(options, configured, python_path)
    reply: Reply[OpTable] | Reply[tuple[Answer, ...]] | Reply[tuple[BuiltInto, ...]]
    if kind:
        macro, compiler = tables["registrations"] or "", tables["supported_by"] or ""
        within, built_into = (from_ or "//...") if everything else "", from_ if why else None
        wanted = _Wanted(names, configured, framework or "", macro, compiler, within, built_into)
        rows = _questions(session, wanted)[kind]()
        reply, pieces = rows, _rows(kind, rows, options.row_format(chosen) if chosen != "text" else "text")
    elif why:
        reply = paths = ask.ask_built_into(session, names, from_, framework or "", configured)
        pieces = _paths(paths, options.row_format(chosen))
    else:
        reply = answers = ask.ask_ops(session, names, framework or "")
        pieces = _pieces(answers, options.row_format(chosen), gdb, everything)
    return Outcome(pieces, reply.completeness, reply.notes, output_file, keep_going)


def _questions(session: Session, wanted: _Wanted) -> dict[str, Callable[[], Reply[OpTable]]]:
    """By the names of ``TABLES``."""
    from bzlgraph.questions import framework_ops as ask

    names, framework, configured = wanted.names, wanted.framework, wanted.configured
    return {
        "op_needs": lambda: ask.ask_needs(session, names, framework, configured),
        "op_slice": lambda: ask.ask_slice(session, names, framework, configured),
        "op_tests": lambda: ask.ask_op_tests(session, names, framework, wanted.within),
        "op_mentions": lambda: ask.ask_op_mentions(session, names, framework),
        "bindings": lambda: ask.ask_bindings(session),
        "registrations": lambda: ask.ask_registrations(session, wanted.macro),
        "ops": lambda: ask.ask_ops_table(session, framework, "", wanted.built_into, configured),
        "xla_ops": lambda: ask.ask_ops_table(session, framework, wanted.compiler),
    }


def _session(options: GlobalOptions, configured: ConfigArguments, python_path: Sequence[str]) -> Session:
    session = options.session(configured, of_any_build=True)
    session.python_path = dict(map(_package, python_path))
    return session


def _package(given: str) -> tuple[str, Path]:
    """The name and folder of ``--python_path=NAME=DIR``. Raises UsageProblem."""
    name, _, place = given.partition("=")
    where = folder(place) if place else Path()
    if not name.isidentifier() or not place or not where.is_dir():
        raise UsageProblem(f"--python_path={given}: expected NAME=DIR, the name of a Python package and its folder")
    return name, where


def _formats(gdb: bool) -> tuple[str, ...]:
    return ("text",) if gdb else FORMATS


def _rows(kind: str, reply: Reply[OpTable], form: str) -> Iterator[bytes]:
    """A table; the text of a slice is its labels, for other programs."""
    if form == "text" and kind == "op_slice":
        return text_bytes(f"{row[0]}\n" for row in reply.answer.rows)
    from bzlgraph.export.op_formats.results import ops_table

    return row_bytes("table" if form == "text" else form, ops_table(kind, reply.answer), reply.completeness)


def _check(names: Sequence[str], whole: bool, no_script: bool, gdb: bool, supported_by: str | None) -> None:
    """Raises UsageProblem for options that do not go together."""
    from bzlgraph.questions.framework_ops import COMPILERS

    if not names and not whole:
        said = "op needs a NAME, such as tf.nn.conv2d, torch.softmax, jax.lax.dot, Conv2D or a C++ file"
        hint = "op --table lists the ops of this tree, op --bindings the names that its C++ exposes to Python"
        raise UsageProblem(Diagnostic(said, hint=hint))
    if names and whole:
        raise UsageProblem("--table, --bindings, --registrations and --supported-by cover all ops and take no NAME")
    if supported_by not in (None, *COMPILERS):
        raise UsageProblem(f"--supported-by={supported_by}: only {', '.join(COMPILERS)} is known")
    if gdb and no_script:
        raise UsageProblem("--gdb cannot be combined with other kinds of output")


def _paths(reply: Reply[tuple[BuiltInto, ...]], output: str) -> Iterator[bytes]:
    if output == "text":
        return prose_bytes(_path_text(reply.answer))
    if output == "json":
        from bzlgraph.export.op_formats.results import to_dict
        from bzlgraph.export.op_formats.rows import carried_by
        from bzlgraph.export.row_formats.json_text import completeness_data
        from bzlgraph.export.why_formats.as_json import to_dict as path_data

        listed = [
            {
                "op": to_dict(each.answer),
                "paths": [{**path_data(path), "shared_object": carried_by(path)} for path in each.paths],
            }
            for each in reply.answer
        ]
        return json_bytes({"schema": "bzlgraph.op.why/1", "answers": listed, **completeness_data(reply.completeness)})
    from bzlgraph.export.op_formats.rows import paths_table

    table = paths_table([(each.answer, each.paths) for each in reply.answer], reply.completeness)
    return row_bytes(output, table, reply.completeness)


def _path_text(found: Sequence[BuiltInto]) -> Iterator[str]:
    from bzlgraph.export.op_formats.text import answer_text, built_into_text

    for each in found:
        yield answer_text(each.answer)
        yield built_into_text(each.paths)


def _pieces(reply: Reply[tuple[Answer, ...]], output: str, gdb: bool, everything: bool) -> Iterator[bytes]:
    found = [answer for answer in reply.answer if answer.found]
    if output == "json":
        return _json(reply, found)
    if output != "text":
        from bzlgraph.export.op_formats.rows import evidence_table

        return row_bytes(output, evidence_table(found, reply.completeness), reply.completeness)
    if gdb:
        from bzlgraph.export.op_formats.gdb import gdb_text

        return text_bytes(["\n".join(map(gdb_text, found))])
    from bzlgraph.export.op_formats.text import answer_text

    return prose_bytes(["\n".join(answer_text(each, everything) for each in found)])


def _json(reply: Reply[tuple[Answer, ...]], found: Sequence[Answer]) -> Iterator[bytes]:
    """One name: the answer; several: a list of them."""
    from bzlgraph.export.op_formats.results import to_dict
    from bzlgraph.export.row_formats.json_text import completeness_data

    said = completeness_data(reply.completeness)
    listed = [{**said, **to_dict(replace(each, gaps=reply.completeness.gaps))} for each in found]
    if len(listed) == 1:
        return json_bytes(listed[0])
    return json_bytes({"schema": "bzlgraph.op.list/1", "answers": listed, **said}) if listed else iter(())
