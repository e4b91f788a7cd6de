"""Walks through the kept graph: which packages were touched, so what of them may be read, and what follows from what.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

from itertools import compress, count

from bzlgraph.snapshot.kept import ASPECT, PENDING, KeptGraph, NotLoaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

NODES_WORTH_NUMPY, LARGE = 10_000, 200_000
"""A closure that has met NODES_WORTH_NUMPY nodes, in a graph of at least LARGE, is likely to be one of a hundred
thousand: numpy finds the rest. Importing it takes as long as finding 50,000 nodes and telling of them in plain
Python."""


class Many:
    """A set of so many nodes that nobody lists them: of each node of the graph whether it is in it, a byte. Those that
    ``//...`` reaches were found when the graph was kept."""

    def __init__(self, graph: KeptGraph, mask: memoryview | bytearray) -> None:
        self._graph = graph
        self.mask = mask

    def __contains__(self, node: int) -> bool:
        return self.mask[node] == 1

    def __iter__(self) -> Iterator[int]:
        return compress(count(), self.mask)

    def __len__(self) -> int:
        return bytes(self.mask).count(1)

    def __rand__(self, nodes: Iterable[int]) -> set[int]:
        mask = self.mask
        return {node for node in nodes if mask[node]}

    def __sub__(self, nodes: Iterable[int]) -> Many:
        left = bytearray(self.mask)
        for node in nodes:
            left[node] = 0
        return Many(self._graph, left)

    def packages(self) -> Iterator[int]:
        """The packages that the nodes lie in."""
        first, mask = self._graph.package_first, bytes(self.mask)
        return (number for number in range(len(first) - 1) if mask.find(1, first[number], first[number + 1]) >= 0)


