"""``--output=graph``: the answer's targets and the edges among them in Graphviz' language, as Bazel writes it.

``--graph:factored`` draws targets with the same dependents and dependencies as one node, ``--graph:node_limit`` cuts
its text; an edge that a select() chooses carries its conditions. Mirrors GraphOutputWriter of Bazel's source, in the
order of ``--order_output=full`` (Bazel's default order of nodes is that of a hash table).
For pictures that people read there is ``bzlgraph graph``.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import selectors
from bzlgraph.bazel.model import Condition, OutputFile, Rule, Selector
from bzlgraph.export.bazel_view.subgraph import Subgraph, in_dependency_order
from bzlgraph.export.query_formats.options import QueryOutput
from bzlgraph.graph.model import DEFAULT_CONDITION

_MORE_ITEMS = "\\\n...and 9999999 more items"
Conditions = dict[tuple[int, int], list[str]]


def graph(output: QueryOutput) -> Iterator[str]:
    """The lines of the digraph."""
    part, end = output.subgraph(), output.options.line_terminator
    drawn, classes = _factor(part) if output.options.graph_factored else (part, {node: (node,) for node in part.nodes})
    conditions = _conditions(output, part) if output.options.graph_conditional_edges_limit else {}
    step = " " * output.facts.graph_indent
    names = {node: f'"{_name(output, members)}"' for node, members in classes.items()}
    yield f"digraph mygraph {{{end}"
    yield f"  node [shape=box];{end}"
    for node in in_dependency_order(drawn):
        yield f"{step}{names[node]}{end}"
        for other in drawn.successors[node]:
            yield f"{step}{names[node]} -> {names[other]}{end}"
            words = _edge_label(output, conditions, classes[node], classes[other])
            if words:
                yield f'{step or " "}[label="{words}"];{end}'
    yield f"}}{end}"


def _factor(part: Subgraph) -> tuple[Subgraph, dict[int, tuple[int, ...]]]:
    """Classes of nodes that look the same from outside, by their first member, and the members by label."""
    before = part.predecessors()
    classes: dict[tuple[frozenset[int], frozenset[int]], list[int]] = {}
    for node in part.nodes:  # by label: the first member is the smallest
        classes.setdefault((frozenset(before[node]), frozenset(part.successors[node])), []).append(node)
    members = {nodes[0]: tuple(nodes) for nodes in classes.values()}
    first_of = {node: first for first, nodes in members.items() for node in nodes}
    position = {node: at for at, node in enumerate(part.nodes)}
    successors = {
        first: tuple(sorted({first_of[end] for end in part.successors[first]}, key=position.__getitem__))
        for first in members
    }
    return Subgraph(tuple(members), successors), members


def _name(output: QueryOutput, members: tuple[int, ...]) -> str:
    """The labels of a node, one below the other, cut where ``--graph:node_limit`` says."""
    limit, labels = output.options.graph_node_limit, output.graph.labels
    text = ""
    for count, node in enumerate(members):
        label = _escaped(output.label_text(labels[node]))
        if count:
            text += "\\n"
            if limit != -1 and len(text) + len(label) > limit - len(_MORE_ITEMS):
                return f"{text}...and {len(members) - count} more items"
        text += label
    return text


def _escaped(text: str) -> str:
    """A text that does not end the string it stands in."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _edge_label(output: QueryOutput, conditions: Conditions, sources: tuple[int, ...], ends: tuple[int, ...]) -> str:
    """The conditions of all edges that one drawn edge stands for, each once."""
    most = output.options.graph_conditional_edges_limit
    if not most:
        return ""
    shown: set[str] = set()
    text = ""
    for source in sources:
        for end in ends:
            keys = conditions.get((source, end), [])
            limit = len(keys) if most == -1 else most - 1
            fresh = [key for key in keys[:limit] if key not in shown]
            shown.update(fresh)
            text += "\\n".join(map(_escaped, fresh)) + ("..." if len(keys) > limit else "")
    return text


def _conditions(output: QueryOutput, part: Subgraph) -> Conditions:
    """(source, end) -> the keys of the select branches that name ``end`` in a list or by itself. A generated file has
    those of its rule, for the edges that both have."""
    graph = output.graph
    found: Conditions = {}
    for node in part.nodes:
        target = graph.target(node)
        rule = graph.target(graph.node(target.rule)) if isinstance(target, OutputFile) else target
        if isinstance(rule, Rule):
            for label, condition in _keyed_labels(rule):
                end, key = graph.find(label), str(condition)
                if condition.label is not None and condition.label.repo:
                    at = output.facts.graph_condition_at
                    key = f"{at}{output.canonical(condition.label.repo)}//{key.partition('//')[2]}"
                if end is not None and key not in found.setdefault((node, end), []):
                    found[(node, end)].append(key)
    return {edge: keys for edge, keys in found.items() if edge[1] in part.successors[edge[0]]}


def _keyed_labels(rule: Rule) -> Iterator[tuple[Label, Condition]]:
    for name, value in rule.values.items():
        attribute = rule.rule_class.attributes.get(name)
        if attribute is not None and attribute.implicit:
            continue
        for selector in selectors(value):
            if not _unconditional(selector):
                for key, branch in selector.branches:
                    items = (branch,) if isinstance(branch, Label) else branch if isinstance(branch, list) else ()
                    for item in items:
                        if isinstance(item, Label):
                            yield item, key


def _unconditional(selector: Selector) -> bool:
    """Whether its only branch is the default."""
    return len(selector.branches) == 1 and selector.branches[0][0].label == DEFAULT_CONDITION
