"""The library: the verbs of the command line as methods of a ``Workspace``, with answers that show themselves.

>>> import bzlgraph
>>> ws = bzlgraph.open("examples/mini_tensorflow")                                          # doctest: +SKIP
>>> ws.why("@swig//:swig", from_="//tensorflow/tools/pip_package:build_pip_package")       # doctest: +SKIP

``open`` -> ``Workspace`` -> ``QueryResult``, ``WhyResult``, ``GraphResult``. What is heavy is imported when it is used.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Completeness, Gap
from bzlgraph.base.label import Label
from bzlgraph.base.words import plural
from bzlgraph.cache.folder import default_folder
from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.view import GraphView
from bzlgraph.loading.loader import Loader
from bzlgraph.query.answer import QueryAnswer
from bzlgraph.questions.session import QueryOptions, Session, open_session
from bzlgraph.why.answer import WhyAnswer
from bzlgraph.workspace.options import Options

if TYPE_CHECKING:
    import networkx
    import pandas

    from bzlgraph.config.view import AnyGraph
    from bzlgraph.diff.model import DiffAnswer, Difference
    from bzlgraph.export.flags_formats.results import FlagsResult, StoryResult
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
) -> Workspace:
    """Open the workspace that ``folder`` lies in; nothing but its WORKSPACE is evaluated yet.

    ``override_repository`` says where the sources of repositories are, ``bazel_version`` which Bazel to read as ("":
    the one that ``.bazeliskrc`` or ``.bazelversion`` names, else what WORKSPACE and MODULE.bazel tell, and as tolerant
    as possible).
    ``executor`` is who evaluates packages: "local", or a Dask cluster (``docs/executors.md``).
    Relative labels start in ``folder``. Raises UsageProblem when there is no workspace, and for a cluster that cannot
    be used.
    """
    overrides = {name: Path(path).expanduser().resolve() for name, path in (override_repository or {}).items()}
    folder_of_cache = (Path(cache_dir) if cache_dir else default_folder()) if cache else None
    return Workspace(open_session(folder, Options(overrides, bazel_version, folder_of_cache, jobs, executor=executor)))


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
        """What loads its packages."""
        return self.session.loader

    @property
    def build_graph(self) -> BuildGraph:
        """The graph of all that was loaded so far, with all branches of every select()."""
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
    ) -> QueryResult:
        """The targets of an expression in Bazel's query language.

        With options of Bazel (``["--config=opt", "-c", "dbg"]``) only edges that hold or may hold are followed.
        Raises QueryProblem for what is no query; QueryFailure and LoadProblem for what cannot be answered, unless
        ``keep_going``; UsageProblem for options that Bazel refuses.
        """
        from bzlgraph.questions.session import ask_query

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
        """Why the targets of pattern ``from_`` need ``target``. Raises LoadProblem when either does not exist."""
        from bzlgraph.questions.paths import ask_why

        arguments = _arguments(options)
        reply = ask_why(self.session, target, from_, arguments, all_paths=all_paths, keep_going=keep_going)
        return WhyResult(reply.answer, self.configured(options), reply.completeness)

    def selects(
        self, expression: str = "//...", options: Sequence[str] = (), *, keep_going: bool = False
    ) -> pandas.DataFrame:
        """A row per target, attribute, part of a concatenation, condition and value of the selects in an expression.

        With options of Bazel (``["--config=opt", "-c", "dbg"]``) also which branches hold, and why.
        Raises as ``query``.
        """
        from bzlgraph.export.row_formats.columnar import frame
        from bzlgraph.export.select_formats.rows import select_table
        from bzlgraph.questions.targets import ask_selects

        asked = QueryOptions(keep_going=keep_going)
        return frame(select_table(ask_selects(self.session, expression, asked, _arguments(options)).answer))

    @overload
    def flags(self, name: None = None) -> FlagsResult: ...

    @overload
    def flags(self, name: str) -> StoryResult: ...

    def flags(self, name: str | None = None) -> FlagsResult | StoryResult:
        """What can be switched, as a DataFrame per kind; with a name all that is known of that one.

        A name is an environment variable of configure, a define, a config, a setting, a flag of a program.
        Raises UsageProblem when nothing is called so.
        """
        from bzlgraph.export.flags_formats.results import FlagsResult, StoryResult
        from bzlgraph.questions.switches import ask_knowledge, ask_trace

        if name is None:
            return FlagsResult(ask_knowledge(self.session).answer, self.loader.workspace)
        listing = ask_trace(self.session, name).answer
        return StoryResult(listing.rows[0], listing.source)

    def op(self, name: str, *, framework: str = "") -> OpResult:
        """Which sources back an op: a public name, an op, a generated function, a file, a kernel class, a target.

        ``framework`` is tensorflow, pytorch or jax ("": the one that the tree holds). Raises UsageProblem when the
        tree holds none, or nothing is called so.
        """
        from bzlgraph.export.op_formats.results import OpResult
        from bzlgraph.questions.framework_ops import ask_ops, unknown_word

        (answer,) = ask_ops(self.session, [name], framework).answer
        if not answer.found:
            problem = unknown_word(answer)
            raise UsageProblem("; ".join(filter(None, (problem.message, problem.hint))))
        return OpResult(answer)

    def ops_table(self, *, supported_by: str = "", framework: str = "") -> pandas.DataFrame:
        """A row per op and kernel of the framework; with ``supported_by="xla"`` a row per op that XLA compiles."""
        from bzlgraph.export.op_formats.results import ops_table
        from bzlgraph.export.row_formats.columnar import frame
        from bzlgraph.questions.framework_ops import ask_ops_table

        table = ask_ops_table(self.session, framework, supported_by).answer
        return frame(ops_table("xla_ops" if supported_by else "ops", table))

    def op_needs(self, name: str, options: Sequence[str] = (), *, framework: str = "") -> pandas.DataFrame:
        """A row per target and file that an op depends on, in the configuration that options of Bazel choose."""
        from bzlgraph.export.op_formats.results import ops_table
        from bzlgraph.export.row_formats.columnar import frame
        from bzlgraph.questions.framework_ops import ask_needs

        return frame(ops_table("op_needs", ask_needs(self.session, [name], framework, _arguments(options)).answer))

    def export_dataset(
        self, folder: str | os.PathLike[str], expression: str = "deps(//...)", *, keep_going: bool = False
    ) -> DatasetResult:
        """Write the targets of an expression, and all that is known of them, as a dataset of Parquet files.

        A dataset that is in ``folder`` is replaced. Raises as ``query``; UsageProblem where pyarrow is not installed,
        and where ``folder`` cannot be written or holds something else.
        """
        from bzlgraph.export.dataset.files import DatasetWriter
        from bzlgraph.export.dataset.folder import checkout_name, new_dataset
        from bzlgraph.export.row_formats.columnar import require_pyarrow
        from bzlgraph.questions.dataset import ask_dataset

        require_pyarrow("export_dataset")
        with new_dataset(Path(folder)) as new:
            reply = ask_dataset(self.session, expression, keep_going=keep_going)
            rows = DatasetWriter(new).write(checkout_name(self.root), reply.answer)
        return DatasetResult(Path(folder), rows, reply.completeness)

    def configured(self, options: Sequence[str] = ()) -> AnyGraph:
        """The graph as a configuration sees it that options of Bazel choose; without options the graph itself.

        Raises UsageProblem for what is no option.
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
        """What changes when the options of Bazel ``left`` become ``right``; no options are Bazel's defaults.

        A plain pattern stands for what it needs, ``deps(pattern)``. Raises as ``query``.
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
        """The part of the graph that an expression's targets span, as a picture and as a networkx graph."""
        return GraphResult(self.query(expression, options).answer, collapse, max_nodes)

    def expand(self, label: str) -> str:
        """A target, or those of a pattern, as plain BUILD text, with the macros that made it as comments.

        Raises LoadProblem for what does not exist.
        """
        from bzlgraph.export.expand_text import expand
        from bzlgraph.questions.targets import ask_expand

        return "\n\n".join(expand(each.target, each.package) for each in ask_expand(self.session, [label]).answer)

    def __repr__(self) -> str:
        return f"<bzlgraph workspace {self.root}>"


