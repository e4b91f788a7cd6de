"""``op NAME --needs``: the transitive dependencies of the libraries of an op."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bzlgraph.base.label import parse
from bzlgraph.base.span import place_text
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.ops.tracer import Answer

COLUMNS = ("label", "kind", "place", "for")


def targets_of(answers: Iterable[Answer], most: int | None = None) -> dict[str, str]:
    """The targets that build what registers an op and its kernels -> the op; those of the first answers come first.

    ``most`` 1 takes the library of each file, and not what bundles its files too.
    """
    found: dict[str, str] = {}
    for answer in answers:
        for story in answer.stories:
            listed = [each.targets for each in story.registrations] + [each.targets for each in story.kernels]
            for target in (label for targets in listed for label in targets[:most]):
                found.setdefault(target, story.op)
    return found


def files_of(answers: Iterable[Answer], is_file: Callable[[str], bool]) -> tuple[str, ...]:
    """The files that words are about: the file that was asked for, else those that register the ops and their kernels,
    and compute them."""
    found: dict[str, None] = {}
    for answer in answers:
        if is_file(answer.asked):
            found[answer.asked] = None
            continue
        for story in answer.stories:
            places = [each.location for each in story.registrations]
            places += [each.location for each in story.kernels]
            places += [each.compute for each in story.kernels if each.compute is not None]
            found.update(dict.fromkeys(place.path for place in places))
    return tuple(found)


def needs_rows(graph: GraphView, answers: Iterable[Answer]) -> Iterator[tuple[str, str, str, str]]:
    """A row for each target and file, those of the op first, then by label."""
    numbers = {graph.resolve(parse(label, "", "")): op for label, op in targets_of(answers, most=1).items()}
    found = graph.closure(numbers)
    nodes = sorted((graph.describe(number) for number in found), key=lambda node: (node.id not in numbers, node.label))
    for node in nodes:
        place = place_text(node.location)
        if node.kind is NodeKind.SOURCE:
            place = node.label.package + "/" + node.label.name if not node.label.repo else ""
        yield str(node.label), node.kind_words, place, numbers.get(node.id, "")
