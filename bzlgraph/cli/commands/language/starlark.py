"""``bzlgraph starlark FILE...``: files evaluated by themselves -> one answer a file, as JSON or as text.

The environment is bare: the universe, ``struct`` and ``json``. ``load("other.star", ...)`` finds files beside the
loading one; labels need a workspace and are refused. Files come through ``read``; only ``command`` opens any.

>>> run({"a.star": b"x = 1 + 'a'"}.__getitem__, ["a.star"], Options(), print, print)
a.star:1:7: error: unsupported binary operation: int + string
1
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.span import Location
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.inputs import read_file, shown_path
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import format_for, output_options, say, text_bytes
from bzlgraph.starlark import EvalError, Language, Module, Thread, compile_file
from bzlgraph.starlark.lib.json import json_module
from bzlgraph.starlark.lib.struct import struct
from bzlgraph.starlark.universe import universe_for
from bzlgraph.syntax import BZL, MODULE, SPEC, WORKSPACE, Dialect, for_path, parse

Read = Callable[[str], bytes]
Write = Callable[[str], object]

FORMATS = ("text", "json", "jsonl")
SCHEMA = "bzlgraph.starlark/1"
ALLOWED: Mapping[str, str] = {
    "set": "sets",
    "while": "while_loops",
    "toplevelcontrol": "toplevel_control",
    "globalreassign": "global_reassign",
    "loadbindsglobally": "load_binds_globally",
    "recursion": "recursion",
}
"""What ``--allow`` may name -> the switch of the dialect."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says; ``allow`` holds keys of ``ALLOWED``."""

    as_json: bool = False
    parse_only: bool = False
    dialect: str = "bazel"
    allow: tuple[str, ...] = ()


@dataclass(slots=True)
class _Evaluation:
    """The files loaded so far by one file, and the ones being loaded now."""

    read: Read
    options: Options
    write_error: Write
    modules: dict[str, Mapping[str, object]] = field(default_factory=dict)
    active: list[str] = field(default_factory=list)


def dialect_for(path: str, options: Options) -> Dialect:
    """The dialect a file is read in. ``bazel`` is today's Bazel, without the leniency old trees need."""
    if options.dialect == "spec":
        base = SPEC
    else:
        name = path.replace("\\", "/").rpartition("/")[2]
        named = for_path(path)
        base = named if named in (WORKSPACE, MODULE) or name in ("BUILD", "BUILD.bazel") else BZL
        base = replace(base, strict_escapes=True, keyword_after_star=False, soft_load=False)
    for name in options.allow:
        base = replace(base, **{ALLOWED[name]: True})  # type: ignore[arg-type]
    return base


def run(read: Read, paths: Iterable[str], options: Options, write: Write, write_error: Write) -> int:
    """Evaluate files; answers go to ``write``, what they print to ``write_error``. 0, or 1 when a file failed."""
    code = 0
    for path in paths:
        diagnostics = evaluate(read, path, options, write_error)
        code = code or int(bool(diagnostics))
        if options.as_json:
            write(json.dumps(_as_data(path, diagnostics), ensure_ascii=False))
        else:
            for diagnostic in diagnostics:
                write(diagnostic.headline)
    return code


def evaluate(read: Read, path: str, options: Options, write_error: Write) -> tuple[Diagnostic, ...]:
    """Everything that is wrong with one file."""
    try:
        _run_file(_Evaluation(read, options, write_error, active=[path]), path)
    except BzlgraphError as problem:
        return problem.diagnostics
    except OSError as error:
        return (Diagnostic(f"cannot read the file: {error.strerror or error}", Location(path, 1, 1)),)
    return ()


def _run_file(evaluation: _Evaluation, path: str) -> Mapping[str, object]:
    dialect = dialect_for(path, evaluation.options)
    file = parse(evaluation.read(path), path, dialect)
    environment = {**universe_for(dialect), "struct": struct, "json": json_module}
    program = compile_file(file, dialect, environment)
    if evaluation.options.parse_only:
        return {}

    def show(text: str, where: Location) -> None:
        evaluation.write_error(f"{where}: {text}")

    def load(module: str, thread: Thread, where: Location) -> Mapping[str, object]:
        return _load(evaluation, module, path)

    made = Module(program, environment)
    made.run(Thread(print=show, load=load, language=Language(spec=evaluation.options.dialect == "spec")))
    made.freeze()
    return made.globals


