"""The library: the verbs of the command line as methods of a ``Workspace``, with answers that show themselves.

>>> import bzlgraph
>>> ws = bzlgraph.open("examples/mini_tensorflow")                                          # doctest: +SKIP
>>> ws.why("@swig//:swig", from_="//tensorflow/tools/pip_package:build_pip_package")       # doctest: +SKIP

``open`` -> ``Workspace`` -> ``QueryResult``, ``WhyResult``, ``GraphResult``. What is heavy is imported when it is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.view import GraphView
from bzlgraph.loading import Loader, open_loader
from bzlgraph.query import Environment, QueryAnswer, Settings, query
from bzlgraph.why.answer import WhyAnswer
from bzlgraph.workspace import Options, open_workspace
from bzlgraph.workspace.program_cache import default_folder

if TYPE_CHECKING:
    import networkx
    import pandas

    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.config.view import AnyGraph
    from bzlgraph.diff import DiffAnswer, Difference, Side
    from bzlgraph.export.flags_formats.results import FlagsResult, StoryResult
    from bzlgraph.export.op_formats.results import OpResult
    from bzlgraph.flags.knowledge import Knowledge
    from bzlgraph.ops.tracer import Tracer
    from bzlgraph.selects import SelectAnswer, Wanted


def open(
    folder: str | os.PathLike[str] = ".",
    *,
    override_repository: Mapping[str, str | os.PathLike[str]] | None = None,
    bazel_version: str = "",
    jobs: int = 0,
    cache_dir: str | os.PathLike[str] | None = None,
    cache: bool = True,
) -> Workspace:
    """Open the workspace that ``folder`` lies in; nothing but its WORKSPACE is evaluated yet.

    ``override_repository`` says where the sources of repositories are, ``bazel_version`` which Bazel to read as ("":
    the one that ``.bazelversion`` names, else what WORKSPACE and MODULE.bazel tell, and as tolerant as possible).
    Raises LoadProblem when there is no workspace.
    """
    overrides = {name: Path(path).expanduser().resolve() for name, path in (override_repository or {}).items()}
    folder_of_cache = (Path(cache_dir) if cache_dir else default_folder()) if cache else None
    options = Options(overrides, bazel_version, folder_of_cache, jobs)
    return Workspace(open_loader(open_workspace(folder, options)))


class Workspace:
    """A checkout to ask questions about. The graph grows with the questions; each package is evaluated once."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader
        self.build_graph = BuildGraph(loader)
        self._views: dict[tuple[str, ...], AnyGraph] = {(): self.build_graph}
        self._flags: Knowledge | None = None
        self._tracers: dict[str, Tracer] = {}

    @property
    def root(self) -> Path:
        """The workspace's folder."""
        return self.loader.workspace.root

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
        ``keep_going``.
        """
        settings = self._settings(implicit_deps, tool_deps, nodep_deps, keep_going, tuple(universe_scope))
        return QueryResult(query(expression, Environment(self.configured(options), settings)))

    def _settings(
        self,
        implicit_deps: bool = True,
        tool_deps: bool = True,
        nodep_deps: bool = True,
        keep_going: bool = False,
        universe_scope: tuple[str, ...] = (),
    ) -> Settings:
        return Settings(
            implicit_deps,
            tool_deps,
            keep_going,
            mapping=self.loader.workspace.map_repository,
            nodep_deps=nodep_deps,
            universe_scope=universe_scope,
            facts=self.loader.workspace.facts,
        )

    def why(
        self, target: str, from_: str = "//...", options: Sequence[str] = (), *, all_paths: bool = False
    ) -> WhyResult:
        """Why the targets of pattern ``from_`` need ``target``. Raises LoadProblem when either does not exist."""
        graph = self.configured(options)
        return WhyResult(ask_why(self.loader, graph, target, from_, all_paths), graph)

    def selects(
        self, expression: str = "//...", options: Sequence[str] = (), *, keep_going: bool = False
    ) -> pandas.DataFrame:
        """A row per target, attribute, part of a concatenation, condition and value of the selects in an expression.

        With options of Bazel (``["--config=opt", "-c", "dbg"]``) also which branches hold, and why.
        Raises as ``query``.
        """
        from bzlgraph.export.row_formats.columnar import frame
        from bzlgraph.export.select_formats.rows import select_table

        graph = self.configured(options)
        found = self.query(expression, options, keep_going=keep_going).answer
        return frame(select_table(select_answer(found, graph)))

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
        from bzlgraph.flags.knowledge import read_knowledge
        from bzlgraph.flags.trace import tell

        if self._flags is None:
            self._flags = read_knowledge(self.loader.workspace, self.build_graph)
        if name is None:
            return FlagsResult(self._flags, self.loader.workspace)
        return StoryResult(tell(name, self._flags), self._flags)

    def op(self, name: str, *, framework: str = "") -> OpResult:
        """Which sources back an op: a public name, an op, a generated function, a file, a kernel class, a target.

        ``framework`` is tensorflow, pytorch or jax ("": the one that the tree holds). Raises UsageProblem when the
        tree holds none, or nothing is called so.
        """
        from bzlgraph.export.op_formats.results import OpResult

        answer = self._tracer(framework).explain(name)
        if not answer.found:
            near = f"; did you mean {' or '.join(answer.suggestions)}?" if answer.suggestions else ""
            raise UsageProblem(f"'{name}' means nothing in {answer.framework}{near}")
        return OpResult(answer)

    def ops_table(self, *, supported_by: str = "", framework: str = "") -> pandas.DataFrame:
        """A row per op and kernel of the framework; with ``supported_by="xla"`` a row per op that XLA compiles."""
        from bzlgraph.export.op_formats.tables import ops_table, supported_table
        from bzlgraph.export.row_formats.columnar import frame

        if supported_by not in ("", "xla"):
            raise UsageProblem(f"supported_by={supported_by!r}: only xla is known")
        return frame((supported_table if supported_by else ops_table)(self._tracer(framework)))

    def op_needs(self, name: str, options: Sequence[str] = (), *, framework: str = "") -> pandas.DataFrame:
        """A row per target and file that an op brings along, in the configuration that options of Bazel choose."""
        from bzlgraph.export.op_formats.tables import needs_table
        from bzlgraph.export.row_formats.columnar import frame

        answer = self.op(name, framework=framework).answer
        return frame(needs_table(self.configured(options), [answer]))

    def _tracer(self, framework: str) -> Tracer:
        from bzlgraph.ops.frameworks import choose, open_tracer

        chosen = choose(self.loader.workspace.repository("").tree.source, framework)
        if chosen.name not in self._tracers:
            self._tracers[chosen.name] = open_tracer(chosen, self.loader, self.loader.workspace.options.cache_folder)
        return self._tracers[chosen.name]

    def configured(self, options: Sequence[str] = ()) -> AnyGraph:
        """The graph as a configuration sees it that options of Bazel choose; without options the graph itself.

        Raises UsageProblem for what is no option.
        """
        found = self._views.get(tuple(options))
        if found is None:
            from bzlgraph.config.arguments import ConfigArguments
            from bzlgraph.config.view import view_for

            found = view_for(self.build_graph, self.loader.workspace, ConfigArguments(tuple(options)))
            self._views[tuple(options)] = found
        return found

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
        from bzlgraph.config.arguments import ConfigArguments

        def ask(text: str, graph: GraphView) -> QueryAnswer:
            return query(text, Environment(graph, self._settings(implicit_deps, keep_going=keep_going)))

        chosen = [ConfigArguments(tuple(options)) for options in (left, right)]
        return DiffResult(ask_diff(self.loader, self.build_graph, expression, chosen[0], chosen[1], ask)[0])

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
        """A target as plain BUILD text, with the macros that made it as comments."""
        return "\n\n".join(expand_texts(self.loader, self.build_graph, [label]))

    def __repr__(self) -> str:
        return f"<bzlgraph workspace {self.root}>"


def expand_texts(loader: Loader, graph: GraphView, patterns: Sequence[str]) -> list[str]:
    """The targets of patterns as BUILD text, by label. Raises LoadProblem with what may have been meant."""
    from bzlgraph.export.expand_text import expand
    from bzlgraph.query.patterns import expand_list

    labels = sorted(graph.labels[number] for number in expand_list(patterns, graph, loader.workspace.map_repository))
    packages = ((label, loader.find(label.repo, label.package)) for label in labels)
    return [expand(package.targets[label.name], package) for label, package in packages if package is not None]


def select_answer(found: QueryAnswer, graph: AnyGraph, wanted: Wanted | None = None) -> SelectAnswer:
    """The selects of a query's targets; if ``graph`` is as a configuration sees it, which of their branches hold."""
    from bzlgraph.selects import EVERYTHING, Chooser, SelectAnswer

    chooser = Chooser(graph.configuration) if graph.configuration is not None else None
    chosen = EVERYTHING if wanted is None else wanted
    return SelectAnswer(found.graph, found.nodes, found.text, found.problems, found.gaps, chooser, chosen)


