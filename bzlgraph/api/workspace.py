"""The library: the verbs of the command line as methods of a ``Workspace``, with answers that show themselves.

>>> import bzlgraph
>>> ws = bzlgraph.open("examples/mini_tensorflow")                                          # doctest: +SKIP
>>> ws.why("@swig//:swig", from_="//tensorflow/tools/pip_package:build_pip_package")       # doctest: +SKIP

``open`` -> ``Workspace`` -> ``QueryResult``, ``WhyResult``, ``GraphResult``. What is heavy is imported when it is used.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, overload

from bzlgraph.api.results import DatasetResult, DiffResult, GraphResult, HealthResult, QueryResult, WhyResult
from bzlgraph.base.errors import UsageProblem
from bzlgraph.cache.folder import default_folder
from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.graph.build import BuildGraph
from bzlgraph.loading.loader import Loader
from bzlgraph.questions.session import QueryOptions, Session, open_session
from bzlgraph.workspace.options import Options

if TYPE_CHECKING:
    import pandas

    from bzlgraph.config.configured.view import AnyGraph
    from bzlgraph.export.explorer.notebook import ExploreResult
    from bzlgraph.export.flags_formats.results import FlagsResult, TraceResult
    from bzlgraph.export.op_formats.results import OpResult


def open(
    folder: str | os.PathLike[str] = ".",
    *,
    override_repository: Mapping[str, str | os.PathLike[str]] | None = None,
    bazel_version: str = "",
    jobs: int = 0,
    executor: str = "local",
    cache_dir: str | os.PathLike[str] | None = None,
    cache: bool = True,
    python_path: Mapping[str, str | os.PathLike[str]] | None = None,
) -> Workspace:
    """Open the workspace that contains ``folder``. Only its WORKSPACE is evaluated at this point.

    ``override_repository`` maps repositories to the folders of their sources. ``bazel_version`` is the version of
    Bazel to emulate ("": the one that ``.bazeliskrc`` or ``.bazelversion`` names, or else the one that WORKSPACE and
    MODULE.bazel suggest, read as tolerantly as possible).
    ``executor`` evaluates packages: "local", or a Dask cluster (``docs/executors.md``).
    Relative labels are relative to ``folder``. ``python_path`` maps Python packages outside the checkout to their
    folders, for questions about ops (``{"keras": ".../site-packages/keras"}``). Raises UsageProblem if there is no
    workspace, or if the cluster cannot be used.
    """
    overrides = {name: Path(path).expanduser().resolve() for name, path in (override_repository or {}).items()}
    folder_of_cache = (Path(cache_dir) if cache_dir else default_folder()) if cache else None
    session = open_session(folder, Options(overrides, bazel_version, folder_of_cache, jobs, executor=executor))
    session.python_path = {name: Path(path).expanduser().resolve() for name, path in (python_path or {}).items()}
    return Workspace(session)


class Workspace:
    """A checkout to ask questions about. The graph grows with the questions; each package is evaluated once."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @property
    def root(self) -> Path:
        """The workspace's folder."""
        return self.session.root

    @property
    def loader(self) -> Loader:
        """The loader of its packages."""
        return self.session.loader

    @property
    def build_graph(self) -> BuildGraph:
        """The graph of everything loaded so far, with all branches of every select()."""
        return self.session.graph

    def query(
        self,
        expression: str,
        options: Sequence[str] = (),
        *,
        implicit_deps: bool = True,
        tool_deps: bool = True,
        nodep_deps: bool = True,
        keep_going: bool = False,
        universe_scope: Sequence[str] = (),
        exclude_self: bool = False,
    ) -> QueryResult:
        """The targets that match an expression in Bazel's query language.

        With Bazel options (``["--config=opt", "-c", "dbg"]``), only edges that hold or may hold are followed.
        ``exclude_self`` leaves out the targets given to ``deps`` or ``rdeps``.
        Raises QueryProblem if the expression is invalid; QueryFailure and LoadProblem if it cannot be answered, unless
        ``keep_going`` is set; UsageProblem for options that Bazel rejects.
        """
        from bzlgraph.query.notes import without_itself
        from bzlgraph.questions.session import ask_query

        expression = without_itself(expression) if exclude_self else expression
        asked = QueryOptions(implicit_deps, tool_deps, nodep_deps, tuple(universe_scope), keep_going=keep_going)
        return QueryResult(ask_query(self.session, expression, asked, _arguments(options)).answer)

    def why(
        self,
        target: str,
        from_: str = "//...",
        options: Sequence[str] = (),
        *,
        all_paths: bool = False,
        keep_going: bool = False,
    ) -> WhyResult:
        """Why the targets of pattern ``from_`` depend on ``target``. Raises LoadProblem if either does not exist."""
        from bzlgraph.questions.paths import ask_why
        from bzlgraph.why.ask import MAX_PATHS

        arguments = _arguments(options)
        paths = MAX_PATHS if all_paths else 0
        reply = ask_why(self.session, target, from_, arguments, paths=paths, keep_going=keep_going)
        return WhyResult(reply.answer, self.configured(options), reply.completeness)

    def deps(
        self, expression: str, options: Sequence[str] = (), *, depth: int = 3, implicit_deps: bool = True
    ) -> pandas.DataFrame:
        """The dependencies of an expression's targets as a tree, ``depth`` edges deep: a row per line.

        With Bazel options, only edges that hold or may hold are followed. Raises the same errors as ``query``.
        """
        return self._tree("deps", expression, options, depth, implicit_deps, "//...")

    def rdeps(
        self,
        expression: str,
        from_: str = "//...",
        options: Sequence[str] = (),
        *,
        depth: int = 3,
        implicit_deps: bool = True,
    ) -> pandas.DataFrame:
        """The dependents of an expression's targets as a tree, within the dependencies of ``from_``: a row per line.

        With Bazel options, only edges that hold or may hold are followed. Raises the same errors as ``query``.
        """
        return self._tree("rdeps", expression, options, depth, implicit_deps, from_)

    def _tree(
        self, direction: str, expression: str, options: Sequence[str], depth: int, implicit_deps: bool, from_: str
    ) -> pandas.DataFrame:
        from bzlgraph.export.row_formats.columnar import frame
        from bzlgraph.export.why_formats.tree_data import tree_table
        from bzlgraph.questions.parts.trees import TreeQuestion, ask_tree

        asked, arguments = QueryOptions(implicit_deps), _arguments(options)
        wanted = TreeQuestion(direction, expression, from_, depth, some=False)
        reply = ask_tree(self.session, wanted, asked, arguments)
        return frame(tree_table(reply.answer, reply.completeness), reply.completeness)

    def select(
        self, expression: str = "//...", options: Sequence[str] = (), *, keep_going: bool = False
    ) -> pandas.DataFrame:
        """The selects of an expression's targets: a row per target, attribute, part, condition and value.

        With Bazel options (``["--config=opt", "-c", "dbg"]``), also which branches hold, and why.
        Raises the same errors as ``query``.
        """
        from bzlgraph.export.row_formats.columnar import frame
        from bzlgraph.export.select_formats.rows import select_table
        from bzlgraph.questions.targets import ask_selects

        asked = QueryOptions(keep_going=keep_going)
        reply = ask_selects(self.session, expression, asked, _arguments(options))
        return frame(select_table(reply.answer), reply.completeness)

    @overload
    def flags(self, name: None = None) -> FlagsResult: ...

    @overload
    def flags(self, name: str) -> TraceResult: ...

    def flags(self, name: str | None = None) -> FlagsResult | TraceResult:
        """Everything that can be configured, as a DataFrame per kind; with a name, everything about that one.

        A name is an environment variable of ./configure, a define, a config, a setting or a run-time flag.
        Raises UsageProblem if there is no such name.
        """
        from bzlgraph.export.flags_formats.results import FlagsResult, TraceResult
        from bzlgraph.questions.switches import ask_knowledge, ask_trace

        if name is None:
            known = ask_knowledge(self.session)
            return FlagsResult(known.answer, self.loader.workspace, known.completeness)
        reply = ask_trace(self.session, name)
        return TraceResult(reply.answer.rows[0], reply.answer.source, reply.completeness)

    def op(self, name: str, *, framework: str = "") -> OpResult:
        """The sources that implement an op: a public name, op, generated function, file, kernel class or target.

        ``framework`` is tensorflow, pytorch or jax ("": the one in the tree). Raises UsageProblem if the tree has none,
        or if there is no such name.
        """
        from bzlgraph.export.op_formats.results import OpResult
        from bzlgraph.questions.framework_ops import ask_ops, unknown_word

        reply = ask_ops(self.session, [name], framework)
        (answer,) = reply.answer
        if not answer.found:
            problem = unknown_word(answer)
            raise UsageProblem("; ".join(filter(None, (problem.message, problem.hint))))
        return OpResult(answer, reply.completeness)

    def op_table(self, *, supported_by: str = "", framework: str = "") -> pandas.DataFrame:
        """All ops of the framework, a row per kernel; with ``supported_by="xla"``, a row per op that XLA compiles."""
        from bzlgraph.export.op_formats.results import ops_table
        from bzlgraph.export.row_formats.columnar import frame
        from bzlgraph.questions.framework_ops import ask_ops_table

        reply = ask_ops_table(self.session, framework, supported_by)
        return frame(ops_table("xla_ops" if supported_by else "ops", reply.answer), reply.completeness)

    def op_needs(self, name: str, options: Sequence[str] = (), *, framework: str = "") -> pandas.DataFrame:
        """A row per target and file that an op depends on, in the configuration that Bazel options choose."""
        from bzlgraph.export.op_formats.results import ops_table
        from bzlgraph.export.row_formats.columnar import frame
        from bzlgraph.questions.framework_ops import ask_needs

        reply = ask_needs(self.session, [name], framework, _arguments(options))
        return frame(ops_table("op_needs", reply.answer), reply.completeness)

    def op_slice(self, name: str, options: Sequence[str] = (), *, framework: str = "") -> pandas.DataFrame:
        """A row per target and file of the smallest set that builds an op; ``only`` counts what it alone needs."""
        from bzlgraph.export.op_formats.results import ops_table
        from bzlgraph.export.row_formats.columnar import frame
        from bzlgraph.questions.framework_ops import ask_slice

        reply = ask_slice(self.session, [name], framework, _arguments(options))
        return frame(ops_table("op_slice", reply.answer), reply.completeness)

    def export_dataset(
        self, folder: str | os.PathLike[str], expression: str = "deps(//...)", *, keep_going: bool = False
    ) -> DatasetResult:
        """Write the targets of an expression, with all that is known about them, as a dataset of Parquet files.

        An existing dataset in ``folder`` is replaced. Raises the same errors as ``query``, and UsageProblem if pyarrow
        is not installed, or if ``folder`` cannot be written or contains anything else.
        """
        from bzlgraph.export.dataset.files import DatasetWriter
        from bzlgraph.export.dataset.folder import checkout_name, new_dataset
        from bzlgraph.export.row_formats.columnar import require_pyarrow
        from bzlgraph.questions.dataset import ask_dataset

        require_pyarrow("export_dataset")
        with new_dataset(Path(folder)) as new:
            reply = ask_dataset(self.session, expression, keep_going=keep_going)
            written = DatasetWriter(new).write(checkout_name(self.root), reply.answer)
        return DatasetResult(Path(folder), written.rows, reply.completeness)

    def configured(self, options: Sequence[str] = ()) -> AnyGraph:
        """The graph in the configuration that Bazel options choose; without options, the graph itself.

        Raises UsageProblem for unknown options.
        """
        arguments = _arguments(options)
        return self.session.under(arguments).view(arguments)

    def diff_config(
        self,
        expression: str,
        left: Sequence[str],
        right: Sequence[str],
        *,
        implicit_deps: bool = True,
        keep_going: bool = False,
    ) -> DiffResult:
        """The differences between two configurations, given as Bazel options; no options means Bazel's defaults.

        A plain pattern means its dependencies, ``deps(pattern)``. Raises the same errors as ``query``.
        """
        from bzlgraph.questions.differences import ask_diff

        asked = QueryOptions(implicit_deps, keep_going=keep_going)
        reply = ask_diff(self.session, expression, _arguments(left), _arguments(right), asked)
        return DiffResult(reply.answer, reply.completeness)

    def graph(
        self,
        expression: str,
        options: Sequence[str] = (),
        *,
        collapse: str = "auto",
        max_nodes: int | None = None,
    ) -> GraphResult:
        """The subgraph of an expression's targets, as a picture and as a networkx graph."""
        return GraphResult(self.query(expression, options).answer, collapse, max_nodes)

    def doctor(self, pattern: str = "//...", *, keep_going: bool = False) -> HealthResult:
        """What loads, of the packages of a pattern and their dependencies, what is missing, and what that may hide.

        Raises the same errors as ``query``.
        """
        from bzlgraph.questions.health import ask_health

        reply = ask_health(self.session, pattern, keep_going=keep_going)
        return HealthResult(reply.answer, reply.completeness)

    def overview(self) -> pandas.DataFrame:
        """A summary of the checkout: rows for kinds of rules, packages, entry points, most used targets and configs,
        each with the largest first."""
        from bzlgraph.export.row_formats.columnar import frame
        from bzlgraph.export.row_formats.row_table import RowTable, columns
        from bzlgraph.questions.overview import COLUMNS, ask_overview

        reply = ask_overview(self.session, _arguments(()))
        return frame(RowTable("overview", columns(COLUMNS, count="integer"), reply.answer.rows), reply.completeness)

    def explore(
        self, expression: str = "//...", options: Sequence[str] = (), *, ops: Sequence[str] = ()
    ) -> ExploreResult:
        """An interactive page of an expression's targets and all their dependencies; it starts at ``ops``, if given.

        Raises the same errors as ``query``, and as ``op`` for unknown ops.
        """
        from bzlgraph.export.explorer.notebook import ExploreResult
        from bzlgraph.questions.exploration import ask_explore

        reply = ask_explore(self.session, expression, QueryOptions(keep_going=True), _arguments(options))
        found = [self.op(each) for each in ops]
        completeness = reply.completeness
        for each in found:
            completeness = completeness.with_more(each.completeness.problems, each.completeness.gaps)
        return ExploreResult(reply.answer, completeness, tuple(each.answer for each in found))

    def expand(self, label: str) -> str:
        """A target, or those of a pattern, as plain BUILD text, with the macros that created it as comments.

        Raises LoadProblem if it does not exist.
        """
        from bzlgraph.export.expand_text import expand
        from bzlgraph.questions.targets import expand_reply

        found = expand_reply(self.session, self.session.graph, [label]).answer
        return "\n\n".join(expand(each.target, each.package) for each in found)

    def __repr__(self) -> str:
        return f"<bzlgraph workspace {self.root}>"


def _arguments(options: Sequence[str]) -> ConfigArguments:
    """Options of Bazel, and ``--assume=NAME=true``, as a command line would have them."""
    assumed = tuple(each.partition("=")[2] for each in options if each.startswith("--assume="))
    return ConfigArguments(tuple(each for each in options if not each.startswith("--assume=")), assumed=assumed)
