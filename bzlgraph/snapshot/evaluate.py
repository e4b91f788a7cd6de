"""Query -> nodes of the kept graph, as the full evaluator gives them, or ``Unanswered``.

What this module knows, it knows exactly: each function is that of ``query/functions`` on columns, and tests compare the
two on every recorded question. Everything else (a name that is not found, a package that was never loaded, a function
that reads attributes) is left to the full evaluator, which can also say what is wrong.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

from bzlgraph.snapshot.kept import (
    ASPECT,
    GROUP,
    KIND_WORDS,
    LOADED,
    PENDING,
    POSSIBLE,
    RULE,
    KeptGraph,
    listing_around,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from bzlgraph.snapshot.expression import Tree

    KeptGap = tuple[str, str, str, str, str]
    """A gap: kind, what is missing, what that hides, where, the repository that would close it."""

_WILDCARDS = {"all": False, "*": True, "all-targets": True}
"""The words for all targets of a package, and whether files count."""
_MOST_REPETITIONS = 3
"""In a regular expression: more may take too long on texts that somebody else has chosen."""


class Unanswered(Exception):
    """The full evaluator has to answer this."""


class Universe:
    """The nodes that ``//...`` reaches, which were found when the graph was kept: a set that nobody lists."""

    def __init__(self, mask: memoryview) -> None:
        self._mask = mask

    def __contains__(self, node: int) -> bool:
        return self._mask[node] == 1

    def __rand__(self, nodes: Iterable[int]) -> set[int]:
        mask = self._mask
        return {node for node in nodes if mask[node]}