Asking = Callable[[str, GraphView], QueryAnswer]


def ask_diff(
    loader: Loader, graph: GraphView, text: str, left: ConfigArguments, right: ConfigArguments, ask: Asking
) -> tuple[DiffAnswer, tuple[QueryAnswer, QueryAnswer]]:
    """The question ``diff-config``, and what both sides answered. Raises as ``ask`` does; UsageProblem for options."""
    from bzlgraph.diff import compare
    from bzlgraph.query import is_pattern

    asked = f"deps({text})" if is_pattern(text) else text
    found = [_side(loader, graph, text, asked, each, ask) for each in (left, right)]
    (one, ours), (other, theirs) = found
    return compare(one, other, asked), (ours, theirs)


def _side(
    loader: Loader, graph: GraphView, text: str, asked: str, arguments: ConfigArguments, ask: Asking
) -> tuple[Side, QueryAnswer]:
    from bzlgraph.config.arguments import chosen_configuration
    from bzlgraph.config.settings import settings_for
    from bzlgraph.config.view import ConfiguredView
    from bzlgraph.diff import Side

    configuration = chosen_configuration(loader.workspace, arguments)
    view = ConfiguredView(graph, settings_for(graph, loader.workspace, configuration))
    roots = frozenset(ask(text, view)) if asked != text else frozenset()  # first: faults are told in what was typed
    answer = ask(asked, view)
    words = " ".join(arguments.tokens) or "no options"
    built = view.find
    return Side(
        answer.graph,
        answer.nodes,
        view.configuration,
        words,
        answer.excluded_flags,
        lambda label: built(label) is not None,
        roots,
    ), answer


