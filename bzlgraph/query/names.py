"""Typed names that nothing answers to: what is said of them, and which labels may have been meant.

A label that somebody typed is not one that an edge leads to: of the latter a gap may say all there is to say, the
former may be a slip of the hand. So one that nothing declares, and that nothing in the graph names, is refused, where
an unknown macro may create it, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import nsmallest
from itertools import islice

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.gap import HIDING_TARGETS, GapKind
from bzlgraph.base.label import Label
from bzlgraph.base.spell import (
    SHOWN,
    SLIP,
    close_texts,
    edit_distance,
    farthest,
    holding,
    may_begin,
    nearest_names,
    prefix_distance,
)
from bzlgraph.graph.given import GraphSource
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.view import GraphView

NOT_FOUND = "BUILD file not found"
ASSUME = "(--assume_declared accepts it)"
BROKEN = " (the package has errors, which may hide it)"
LISTED = "bzlgraph query --output=package "
_WITHOUT_SPACES = re.compile(r"[\w*.]([-+^])(?:@|//)")
_WILDCARD = re.compile(r"/\.\.\.(?::(?:all-targets|all|\*))?$|:(?:all-targets|all|\*)$")
"""What a pattern for many targets ends with."""
_MOST_PACKAGES = 12
"""So many packages are looked into for a name that may have been meant."""


# ------------------------------------------------------------------------------------------- what nothing declares
def undeclared(nodes: Iterable[int], graph: GraphView) -> dict[int, LoadProblem]:
    """Of typed labels those that nothing is known to stand behind, though a gap may hide it, and what to say of each.

    What an edge leads to is not among them, nor what lies in a repository whose content is not on disk.
    """
    waiting = [node for node in nodes if graph.kinds[node] == NodeKind.UNLOADED]
    named = graph.named_labels() if waiting else set()
    repositories = {label.repo for label in named}
    found: dict[int, LoadProblem] = {}
    for node in waiting:
        label = graph.labels[node]
        if label in named:
            continue
        if (label.repo, label.package) in graph.packages:
            message = _not_declared(label, graph)
        elif graph.repository_gaps[label.repo, label.package].kind == GapKind.LOCK.value:
            message = _not_pinned(label, graph.repository_gaps[label.repo, label.package].hides)
        else:
            message = "" if label.repo in repositories else _of_no_repository(label, graph.source)
        if message:
            hint = _of_file(label, graph) or _did_you_mean(_meant(label, graph)) or _way_to(label, graph)
            found[node] = LoadProblem([Diagnostic(message, hint=f"{hint} {ASSUME}"), *_errors_in(label, graph)])
    return found


def _errors_in(label: Label, graph: GraphView) -> Sequence[Diagnostic]:
    """What is wrong in the package of a label, which may be why it is missing."""
    package = graph.packages.get((label.repo, label.package))
    return package.diagnostics if package is not None and package.broken else ()


def _not_declared(label: Label, graph: GraphView) -> str:
    """What to say of a label that nothing in its package declares, "" where its content is not on disk."""
    package = graph.packages[label.repo, label.package]
    hiding = [gap for gap in (*package.gaps, *package.hiding) if gap.kind in HIDING_TARGETS]
    if any(gap.kind == GapKind.REPOSITORY.value for gap in hiding):
        return ""
    locks = [gap for gap in hiding if gap.pins(label.repo)]
    if locks:
        return _not_pinned(label, locks[0].what) if len(locks) == 1 else ""
    maker = min(hiding, key=lambda gap: gap.kind != GapKind.MACRO.value)
    where = f" ({maker.location})" if maker.location is not None else ""
    how = "an unknown macro may create it" if maker.kind == GapKind.MACRO.value else "it may be hidden by"
    return f"{label} is not declared{BROKEN if package.broken else ''}; {how}: {maker.what}{where}"


def _not_pinned(label: Label, what: str) -> str:
    return f"{label} is not pinned by the lock file: {what}"


def _of_no_repository(label: Label, source: GraphSource | None) -> str:
    if source is None or _is_defined(label.repo, source):
        return ""
    return source.missing(label.repo, label.package).message


def _way_to(label: Label, graph: GraphView) -> str:
    """What to do about a label that no other is near to."""
    if (label.repo, label.package) in graph.packages or graph.source is None:
        return f"see {label.package_label}:all"
    return graph.source.missing(label.repo, label.package).hint or f"see {label.package_label}:all"


def _is_defined(repo: str, source: GraphSource | None) -> bool:
    return not repo or source is None or repo in source.repositories()


# ---------------------------------------------------------------------------------------------- what does not exist
def no_such_target(label: Label, graph: GraphView) -> LoadProblem:
    """That there is no such target, as Bazel says it, and what may have been meant."""
    package = graph.packages.get((label.repo, label.package))
    if package is None:
        return no_such_package(label.repo, label.package, graph, label.name)
    message = f"no such target '{label}': target '{label.name}' not declared in package '{label.package}'"
    hint = _of_file(label, graph) or _did_you_mean(_meant(label, graph)) or f"see {label.package_label}:all"
    if "*" in label.name:
        name = ".*".join(map(re.escape, label.name.split("*")))
        hint = f"query 'filter(\":{name}$\", {label.package_label}:*)' finds targets by a part of their name"
    broken = BROKEN if package.broken else ""
    return LoadProblem([Diagnostic(message + broken, hint=hint), *package.diagnostics])


def _of_file(label: Label, graph: GraphView) -> str:
    """What to do about a file that is there and is no target; "" where there is none."""
    if graph.source is None or not graph.source.is_file(label):
        return ""
    there = f"a file of this name exists; nothing in {label.package_label} names it"
    if label.repo or not label.name.endswith(".bzl"):
        return there
    return f"{there}; bzlgraph query 'rbuildfiles({label.path})' lists the BUILD files that load it"


def no_such_package(repo: str, name: str, graph: GraphView, target: str = "") -> LoadProblem:
    """Why a package is not there: its own diagnostics when it has some."""
    known = graph.diagnostics.get((repo, name))
    if not known:
        refuse_absent_repository(repo, graph.source)
    label = Label(repo, name, target or name.rpartition("/")[2])
    if not known:
        hint = graph.source.missing(repo, name).hint if graph.source is not None else None
        known = (Diagnostic(f"no such package '{label.package_label}': {NOT_FOUND}", hint=hint),)
    hint = known[0].hint
    if hint is None or hint.startswith(("did you mean //", f"did you mean @{repo}//")):
        hint = _did_you_mean(_meant(label, graph)) or hint or all_packages(repo)
    elif (elsewhere := _other_spelling(label, graph)) is not None:
        hint = _did_you_mean((elsewhere,))
    return LoadProblem([replace(known[0], hint=hint), *known[1:]])


def all_packages(repo: str) -> str:
    """What to ask where no package has a name near to the one that was typed."""
    return f"{LISTED}{f'@{repo}' if repo else ''}//... lists the packages"


def refuse_absent_repository(repo: str, source: GraphSource | None) -> None:
    """Raises LoadProblem for a repository that has no package on disk."""
    if repo and source is not None and not source.packages_below(repo, ""):
        missing = source.missing(repo, "")
        near = () if _is_defined(repo, source) else nearest_names(repo, source.repositories())
        meant = f"did you mean {', '.join(f'@{each}' for each in near)}?" if near else missing.hint
        absent = Diagnostic(f"the repository '@{repo}' is not on disk", hint=meant)
        raise LoadProblem(absent if "is not on disk" in missing.message else missing)


def is_package(repo: str, name: str, graph: GraphView) -> bool:
    """Asked before loading: a folder that is no package is no problem of the query."""
    if graph.source is not None and graph.source.build_file(repo, name) is None:
        return False
    graph.load([(repo, name)])
    return (repo, name) in graph.packages


# -------------------------------------------------------------------------------------------- what may be meant
def suggestion(text: str, graph: GraphView) -> str | None:
    """``did you mean ...?`` for a text that is no label or pattern; None where none is near."""
    if "(" in text:
        return "expected a label or target pattern, not a query expression"
    if (operator := _WITHOUT_SPACES.search(text)) is not None:
        return f"write a space on both sides of {operator[1]}"
    repo = text[1 : text.index("//")] if text.startswith("@") and "//" in text else ""
    wildcard = _WILDCARD.search(text)
    if wildcard is not None:
        near = nearest_names(text[: wildcard.start()], sorted(_folders(repo, graph)))
        return f"did you mean {', '.join(each + wildcard[0] for each in near)}?" if near else None
    return _did_you_mean(_near(repo, (text,), graph))


def _folders(repo: str, graph: GraphView) -> set[str]:
    """``//a/b`` for each package of a repository, and for each folder above one."""
    found: set[str] = set()
    for name in _packages(repo, graph):
        while name and (folder := Label(repo, name, "").package_label) not in found:
            found.add(folder)
            name = name.rpartition("/")[0]
    return found


