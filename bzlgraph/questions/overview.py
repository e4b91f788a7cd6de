"""The question ``overview``: what a checkout that one sees for the first time is made of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from heapq import nsmallest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule
from bzlgraph.config.arguments import ConfigArguments, workspace_bazelrc
from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.query.answer import QueryAnswer
from bzlgraph.questions.reply import Reply
from bzlgraph.questions.session import QueryOptions, Session, ask_query

COLUMNS = "what name count"
_NO_DEPENDENCY = int(EdgeFlag.IMPLICIT | EdgeFlag.KEY | EdgeFlag.VISIBILITY | EdgeFlag.OUTPUT)
_NOT_FOLLOWED = int(EdgeFlag.IMPLICIT | EdgeFlag.KEY | EdgeFlag.VISIBILITY)
_TOOL = int(EdgeFlag.TOOL)
_COMPARED = 12
"""How many entries are compared by all that they need: those that name most. Of each the graph is walked."""
_STAND_INS = ("alias", "test_suite")
"""Rules that only name others."""
_ENTRY_ENDINGS = ("_binary", "_wheel", "_pkg", "_image", "_tar", "_zip")
"""How the names of rules end whose targets people build, run and ship."""
_RUNS = "_binary"
_OF_ACTIONS = ("tool", "outs", "out_dirs")
"""What only an action is given (``run_binary``): a program to run, and names for what that writes."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts, largest first; of packages, rules and targets (rules and files) those of the checkout itself, counted as
    by ``doctor``. ``entries``: targets that people build or run, with how many dependencies they name
    directly; ``used``: rules of the checkout with the number of rules that name them; ``base``: the most used one that
    the first entry needs, or without that of all."""

    version: str
    packages: int
    rules: int
    targets: int
    kinds: tuple[tuple[str, int], ...]
    largest: tuple[tuple[str, int], ...]
    entries: tuple[tuple[Label, str, int], ...]
    used: tuple[tuple[Label, int], ...]
    base: Label | None
    tests: int
    configs: tuple[str, ...]

    def rows(self) -> Iterator[tuple[str, str, int | None]]:
        """The cells of ``COLUMNS``."""
        yield from (("kind", name, number) for name, number in self.kinds)
        yield from (("package", name, number) for name, number in self.largest)
        yield from (("entry", str(label), number) for label, _, number in self.entries)
        yield from (("used", str(label), number) for label, number in self.used)
        yield from (("config", name, None) for name in self.configs)


def ask_overview(session: Session, arguments: ConfigArguments) -> Reply[Overview]:
    """Load all packages of the checkout and count. A broken package is a problem, and what is there of it counts."""
    return overview_reply(session, arguments, ask_query(session, "//...", QueryOptions(keep_going=True)))


def overview_reply(session: Session, arguments: ConfigArguments, reply: Reply[QueryAnswer]) -> Reply[Overview]:
    """What is there, by the targets of all packages of a checkout."""
    graph, workspace = reply.answer.graph, session.loader.workspace
    sizes = Counter(graph.labels[node].package_label for node in reply.answer.nodes)
    classes = {node: name for node in reply.answer.nodes if (name := graph.class_name(node))}
    kinds = Counter(classes.values())
    uses = _Uses(graph, classes)
    entries, below = _entries(_Shipped(graph, classes, uses), uses)
    # Of those that as many depend on, the one that is made of more says more: a library before its configuration.
    used = sorted(uses.users.items(), key=lambda item: (-item[1], -uses.needs[item[0]], graph.labels[item[0]]))
    base = next((node for node, _ in used if node in below), next((node for node, _ in used), None))
    build_file = workspace.repository("").tree.build_file
    packages = [key for key in graph.packages if not key[0] and build_file(key[1]) is not None]
    declared = [node for key in packages for node in graph.declared(key)]
    overview = Overview(
        workspace.reading.version,
        len(packages),
        sum(1 for node in declared if graph.kinds[node] == NodeKind.RULE),
        len(declared),
        tuple(kinds.most_common()),
        tuple(sizes.most_common()),
        tuple((graph.labels[node], classes[node], uses.needs[node]) for node in entries),
        tuple((graph.labels[node], count) for node, count in used),
        graph.labels[base] if base is not None else None,
        sum(count for name, count in kinds.items() if name.endswith("_test")),
        workspace_bazelrc(workspace, arguments).configs(),
    )
    return Reply(overview, reply.completeness, reply.notes)


class _Uses:
    """Which rules of a checkout name which others: how many do (``users``), how many of them each names (``needs``),
    and which are named as tools."""

    def __init__(self, graph: GraphView, rules: Collection[int]) -> None:
        columns = graph.columns
        self.users, self.needs, self.tools = Counter[int](), Counter[int](), set[int]()
        self.used_by = defaultdict[int, list[int]](list)
        for source in rules:
            named: set[int] = set()  # each once: a rule may name another in two attributes, or in two branches
            for edge in columns.edges_of(source):
                end, flags = columns.edge_target[edge], columns.edge_flags[edge]
                if end in rules and not flags & _NO_DEPENDENCY:
                    named.add(end)
                    if flags & _TOOL:
                        self.tools.add(end)
            self.needs[source] = len(named)
            for end in named:
                self.users[end] += 1
                self.used_by[end].append(source)


def _entries(shipped: _Shipped, uses: _Uses) -> tuple[list[int], Collection[int]]:
    """The targets that people build or run, what is shipped first; and what the first of them needs."""
    ending = (node for node, name in shipped.classes.items() if name.endswith(_ENTRY_ENDINGS))
    found = [node for node in ending if node not in uses.tools and not shipped.is_action(node)]
    compared = nsmallest(_COMPARED, found, key=shipped.place(uses.needs, {}))
    reached = {node: shipped.reached(node) for node in compared}
    found.sort(key=shipped.place(uses.needs, reached))
    return found, reached.get(found[0], ()) if found else ()


class _Shipped:
    """Which targets people build for themselves: not for tests, and not as a part of something else that is shipped."""

    def __init__(self, graph: GraphView, classes: Mapping[int, str], uses: _Uses) -> None:
        self.graph = graph
        self.classes = classes
        self.used_by: Mapping[int, list[int]] = uses.used_by

    def rank(self, node: int) -> tuple[bool, bool]:
        """What is first when sorted is shipped first."""
        parts = (each for each in self.used_by.get(node, ()) if self.classes[each] not in _STAND_INS)
        return self._is_for_tests(node), any(not self._is_for_tests(each) for each in parts)

    def is_action(self, node: int) -> bool:
        """Whether its rule is named as one that runs, but does not: as its .bzl file says, or what it is given."""
        rule = self.graph.target(node)
        if not self.classes[node].endswith(_RUNS) or not isinstance(rule, Rule) or rule.rule_class.native:
            return False
        return any(name in rule.values for name in _OF_ACTIONS) if rule.rule_class.unknown else not rule.runs

    def place(self, needs: Mapping[int, int], reached: Mapping[int, set[int]]) -> Callable[[int], tuple[object, ...]]:
        """The key to sort targets by: what is shipped, then what needs most at all depths, then directly."""
        return lambda node: (*self.rank(node), -len(reached.get(node, ())), -needs[node], self.graph.labels[node])

    def _is_for_tests(self, node: int) -> bool:
        target = self.graph.target(node)
        return self.classes[node].endswith("_test") or (isinstance(target, Rule) and target.get("testonly") is True)

    def reached(self, node: int) -> set[int]:
        """The targets of loaded packages that a target needs."""
        columns, found, waiting = self.graph.columns, {node}, [node]
        while waiting:
            for edge in columns.edges_of(waiting.pop()):
                end = columns.edge_target[edge]
                if end not in found and not columns.edge_flags[edge] & _NOT_FOLLOWED:
                    found.add(end)
                    waiting.append(end)
        return found - {node}
