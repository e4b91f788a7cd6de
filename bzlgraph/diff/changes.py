"""What each option of a command line changes by itself, where several make the difference.

A difference of two configurations says what all options do together; here each stands alone: the left configuration
with this one more (or without it, where only the left side has it). An option that no ``select()`` asks for changes no
target; what it does then is told by whom it reaches: ``--copt`` every target that compiles C or C++.

>>> reach("linkopt", "-s", [("cc_binary", ("a.cc",)), ("cc_library", ("b.cc",))])
Reach(option='--linkopt=-s', targets=1, what='linked C++ target')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bzlgraph.bazel.model import Rule
from bzlgraph.diff.model import Reach, Side
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.view import GraphView

_C, _CXX = (".c",), (".cc", ".cpp", ".cxx", ".c++", ".C", ".cu", ".cu.cc", ".m", ".mm")
_COMPILE = frozenset({"cc_binary", "cc_library", "cc_test", "objc_library"})
_GROUPS = frozenset({"alias", "filegroup"})
_LINK = frozenset({"cc_binary", "cc_test", "cc_shared_library"})


class _Reached(NamedTuple):
    """The targets that an option of the C++ rules is passed to: rule classes, and the files that they must have."""

    kinds: frozenset[str]
    endings: tuple[str, ...]
    what: str


REACHED = {
    "copt": _Reached(_COMPILE, (*_C, *_CXX), "C++ target"),
    "cxxopt": _Reached(_COMPILE, _CXX, "C++ target"),
    "conlyopt": _Reached(_COMPILE, _C, "C target"),
    "linkopt": _Reached(_LINK, (), "linked C++ target"),
    "compilation_mode": _Reached(_COMPILE, (*_C, *_CXX), "C++ target"),
    "crosstool_top": _Reached(_COMPILE, (*_C, *_CXX), "C++ target"),
    "cpu": _Reached(_COMPILE, (*_C, *_CXX), "C++ target"),
    "compiler": _Reached(_COMPILE, (*_C, *_CXX), "C++ target"),
    "strip": _Reached(_LINK, (), "linked C++ target"),
}
"""What Bazel's C++ rules do with an option whether a ``select()`` asks for it or not."""

WITHOUT = "without "
"""Before the words of an option that only the left side has."""

Compiled = tuple[str, tuple[str, ...]]
"""The class of a rule, and the names of its sources."""


def compiled(side: Side) -> list[Compiled]:
    """The C and C++ rules of a side that are built other than as tools."""
    graph, found = side.graph, list[Compiled]()
    for node in side.nodes:
        rule = graph.target(node) if graph.kinds[node] == NodeKind.RULE else None
        if isinstance(rule, Rule) and rule.rule_class.name in _COMPILE | _LINK and side.built(rule.label):
            found.append((rule.rule_class.name, tuple(graph.labels[each].name for each in _sources(graph, node))))
    return found


def _sources(graph: GraphView, node: int) -> Iterator[int]:
    """The files in the ``srcs`` of a rule, those that file groups stand for too."""
    waiting, seen = [node], {node}
    while waiting:
        rule = waiting.pop()
        for edge in graph.edges_from(rule):
            end = graph.columns.edge_target[edge]
            if graph.attribute_of(edge) not in ("srcs", "actual") or end in seen:
                continue
            seen.add(end)
            if graph.kinds[end] == NodeKind.RULE:
                target = graph.target(end)
                waiting += [end] if isinstance(target, Rule) and target.rule_class.name in _GROUPS else []
            else:
                yield end


def reach(option: str, value: str, targets: Iterable[Compiled]) -> Reach | None:
    """The targets that an option is passed to; None when it is none of ``REACHED``."""
    known = REACHED.get(option)
    if known is None:
        return None
    count = sum(kind in known.kinds and _has(sources, known.endings) for kind, sources in targets)
    return Reach(f"--{option}={value}", count, known.what)


def _has(sources: tuple[str, ...], endings: tuple[str, ...]) -> bool:
    return not endings or any(name.endswith(endings) for name in sources)


def reaches(sets: Iterable[tuple[str, str]], side: Side) -> Iterator[Reach]:
    """For each option with its value the targets of a side that it is passed to."""
    targets: list[Compiled] | None = None
    for name, value in Counter(sets):
        if name in REACHED:
            targets = compiled(side) if targets is None else targets
            found = reach(name, value, targets)
            if found is not None:
                yield found