class Run:
    """One evaluation: what was touched, and what went wrong on the way.

    ``excluded``: the flags of edges that are not followed. ``folder``: where relative labels start.
    """

    def __init__(self, graph: KeptGraph, excluded: int, keep_going: bool) -> None:
        self.graph = graph
        self.excluded = excluded
        self.keep_going = keep_going
        self.touched = bytearray(len(graph.package_names))
        """The packages whose edges may be read."""
        self.told = bytearray(len(graph.package_names))
        """Those, of which what is wrong in them is told, and others that are only told of."""
        self.problems: dict[str, None] = {}
        self.gaps: dict[KeptGap, None] = {}
        self._users_checked = bytearray(len(graph.package_names))

    def evaluate(self, tree: Tree, bindings: dict[str, set[int]]) -> Iterable[int]:
        """The nodes of an expression; those of a path in its order. Raises Unanswered."""
        match tree:
            case ("word", text):
                return self._pattern(text)
            case ("variable", name) if name in bindings:
                return bindings[name]
            case ("set", words):
                return set().union(*(self.evaluate(word, bindings) for word in words))
            case ("let", name, value, body):
                return self.evaluate(body, {**bindings, name: set(self.evaluate(value, bindings))})
            case ("chain", first, rest):
                return self._chain(first, rest, bindings)
            case ("call", name, arguments) if name in FUNCTIONS:
                return self._call(name, arguments, bindings)
        raise Unanswered

    def _chain(self, first: Tree, rest: list[tuple[str, Tree]], bindings: dict[str, set[int]]) -> set[int]:
        found = set(self.evaluate(first, bindings))
        for sign, operand in rest:
            other = set(self.evaluate(operand, bindings))
            if sign == "+":
                found |= other
            elif sign == "-":
                found -= other
            else:
                found &= other
        return found

    def _call(self, name: str, arguments: list[Tree], bindings: dict[str, set[int]]) -> Iterable[int]:
        function, kinds, required = FUNCTIONS[name]
        if not required <= len(arguments) <= len(kinds):
            raise Unanswered
        values: list[Any] = []
        for kind, argument in zip(kinds, arguments, strict=False):
            if kind == "universe":
                values.append(self._within(argument, bindings))
            elif kind == "targets":
                values.append(set(self.evaluate(argument, bindings)))
            elif argument[0] != "word":
                raise Unanswered
            elif kind == "number":
                if not (argument[1].isascii() and argument[1].isdigit() and len(argument[1]) < 9):
                    raise Unanswered
                values.append(int(argument[1]))
            else:
                values.append(argument[1])
        return function(self, *values)

    def _within(self, tree: Tree, bindings: dict[str, set[int]]) -> set[int] | Universe:
        """What a universe reaches, with all edges that are followed."""
        if tree == ("word", "//...") and not self.excluded:
            return self.everything()
        return self.followed(set(self.evaluate(tree, bindings)))

    def everything(self) -> set[int] | Universe:
        """What ``//...`` reaches, whichever edges the question follows."""
        mask, packages = self.graph.whole("universe"), self.graph.whole("universe_packages")
        if not len(mask):
            return self.closure(self._pattern("//..."), 0)
        self.told = bytearray(map(max, self.told, packages))
        return Universe(mask)

    # ------------------------------------------------------------------------------------------------ patterns
    def _pattern(self, text: str) -> set[int]:
        repo, folder, name = self._parts(text)
        if folder == "..." or folder.endswith("/..."):
            return self._below(repo, folder[:-3].rstrip("/"), name)
        number = self._loaded(repo, folder)
        if name in _WILDCARDS:
            return self._targets(number, files=_WILDCARDS[name])
        node = self.graph.node(number, name or folder.rpartition("/")[2])
        if node is None or self.graph.whole("kinds")[node] > GROUP:
            raise Unanswered
        return {node}

    def _parts(self, text: str) -> tuple[str, str, str]:
        """Repository, folder, name of a pattern; name is "" where none is written."""
        repo = ""
        if text.startswith("@"):
            apparent, slashes, rest = text[1:].partition("//")
            if not slashes or apparent not in self.graph.apparent:
                raise Unanswered
            repo, text = self.graph.apparent[apparent], slashes + rest
        folder, colon, name = text.partition(":")
        if folder.startswith("//"):
            folder = folder[2:]
        elif colon:
            folder = "/".join(filter(None, (self.graph.facts["folder"], folder)))
        else:
            raise Unanswered  # maybe the path of a file
        if (colon and not name) or folder.endswith("/") or "//" in folder:
            raise Unanswered
        return repo, folder, name

    def _below(self, repo: str, prefix: str, name: str) -> set[int]:
        names = listing_around(self.graph.table("listed").get(repo, {}), prefix)
        if names is None or (name and name not in _WILDCARDS):
            raise Unanswered
        inside = f"{prefix}/"
        chosen = [each for each in names if not prefix or each == prefix or each.startswith(inside)]
        if not chosen:
            raise Unanswered
        found: set[int] = set()
        for each in chosen:
            number = self.graph.package(repo, each)
            if number is None or self.graph.package_status[number] == PENDING:
                raise Unanswered
            if self.graph.package_status[number] == LOADED:
                self.touch(number)
                found |= self._targets(number, files=_WILDCARDS.get(name, False))
        return found

    def _loaded(self, repo: str, name: str) -> int:
        number = self.graph.package(repo, name)
        if number is None or self.graph.package_status[number] != LOADED:
            raise Unanswered
        self.touch(number)
        return number

    def _targets(self, package: int, files: bool) -> set[int]:
        kinds, most = self.graph.whole("kinds"), GROUP if files else RULE
        return {node for node in self.graph.nodes_of(package) if kinds[node] <= most}

    # ---------------------------------------------------------------------------------------------- following
    def touch(self, package: int) -> None:
        """Note that a package is part of this evaluation: its edges may be read, what is wrong in it is told."""
        if self.touched[package]:
            return
        graph = self.graph
        if graph.package_status[package] == PENDING:
            raise Unanswered
        self.touched[package] = self.told[package] = 1
        self._check_edges_of(package)

    def check_edges(self, nodes: Iterable[int]) -> None:
        """Before the edges of nodes are read that no question walked, such as those that ``//...`` reaches."""
        package_of = self.graph.whole("package_of")
        for package in {package_of[node] for node in nodes}:
            if not self.touched[package]:
                self._check_edges_of(package)

    def _check_edges_of(self, package: int) -> None:
        nodes, first = self.graph.nodes_of(package), self.graph.whole("first_edge")
        for name in ("edge_target", "edge_flags"):
            self.graph.file.check(name, first[nodes.start], first[nodes.stop])

    def closure(self, roots: Iterable[int], excluded: int, depth: int | None = None) -> set[int]:
        """``GraphView.closure`` without a configuration."""
        graph, touched = self.graph, self.touched
        first, package_of = graph.whole("first_edge"), graph.whole("package_of")
        targets, flags = graph.column("edge_target"), graph.column("edge_flags")
        delayed = ASPECT if depth is not None else 0
        skipped = excluded | delayed
        wave = set(roots)
        reached, late = set(wave), set[int]()
        while wave or late:
            for node in wave:
                if not touched[package_of[node]]:
                    self.touch(package_of[node])
            if depth is not None:
                if depth == 0:
                    break
                depth -= 1
            fresh, late = late, set[int]()
            for begin, end in runs(first, sorted(wave)):
                if not skipped:
                    fresh.update(targets[begin:end])
                    continue
                for edge in range(begin, end):
                    if not flags[edge] & skipped:
                        fresh.add(targets[edge])
                    elif delayed and flags[edge] & skipped == delayed:
                        late.add(targets[edge])
            fresh -= reached
            reached |= fresh
            wave = fresh
        return reached

    def followed(self, roots: Iterable[int], depth: int | None = None) -> set[int]:
        """``Environment.closure``: what lies behind edges that are not followed is loaded, too."""
        unlikely = self.excluded & POSSIBLE
        reached = self.closure(roots, self.excluded, depth)
        if depth is None and self.excluded != unlikely:
            behind = set[int]().union(*(self._ends(node, unlikely) for node in reached)) - reached
            self.existing(self.closure(behind, unlikely))
        return reached

    def _ends(self, node: int, excluded: int) -> set[int]:
        graph = self.graph
        first, targets = graph.whole("first_edge"), graph.column("edge_target")
        flags = graph.column("edge_flags")
        return {targets[edge] for edge in range(first[node], first[node + 1]) if not flags[edge] & excluded}

    def existing(self, nodes: set[int]) -> set[int]:
        """``Environment.targets``: a missing target is a problem."""
        return nodes - self.note_missing(nodes)

    def note_missing(self, nodes: set[int] | Universe) -> set[int]:
        """Note problems of the missing targets among these nodes, which it gives."""
        missing = self.graph.table("missing")
        absent = set(missing) & nodes
        for node in sorted(absent, key=self.graph.by_label):
            if not self._only_possible(node, nodes):
                self.problems[missing[node]] = None
        return absent

    def _only_possible(self, node: int, among: set[int] | Universe) -> bool:
        """Whether what names a node among these does so only if something unknown adds it."""
        flags = [each for user, each in self._users(node) if user in among]
        return bool(flags) and all(each & POSSIBLE for each in flags)

    def _users(self, node: int) -> Iterable[tuple[int, int]]:
        """What names a node, and the flags of the edge, in the order of edges."""
        begin, end = self._users_at(node)
        users, flags = self.graph.column("users"), self.graph.column("user_flags")
        return zip(users[begin:end], flags[begin:end], strict=True)

    def _users_at(self, node: int) -> tuple[int, int]:
        self._check_users((node,))
        first = self.graph.whole("first_user")
        return first[node], first[node + 1]

    def _check_users(self, nodes: Iterable[int]) -> None:
        """Before anybody reads which edges lead to nodes: those of a package are checked together."""
        graph, checked = self.graph, self._users_checked
        first, package_of = graph.whole("first_user"), graph.whole("package_of")
        for node in nodes:
            if not checked[package_of[node]]:
                own = graph.nodes_of(package_of[node])
                for name in ("users", "user_flags"):
                    graph.file.check(name, first[own.start], first[own.stop])
                checked[package_of[node]] = 1

    def waves_to(self, goals: Iterable[int], within: set[int] | Universe) -> Iterable[set[int]]:
        """``GraphIndex._waves``: the goals, what leads to them in one step, and so on."""
        wave = set(goals) & within
        reached = set(wave)
        users, flags, excluded = self.graph.column("users"), self.graph.column("user_flags"), self.excluded
        first = self.graph.whole("first_user")
        while wave:
            yield wave
            self._check_users(wave)
            fresh: set[int] = set()
            for begin, end in runs(first, sorted(wave)):
                if excluded:
                    fresh.update(users[edge] for edge in range(begin, end) if not flags[edge] & excluded)
                else:
                    fresh.update(users[begin:end])
            fresh -= reached
            wave = fresh & within
            reached |= wave

    def reaching(self, closure: set[int] | Universe, goals: set[int], depth: int | None) -> set[int]:
        """What of ``closure`` reaches a goal."""
        self.note_missing(closure)
        reached: set[int] = set()
        for step, wave in enumerate(self.waves_to(goals, closure)):
            if depth is not None and step > depth:
                break
            reached |= wave
        return self.existing(reached)


