"""What every question gives back, and what a question about a graph has to know of its checkout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.gap import Completeness, Gap
from bzlgraph.base.label import Label, RepoMapping
from bzlgraph.base.spell import nearest_names
from bzlgraph.graph.model import NodeKind

if TYPE_CHECKING:
    from bzlgraph.config.configured.view import AnyGraph
    from bzlgraph.graph.view import GraphView
    from bzlgraph.graph.visibility import Written
    from bzlgraph.query.answer import QueryAnswer
    from bzlgraph.workspace.repositories.origin import Origin

T = TypeVar("T")
_SHOWN = 5
"""The most conditions that are listed for an assumption that decided them."""


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """An answer, how complete it is, and what may help whoever asked."""

    answer: T
    completeness: Completeness = Completeness()  # noqa: RUF009 - frozen
    notes: tuple[str, ...] = ()


Asking = Callable[[str], Reply["QueryAnswer"]]
"""What answers expressions of Bazel's query language, all on one graph."""


class Checkout(Protocol):
    """A checkout that is asked: an open one, or what is kept of one."""

    @property
    def folder(self) -> str:
        """Where relative labels start."""

    @property
    def mapping(self) -> RepoMapping:
        """What names of repositories mean."""

    @property
    def root_is_everything(self) -> bool:
        """Whether ``//...`` in a package group names the packages of every repository."""

    def label(self, text: str, /) -> Label:
        """A label as written in that folder. Raises LabelError."""

    def targets(
        self, patterns: Iterable[str], graph: GraphView, keep_going: bool = False, assume_declared: bool = False
    ) -> tuple[list[int], list[Diagnostic]]:
        """The nodes of a list of target patterns, as ``targets_in`` gives them."""

    def written(self, graph: GraphView, /) -> Written:
        """What the targets of one of its graphs say of who may see them."""

    def origin(self, repo: str, /) -> Origin | None:
        """Where a repository comes from: None for the main one, and for one that nobody defines."""

    def completeness(self, problems: Iterable[Diagnostic], gaps: Iterable[Gap]) -> Completeness:
        """Those of an answer, with what is wrong in the workspace's files and in the packages that were reached."""


def targets_in(
    checkout: Checkout, patterns: Iterable[str], graph: GraphView, keep_going: bool, assume_declared: bool
) -> tuple[list[int], list[Diagnostic]]:
    """The nodes of a list of target patterns, by label, and with ``keep_going`` what stands for nothing.

    ``assume_declared``: labels that nothing is known to declare stand for themselves.
    Raises QueryProblem for what is no pattern; LoadProblem for what stands for nothing, unless ``keep_going``.
    """
    from bzlgraph.query.names import undeclared  # many questions are answered without
    from bzlgraph.query.patterns import expand_list

    problems: list[Diagnostic] = []
    found = expand_list(patterns, graph, checkout.mapping, checkout.folder, problems if keep_going else None)
    refused = {} if assume_declared else undeclared(found, graph)
    for problem in refused.values():
        if not keep_going:
            raise problem
        problems += problem.diagnostics
    found -= refused.keys()
    return sorted(found, key=graph.labels.__getitem__), problems


def notes_on(*graphs: AnyGraph) -> tuple[str, ...]:
    """Which rc files the configurations of graphs were read from, what in them Bazel would refuse, and which
    assumptions the answer rests on, each once; to be asked when the answer is known.

    Raises LoadProblem for an assumption about a target that does not exist, or a name near to one that was met.
    """
    chosen = [graph.configuration.configuration for graph in graphs if graph.configuration is not None]
    listed = dict.fromkeys(", ".join(each.files) for each in chosen)
    files = [f"configuration: {names} read" if names else "configuration: no .bazelrc read" for names in listed]
    assumed = (line for graph in graphs for line in _assumption_notes(graph))
    return (*files, *dict.fromkeys(problem.render() for each in chosen for problem in each.problems), *assumed)


def _assumption_notes(graph: AnyGraph) -> Iterator[str]:
    if graph.configuration is None:
        return
    from bzlgraph.config.assumed import OPTION  # without a configuration nothing is assumed
    from bzlgraph.query.names import no_such_target, undeclared

    assumed = graph.configuration.configuration.assumed
    for each in assumed.listed:
        decided = list(assumed.used.get(each, ()))
        if decided:
            more = f" and {len(decided) - _SHOWN} more" if len(decided) > _SHOWN else ""
            yield f"assumed: {each}, which decides {', '.join(decided[:_SHOWN])}{more}"
        elif each.label in assumed.known:
            yield f"{OPTION}={each} has no effect: its value is known, {assumed.known[each.label]}"
        elif each.label is not None and graph.kinds[graph.resolve(each.label)] == NodeKind.MISSING:
            raise no_such_target(each.label, graph)
        elif each.label is not None and (refused := undeclared([graph.resolve(each.label)], graph)):
            raise next(iter(refused.values()))
        else:
            near = nearest_names(each.name, assumed.unknown)
            said = f"{OPTION}={each} has no effect: this answer has no unknown value named {each.name}"
            if near:
                raise LoadProblem(Diagnostic(said, hint=f"did you mean {', '.join(near)}?"))
            yield said