def ask_why(loader: Loader, graph: GraphView, target: str, from_: str, all_paths: bool) -> WhyAnswer:
    """The question ``why``, from texts. A target that does not exist is asked for too: the answer says what is near."""
    from bzlgraph.base.errors import QueryProblem
    from bzlgraph.base.label import LabelError, parse
    from bzlgraph.query.patterns import expand_list
    from bzlgraph.why.ask import why

    mapping = loader.workspace.map_repository
    try:
        label = parse(target, "", "", mapping)
    except LabelError as error:
        raise QueryProblem(str(error)) from None
    sources = expand_list(from_.split(), graph, mapping)

    def widen() -> None:
        expand_list(["//..."], graph, mapping)

    return why(graph, graph.resolve(label), sorted(sources), all_paths=all_paths, widen=widen)


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
        return self.answer.label()

    def __contains__(self, label: object) -> bool:
        return str(label) in set(self)

    def __str__(self) -> str:
        return "\n".join(self)

    def __repr__(self) -> str:
        return f"<{len(self)} targets>" if len(self) != 1 else "<1 target>"

    def _repr_html_(self) -> str:
        return str(self.to_frame().to_html(max_rows=60, index=False))


@dataclass(frozen=True, slots=True)
class WhyResult:
    """The answer to ``why``: prints as the command line does, shows itself as a picture in a notebook."""

    answer: WhyAnswer
    graph: GraphView

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

        return to_dict(self.answer)

    def __str__(self) -> str:
        from bzlgraph.export.why_formats.text import render

        return render(self.answer)

    def __repr__(self) -> str:
        return str(self)

    def _repr_svg_(self) -> str | None:
        from bzlgraph.export import why_svg

        return why_svg(self.answer) if self.found else None


@dataclass(frozen=True, slots=True)
class DiffResult:
    """What another configuration changes: prints as the command line does, shows itself as a picture."""

    answer: DiffAnswer

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
        from bzlgraph.export.save import picture_bytes

        return picture_bytes(diff_picture(self.answer), "svg").data.decode() if len(self) else None


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
        from bzlgraph.export import save_graph

        save_graph(self.answer, Path(path), collapse=self.collapse, max_nodes=self.max_nodes)

    def _repr_svg_(self) -> str:
        from bzlgraph.export import graph_svg

        return graph_svg(self.answer, collapse=self.collapse, max_nodes=self.max_nodes)

    def __repr__(self) -> str:
        return f"<graph of {len(self.answer)} targets>"
