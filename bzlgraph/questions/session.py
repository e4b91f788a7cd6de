"""One checkout, opened to be asked: its graph, the views of it in configurations, and what every answer must say.

``open_session(folder, options, arguments)`` -> ``Session``; each family of questions is a module of functions that take
a session and give a ``Reply``. The graph grows with the questions, each package is evaluated once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from bzlgraph.base.causes import possible_note
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Completeness, Gap, GapKind
from bzlgraph.base.label import Label, RepoMapping, parse
from bzlgraph.base.phase import working
from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.config.loading_options import loading_options
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.seen import WrittenInTargets
from bzlgraph.graph.view import GraphView
from bzlgraph.loading.loader import Loader, open_loader
from bzlgraph.questions.reply import Reply, notes_on, targets_in
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import facts_of, find_root, is_workspace, open_workspace

if TYPE_CHECKING:
    from bzlgraph.config.configured.view import AnyGraph
    from bzlgraph.query.answer import QueryAnswer
    from bzlgraph.query.environment import QuerySettings
    from bzlgraph.workspace.repositories.origin import Origin

T = TypeVar("T")
UNCONFIGURED = ConfigArguments()


@dataclass(frozen=True, slots=True)
class QueryOptions:
    """What a query follows and where it looks: Bazel's options, with Bazel's defaults."""

    implicit_deps: bool = True
    tool_deps: bool = True
    nodep_deps: bool = True
    universe_scope: tuple[str, ...] = ()
    infer_universe_scope: bool = False
    strict_test_suite: bool = False
    keep_going: bool = False
    assume_declared: bool = False


FOLLOW_EVERYTHING = QueryOptions()


class Session:
    """A checkout to ask questions about. ``folder`` is where relative labels start, inside the workspace."""

    def __init__(self, loader: Loader, folder: str = "", gaps: Sequence[Gap] = ()) -> None:
        self.loader = loader
        self.folder = folder
        self.graph = BuildGraph(loader)
        self.gaps = (*loader.workspace.reading.gaps, *gaps)
        """What is not known of the workspace as a whole, whatever is asked."""
        self.python_path: Mapping[str, Path] = {}
        """Python packages that are no part of the checkout, for questions about ops: name -> folder."""
        self._views: dict[ConfigArguments, AnyGraph] = {}
        self._siblings: dict[Hashable, Session] = {_what_is_loaded(loader.workspace.options): self}
        self._made: dict[Hashable, object] = {}

    @property
    def mapping(self) -> RepoMapping:
        """What names of repositories mean."""
        return self.loader.workspace.map_repository

    @property
    def root(self) -> Path:
        """The workspace's folder."""
        return self.loader.workspace.root

    @property
    def root_is_everything(self) -> bool:
        """Whether ``//...`` in a package group names the packages of every repository."""
        return self.loader.workspace.facts.package_group_root_is_everything

    def under(self, arguments: ConfigArguments) -> Session:
        """The checkout as repository rules make it under options of Bazel: ``--config=cuda`` may set variables that
        decide what ``@local_config_cuda`` holds. Usually that is this session. Raises UsageProblem as ``view``."""
        if not arguments.given and not arguments.loading:
            return self
        workspace = self.loader.workspace
        loading = loading_options(self.root, workspace.facts, arguments, workspace.options.repositories)
        repositories = loading.repositories.with_places_of(workspace.options.repositories)
        options = replace(
            workspace.options,
            repositories=repositories,
            autoloads=loading.autoloads,
            without_autoloads=loading.without_autoloads,
            switches=loading.switches,
        )
        sibling = self._siblings.get(_what_is_loaded(options))
        if sibling is None:
            sibling = Session(open_loader(open_workspace(self.root, options)), self.folder, loading.gaps)
            sibling._siblings = self._siblings
            sibling.python_path = self.python_path
            self._siblings[_what_is_loaded(options)] = sibling
        return sibling

    def view(self, arguments: ConfigArguments = UNCONFIGURED) -> AnyGraph:
        """The graph in the configuration that options of Bazel choose; without such options the graph itself.

        Raises UsageProblem for what is no option, and for rc files that cannot be read.
        """
        if not arguments.given:
            return self.graph
        found = self._views.get(arguments)
        if found is None:
            from bzlgraph.config.configured.view import view_for  # most questions choose no configuration

            found = self._views[arguments] = view_for(self.graph, self.loader.workspace, arguments)
        return found

    def settings(self, options: QueryOptions) -> QuerySettings:
        """The settings of a query in this checkout."""
        from bzlgraph.query.environment import QuerySettings

        workspace = self.loader.workspace
        return QuerySettings(
            **asdict(options), package=self.folder, mapping=workspace.map_repository, facts=workspace.facts
        )

    def targets(
        self, patterns: Iterable[str], graph: GraphView, keep_going: bool = False, assume_declared: bool = False
    ) -> tuple[list[int], list[Diagnostic]]:
        """The nodes of a list of target patterns, by label, and with ``keep_going`` what stands for nothing.

        ``assume_declared``: labels that nothing is known to declare stand for themselves.
        Raises QueryProblem for what is no pattern; LoadProblem for what stands for nothing, unless ``keep_going``.
        """
        return targets_in(self, patterns, graph, keep_going, assume_declared)

    def written(self, graph: GraphView) -> WrittenInTargets:
        """What the targets of one of its graphs say of who may see them."""
        return WrittenInTargets(graph)

    def label(self, text: str) -> Label:
        """A label as written in the folder where the question is asked. Raises LabelError."""
        return parse(text, "", self.folder, self.mapping)

    def origin(self, repo: str) -> Origin | None:
        """Where a repository comes from: None for the main one, and for one that nobody defines."""
        from bzlgraph.questions.origins import repository_origin

        return repository_origin(self.loader.workspace, repo)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is expensive to read is read by the first question that needs it."""
        if key not in self._made:
            self._made[key] = make()
        return cast(T, self._made[key])

    def package_gaps(self) -> tuple[Gap, ...]:
        """The gaps of all packages of the workspace that were loaded."""
        loaded = (package for package in self.loader.loaded() if not package.repo)
        return tuple(dict.fromkeys(gap for package in loaded for gap in package.gaps))

    def completeness(self, problems: Iterable[Diagnostic] = (), gaps: Iterable[Gap] = ()) -> Completeness:
        """Those of an answer, with what is wrong in the workspace's files and in the packages that were reached."""
        loaded = self.loader.loaded()
        broken = (each for package in loaded for each in package.diagnostics)
        everywhere = (*self.loader.workspace.diagnostics, *broken)
        hidden = (each for package in loaded for each in package.gaps if each.kind == GapKind.PACKAGE.value)
        return Completeness().with_more(
            (*problems, *everywhere), (*gaps, *self.gaps, *hidden, *self.loader.refused_links())
        )


