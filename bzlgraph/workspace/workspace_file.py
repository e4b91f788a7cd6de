"""WORKSPACE, evaluated: repository rules are recorded, nothing is run or downloaded.

Loads are executed where they stand, so a later load sees the repositories declared above it (Bazel's chunks). Which of
WORKSPACE, WORKSPACE.bzlmod and MODULE.bazel count is said here, too (``files_in_force``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.bazel.context.contexts import WorkspaceContext
from bzlgraph.bazel.files.environment import dialect_of
from bzlgraph.bazel.files.run_file import run_file
from bzlgraph.bazel.files.unknown import Unknown
from bzlgraph.bazel.files.workspace_functions import WORKSPACE_FILES, redefined
from bzlgraph.facts import Facts
from bzlgraph.starlark.module import Module
from bzlgraph.syntax.dialect import WORKSPACE
from bzlgraph.workspace.bzl_files import BzlLoader
from bzlgraph.workspace.sources.source import Source

MODULE_FILE = "MODULE.bazel"


def files_in_force(
    source: Source, facts: Facts, *, modules_count: bool | None, workspace_counts: bool | None
) -> tuple[bool, str | None]:
    """Whether modules count, and the WORKSPACE file that does (both options None: as this Bazel has it).

    Before Bazel 7 modules count where they are asked for; a checkout without WORKSPACE, which such a Bazel refuses, is
    read by its modules. A ``WORKSPACE.bzlmod`` beside MODULE.bazel replaces WORKSPACE, as in Bazel. A Bazel that reads
    no WORKSPACE takes a MODULE.bazel that is not there for an empty one.
    """
    written = source.is_file(MODULE_FILE)
    workspace_counts = workspace_in_force(facts, workspace_counts, written)
    if facts.workspace_file == "never":
        modules_count = True  # no option switches them off any more
    elif modules_count is None:
        modules_count = facts.bzlmod or not any(map(source.is_file, WORKSPACE_FILES))
    has_module = modules_count and (written or (not workspace_counts and facts.workspace_file != "counts"))
    names = ("WORKSPACE.bzlmod", *WORKSPACE_FILES) if has_module else WORKSPACE_FILES
    found = (name for name in names if source.is_file(name)) if workspace_counts else iter(())
    return has_module, next(found, None)


def workspace_in_force(facts: Facts, asked: bool | None, has_module: bool) -> bool:
    """Whether WORKSPACE counts; read tolerantly, a tree that has nothing else is read by it."""
    if facts.tolerant and not has_module:
        return asked is not False
    return {"counts": asked is not False, "when asked for": asked is True, "never": False}[facts.workspace_file]


def names_of_the_machine(root: str) -> dict[str, object]:
    """Names of WORKSPACE alone: the checkout's folder, and folders of the Bazel that runs, which nobody here knows.

    Seen in 0.19.1 to 7.7.1 (DEFAULT_SERVER_JAVABASE in 0.19.1 only). ``WorkspaceFactory``
    """
    unknown = ("__embedded_dir__", "DEFAULT_SERVER_JAVABASE", "DEFAULT_SYSTEM_JAVABASE")
    return {"__workspace_dir__": root, **{name: Unknown(name, "WORKSPACE") for name in unknown}}


def evaluate_workspace_file(
    source: Source, path: str, context: WorkspaceContext, loader: BzlLoader, names: Mapping[str, object]
) -> list[Diagnostic]:
    """Fill ``context`` from a WORKSPACE file; problems are returned.

    Bazel stops at the first. Here each costs no more than its statement: what the others declare is there.
    """
    diagnostics: list[Diagnostic] = []
    try:
        text = (source.read(path), path, dialect_of(WORKSPACE, context.facts), names.keys())
        module = Module(loader.programs.salvaged(*text, diagnostics), names)
        thread = loader.thread(context, context.loads, diagnostics)
        run_file(module, thread, context, partial(loader.programs.prefix, *text), diagnostics)
    except OSError as error:
        diagnostics.append(Diagnostic(f"cannot read {path}: {error.strerror}"))
    except BzlgraphError as error:
        diagnostics.extend(error.diagnostics)
    diagnostics += _defined_by_bazel(context)
    for loaded in loader.transitive(context.loads):
        for gap in loaded.gaps:
            context.add_gap(gap)
    return diagnostics


def _defined_by_bazel(context: WorkspaceContext) -> Iterator[Diagnostic]:
    """The repositories that Bazel itself defines behind the file, and that it does not let the file define."""
    if context.loads or context.facts.suffix_loads:
        for name in context.facts.suffix_repositories:
            defined = context.repositories.get(name) or context.binds.get(name)
            if defined is not None:
                hint = f"Bazel {context.facts.version} defines it itself: give yours another name"
                yield Diagnostic(redefined(name), defined.location, hint=hint)
