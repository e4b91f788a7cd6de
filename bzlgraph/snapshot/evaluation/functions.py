"""The functions of the query language that the kept graph answers: each is that of ``query/functions``, on columns.

Those that read targets are those of ``query/functions`` themselves, on the targets that are kept (``reading``).

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

from time import process_time

from bzlgraph.snapshot.evaluation.patterns import everything, targets_of
from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import KIND_WORDS, LOADED, Unanswered
from bzlgraph.snapshot.nodes.walk import Many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from bzlgraph.snapshot.evaluation.run import Place

_MOST_REPETITIONS = 3
"""In a regular expression: more may take too long on texts that somebody else has chosen."""
_MOST_STEPS, _MOST_SECONDS = 1e9, 3
"""Of a search, at worst: the length of a text to the power of the repetitions and one, about a second; and of all
searches of a pattern. The full evaluator has limits that end a search."""


def _deps(run: Run, targets: set[int], depth: int | None = None) -> set[int] | Many:
    reached = run.followed(targets, depth)
    run.see(reached)
    return run.existing(reached)


def _rdeps(run: Run, within: set[int] | Many, targets: set[int], depth: int | None = None) -> set[int] | Many:
    return run.reaching(within, targets, depth)


def _allrdeps(run: Run, targets: set[int], depth: int | None = None) -> set[int] | Many:
    found = run.reaching(everything(run), targets, depth)
    beside = {node for node in targets if node not in found}
    if not beside:
        return found
    package_of, loaded = run.graph.whole("package_of"), run.graph.whole("universe_packages")
    if not len(loaded) or not all(loaded[package_of[node]] for node in beside):  # those outside are told of
        raise Unanswered
    return beside.union(found)


def _allpaths(run: Run, start: set[int], end: set[int]) -> set[int] | Many:
    return run.reaching(run.followed(start), end, None)


def _somepath(run: Run, start: set[int], end: set[int]) -> list[int]:
    waves: list[Collection[int]] = []
    closure = run.followed(start, waves=waves)
    run.note_missing(closure)
    run.see_ways(closure, end)
    steps = next((step for step, wave in enumerate(waves) if not end.isdisjoint(wave)), None)
    if steps is None:
        return []
    nearer = [end.intersection(waves[steps])]
    """What is on a shortest way, by the steps that are left."""
    for wave in reversed(waves[:steps]):
        nearer.append(run.naming(nearer[-1], run.excluded).intersection(wave))
    path = [min(nearer.pop(), key=run.graph.by_label)]
    while nearer:
        path.append(_first_named(run, path[-1], run.ends_of(path[-1], run.excluded) & nearer.pop()))
    return path


def _first_named(run: Run, node: int, ends: set[int]) -> int:
    """Which of these a target names first: the order of attributes in its class decides, then that of its edges."""
    graph = run.graph
    first, targets = graph.whole("first_edge"), graph.column("edge_target")
    flags, attributes = graph.column("edge_flags"), graph.column("edge_attribute")
    run.check_edges((node,))
    order = graph.table("classes")[graph.whole("class_of")[node]][3]
    places = {attribute: place for place, attribute in enumerate(order)}
    edges = (
        (places.get(attributes[edge], len(places)), edge)
        for edge in range(first[node], first[node + 1])
        if targets[edge] in ends and not flags[edge] & run.excluded
    )
    return int(targets[min(edges)[1]])


def _kind(run: Run, pattern: str, targets: set[int]) -> set[int]:
    matches = _searcher(pattern)
    graph = run.graph
    kinds, class_of = graph.whole("kinds"), graph.whole("class_of")
    of_class = [bool(matches(f"{each[0]} rule")) for each in graph.table("classes")]
    of_kind = [bool(matches(words)) for words in KIND_WORDS]
    found = {node for node in targets if (of_kind[kinds[node]] if kinds[node] else of_class[class_of[node]])}
    if not any(of_kind[1:]):
        _note_unknown_kinds(run, targets - found)
    return _noted(run, found, targets)


def _note_unknown_kinds(run: Run, targets: set[int]) -> None:
    unknown = run.graph.table("unknown_rules")
    first: dict[str, Place | None] = {}
    for node in sorted(targets.intersection(unknown), key=run.graph.by_label):
        name, place = unknown[node]
        first.setdefault(name, place)
    hides = "the kind of the rules it creates is unknown and may match"
    run.gaps.update({("macro", f"{name} is not on disk", hides, place, ""): None for name, place in first.items()})


def _filter(run: Run, pattern: str, targets: set[int]) -> set[int]:
    matches, graph, facts = _searcher(pattern), run.graph, run.graph.facts
    unambiguous, tolerant, package_of = facts["unambiguous"], facts["tolerant"], graph.whole("package_of")

    def texts(node: int) -> Iterator[str]:
        text, repo = graph.label(node), graph.key(package_of[node])[0]
        if repo and (unambiguous or tolerant):
            yield f"@@{graph.canonical[repo]}{text[len(repo) + 1 :]}"
        if not repo or not unambiguous or tolerant:
            yield text

    return _noted(run, {node for node in targets if any(map(matches, texts(node)))}, targets)


def _noted(run: Run, found: set[int], targets: set[int]) -> set[int]:
    """What a pattern matches; that it matches nothing is noted, for an empty answer."""
    run.unmatched = run.unmatched or (bool(targets) and not found)
    return found


def _some(run: Run, targets: set[int], count: int = 1) -> set[int]:
    if not targets or not count:
        raise Unanswered
    return set(sorted(targets, key=run.graph.by_label)[:count])


def _siblings(run: Run, targets: set[int]) -> set[int]:
    package_of = run.graph.whole("package_of")
    packages = {package_of[node] for node in targets}
    if any(run.graph.package_status[each] != LOADED for each in packages):
        raise Unanswered
    run.see(targets)
    return targets_of(run, packages, files=True)


def _same_pkg_direct_rdeps(run: Run, targets: set[int]) -> set[int]:
    package_of = run.graph.whole("package_of")
    packages = {package_of[node] for node in targets}
    for package in packages:
        run.touch(package)
    run.see(targets)
    siblings = targets_of(run, packages, files=True)
    if run.graph.facts["auto_order"] == "label":
        ends = {end for node in siblings for end in run.ends_of(node, run.excluded)}
        named: set[int] | Many = siblings | {end for end in ends if package_of[end] in packages}
    else:
        named = run.closure(siblings, run.excluded, 1)
    run.note_missing(named)
    return {
        user
        for node in targets
        for user, flags in run.users_of(node)
        if package_of[user] == package_of[node] and not flags & run.excluded
    }


def _of_targets(name: str) -> Callable[..., Iterable[int]]:
    """A function that reads targets: the same code as the full evaluator's, on what is kept of them."""

    def function(run: Run, *arguments: object) -> Iterable[int]:
        from bzlgraph.snapshot.evaluation.query_functions import call

        return call(run, name, arguments)

    return function


