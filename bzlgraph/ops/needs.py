"""What the libraries of an op need (``op NAME --needs``), and what they are carried in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from bzlgraph.base.label import Label, parse
from bzlgraph.base.span import place_text
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.ops.tracer import Answer

COLUMNS = ("label", "kind", "place", "for")
_ENDING = re.compile(r"\.(?:so|pyd|dll|dylib)(?:\.\d+)*$")
"""How names of shared objects end, versions (``libtensorflow_framework.so.2``) too."""


def targets_of(answers: Iterable[Answer], most: int | None = None) -> dict[str, str]:
    """The targets that build what registers an op and its kernels -> the op, those that build a binding -> its name;
    those of the first answers come first.

    ``most`` 1 takes the library of each file, and not what bundles its files too.
    """
    found: dict[str, str] = {}
    for answer in answers:
        for story in answer.stories:
            listed = [each.targets for each in story.registrations] + [each.targets for each in story.kernels]
            for target in (label for targets in listed for label in targets[:most]):
                found.setdefault(target, story.op)
        for each in answer.bindings:
            for target in each.targets[:most]:
                found.setdefault(target, each.full_name)
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


def is_shared_object(name: str) -> bool:
    """Whether a target's name is that of a shared object.

    >>> is_shared_object("libtensorflow_cc.so.2.12.0"), is_shared_object("_ops.pyd"), is_shared_object("so")
    (True, True, False)
    """
    return _ENDING.search(name) is not None


def shared_object(path: Sequence[Label]) -> str | None:
    """The last shared object on a path from a product to a target, which links what is below it; None when there is
    none on it. Other paths may lead through other ones."""
    return next((str(label) for label in reversed(path) if is_shared_object(label.name)), None)