def _packages(repo: str, graph: GraphView) -> Iterable[str]:
    """The packages of a repository."""
    known = (name for home, name in graph.packages if home == repo)
    return graph.source.packages_below(repo, "") if graph.source is not None else known


def _did_you_mean(labels: Iterable[Label | str]) -> str | None:
    names = list(map(str, labels))
    return f"did you mean {', '.join(names)}?" if names else None


def _meant(label: Label, graph: GraphView) -> tuple[Label | str, ...]:
    """Up to three labels that may have been meant: the same path cut elsewhere, labels that are a slip away, else
    those of that name in other places, else those of the package with something in common, else names like it."""
    elsewhere = _other_spelling(label, graph)
    near = _near(label.repo, (str(label), label.shorthand), graph, min(farthest(label.name), SLIP + 1))
    found: tuple[Label | str, ...] = near
    if elsewhere is None and not near:
        found = tuple(islice(_elsewhere(label, graph), SHOWN))
    if elsewhere is None and not found:
        package = graph.packages.get((label.repo, label.package))
        targets = package.targets if package is not None else {}
        close = nearest_names(label.name, targets)
        inside = [name for name in targets if len(label.name) > SLIP and label.name in name][:SHOWN]
        found = tuple(label._replace(name=name) for name in dict.fromkeys((*close, *inside)))
        found = found or tuple(islice(_alike(label, graph), SHOWN))
    return tuple(dict.fromkeys((*([elsewhere] if elsewhere else []), *found)))[:SHOWN]


