"""Packages with their nodes and edges in numbers of their own: what a session has loaded, what an older graph has."""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import sub
from typing import TYPE_CHECKING, NamedTuple

from bzlgraph.base.codec import Codec, Plain
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import GapKind
from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame
from bzlgraph.bazel.model import Package, RuleClass
from bzlgraph.export.bazel_view.brought import brought_edges
from bzlgraph.export.bazel_view.package import words_of_class
from bzlgraph.graph.build import BuildGraph, undeclared_kind
from bzlgraph.graph.model import EdgeCondition, NodeKind
from bzlgraph.loading.codec import Encoder
from bzlgraph.snapshot.kept import LOADED, PENDING, KeptGraph
from bzlgraph.snapshot.making.stale import GENERATED
from bzlgraph.snapshot.reading.view import kept_gap
from bzlgraph.workspace.repositories.origin import Origin

if TYPE_CHECKING:
    from bzlgraph.questions.session import Session
    from bzlgraph.snapshot.evaluation.run import KeptGap
    from bzlgraph.workspace.repositories.table import Repositories

    Numbers = array[int]
    KeptClass = tuple[str, str, bool, list[int], list[int], tuple[str, ...] | None]
    """A row of the table of classes: as ClassRow, attributes by number."""

PackageKey = tuple[str, str]
CONDITION = Codec(EdgeCondition)
DIAGNOSTIC, FRAME, ORIGIN = Codec(Diagnostic), Codec(Frame), Codec(Origin)
OfLabels = Mapping[str, Mapping[Label, object]]
OfPackages = Mapping[str, Mapping[PackageKey, object]]


class ClassRow(NamedTuple):
    """What is kept of a class of rules; row 0 is no class."""

    name: str = ""
    words: str = ""
    unknown: bool = False
    attributes: tuple[str, ...] = ()
    brought: frozenset[str] = frozenset()
    bzl: tuple[str, ...] | None = None


class Edges(NamedTuple):
    """The edges of nodes: those of node n are ``counts[n]`` from ``first[n]`` on."""

    attributes: list[str]
    """The attributes by number."""
    conditions: list[Plain]
    """The conditions by number."""
    first: Numbers
    counts: Numbers
    target: Numbers
    attribute: Numbers
    condition: Numbers
    flags: Numbers


@dataclass(frozen=True, slots=True)
class Part:
    """What counts of a part: ``status`` says of which packages."""

    labels: list[Label]
    kinds: list[int]
    classes: list[int]
    """The number of each node's class in ``class_rows``."""
    class_rows: list[ClassRow]
    calls: Numbers
    """The number in ``frames`` of the innermost call that made each node; 0 for none."""
    frames: list[Plain]
    edges: Edges
    status: dict[PackageKey, int]
    """What became of the packages that count here: LOADED, or the kind of their nodes."""
    undeclared: dict[PackageKey, int]
    """The kind of what a loaded package does not declare."""
    of_labels: OfLabels
    of_packages: OfPackages
    """Tables by name: what few labels or packages have."""
    faults: Mapping[PackageKey, object]
    diagnostics: Mapping[str, Plain]
    """What is wrong, by the text that is told of it; None where one text stands for several."""
    folders: Mapping[str, str]
    """Where repositories lie, "" for those that are not on disk, by name."""
    origins: Mapping[str, Plain]
    """Where repositories come from, by name."""
    inputs: Mapping[PackageKey, list[str]]
    """The files on disk that each package was made from."""


# --------------------------------------------------------------------------------------------------- the session
def part_of_session(session: Session) -> Part:
    """What a session has loaded."""
    graph = session.graph
    columns, classes = graph.columns, _Classes()
    of_edges = (
        *(columns.first_edge, columns.edge_count, columns.edge_target),
        *(columns.edge_attribute, columns.edge_condition, columns.edge_flags),
    )
    repositories = session.loader.workspace.repositories
    loaded, folders, made = session.loader.loaded(), _folders(repositories), _made(repositories)
    of_node, unknown = classes.of_nodes(graph)
    calls, frames = _calls(graph)
    missing = _missing(graph)
    told = (*session.loader.workspace.diagnostics, *(fault for each in loaded for fault in each.diagnostics))
    return Part(
        list(graph.labels),
        _kinds(graph),
        of_node,
        classes.rows,
        calls,
        frames,
        Edges(list(columns.attributes), list(map(CONDITION.encode, columns.conditions)), *map(_numbers, of_edges)),
        {**dict.fromkeys(graph.packages, LOADED), **{key: int(kind) for key, kind in graph.absent.items()}},
        {key: int(undeclared_kind(package)) for key, package in graph.packages.items()},
        {"unknown_rules": unknown, "missing": {label: each.render() for label, each in missing.items()}},
        {
            "gaps": {key: list(map(kept_gap, each.gaps)) for key, each in graph.packages.items() if each.gaps},
            "repository_gaps": {key: kept_gap(gap) for key, gap in graph.repository_gaps.items()},
            "companions": {key: sorted(found) for key, found in graph.companions.items()},
            **_targets(session),
        },
        {(each.repo, each.name): faults for each in loaded if (faults := _faults(each))},
        _diagnostics([*missing.values(), *told]),
        {**dict.fromkeys((each.name for each in repositories.made()), ""), **folders},
        _origins(session),
        {(each.repo, each.name): _inputs(each, folders, made) for each in loaded},
    )


