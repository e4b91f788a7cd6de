"""Packages that a session has loaded, with their nodes and edges in its own numbers: what is written anew."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from bzlgraph.base.codec import Codec, Plain
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import GapKind
from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame
from bzlgraph.bazel.model import Package, RuleClass, Target
from bzlgraph.export.bazel_view.brought import brought_edges
from bzlgraph.graph.build import BuildGraph, undeclared_kind
from bzlgraph.graph.model import EdgeCondition, NodeKind
from bzlgraph.graph.stored import StoredTargets, call_of, class_of, has_selects_in
from bzlgraph.loading.codec import Encoder, configurable_in, written_in
from bzlgraph.snapshot.evaluation.view import kept_gap
from bzlgraph.snapshot.kept import LOADED
from bzlgraph.snapshot.stale import GENERATED
from bzlgraph.workspace.repositories.origin import Origin

if TYPE_CHECKING:
    from bzlgraph.questions.session import Session
    from bzlgraph.snapshot.evaluation.run import KeptGap
    from bzlgraph.workspace.repositories.table import Repositories

    Numbers = array[int]

PackageKey = tuple[str, str]
_IMPLICIT = ("_", "$", ":")
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
    places: tuple[tuple[str, Plain], ...] = ()
    """Where .bzl files define attributes, by the names that edges have."""


class Edges(NamedTuple):
    """The edges of nodes: those of node n are ``counts[n]`` from ``first[n]`` on."""

    attributes: Sequence[str]
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
    """Packages that a session has loaded, by their nodes there: what is written anew."""

    find: Callable[[Label], int | None]
    """The node of a label."""
    labels: Sequence[Label]
    named: list[Label]
    """Those of the packages, and what their edges lead to."""
    kinds: Sequence[int]
    classes: Numbers
    """The number of each node's class in ``class_rows``."""
    class_rows: list[ClassRow]
    calls: Numbers
    """The number in ``frames`` of the innermost call that made each node; 0 for none."""
    frames: list[Plain]
    selects: Sequence[int]
    """Whether each node has selects."""
    edges: Edges
    status: dict[PackageKey, int]
    """What became of the packages: LOADED, or the kind of their nodes."""
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
    written: Mapping[PackageKey, bytes]
    """How the targets of packages are written."""
    configurable: Mapping[PackageKey, bytes]
    """Their values that depend on the configuration."""
    inputs: Mapping[PackageKey, list[str]]
    """The files on disk that each package was made from."""


def part_of_session(session: Session, keys: Set[PackageKey], known_origins: Container[str]) -> Part:
    """What a session has loaded of these packages. ``known_origins``: the repositories of which an older graph has it,
    which finding out imports much for."""
    graph = session.graph
    own = [node for node, label in enumerate(graph.labels) if label[:2] in keys]
    repositories = session.loader.workspace.repositories
    loaded, folders, made = session.loader.loaded(), _folders(repositories), _made(repositories)
    overlays = _overlays(repositories, folders.get("", ""))
    packages = {key: package for key, package in graph.packages.items() if key in keys}
    targets = _targets(session, packages)
    classes, class_rows, unknown = _classes(graph, own)
    calls, frames = _calls(graph, own)
    written, configurable = _packed(packages, targets["packed"])
    missing = _missing(graph, own)
    told = (*session.loader.workspace.diagnostics, *(fault for each in loaded for fault in each.diagnostics))
    return Part(
        find=graph.find,
        labels=graph.labels,
        named=_named(graph, own),
        kinds=_kinds(graph),
        classes=classes,
        class_rows=class_rows,
        calls=calls,
        frames=frames,
        selects=_selects(graph, own),
        edges=_edges(graph),
        status={key: int(graph.absent.get(key, LOADED)) for key in keys if key in packages or key in graph.absent},
        undeclared={key: int(undeclared_kind(package)) for key, package in packages.items()},
        of_labels={"unknown_rules": unknown, "missing": _rendered(missing), "unpinned": _unpinned(graph, own)},
        of_packages={**_lacks(graph, packages, keys), **targets},
        faults={(each.repo, each.name): faults for each in loaded if (faults := _faults(each))},
        diagnostics=_diagnostics([*missing.values(), *told]),
        folders={**dict.fromkeys((each.name for each in repositories.made()), ""), **folders},
        origins=_origins(session, known_origins),
        written=written,
        configurable=configurable,
        inputs={(each.repo, each.name): _inputs(each, folders, made, overlays) for each in loaded},
    )


