"""``op NAME --slice``: the smallest set of targets and files that builds an op's registration and kernels.

Rules
1. Asked for are the files that register the op and its kernels, or that bind a name, but not the lowerings of XLA,
   kernels that the compiler registers again for its own devices, those of examples and tests, and, as long as there is
   another, a kernel that is built under a condition of a ``select`` only.
2. The target of a file is its library as ``op`` names it first: a special ``select`` never has it alone while another
   target has it always. A file that a target of the slice builds already needs no other.
3. From there, all that is depended on, in the configuration if one is given; visibility and the like is no part of it.
4. A row's weight is what the slice loses with it: the targets and files that nothing else of the slice needs, itself
   among them, and the bytes of these files. Files of other repositories count as none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bzlgraph.base.label import Label, parse
from bzlgraph.base.span import place_text
from bzlgraph.graph.algorithms.dominators import dominator_tree
from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.ops.tensorflow.cpp.index import is_of_the_product
from bzlgraph.ops.tracer import Answer, Cell

COLUMNS = (("label", "text"), ("kind", "text"), ("place", "text"), ("for", "text"), ("only", "integer"),
           ("bytes", "integer"))  # fmt: skip
"""``only``: how many targets and files go with a row; ``bytes``: how large those files are."""
_NO_PART = int(EdgeFlag.NODEP | EdgeFlag.VISIBILITY)
_ROOT = -1


@dataclass(frozen=True, slots=True)
class Slice:
    """``roots`` are the targets that were chosen, each with the op it is for; ``nodes`` all of the slice."""

    roots: dict[int, str]
    nodes: frozenset[int]


def cut(graph: GraphView, answers: Iterable[Answer]) -> Slice:
    """The slice of the ops of answers (rules 1 to 3)."""
    roots: dict[int, str] = {}
    nodes: set[int] = set()
    found = [(op, [graph.resolve(parse(label, "", "")) for label in listed]) for op, listed in _files(answers)]
    closures = {listed[0]: graph.closure(listed[:1], _NO_PART) for _op, listed in found}
    for op, listed in sorted(found, key=lambda each: -len(closures[each[1][0]])):
        if nodes.isdisjoint(listed):
            roots[listed[0]] = op
            nodes |= closures[listed[0]]
    return Slice(roots, frozenset(nodes))


def slice_rows(graph: GraphView, made: Slice, size: Callable[[Label], int]) -> Iterator[tuple[Cell, ...]]:
    """A row for each target and file: the chosen targets first, then the heaviest."""
    only, sizes = _weights(graph, made, size)
    listed = sorted(
        (graph.describe(number) for number in made.nodes),
        key=lambda node: (node.id not in made.roots, -only[node.id], node.label),
    )
    for node in listed:
        place = place_text(node.location)
        if node.kind is NodeKind.SOURCE:
            place = "" if node.label.repo else node.label.path
        yield str(node.label), node.kind_words, place, made.roots.get(node.id, ""), only[node.id], sizes[node.id]


def _files(answers: Iterable[Answer]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(op, the targets that may build a file of it), each file once."""
    for answer in answers:
        for story in answer.stories:
            kernels = [each for each in story.kernels if is_of_the_product(each)]
            always = [each for each in kernels if not each.build_condition] or kernels
            places = [*(each.targets for each in story.registrations[:1]), *(each.targets for each in always)]
            yield from ((story.op, targets) for targets in dict.fromkeys(places) if targets)
        bound = {each.targets: each.full_name for each in answer.bindings if each.targets}
        yield from ((name, targets) for targets, name in bound.items())


def _weights(graph: GraphView, made: Slice, size: Callable[[Label], int]) -> tuple[dict[int, int], dict[int, int]]:
    """(how many nodes, how many bytes) go with each node of a slice."""
    columns = graph.columns
    needs: dict[int, list[int]] = {_ROOT: sorted(made.roots)}
    for node in made.nodes:
        edges = (edge for edge in columns.edges_of(node) if not columns.edge_flags[edge] & _NO_PART)
        needs[node] = sorted({columns.edge_target[edge] for edge in edges} & made.nodes)
    above = dominator_tree(needs, _ROOT)
    below: dict[int, list[int]] = {}
    for node, parent in above.items():
        below.setdefault(parent, []).append(node)
    order = [_ROOT]
    for node in order:
        order.extend(below.get(node, ()))
    only = dict.fromkeys(order, 1)
    files = (node for node in made.nodes if graph.kinds[node] == NodeKind.SOURCE)
    sizes = dict.fromkeys(order, 0) | {node: size(graph.labels[node]) for node in files}
    for node in reversed(order[1:]):
        only[above[node]] += only[node]
        sizes[above[node]] += sizes[node]
    return only, sizes