def _kinds(graph: BuildGraph) -> list[int]:
    """The kinds of nodes, without the files that only a function of the query language has made nodes."""
    kinds = list(graph.columns.kinds)
    for node in graph.loaded_files:
        key = graph.labels[node][:2]
        package = graph.packages.get(key)
        kinds[node] = graph.absent.get(key, NodeKind.PENDING) if package is None else undeclared_kind(package)
    return kinds


class _Classes:
    """Rows of classes of rules, each once."""

    def __init__(self) -> None:
        self.rows = [ClassRow()]
        self._numbers: dict[RuleClass, int] = {}

    def of_nodes(self, graph: BuildGraph) -> tuple[list[int], dict[Label, object]]:
        """The number of each node's class; and name of the class and place of each rule whose class is unknown."""
        of_node, unknown = [0] * len(graph), dict[Label, object]()
        for node, kind in enumerate(graph.kinds):
            rule_class = graph.rule_class(node) if kind == NodeKind.RULE else None
            if rule_class is None:
                continue
            of_node[node] = self._numbers.get(rule_class) or self._number(rule_class)
            if rule_class.unknown:
                location = graph.describe(node).location
                unknown[graph.labels[node]] = (rule_class.name, tuple(location) if location is not None else None)
        return of_node, unknown

    def _number(self, each: RuleClass) -> int:
        self._numbers[each] = len(self.rows)
        brought = brought_edges(each)
        bzl = tuple(each.bzl) if each.bzl is not None else None
        self.rows.append(ClassRow(each.name, words_of_class(each), each.unknown, tuple(each.attributes), brought, bzl))
        return self._numbers[each]


def _calls(graph: BuildGraph) -> tuple[Numbers, list[Plain]]:
    """The number of the innermost call that made each node, 0 for none; and all of them."""
    of_node, frames = array("i", bytes(4 * len(graph))), dict[Frame | None, int]({None: 0})
    for node, kind in enumerate(graph.kinds):
        if kind == NodeKind.RULE and (made := graph.making(node)) is not None and made.call is not None:
            of_node[node] = frames.setdefault(made.call, len(frames))
    return of_node, [FRAME.encode(each) if each is not None else None for each in frames]


def _targets(session: Session) -> OfPackages:
    """Where the targets of packages are: the name of the BUILD file and the version of the kept package, or the package
    itself where it is kept nowhere, as those that stand in for what Bazel brings."""
    versions, encoder = session.loader.versions, Encoder()
    packages = session.graph.packages
    return {
        "stored": {key: (packages[key].build_file.name, versions[key]) for key in packages if key in versions},
        "packed": {key: encoder.encode(package) for key, package in packages.items() if key not in versions},
    }


def _diagnostics(told: Iterable[Diagnostic]) -> dict[str, Plain]:
    """Diagnostics as plain data, by their text."""
    found: dict[str, set[Plain]] = {}
    for each in told:
        found.setdefault(each.render(), set()).add(DIAGNOSTIC.encode(each))
    return {text: plain.pop() if len(plain) == 1 else None for text, plain in found.items()}


def _origins(session: Session) -> dict[str, Plain]:
    """Where the repositories come from of which something was asked for."""
    repositories = {repo for repo, _ in (*session.graph.packages, *session.graph.absent) if repo}
    found = {repo: session.origin(repo) for repo in repositories}
    return {repo: ORIGIN.encode(each) if each is not None else None for repo, each in found.items()}


def _missing(graph: BuildGraph) -> dict[Label, Diagnostic]:
    """What is told of each label that nothing answers to."""
    nodes = [node for node, kind in enumerate(graph.kinds) if kind == NodeKind.MISSING]
    told = ((node, graph.missing_among([node])) for node in nodes)
    return {graph.labels[node]: problems[0] for node, problems in told if problems}