FUNCTIONS: dict[str, tuple[Callable[..., Iterable[int]], tuple[str, ...], int]] = {
    "allpaths": (_allpaths, ("targets", "targets"), 2),
    "allrdeps": (_allrdeps, ("targets", "number"), 1),
    "deps": (_deps, ("targets", "number"), 1),
    "filter": (_filter, ("word", "targets"), 2),
    "kind": (_kind, ("word", "targets"), 2),
    "rdeps": (_rdeps, ("universe", "targets", "number"), 2),
    "same_pkg_direct_rdeps": (_same_pkg_direct_rdeps, ("targets",), 1),
    "siblings": (_siblings, ("targets",), 1),
    "some": (_some, ("targets", "number"), 1),
    "somepath": (_somepath, ("targets", "targets"), 2),
    "attr": (_of_targets("attr"), ("word", "word", "targets"), 3),
    "deps_by": (_of_targets("deps_by"), ("word", "targets", "number"), 2),
    "executables": (_of_targets("executables"), ("targets",), 1),
    "labels": (_of_targets("labels"), ("word", "targets"), 2),
    "made_by": (_of_targets("made_by"), ("word", "targets"), 1),
    "rdeps_by": (_of_targets("rdeps_by"), ("word", "targets", "targets", "number"), 3),
    "tests": (_of_targets("tests"), ("targets",), 1),
    "uncertain": (_of_targets("uncertain"), ("targets",), 1),
    "visible": (_of_targets("visible"), ("targets", "targets"), 2),
}
"""What is answered here: the function, what each argument is, how many must be given."""
FOLLOWING = frozenset(
    ("allpaths", "allrdeps", "deps", "deps_by", "rdeps", "rdeps_by", "same_pkg_direct_rdeps", "somepath")
)
"""As ``query/evaluate.py`` has them."""


def _searcher(pattern: str) -> Callable[[str], object]:
    """``java_regex.searcher``; for letters alone no regular expression is needed."""
    if pattern.replace("_", "").replace(" ", "").isalnum() and pattern.isascii():
        return lambda text: pattern in text
    repetitions = sum(map(pattern.count, "*+{?"))
    if repetitions > _MOST_REPETITIONS or any(f"){each}" in pattern for each in "*+{?"):
        raise Unanswered
    from bzlgraph.base.java.regex import PatternError, searcher

    try:
        return _bounded(searcher(pattern), repetitions + 1)
    except PatternError:
        raise Unanswered from None


def _bounded(search: Callable[[str], object], power: int) -> Callable[[str], object]:
    """A search that raises Unanswered when texts make it too long."""
    steps, end = 0, process_time() + _MOST_SECONDS

    def bounded(text: str) -> object:
        nonlocal steps
        worst = len(text) ** power
        steps += worst
        if steps > _MOST_STEPS:
            if worst > _MOST_STEPS or process_time() > end:
                raise Unanswered
            steps = 0
        return search(text)

    return bounded
