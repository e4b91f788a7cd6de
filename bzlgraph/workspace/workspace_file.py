"""WORKSPACE and MODULE.bazel, evaluated: repository rules are recorded, nothing is run or downloaded.

WORKSPACE loads are executed where they stand, so a later load sees the repositories declared above it (Bazel's chunks).
MODULE.bazel gives the names of modules and of repositories from extensions; where their content is comes from
``local_path_override`` or ``--override_repository``, otherwise they are gaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.label import Label
from bzlgraph.bazel.files.context import WorkspaceContext
from bzlgraph.bazel.files.environment import dialect_of
from bzlgraph.bazel.files.run_file import run_file
from bzlgraph.starlark.evaluation.module import Module
from bzlgraph.syntax import Dialect
from bzlgraph.syntax.dialect import MODULE, WORKSPACE
from bzlgraph.workspace.modules import ModuleLoader
from bzlgraph.workspace.sources.source import Source

WORKSPACE_FILES = ("WORKSPACE.bazel", "WORKSPACE")
MODULE_FILE = "MODULE.bazel"


def files_in_force(
    source: Source, *, modules_count: bool | None = None, workspace_counts: bool | None = None
) -> tuple[str, ...]:
    """MODULE.bazel and WORKSPACE, those that are there and count (None: they count when they are there).

    A ``WORKSPACE.bzlmod`` beside MODULE.bazel replaces WORKSPACE, as in Bazel.
    """
    has_module = modules_count is not False and source.is_file(MODULE_FILE)
    names = ("WORKSPACE.bzlmod", *WORKSPACE_FILES) if has_module else WORKSPACE_FILES
    found = [name for name in names if source.is_file(name)][:1] if workspace_counts is not False else []
    return (*([MODULE_FILE] if has_module else []), *found)


def evaluate_workspace_files(
    source: Source,
    paths: Iterable[str],
    context: WorkspaceContext,
    loader: ModuleLoader,
    workspace_names: Mapping[str, object],
    module_names: Mapping[str, object],
) -> list[Diagnostic]:
    """Fill ``context`` from the files in force; problems are returned, what was declared before them stays."""
    diagnostics: list[Diagnostic] = []
    for path in paths:
        dialect, names = (MODULE, module_names) if path == MODULE_FILE else (WORKSPACE, workspace_names)
        diagnostics += _run(source, path, dialect, names, context, loader)
    return diagnostics


def _run(
    source: Source,
    path: str,
    dialect: Dialect,
    names: Mapping[str, object],
    context: WorkspaceContext,
    loader: ModuleLoader,
) -> list[Diagnostic]:
    diagnostics: list[Diagnostic] = []
    loads: list[Label] = []
    try:
        text = (source.read(path), path, dialect_of(dialect, context.facts), names.keys())
        module = Module(loader.programs.salvaged(*text, diagnostics), names)
        run_file(module, loader.thread(context, loads, diagnostics), context, partial(loader.programs.prefix, *text))
    except OSError as error:
        diagnostics.append(Diagnostic(f"cannot read {path}: {error.strerror}"))
    except BzlgraphError as error:
        diagnostics.extend(error.diagnostics)
    for loaded in loader.transitive(loads):
        for gap in loaded.gaps:
            context.add_gap(gap)
    return diagnostics