def _arguments(options: Sequence[str]) -> ConfigArguments:
    """Options of Bazel, as a command line would have them."""
    return ConfigArguments(tuple(options))


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The targets a query found: iterable, sized, printable, a table and a networkx graph."""

    answer: QueryAnswer

    @property
    def labels(self) -> list[Label]:
        """The labels, in output order."""
        return list(self.answer)

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """What could not be known and may matter here."""
        return self.answer.gaps

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """Missing targets and broken packages met on the way."""
        return self.answer.problems

    def to_frame(self) -> pandas.DataFrame:
        """A row per target: label, kind, package, location, macro."""
        from bzlgraph.export.query_formats.rows import targets_table
        from bzlgraph.export.row_formats.columnar import frame

        return frame(targets_table(self.answer))

    def to_networkx(self) -> networkx.DiGraph[str]:
        """The targets and the edges among them; nodes and edges carry kinds and reasons."""
        from bzlgraph.graph.networkx_view import to_networkx

        return to_networkx(self.answer.graph, self.answer.nodes, self.answer.excluded_flags)

    def __len__(self) -> int:
        return len(self.answer)

    def __iter__(self) -> Iterator[str]:
        return map(str, self.answer)

    def __contains__(self, label: object) -> bool:
        return str(label) in set(self)

    def __str__(self) -> str:
        return "\n".join(self)

    def __repr__(self) -> str:
        return f"<{len(self)} {plural(len(self), 'target')}>"

    def _repr_html_(self) -> str:
        return str(self.to_frame().to_html(max_rows=60, index=False))


@dataclass(frozen=True, slots=True)
class WhyResult:
    """The answer to ``why``: prints as the command line does, shows itself as a picture in a notebook."""

    answer: WhyAnswer
    graph: GraphView
    completeness: Completeness

    @property
    def found(self) -> bool:
        """Whether there is a path."""
        return self.answer.found

    @property
    def labels(self) -> list[str]:
        """The labels of the path shown, source first."""
        return [str(step.node.label) for step in self.answer.steps]

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data (the schema of ``--output=json``)."""
        from bzlgraph.export.why_formats.as_json import to_dict

        return to_dict(self.answer, self.completeness)

    def __str__(self) -> str:
        from bzlgraph.export.why_formats.text import render

        return render(self.answer)

    def __repr__(self) -> str:
        return str(self)

    def _repr_svg_(self) -> str | None:
        from bzlgraph.export.pictures.why_picture import why_picture
        from bzlgraph.export.save import svg_text

        return svg_text(why_picture(self.answer)) if self.found else None