def _rendered(missing: Mapping[Label, Diagnostic]) -> dict[Label, object]:
    return {label: each.render() for label, each in missing.items()}


def _unpinned(graph: BuildGraph, own: list[int]) -> dict[Label, object]:
    return {graph.labels[node]: kept_gap(gap) for node, gap in graph.undeclared(own)}


def named_by(graph: BuildGraph, nodes: Iterable[int]) -> set[int]:
    """What the edges of nodes lead to."""
    columns, found = graph.columns, set[int]()
    first, counts, targets = columns.first_edge, columns.edge_count, columns.edge_target
    for node in nodes:
        if counts[node]:
            found.update(targets[first[node] : first[node] + counts[node]])
    return found


def _named(graph: BuildGraph, own: list[int]) -> list[Label]:
    """The labels of a package's nodes, and of all that their edges lead to."""
    labels = graph.labels
    if len(own) == len(labels):
        return list(labels)
    return [labels[node] for node in (*own, *sorted(named_by(graph, own).difference(own)))]


def _kinds(graph: BuildGraph) -> list[int]:
    """The kinds of nodes, without the files that only a function of the query language has made nodes."""
    kinds = list(graph.columns.kinds)
    for node in graph.loaded_files:
        key = graph.labels[node][:2]
        package = graph.packages.get(key)
        kinds[node] = graph.absent.get(key, NodeKind.PENDING) if package is None else undeclared_kind(package)
    return kinds


def _rules(graph: BuildGraph, own: list[int]) -> Iterator[tuple[int, Mapping[str, Target], str]]:
    """The nodes that are rules, each with the targets of its package and its name there."""
    kinds, labels, packages = graph.kinds, graph.labels, graph.packages
    for node in own:
        if kinds[node] == NodeKind.RULE:
            repo, package, name = labels[node]
            yield node, packages[repo, package].targets, name


def _classes(graph: BuildGraph, own: list[int]) -> tuple[Numbers, list[ClassRow], dict[Label, object]]:
    """The number of each node's class, rows of classes, each once; and name of the class and place of each rule whose
    class is unknown."""
    of_node, rows, unknown = array("i", bytes(4 * len(graph))), [ClassRow()], dict[Label, object]()
    numbers: dict[RuleClass, int] = {}
    for node, targets, name in _rules(graph, own):
        rule_class = class_of(targets, name)
        assert rule_class is not None, "it is a rule"
        number = numbers.get(rule_class)
        if number is None:
            number = numbers[rule_class] = len(rows)
            rows.append(_class_row(rule_class))
        of_node[node] = number
        if rule_class.unknown:
            location = graph.describe(node).location
            unknown[graph.labels[node]] = (rule_class.name, tuple(location) if location is not None else None)
    return of_node, rows, unknown


def _class_row(each: RuleClass) -> ClassRow:
    bzl = tuple(each.bzl) if each.bzl is not None else None
    names = {name for attribute in each.attributes for name in _spellings(attribute)} if bzl is not None else ()
    places = ((name, tuple(place)) for name in sorted(names) if (place := each.defined_at(name)) is not None)
    attributes = tuple(each.attributes)
    return ClassRow(each.name, f"{each.name} rule", each.unknown, attributes, brought_edges(each), bzl, tuple(places))


def _spellings(attribute: str) -> Iterable[str]:
    """The names that edges may have for an attribute: an implicit one is ``_x`` for people, ``$x`` or ``:x`` within."""
    return [f"{mark}{attribute[1:]}" for mark in _IMPLICIT] if attribute.startswith(_IMPLICIT) else (attribute,)


def _calls(graph: BuildGraph, own: list[int]) -> tuple[Numbers, list[Plain]]:
    """The number of the innermost call that made each node, 0 for none; and all of them."""
    of_node, frames = array("i", bytes(4 * len(graph))), dict[Frame | None, int]({None: 0})
    for node, targets, name in _rules(graph, own):
        of_node[node] = frames.setdefault(call_of(targets, name), len(frames))
    return of_node, [FRAME.encode(each) if each is not None else None for each in frames]


