"""MODULE.bazel evaluated: text -> ``ModuleFile``, its ``include()``d files at their places.

``ModuleReader.read(source, path, shown)`` -> (what the file says, its problems, its gaps). A file that breaks keeps
what it said before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import LabelError, parse
from bzlgraph.base.span import Location
from bzlgraph.bazel.files.environment import dialect_of
from bzlgraph.bazel.files.module_context import ModuleFileContext
from bzlgraph.bazel.files.run_file import run_file
from bzlgraph.bzlmod.module import ModuleFile
from bzlgraph.starlark.module import Module
from bzlgraph.starlark.value import EvalError
from bzlgraph.syntax.dialect import MODULE
from bzlgraph.workspace.bzl_files import BzlLoader
from bzlgraph.workspace.sources.source import Source
from bzlgraph.workspace.tree import BUILD_FILES

MODULE_FILE = "MODULE.bazel"


@dataclass(frozen=True, slots=True)
class ModuleReader:
    """Reads MODULE.bazel files with the names that they may use."""

    loader: BzlLoader
    names: Mapping[str, object]

    def read(
        self, source: Source, path: str, shown: str, *, root: bool = False, refused: str = "the root module"
    ) -> tuple[ModuleFile, list[Diagnostic], list[Gap]]:
        """One file; ``shown`` is its path for people, ``refused`` where alone it might include others, "" if here."""
        run = _Reading(self, source, root, "" if root else refused, shown.removesuffix(path), [])
        context = ModuleFileContext("", "", facts=self.loader.facts, path=shown, include=run.include)
        run.evaluate(context, path, shown)
        return context.finish(), run.diagnostics, context.gaps


@dataclass(slots=True)
class _Reading:
    """One file and what it includes."""

    reader: ModuleReader
    source: Source
    root: bool
    refused: str
    before: str
    """What stands before the paths of the module's files when they are shown."""
    diagnostics: list[Diagnostic]
    context: ModuleFileContext | None = None
    active: tuple[str, ...] = ()
    """The files being evaluated, each included by the one before."""

    def evaluate(self, context: ModuleFileContext, path: str, shown: str) -> None:
        """Run a file in a module of its own: no variable is shared."""
        self.context, before = context, self.active
        self.active = (*before, path)
        programs = self.reader.loader.programs
        try:
            dialect = dialect_of(MODULE, context.facts)
            absent = self.root and path == MODULE_FILE and not self.source.is_file(path)  # counts as an empty one
            text = (b"" if absent else self.source.read(path), shown, dialect, self.reader.names.keys())
            module = Module(programs.salvaged(*text, self.diagnostics), self.reader.names)
            thread = self.reader.loader.thread(context, [], self.diagnostics)
            run_file(module, thread, context, partial(programs.prefix, *text))
        except OSError as error:
            self.diagnostics.append(Diagnostic(f"cannot read {shown}: {error.strerror}"))
        except BzlgraphError as error:
            self.diagnostics.extend(error.diagnostics)
        finally:
            self.active = before

    def include(self, label: str, location: Location) -> None:
        """``include(label)`` at ``location``. EvalError, in Bazel's words, when it may not be there."""
        if self.refused:
            raise EvalError(f"include() directive found at {location}, but it can only be used in {self.refused}")
        path = self._path(label, location)
        if path in self.active:
            raise EvalError(f"cycle of include() calls: {' -> '.join((*self.active, path))}")
        assert self.context is not None  # an evaluation is running
        self.context.includes.append(path)
        self.evaluate(self.context, path, self.before + path)

    def _path(self, label: str, location: Location) -> str:
        refused = f"bad include label '{label}' at {location}"
        if not label.startswith("//"):
            raise EvalError(f"{refused}: include() must be called with main repo labels (starting with double slashes)")
        if not label.endswith(".MODULE.bazel"):
            raise EvalError(f"{refused}: the file to be included must have a name ending in '.MODULE.bazel'")
        try:
            found = parse(label, "", "")
        except LabelError as error:
            raise EvalError(f"{refused}: {error}") from None
        folder = f"{found.package}/" if found.package else ""
        if not any(self.source.is_file(folder + each) for each in BUILD_FILES):
            where = f"BUILD file not found in '{found.package}'"
            raise EvalError(f"unable to load package for '{label}' included at {location}: {where}")
        if not self.source.is_file(folder + found.name):
            raise EvalError(f"error reading '{label}' included at {location}: not a regular file")
        return folder + found.name
