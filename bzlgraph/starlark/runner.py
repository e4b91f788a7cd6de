"""``bzlgraph starlark``: files evaluated by themselves -> one answer per file, as JSON or as text.

The environment is bare: the universe, ``struct`` and ``json``. ``load("other.star", ...)`` finds files beside the
loading one; labels need a workspace and are refused. Files come through ``read``; only ``run_files`` opens any.

>>> run({"a.star": b"x = 1 + 'a'"}.__getitem__, ["a.star"], Options(), print, print)
a.star:1:7: error: unsupported binary operation: int + string
1
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError, UsageProblem
from bzlgraph.base.span import Location
from bzlgraph.starlark.compile import compile_file
from bzlgraph.starlark.evaluation.module import Module
from bzlgraph.starlark.evaluation.thread import Thread
from bzlgraph.starlark.lib.json import json_module
from bzlgraph.starlark.lib.struct import struct
from bzlgraph.starlark.universe import universe_for
from bzlgraph.starlark.value import EvalError
from bzlgraph.syntax import BZL, MODULE, SPEC, WORKSPACE, Dialect, for_path, parse

Read = Callable[[str], bytes]
Write = Callable[[str], object]

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
    """What the command line says."""

    as_json: bool = False
    parse_only: bool = False
    dialect: str = "bazel"
    allow: tuple[str, ...] = ()


@dataclass(slots=True)
class _Session:
    """The files loaded so far by one file, and the ones being loaded now."""

    read: Read
    options: Options
    write_error: Write
    modules: dict[str, Mapping[str, object]] = field(default_factory=dict)
    active: list[str] = field(default_factory=list)


def dialect_for(path: str, options: Options) -> Dialect:
    """The dialect a file is read in. ``bazel`` is today's Bazel, without the leniency old trees need."""
    unknown = [name for name in options.allow if name not in ALLOWED]
    if unknown:
        hint = f"known options: {', '.join(ALLOWED)}"
        raise UsageProblem(Diagnostic(f"unknown option '{unknown[0]}' for --allow", hint=hint))
    if options.dialect == "spec":
        base = SPEC
    else:
        name = path.replace("\\", "/").rpartition("/")[2]
        named = for_path(path)
        base = named if named in (WORKSPACE, MODULE) or name in ("BUILD", "BUILD.bazel") else BZL
        base = replace(base, strict_escapes=True, keyword_after_star=False, soft_load=False)
    switches: dict[str, Any] = {ALLOWED[name]: True for name in options.allow}
    return replace(base, **switches)


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
    session = _Session(read, options, write_error, active=[path])
    try:
        _run_file(session, path)
    except UsageProblem:
        raise
    except BzlgraphError as problem:
        return problem.diagnostics
    except OSError as error:
        return (Diagnostic(f"cannot read the file: {error.strerror or error}", Location(path, 1, 1)),)
    return ()


def _run_file(session: _Session, path: str) -> Mapping[str, object]:
    dialect = dialect_for(path, session.options)
    file = parse(session.read(path), path, dialect)
    environment = {**universe_for(dialect), "struct": struct, "json": json_module}
    program = compile_file(file, dialect, environment)
    if session.options.parse_only:
        return {}

    def show(text: str, where: Location) -> None:
        session.write_error(f"{where}: {text}")

    def load(module: str, thread: Thread, where: Location) -> Mapping[str, object]:
        return _load(session, module, path)

    made = Module(program, environment)
    made.run(Thread(print=show, load=load, spec=session.options.dialect == "spec"))
    made.freeze()
    return made.globals


def _load(session: _Session, module: str, origin: str) -> Mapping[str, object]:
    """The names of a file beside ``origin``."""
    name = module.removeprefix(":")
    if name.startswith(("/", "@")) or ".." in name.split("/") or ":" in name:
        raise EvalError(
            f"cannot load '{module}': this file is evaluated by itself, without a workspace",
            "only files beside this one can be loaded here",
        )
    path = origin.rpartition("/")[0] + "/" + name if "/" in origin else name
    if path in session.active:
        raise EvalError(f"cycle of loads: {' -> '.join([*session.active, path])}")
    if path not in session.modules:
        session.active.append(path)
        try:
            session.modules[path] = _run_file(session, path)
        except (OSError, KeyError):
            raise EvalError(f"cannot load '{module}': there is no file {path}") from None
        finally:
            session.active.pop()
    return session.modules[path]


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


def run_files(paths: Iterable[str], *, as_json: bool, parse_only: bool, dialect: str, allow: Iterable[str] = ()) -> int:
    """``run`` over files on disk, answers on stdout, what the files print on stderr; the exit code."""

    def read(path: str) -> bytes:
        return Path(path).read_bytes()

    def write_error(text: str) -> None:
        print(text, file=sys.stderr)

    options = Options(as_json, parse_only, dialect, tuple(sorted(allow)))
    return run(read, paths, options, print, write_error)