def _load(evaluation: _Evaluation, module: str, origin: str) -> Mapping[str, object]:
    """The names of a file beside ``origin``."""
    name = module.removeprefix(":")
    if name.startswith(("/", "@")) or ".." in name.split("/") or ":" in name:
        raise EvalError(
            f"cannot load '{module}': this file is evaluated standalone, without a workspace",
            "only files in the same folder can be loaded here",
        )
    path = origin.rpartition("/")[0] + "/" + name if "/" in origin else name
    if path in evaluation.active:
        raise EvalError(f"cycle of loads: {' -> '.join([*evaluation.active, path])}")
    if path not in evaluation.modules:
        evaluation.active.append(path)
        try:
            evaluation.modules[path] = _run_file(evaluation, path)
        except (OSError, KeyError):
            raise EvalError(f"cannot load '{module}': there is no file {path}") from None
        finally:
            evaluation.active.pop()
    return evaluation.modules[path]


def _as_data(path: str, diagnostics: tuple[Diagnostic, ...]) -> dict[str, object]:
    """The JSON answer for one file."""
    if not diagnostics:
        return {"file": path, "ok": True}
    errors = [_error(diagnostic) for diagnostic in diagnostics]
    several = {"errors": errors} if len(errors) > 1 else {}
    return {"file": path, "ok": False, "error": errors[0], **several}


def _error(diagnostic: Diagnostic) -> dict[str, object]:
    location = diagnostic.location or Location("", 0, 0)
    places = [{"line": frame.location.line, "column": frame.location.column} for frame in diagnostic.stack]
    return {"line": location.line, "column": location.column, "message": diagnostic.message, "stack": places}


def _options(_context: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, ...]:
    chosen = {part for part in value.split(",") if part}
    unknown = sorted(chosen - ALLOWED.keys())
    if unknown:
        raise click.BadParameter(f"unknown option '{unknown[0]}'; choose from {', '.join(ALLOWED)}")
    return tuple(sorted(chosen))


@click.command("starlark")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@output_options(FORMATS)
@click.option("--json", "as_json", is_flag=True, help="The same as --output=jsonl: one JSON object per file.")
@click.option("--parse_only", is_flag=True, help="Check syntax and names without evaluating.")
@click.option(
    "--dialect",
    type=click.Choice(["bazel", "spec"]),
    default="bazel",
    show_default=True,
    help="Bazel's dialect, or the language of the specification.",
)
@click.option(
    "--allow", default="", callback=_options, metavar="OPT,...", help=f"Enable language features: {', '.join(ALLOWED)}."
)
@click.pass_obj
def command(
    context: GlobalOptions, /, files: tuple[str, ...], output: str | None, output_file: Path | None, as_json: bool,
    parse_only: bool, dialect: str, allow: tuple[str, ...],
) -> Outcome:  # fmt: skip
    """Evaluate standalone Starlark files: built-in functions, struct and json only; load() takes files beside them.

    FILE is a path, a label of the checkout, or - for stdin.

    Example: bzlgraph starlark --json --dialect=spec --allow=set,recursion test.star
    """

    def read(path: str) -> bytes:
        return read_file(context.directory, path)

    name = format_for(output, output_file, FORMATS, default="jsonl" if as_json else "text")
    options = Options(name != "text", parse_only, dialect, allow)
    lines: list[str] = []
    failed = run(read, map(shown_path, files), options, lines.append, say)
    if name == "json":
        lines = [json.dumps({"schema": SCHEMA, "files": list(map(json.loads, lines))}, ensure_ascii=False, indent=2)]
    return Outcome(text_bytes(f"{line}\n" for line in lines), output_file=output_file, says_no=bool(failed))