class Walk:
    """What was touched of a graph. ``excluded``: the flags of edges that are not followed."""

    def __init__(self, graph: KeptGraph, excluded: int) -> None:
        self.graph = graph
        self.excluded = excluded
        self.touched = bytearray(len(graph.package_names))
        """The packages of whose edges it may be read what they lead to."""
        self.told = bytearray(len(graph.package_names))
        """Those, of which what is wrong in them is told, and others that are only told of."""
        self.edges_checked = bytearray(len(graph.package_names))
        """The packages of whose edges the rest may be read, too (``check_edges``)."""
        self.users_checked = bytearray(len(graph.package_names))
        """The packages of whose nodes it may be read what names them (``check_users``)."""

    def touch(self, package: int) -> None:
        """Note that a package is part of this evaluation: its edges may be read, what is wrong in it is told."""
        if self.touched[package]:
            return
        if self.graph.package_status[package] == PENDING:
            raise NotLoaded([self.graph.key(package)])
        self.touch_all((package,))

    def touch_all(self, packages: Collection[int]) -> None:
        """``touch``, for packages of which none waits to be loaded."""
        for package in packages:
            self.touched[package] = self.told[package] = 1
        self._check(packages, "edge_target")

    def _packages_of(self, nodes: Iterable[int]) -> Iterable[int]:
        if isinstance(nodes, Many):
            return nodes.packages()
        return set(map(self.graph.whole("package_of").__getitem__, nodes))

    def knows(self, package: int) -> bool:
        """Whether a package is part of this evaluation, be it as one that ``//...`` reaches: its edges may be read."""
        if self.told[package]:
            self.touch(package)
        return self.touched[package] == 1

    def check_ends(self, nodes: Iterable[int]) -> None:
        """Before it is read what nodes name that no question walked, such as those that ``//...`` reaches."""
        touched = self.touched
        packages = set(map(self.graph.whole("package_of").__getitem__, nodes))
        self._check([package for package in packages if not touched[package]], "edge_target")

    def check_edges(self, nodes: Iterable[int]) -> None:
        """Before more is read of the edges of nodes than what they lead to: those of a package are checked together."""
        checked = self.edges_checked
        packages = set(map(self.graph.whole("package_of").__getitem__, nodes))
        fresh = [package for package in packages if not checked[package]]
        self._check(fresh, "edge_target", "edge_flags", "edge_attribute", "edge_condition")
        for package in fresh:
            checked[package] = 1

    def _check(self, packages: Collection[int], *columns: str) -> None:
        """Check columns of the edges of packages, those of neighbours together."""
        graph, check = self.graph, self.graph.file.check
        first = graph.whole("first_edge")
        for begin, end in runs(graph.package_first, sorted(packages)) if packages else ():
            for name in columns:
                check(name, first[begin], first[end])

    def closure(
        self,
        roots: Iterable[int],
        excluded: int,
        depth: int | None = None,
        waves: list[Collection[int]] | None = None,
    ) -> set[int] | Many:
        """``GraphView.closure`` without a configuration. ``waves`` gets what is reached in no step, in one, and so on;
        without a ``depth``."""
        if depth is None and not excluded:
            return self._closure_of_all_edges(roots, waves)
        delayed = ASPECT if depth is not None else 0
        wave = set(roots)
        reached, late, lacking = set(wave), set[int](), set[int]()
        while wave or late:
            if waves is not None:
                waves.append(wave)
            if depth is None and self._are_many(len(reached)):
                return self._closure_of_many(reached, wave, lacking, excluded, waves)
            self._touch_for(wave, lacking)
            if depth is not None:
                if depth == 0:
                    break
                depth -= 1
            fresh, later = self._ends(wave, excluded, delayed)
            if late:
                fresh |= late
            wave = fresh - reached
            reached |= wave
            late = later
        if lacking:
            raise NotLoaded((), lacking, behind=depth is None)
        return reached

    def _closure_of_all_edges(self, roots: Iterable[int], waves: list[Collection[int]] | None) -> set[int] | Many:
        """What is reached along whatever edges there are. That a byte says of each node whether it was met takes a
        third of the time that sets take."""
        first, targets = self.graph.whole("first_edge"), self.graph.column("edge_target")
        wave: Collection[int] = set(roots)
        met, reached, lacking = bytearray(len(first)), len(wave), set[int]()
        for node in wave:
            met[node] = 1
        while wave:
            if waves is not None:
                waves.append(wave)
            if self._are_many(reached):
                return self._closure_of_many(set(compress(count(), met)), set(wave), lacking, 0, waves)
            self._touch_for(wave, lacking)
            fresh: list[int] = []
            for node in wave:
                begin, stop = first[node], first[node + 1]
                if begin == stop:
                    continue  # half of all are files
                for end in targets[begin:stop].tolist():
                    if not met[end]:
                        met[end] = 1
                        fresh.append(end)
            wave = fresh
            reached += len(fresh)
        if lacking:
            raise NotLoaded((), lacking, behind=True)
        return set(compress(count(), met))

    def _touch_for(self, wave: Iterable[int], lacking: set[int]) -> None:
        """Touch the packages of nodes; ``lacking`` gets the nodes of those that are not loaded."""
        package_of, status, touched = self.graph.whole("package_of"), self.graph.package_status, self.touched
        fresh = [package for package in set(map(package_of.__getitem__, wave)) if not touched[package]]
        pending = {package for package in fresh if status[package] == PENDING}
        if pending:  # nothing is known to lead on from there
            lacking.update(node for node in wave if package_of[node] in pending)
        self.touch_all([package for package in fresh if package not in pending])

    def _closure_of_many(
        self,
        reached: set[int],
        wave: set[int],
        lacking: set[int],
        excluded: int,
        waves: list[Collection[int]] | None,
    ) -> Many:
        from bzlgraph.snapshot.nodes.many import closure_of_many

        mask, more, met = closure_of_many(self.graph, reached, wave, excluded, waves)
        if lacking or more:
            raise NotLoaded((), lacking | more, behind=True)
        for package in met:
            self.touched[package] = self.told[package] = 1
        return Many(self.graph, mask)

    def _are_many(self, nodes: int) -> bool:
        return nodes >= NODES_WORTH_NUMPY and len(self.graph.whole("package_of")) >= LARGE

    def _ends(self, nodes: Iterable[int], excluded: int, delayed: int) -> tuple[set[int], set[int]]:
        """What nodes name along edges with none of these flags, and along those with the ``delayed`` one."""
        first, targets = self.graph.whole("first_edge"), self.graph.column("edge_target")
        ends, late, skipped = set[int](), set[int](), excluded | delayed
        flags = self.graph.column("edge_flags")
        self.check_edges(nodes)
        for begin, end in runs(first, sorted(nodes)):
            for edge in range(begin, end):
                if not flags[edge] & skipped:
                    ends.add(targets[edge])
                elif delayed and flags[edge] & skipped == delayed:
                    late.add(targets[edge])
        return ends, late

    def _behind(self, nodes: set[int] | Many, excluded: int) -> set[int]:
        """What is named by nodes and none of them."""
        if isinstance(nodes, Many):
            from bzlgraph.snapshot.nodes.many import behind

            return behind(self.graph, nodes.mask, excluded)
        return set[int]().union(*(self.ends_of(node, excluded) for node in nodes)) - nodes

    def ends_of(self, node: int, excluded: int) -> set[int]:
        """What a node names along edges with none of the flags excluded."""
        graph = self.graph
        first, targets = graph.whole("first_edge"), graph.column("edge_target")
        flags = graph.column("edge_flags")
        self.check_edges((node,))
        return {targets[edge] for edge in range(first[node], first[node + 1]) if not flags[edge] & excluded}

    def users_of(self, node: int) -> Iterable[tuple[int, int]]:
        """What names a node, and the flags of the edge, in the order of edges."""
        begin, end = self._users_at(node)
        users, flags = self.graph.column("users"), self.graph.column("user_flags")
        self.graph.file.check("user_flags", begin, end)
        return zip(users[begin:end], flags[begin:end], strict=True)

    def _users_at(self, node: int) -> tuple[int, int]:
        self.check_users((node,))
        first = self.graph.whole("first_user")
        return first[node], first[node + 1]

    def check_users(self, nodes: Iterable[int]) -> None:
        """Before anybody reads which edges lead to nodes: those of a package are checked together."""
        graph, checked = self.graph, self.users_checked
        first, package_of = graph.whole("first_user"), graph.whole("package_of")
        for package in set(map(package_of.__getitem__, nodes)):
            if not checked[package]:
                own = graph.nodes_of(package)
                graph.file.check("users", first[own.start], first[own.stop])
                checked[package] = 1

    def waves_to(self, goals: Iterable[int], within: set[int] | Many, excluded: int) -> Iterable[set[int]]:
        """``GraphIndex.waves``: the goals, what leads to them in one step, and so on."""
        wave = set(goals) & within
        reached = set(wave)
        while wave:
            yield wave
            wave = (self.naming(wave, excluded) - reached) & within
            reached |= wave

    def naming(self, nodes: Iterable[int], excluded: int) -> set[int]:
        """What names any of these nodes along edges with none of the flags excluded."""
        users, flags = self.graph.column("users"), self.graph.column("user_flags")
        self.check_users(nodes)
        found: set[int] = set()
        for begin, end in runs(self.graph.whole("first_user"), sorted(nodes)):
            if excluded:
                self.graph.file.check("user_flags", begin, end)
                found.update(users[edge] for edge in range(begin, end) if not flags[edge] & excluded)
            else:
                found.update(users[begin:end])
        return found

    def _leading_to(self, goals: set[int], within: set[int] | Many, depth: int | None) -> set[int] | Many:
        reached: set[int] = set()
        for step, wave in enumerate(self.waves_to(goals, within, self.excluded)):
            if depth is not None and step > depth:
                break
            reached |= wave
            if depth is None and self._are_many(len(reached)):
                from bzlgraph.snapshot.nodes.many import reaching_of_many

                inside = within.mask if isinstance(within, Many) else within
                return Many(self.graph, reaching_of_many(self.graph, inside, reached, wave, self.excluded))
        return reached


def runs(first: memoryview, nodes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """What belongs to nodes as (first, end), in their order; that of consecutive ones, as of a package, in one. That of
    node n begins at ``first[n]`` and ends where that of the next node begins."""
    start = stop = 0
    for node in nodes:
        if node != stop:
            begin, end = first[start], first[stop]
            if begin < end:
                yield begin, end
            start = node
        stop = node + 1
    begin, end = first[start], first[stop]
    if begin < end:
        yield begin, end
