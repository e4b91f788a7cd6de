"""``--output=json`` and ``jsonl``: our own format, with what Bazel's leave out: reasons, conditions, macros, gaps.

The records are described in docs/query_json.md; ``SCHEMA`` names their version. A number is added for a change that
breaks readers; new keys are no such change. JSON is one object with one target per line, JSONL one record per line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bzlgraph.base.gap import Completeness
from bzlgraph.bazel.model import EnvironmentGroup, OutputFile, Package, PackageGroup, Rule, SourceFile, Target
from bzlgraph.export.bazel_view.attributes import AttributeReader, effective_visibility
from bzlgraph.export.plain_data import GAP_KEYS, PROBLEM_KEYS, plain_data, record
from bzlgraph.export.query_formats.options import QueryOutput
from bzlgraph.export.row_formats.row_table import RowTable
from bzlgraph.export.value_text import as_json
from bzlgraph.graph.model import Edge, Term
from bzlgraph.graph.view import GraphView

SCHEMA = "bzlgraph.query/1"


def whole(output: QueryOutput) -> RowTable:
    """For one object: ``schema``, ``query``, ``bazel_version``, ``targets``, ``problems``, ``gaps``, ``complete``."""
    answer = output.answer
    head = {"query": answer.text, "bazel_version": output.facts.version}
    completeness = Completeness(answer.problems, answer.gaps)
    return _table(lambda: _targets(output), head=head, completeness=completeness)


def lines(output: QueryOutput) -> RowTable:
    """For one record per line; ``record`` says what it is: ``target``, ``problem`` or ``gap``."""
    answer = output.answer

    def records() -> Iterator[dict[str, object]]:
        yield from ({"record": "target", **target} for target in _targets(output))
        yield from ({"record": "problem", **record(problem, PROBLEM_KEYS)} for problem in answer.problems)
        yield from ({"record": "gap", **record(gap, GAP_KEYS)} for gap in answer.gaps)

    return _table(records)


def _table(
    records: Callable[[], Iterator[dict[str, object]]],
    head: Mapping[str, object] | None = None,
    completeness: Completeness | None = None,
) -> RowTable:
    return RowTable(
        "query", (), lambda: iter(()), SCHEMA, records, "targets", head=head or {}, completeness=completeness
    )


def _targets(output: QueryOutput) -> Iterator[dict[str, object]]:
    graph, reader, excluded_flags = output.graph, output.reader, output.answer.excluded_flags
    for node in output.ordered():
        label = graph.labels[node]
        target, package = graph.target(node), graph.packages.get((label.repo, label.package))
        shown: dict[str, object] = {
            "label": str(label),
            "kind": graph.kind_words(node),
            "package": label.package_label,
            "location": None if target is None else target.location._asdict(),
        }
        if target is not None and package is not None:
            shown |= _of_kind(reader, target, package)
        if label in output.answer.possible:
            shown["possible"] = True
        yield shown | {"dependencies": _dependencies(graph, node, excluded_flags)}


def _of_kind(reader: AttributeReader, target: Target, package: Package) -> dict[str, object]:
    """What only targets of one kind have."""
    if isinstance(target, Rule):
        return _rule(reader, target, package)
    if isinstance(target, OutputFile):
        return {"generating_rule": str(target.rule)}
    if isinstance(target, PackageGroup):
        return {"packages": list(target.packages), "includes": [str(each) for each in target.includes]}
    if isinstance(target, EnvironmentGroup):
        listed = {"environments": target.environments, "defaults": target.defaults}
        return {name: [str(each) for each in labels] for name, labels in listed.items()}
    assert isinstance(target, SourceFile)
    return {"visibility": as_json(effective_visibility(target.visibility, package))}


def _rule(reader: AttributeReader, rule: Rule, package: Package) -> dict[str, object]:
    shown = [attribute for attribute in reader.read(rule, package) if attribute.explicit]
    made = rule.generator
    return {
        "rule_class": rule.rule_class.name,
        "defined_in": str(rule.rule_class.bzl) if rule.rule_class.bzl else None,
        "attributes": {each.name: {"type": each.type.value, "value": as_json(each.value)} for each in shown},
        "visibility": as_json(effective_visibility(rule.visibility, package)),
        "outputs": [str(output) for output in rule.outputs],
        "macro": plain_data(made),
        "stack": plain_data(rule.stack[::-1]),
        "symbolic_macros": list(rule.macros),
    }


def _dependencies(graph: GraphView, node: int, excluded_flags: int) -> list[dict[str, object]]:
    """The labels a target names, each with every reason."""
    found: dict[int, list[dict[str, object]]] = {}
    for number in graph.edges_from(node):
        if not graph.columns.edge_flags[number] & excluded_flags:
            edge = graph.edge(number)
            found.setdefault(edge.target, []).append(_reason(edge))
    labels = graph.labels
    return [{"label": str(labels[end]), "reasons": found[end]} for end in sorted(found, key=labels.__getitem__)]


def _reason(edge: Edge) -> dict[str, object]:
    when = [_term(term) for term in edge.condition]
    return {"attribute": edge.attribute, "when": when, "flags": plain_data(edge.flags)}


def _term(term: Term) -> dict[str, object]:
    """A condition: its label, or the call that cannot be evaluated; for the default what must not hold."""
    label = term.condition.label
    shown = {"label": None if label is None else str(label), "unknown": term.condition.unknown or None}
    return shown | ({"unless": [str(other) for other in term.others]} if term.is_default and term.others else {})