@dataclass(frozen=True, slots=True)
class DiffResult:
    """What another configuration changes: prints as the command line does, shows itself as a picture."""

    answer: DiffAnswer
    completeness: Completeness

    @property
    def differences(self) -> tuple[Difference, ...]:
        """All of them, by what they are."""
        return self.answer.differences

    def to_frame(self) -> pandas.DataFrame:
        """A row per difference: change, what, target, kind, attribute, value, condition, location, reason."""
        from bzlgraph.export.diff_formats.rows import diff_table
        from bzlgraph.export.row_formats.columnar import frame

        return frame(diff_table(self.answer))

    def __len__(self) -> int:
        return len(self.answer.differences)

    def __str__(self) -> str:
        from bzlgraph.export.diff_formats.text import text

        return "".join(text(self.answer)).rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_svg_(self) -> str | None:
        from bzlgraph.export.diff_formats.picture import diff_picture
        from bzlgraph.export.save import svg_text

        return svg_text(diff_picture(self.answer)) if len(self) else None


@dataclass(frozen=True, slots=True)
class GraphResult:
    """A part of the graph, as a picture."""

    answer: QueryAnswer
    collapse: str = "auto"
    max_nodes: int | None = None

    def to_networkx(self) -> networkx.DiGraph[str]:
        """The targets and the edges among them, with kinds and reasons."""
        return QueryResult(self.answer).to_networkx()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a picture or a file in the format of the name: dot, svg, png, html, mmd, graphml, json."""
        from bzlgraph.export.save import save_graph

        save_graph(self.answer, Path(path), collapse=self.collapse, max_nodes=self.max_nodes)

    def _repr_svg_(self) -> str:
        from bzlgraph.export.save import graph_bytes

        return graph_bytes(self.answer, "svg", collapse=self.collapse, max_nodes=self.max_nodes).data.decode()

    def __repr__(self) -> str:
        return f"<graph of {len(self.answer)} {plural(len(self.answer), 'target')}>"


@dataclass(frozen=True, slots=True)
class DatasetResult:
    """A dataset that was written: where, how many rows each of its tables has, and how complete it is."""

    folder: Path
    rows: Mapping[str, int]
    completeness: Completeness
