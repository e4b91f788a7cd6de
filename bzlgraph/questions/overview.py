"""The question ``overview``: what a checkout that one sees for the first time is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from bzlgraph.base.label import Label
from bzlgraph.config.arguments import ConfigArguments, workspace_bazelrc
from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.questions.reply import Reply
from bzlgraph.questions.session import QueryOptions, Session, ask_query

COLUMNS = "what name count"
_NO_DEPENDENCY = EdgeFlag.IMPLICIT | EdgeFlag.KEY | EdgeFlag.VISIBILITY | EdgeFlag.OUTPUT
_ENTRIES = ("_binary", "_wheel", "_pkg", "_image", "_tar", "_zip")
"""How the names of rules end whose targets people build, run and ship."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts, largest first; of packages, rules and targets (rules and files) those of the checkout itself, counted as
    by ``doctor``. ``entries``: targets that people build or run, with how many dependencies they name
    directly; ``used``: rules of the checkout with the number of rules that name them."""

    version: str
    packages: int
    rules: int
    targets: int
    kinds: tuple[tuple[str, int], ...]
    largest: tuple[tuple[str, int], ...]
    entries: tuple[tuple[Label, str, int], ...]
    used: tuple[tuple[Label, int], ...]
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
    reply = ask_query(session, "//...", QueryOptions(keep_going=True))
    graph, kinds, sizes = session.graph, Counter[str](), Counter[str]()
    inside = {node for node in reply.answer.nodes if graph.kinds[node] == NodeKind.RULE}
    for node in reply.answer.nodes:
        sizes[graph.labels[node].package_label] += 1
    classes = {node: graph.describe(node).rule_class for node in inside}
    kinds.update(classes.values())
    users, needs, tool_of = Counter[int](), Counter[int](), set[int]()
    columns = graph.columns
    for source, end, flags in zip(columns.edge_source, columns.edge_target, columns.edge_flags, strict=True):
        if source in inside and end in inside and not flags & _NO_DEPENDENCY:
            users[end] += 1
            needs[source] += 1
            if flags & EdgeFlag.TOOL:
                tool_of.add(end)
    entries = [node for node, name in classes.items() if name.endswith(_ENTRIES) and node not in tool_of]
    entries.sort(key=lambda node: (users[node] > 0, -needs[node], graph.labels[node]))
    loader = session.loader
    packages = [each for each in loader.loaded() if not each.repo and loader.has_build_file(each)]
    used = sorted(users.items(), key=lambda item: (-item[1], graph.labels[item[0]]))
    overview = Overview(
        session.loader.workspace.reading.version,
        len(packages),
        sum(1 for package in packages for _ in package.rules()),
        sum(len(package.targets) for package in packages),
        tuple(kinds.most_common()),
        tuple(sizes.most_common()),
        tuple((graph.labels[node], classes[node], needs[node]) for node in entries),
        tuple((graph.labels[node], count) for node, count in used),
        sum(count for name, count in kinds.items() if name.endswith("_test")),
        workspace_bazelrc(session.loader.workspace, arguments).configs(),
    )
    return Reply(overview, reply.completeness, reply.notes)