def _what_is_loaded(options: Options) -> Hashable:
    """The options that a configuration (``--config``) may change."""
    return options.repositories, options.autoloads, options.without_autoloads, options.switches


def open_session(
    folder: str | os.PathLike[str], options: Options | None = None, arguments: ConfigArguments = UNCONFIGURED
) -> Session:
    """Open the workspace that ``folder`` lies in; nothing but its WORKSPACE and MODULE.bazel is evaluated yet.

    ``arguments``: options of Bazel that say what is loaded, and which rc files count.
    Raises UsageProblem when there is no workspace, and for options that Bazel refuses.
    """
    options = options or Options()
    root = find_root(Path(folder), options.of_any_build)
    if options.of_any_build and not is_workspace(root):
        options.note(f"'{root}' is not a Bazel workspace: no target is known to build its files")
    loading = loading_options(root, facts_of(root, options), arguments, options.repositories)
    chosen = replace(
        options,
        overrides={**dict(loading.overrides), **options.overrides},
        repositories=loading.repositories.with_places_of(options.repositories),
        deleted_packages=options.deleted_packages | loading.deleted_packages,
        enable_bzlmod=loading.enable_bzlmod,
        enable_workspace=loading.enable_workspace,
        autoloads=loading.autoloads,
        without_autoloads=loading.without_autoloads,
        switches=loading.switches,
    )
    inside = Path(folder).resolve().relative_to(root).as_posix()
    loader = open_loader(open_workspace(folder, chosen))
    return Session(loader, "" if inside == "." else inside, loading.gaps)


def ask_query(
    session: Session,
    text: str,
    options: QueryOptions = FOLLOW_EVERYTHING,
    arguments: ConfigArguments = UNCONFIGURED,
) -> Reply[QueryAnswer]:
    """The targets of an expression in Bazel's query language, in the configuration that ``arguments`` choose.

    Raises QueryProblem for what is no query; QueryFailure and LoadProblem for what cannot be answered, unless
    ``options.keep_going``; UsageProblem for options that Bazel refuses.
    """
    session = session.under(arguments)
    return query_in(session, session.view(arguments), text, options)


def query_in(session: Session, view: AnyGraph, text: str, options: QueryOptions) -> Reply[QueryAnswer]:
    """The targets of an expression in a view of the graph. Raises as ``ask_query``."""
    from bzlgraph.query.environment import Environment  # an edit may be answered without
    from bzlgraph.query.evaluate import query

    working("Evaluating the query")
    found = query(text, Environment(view, session.settings(options)))
    working("Preparing the answer")
    completeness = session.completeness(found.problems, found.gaps)
    answer = replace(found, problems=completeness.problems, gaps=completeness.gaps)
    return Reply(answer, completeness, (*notes_on(view), *(each.render() for each in found.remarks), *_doubtful(found)))


def _doubtful(answer: QueryAnswer) -> tuple[str, ...]:
    """How much of an answer is there only if something unknown adds it."""
    if not answer.possible:
        return ()
    return (possible_note(len(answer.possible), len(answer)),)