def _selects(graph: BuildGraph, own: list[int]) -> bytearray:
    """Whether each node has selects."""
    of_node = bytearray(len(graph))
    for node, targets, name in _rules(graph, own):
        of_node[node] = has_selects_in(targets, name)
    return of_node


def _edges(graph: BuildGraph) -> Edges:
    columns = graph.columns
    return Edges(
        columns.attributes,
        list(map(CONDITION.encode, columns.conditions)),
        *(columns.first_edge, columns.edge_count, columns.edge_target),
        *(columns.edge_attribute, columns.edge_condition, columns.edge_flags),
    )


def _lacks(graph: BuildGraph, packages: Mapping[PackageKey, Package], keys: Set[PackageKey]) -> OfPackages:
    """What is not known in packages and of those that are absent; and what else is loaded with each."""
    return {
        "gaps": {key: list(map(kept_gap, each.gaps)) for key, each in packages.items() if each.gaps or each.hiding},
        "repository_gaps": {key: kept_gap(gap) for key, gap in graph.repository_gaps.items() if key in keys},
        "companions": {key: sorted(found) for key, found in graph.companions.items() if key in keys},
    }


def _targets(session: Session, packages: Mapping[PackageKey, Package]) -> OfPackages:
    """Where the targets of packages are: the name of the BUILD file and the version of the kept package, or the package
    itself where it is kept nowhere, as those that stand in for what Bazel brings."""
    versions, encoder = session.loader.versions, Encoder()
    return {
        "stored": {key: (packages[key].build_file.name, versions[key]) for key in packages if key in versions},
        "packed": {key: encoder.encode(package) for key, package in packages.items() if key not in versions},
    }


def _packed(
    packages: Mapping[PackageKey, Package], encoded: Mapping[PackageKey, object]
) -> tuple[dict[PackageKey, bytes], dict[PackageKey, bytes]]:
    """How the targets of packages are written, and their values that depend on the configuration, packed. ``encoded``:
    the packages that are kept nowhere else."""
    written, configurable = dict[PackageKey, bytes](), dict[PackageKey, bytes]()
    for key, package in packages.items():
        targets = package.targets
        if isinstance(targets, StoredTargets):
            written[key], configurable[key] = targets.written, targets.configurable
            continue
        data = encoded[key]
        assert isinstance(data, bytes), "what is kept elsewhere was read from there"
        written[key], configurable[key] = written_in(data), configurable_in(data)
    return written, configurable


def _diagnostics(told: Iterable[Diagnostic]) -> dict[str, Plain]:
    """Diagnostics as plain data, by their text."""
    found: dict[str, set[Plain]] = {}
    for each in told:
        found.setdefault(each.render(), set()).add(DIAGNOSTIC.encode(each))
    return {text: plain.pop() if len(plain) == 1 else None for text, plain in found.items()}


def _origins(session: Session, known: Container[str]) -> dict[str, Plain]:
    """Where the repositories come from of which something was asked for."""
    repositories = {repo for repo, _ in (*session.graph.packages, *session.graph.absent) if repo}
    found = {repo: session.origin(repo) for repo in repositories if repo not in known}
    return {repo: ORIGIN.encode(each) if each is not None else None for repo, each in found.items()}


def _missing(graph: BuildGraph, own: list[int]) -> dict[Label, Diagnostic]:
    """What is told of each label that nothing answers to."""
    nodes = [node for node in own if graph.kinds[node] == NodeKind.MISSING]
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


def _overlays(repositories: Repositories, checkout: str) -> dict[PackageKey, str]:
    """Where the BUILD files lie that rules lay over other repositories: in the checkout, else it is not known."""
    found = ((each.name, name, file.path) for each in repositories.made() for name, file in each.tree.overlays.items())
    return {
        (repo, name): GENERATED if path.startswith("external/") else f"{checkout}/{path}" for repo, name, path in found
    }


def _inputs(
    package: Package, folders: Mapping[str, str], made: Container[str], overlays: Mapping[PackageKey, str]
) -> list[str]:
    """The files of a package that lie on disk: its BUILD file, one that is laid over it, and every .bzl file that it
    loads."""
    if package.repo in made:
        return [GENERATED]
    files = [label for label in package.files_read if label.repo in folders]
    laid = [overlays[package.repo, package.name]] if (package.repo, package.name) in overlays else []
    return laid + ["/".join(filter(None, (folders[label.repo], label.package, label.name))) for label in files]