def _elsewhere(label: Label, graph: GraphView) -> Iterator[Label]:
    """``//a:src/x.cc`` for ``//a:x.cc``; ``//absl/strings:strings`` or ``@swig//:swig`` for the mere word ``strings``
    or ``swig``."""
    inside = (name for name in _targets(label.repo, label.package, graph) if name.endswith(f"/{label.name}"))
    yield from (label._replace(name=name) for name in inside)
    if label.repo or graph.source is None:
        return
    if label.name in graph.source.repositories():
        yield Label(label.name, "", label.name)
    written = graph.source.written_names()
    names = dict.fromkeys((label.name, label.name.rpartition("/")[2]))  # of a path, the file has the last part
    places = islice((place for name in names for place in written.called(name)), _MOST_PACKAGES)
    yield from _there((place for place in places if place[0] != label.package), graph)


def _alike(label: Label, graph: GraphView) -> Iterator[Label | str]:
    """``//absl/strings:strings`` for ``strigns``, ``@com_google_guava//jar`` for ``guava``: what is like a word that
    stands alone, or holds it."""
    if label.repo or graph.source is None or label.package not in ("", label.name):
        return
    written = graph.source.written_names()
    edits = min(SLIP, len(label.name) // SHOWN)
    near = nearest_names(label.name, written.packages, limit=edits + 1)
    yield from _there(((package, name) for name in near for package in written.packages[name][:SHOWN]), graph)
    yield from (f"@{each}" for each in holding(label.name, graph.source.repositories()))
    yield from holding(label.name, written.labels)


def _there(places: Iterable[tuple[str, str]], graph: GraphView) -> Iterator[Label]:
    """Those that are targets."""
    return (Label("", package, name) for package, name in places if name in _targets("", package, graph))


def _other_spelling(label: Label, graph: GraphView) -> Label | None:
    """The same path cut elsewhere: ``//a/b`` where ``//a:b`` is a target, ``//a:b/c`` where ``//a/b:c`` is."""
    same = label.name == label.package.rpartition("/")[2]
    path = [*filter(None, label.package.split("/")), *([] if same else label.name.split("/"))]
    for cut in range(len(path) - 1, -1, -1):
        package, name = "/".join(path[:cut]), "/".join(path[cut:])
        candidate = Label(label.repo, package, name)
        if candidate != label and is_package(label.repo, package, graph):
            return candidate if name in graph.packages[label.repo, package].targets else None
    return None


def _near(repo: str, forms: tuple[str, ...], graph: GraphView, most: int = SLIP) -> tuple[Label, ...]:
    """Up to three labels whose texts are a slip away from one of the forms of a label, the nearest first; where none
    is, those with up to ``most`` edits."""
    forms = tuple(dict.fromkeys(form.lower() for form in forms))
    return _within(SLIP, repo, forms, graph) or (_within(most, repo, forms, graph) if most > SLIP else ())


def _within(most: int, repo: str, forms: tuple[str, ...], graph: GraphView) -> tuple[Label, ...]:
    """Up to three labels within so many edits."""
    ranked: list[tuple[int, bool, Label]] = []
    for home in _near_repositories(repo, graph.source):
        for package in _near_packages(most, home, forms, graph):
            ranked += _near_targets(most, home, package, forms, graph)
    return tuple(label for *_, label in nsmallest(SHOWN, ranked))


def _near_repositories(repo: str, source: GraphSource | None) -> tuple[str, ...]:
    if source is None or _is_defined(repo, source):
        return (repo,)
    return nearest_names(repo, source.repositories())


def _near_packages(most: int, repo: str, forms: tuple[str, ...], graph: GraphView) -> list[str]:
    """The packages that a label near to one of these texts may be in, the likeliest first."""
    ranked: list[tuple[int, int, str]] = []
    for name in _packages(repo, graph):
        start = f"{Label(repo, name, '').package_label}:".lower()
        wanted = [form for form in forms if may_begin(start, form, most)]
        edits = min((prefix_distance(start, form, most) for form in wanted), default=most + 1)
        if edits <= most:
            ranked.append((edits, -len(name), name))
    return [name for *_, name in nsmallest(_MOST_PACKAGES, ranked)]


def _near_targets(
    most: int, repo: str, package: str, forms: tuple[str, ...], graph: GraphView
) -> Iterator[tuple[int, bool, Label]]:
    """The targets of a package near to one of these texts: how many edits away, and whether in another package."""
    texts: dict[str, Label] = {}
    for name in _targets(repo, package, graph):
        label = Label(repo, package, name)
        texts |= {str(label).lower(): label, label.shorthand.lower(): label}
    start = f"{Label(repo, package, '').package_label}:".lower()
    best: dict[Label, int] = {}
    for form in forms:
        for text in close_texts(form, texts, most):
            edits = edit_distance(form, text, most)
            if edits <= most:
                best[texts[text]] = min(edits, best.get(texts[text], most))
    other = not any(form.startswith(start) for form in forms)
    yield from ((edits, other, label) for label, edits in best.items())


def _targets(repo: str, name: str, graph: GraphView) -> Iterable[str]:
    """The names of a package's targets. It is not made part of the graph: nobody asked for it."""
    known = graph.packages.get((repo, name))
    if known is None and graph.source is not None:
        try:
            known = graph.source.package(repo, name)
        except LoadProblem:
            return ()
    return known.targets if known is not None else ()