def _faults(package: Package) -> tuple[list[str], list[KeptGap]] | None:
    """What is wrong in a package, and what an error in it hides; told of with every answer that it is loaded for."""
    texts = [each.render() for each in package.diagnostics]
    hidden = [kept_gap(each) for each in package.gaps if each.kind == GapKind.PACKAGE.value]
    return (texts, hidden) if texts or hidden else None


def _folders(repositories: Repositories) -> dict[str, str]:
    """The folders of repositories that lie on disk, of those that somebody asked for: nothing is looked at here."""
    found = ((each.name, getattr(each.tree.source, "root", None)) for each in (repositories.main, *repositories.made()))
    return {name: str(root) for name, root in found if root is not None}


def _made(repositories: Repositories) -> set[str]:
    """The repositories that a rule made in memory."""
    return {each.name for each in repositories.made() if each.present and not hasattr(each.tree.source, "root")}


def _inputs(package: Package, folders: Mapping[str, str], made: Container[str]) -> list[str]:
    """The files of a package that lie on disk: its BUILD file, and every .bzl file that it loads."""
    if package.repo in made:
        return [GENERATED]
    files = [label for label in (package.build_file, *package.bzl_files) if label.repo in folders]
    return ["/".join(filter(None, (folders[label.repo], label.package, label.name))) for label in files]


# ------------------------------------------------------------------------------------------------- an older graph
def part_of_kept(
    old: KeptGraph, labels: list[Label], newer: Mapping[PackageKey, int], stale: frozenset[PackageKey]
) -> Part:
    """What an older graph has of packages that are neither loaded anew nor out of date. Raises DamagedFile."""
    keys = [old.key(number) for number in range(len(old.package_names))]
    states = zip(keys, old.package_status, strict=True)
    status = {key: kind for key, kind in states if kind != PENDING and key not in newer and key not in stale}
    undeclared = zip(keys, old.whole("package_undeclared"), strict=True)
    first, attributes = _numbers(old.whole("first_edge")), old.table("attributes")
    of_edges = map(old.whole, ("edge_target", "edge_attribute", "edge_condition", "edge_flags"))
    of_packages = ("gaps", "repository_gaps", "companions", "stored", "packed")
    faults = {key: value for key, value in old.table("faults").items() if key not in stale}
    told = {*old.table("missing").values(), *(text for texts, _ in faults.values() for text in texts)}
    return Part(
        labels,
        list(old.whole("kinds")),
        list(old.whole("class_of")),
        [_class_row(row, attributes) for row in old.table("classes")],
        _numbers(old.whole("call_of")),
        old.table("calls"),
        Edges(
            attributes,
            old.table("conditions"),
            first[:-1],
            array("i", map(sub, first[1:], first)),
            *map(_numbers, of_edges),
        ),
        status,
        {key: kind for key, kind in undeclared if key in status},
        {
            name: {labels[node]: value for node, value in old.table(name).items()}
            for name in ("unknown_rules", "missing")
        },
        {name: {keys[number]: value for number, value in old.table(name).items()} for name in of_packages},
        faults,
        {text: plain for text, plain in old.table("diagnostics").items() if text in told},
        old.table("folders"),
        old.table("origins"),
        _kept_inputs(old, status),
    )


def _kept_inputs(old: KeptGraph, packages: Container[PackageKey]) -> dict[PackageKey, list[str]]:
    """The files of packages."""
    inputs: dict[PackageKey, list[str]] = {}
    for path, users in old.table("inputs").items():
        for key in users:
            if key in packages:
                inputs.setdefault(key, []).append(path)
    return inputs


def _numbers(of: Sequence[int] | memoryview) -> Numbers:
    if isinstance(of, memoryview):
        found = array(of.format)
        found.frombytes(of.cast("B"))
        return found
    return array("i", of)


def kept_labels(old: KeptGraph) -> list[Label]:
    """The labels of an older graph, by number. Raises DamagedFile."""
    keys = [old.key(number) for number in range(len(old.package_names))]
    package_of = old.whole("package_of")
    texts = bytes(old.lines(0, len(package_of))).decode("utf-8", "surrogatepass").split("\n")
    starts = [len(old.prefix(number)) for number in range(len(keys))]
    return [Label(*keys[number], text[starts[number] :]) for number, text in zip(package_of, texts, strict=False)]


def _class_row(row: KeptClass, attributes: list[str]) -> ClassRow:
    name, words, unknown, order, brought, bzl = row
    named, added = (map(attributes.__getitem__, each) for each in (order, brought))
    return ClassRow(name, words, unknown, tuple(named), frozenset(added), bzl)