def runs(first: memoryview, nodes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """What belongs to nodes as (first, end), in their order; what stands side by side in one, as that of the nodes of a
    package does. That of node n begins at ``first[n]`` and ends where that of the next node begins."""
    begin = end = 0
    for node in nodes:
        if first[node] != end:
            if begin < end:
                yield begin, end
            begin = first[node]
        end = first[node + 1]
    if begin < end:
        yield begin, end


# ---------------------------------------------------------------------------------------------------- functions
def _deps(run: Run, targets: set[int], depth: int | None = None) -> set[int]:
    return run.existing(run.followed(targets, depth))


def _rdeps(run: Run, within: set[int] | Universe, targets: set[int], depth: int | None = None) -> set[int]:
    return run.reaching(within, targets, depth)


def _allrdeps(run: Run, targets: set[int], depth: int | None = None) -> set[int]:
    return run.reaching(run.everything(), targets, depth)


def _allpaths(run: Run, start: set[int], end: set[int]) -> set[int]:
    return run.reaching(run.followed(start), end, None)


def _somepath(run: Run, start: set[int], end: set[int]) -> list[int]:
    closure = run.followed(start)
    run.note_missing(closure)
    distances = {node: step for step, wave in enumerate(run.waves_to(end, closure)) for node in wave}
    starts = [(distances[node], run.graph.by_label(node), node) for node in start if node in distances]
    if not starts:
        return []
    left, _, here = min(starts)
    path = [here]
    while left:
        left -= 1
        here = _first_named(run, here, {step for step in run._ends(here, run.excluded) if distances.get(step) == left})
        path.append(here)
    return path


def _first_named(run: Run, node: int, ends: set[int]) -> int:
    """Which of these a target names first: the order of attributes in its class decides, then that of its edges."""
    graph = run.graph
    first, targets = graph.whole("first_edge"), graph.column("edge_target")
    flags, attributes = graph.column("edge_flags"), graph.whole("edge_attribute")
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
    return found


def _note_unknown_kinds(run: Run, targets: set[int]) -> None:
    unknown, first = run.graph.table("unknown_rules"), dict[str, str]()
    for node in sorted(targets.intersection(unknown), key=run.graph.by_label):
        name, place = unknown[node]
        first.setdefault(name, place)
    hides = "the kind of the rules that it makes, which may match"
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

    return {node for node in targets if any(map(matches, texts(node)))}


def _some(run: Run, targets: set[int], count: int = 1) -> set[int]:
    if not targets:
        raise Unanswered
    return set(sorted(targets, key=run.graph.by_label)[:count])


def _siblings(run: Run, targets: set[int]) -> set[int]:
    package_of = run.graph.whole("package_of")
    packages = {package_of[node] for node in targets}
    if any(run.graph.package_status[each] != LOADED for each in packages):
        raise Unanswered
    return set[int]().union(*(run._targets(each, files=True) for each in packages))


def _same_pkg_direct_rdeps(run: Run, targets: set[int]) -> set[int]:
    package_of = run.graph.whole("package_of")
    for node in targets:
        run.touch(package_of[node])
    return {
        user
        for node in targets
        for user, flags in run._users(node)
        if package_of[user] == package_of[node] and not flags & run.excluded
    }


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
}
"""What is answered here: the function, what each argument is, how many must be given."""


def _searcher(pattern: str) -> Callable[[str], object]:
    """``java_regex.searcher``; for letters alone no regular expression is needed."""
    if pattern.replace("_", "").replace(" ", "").isalnum() and pattern.isascii():
        return lambda text: pattern in text
    repetitions = sum(map(pattern.count, "*+{?"))
    if repetitions > _MOST_REPETITIONS or any(f"){each}" in pattern for each in "*+{?"):
        raise Unanswered
    from bzlgraph.base.java_regex import PatternError, searcher

    try:
        return searcher(pattern)
    except PatternError:
        raise Unanswered from None
