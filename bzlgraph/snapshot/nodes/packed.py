"""What is packed of each package of a kept graph, such as how its targets are written: rows of some of its nodes. Each
is unpacked once, when somebody asks about a node of its package.

This module is as light as those that answer before anything heavy is imported.
"""

from __future__ import annotations

from bzlgraph.snapshot.kept import ENVIRONMENTS, LOADED, Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Sized
    from typing import TypeVar

    from bzlgraph.snapshot.nodes.walk import Walk

    Rows = TypeVar("Rows", bound=Sized)


def packed_rows(
    run: Walk, name: str, make: Callable[[bytes], Rows], have: Callable[[range], Sequence[int]]
) -> Callable[[int], tuple[Rows, int]]:
    """A function from a node to the rows of its package, and the number of its own. It raises Unanswered for packages
    that the evaluation has not touched.

    ``name``: that of the column. ``make`` unpacks what it has of a package; ``have`` says which nodes have rows, of
    some side by side.
    """
    graph, package_of = run.graph, run.graph.whole("package_of")
    known: dict[int, tuple[Rows, int, Sequence[int]]] = {}

    def read(package: int) -> tuple[Rows, int, Sequence[int]]:
        if not run.knows(package) or graph.package_status[package] != LOADED:
            raise Unanswered
        at, nodes = graph.whole(f"{name}_at"), graph.nodes_of(package)
        graph.file.check(name, at[package], at[package + 1])
        rows, own = make(bytes(graph.column(name)[at[package] : at[package + 1]])), have(nodes)
        if len(rows) != sum(own):
            raise Unanswered
        return rows, nodes.start, own

    def rows_of(node: int) -> tuple[Rows, int]:
        package = package_of[node]
        if package not in known:
            known[package] = read(package)
        rows, first, own = known[package]
        return rows, sum(own[: node - first])

    return rows_of


def declared_by(run: Walk) -> Callable[[range], Sequence[int]]:
    """Which nodes are targets that their package declares."""
    kinds = run.graph.whole("kinds")
    return lambda nodes: bytes(kind <= ENVIRONMENTS for kind in kinds[nodes.start : nodes.stop])
