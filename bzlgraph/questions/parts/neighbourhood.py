"""The part of an answer to look at: around a target, between two, without some.

All of it happens inside the answer: what it does not have is on no way and in no neighbourhood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.graph.algorithms.components import reachable
from bzlgraph.query.answer import QueryAnswer
from bzlgraph.questions.reply import Asking, Reply

Adjacency = Mapping[int, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Part:
    """``focus``, ``exclude`` and the two ends of ``between`` are expressions. ``depth`` is how many edges away from
    the focus, in either direction, else from what nothing else in the answer needs."""

    focus: str = ""
    depth: int | None = None
    between: tuple[str, str] | None = None
    exclude: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """What the part is about."""
        return tuple(filter(None, (self.focus, *(self.between or ()))))


ALL = Part()


def part_reply(ask: Asking, text: str, part: Part) -> Reply[QueryAnswer]:
    """The targets of an expression that belong to a part. Raises as ``ask``; UsageProblem where a focus or an end is
    not in the answer."""
    reply = ask(text)
    if part == ALL:
        return reply
    nodes = _Narrowing(ask, reply.answer).nodes(part)
    return replace(reply, answer=replace(reply.answer, nodes=tuple(nodes)))


class _Narrowing:
    """The nodes of an answer, fewer and fewer."""

    def __init__(self, ask: Asking, answer: QueryAnswer) -> None:
        self.ask, self.answer = ask, answer

    def nodes(self, part: Part) -> list[int]:
        gone = {node for text in part.exclude for node in self._named(text)}
        left = [node for node in self.answer.nodes if node not in gone]
        ends = self._adjacency(left)
        if part.between is not None:
            start, goal = self._present(part.between[0], ends), self._present(part.between[1], ends)
            kept: set[int] = _reached(ends, start) & _reached(_turned(ends), goal)
            if not kept:
                raise UsageProblem(f"there is no path from {part.between[0]} to {part.between[1]}")
            ends = _inside(ends, kept)
        if part.focus:
            focus = self._present(part.focus, ends)
            ends = _inside(ends, _near(ends, focus, part.depth) | _near(_turned(ends), focus, part.depth))
        elif part.depth is not None:
            named = {end for found in ends.values() for end in found}
            ends = _inside(ends, _near(ends, ends.keys() - named, part.depth))
        return [node for node in left if node in ends]

    def _named(self, text: str) -> set[int]:
        """The nodes of the answer that another expression names."""
        found = set(self.ask(text).answer)
        return {node for node in self.answer.nodes if self.answer.graph.labels[node] in found}

    def _present(self, text: str, ends: Adjacency) -> set[int]:
        found = self._named(text) & ends.keys()
        if not found:
            asked = self.answer.text
            hint = f"did you mean the dependencies, 'deps({asked})'?" if asked.startswith(("//", "@", ":")) else None
            raise UsageProblem(Diagnostic(f"{text} is not among the targets of {asked}", hint=hint))
        return found

    def _adjacency(self, nodes: Sequence[int]) -> dict[int, list[int]]:
        graph, inside = self.answer.graph, set(nodes)
        return {node: sorted(graph.ends_of(node, self.answer.excluded_flags) & inside) for node in nodes}


def _reached(ends: Adjacency, start: set[int]) -> set[int]:
    return reachable(ends, start)


def _inside(ends: Adjacency, kept: set[int]) -> dict[int, list[int]]:
    return {node: [end for end in found if end in kept] for node, found in ends.items() if node in kept}


def _turned(ends: Adjacency) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {node: [] for node in ends}
    for node, each in ends.items():
        for end in each:
            found[end].append(node)
    return found


def _near(ends: Adjacency, start: set[int], depth: int | None) -> set[int]:
    """What is at most ``depth`` edges away; 1 without a number."""
    near, wave = set(start), set(start)
    for _ in range(1 if depth is None else depth):
        wave = {end for node in wave for end in ends[node]} - near
        near |= wave
    return near
