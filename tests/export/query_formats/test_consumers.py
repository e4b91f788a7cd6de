"""Every structured output is read back by a program that people would read it with, and says the same there."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import bzlgraph
from bzlgraph.cli.output_options import OUTPUTS, workspace_places
from bzlgraph.export.query_formats import build_pb2
from bzlgraph.export.query_formats.formats import FORMATS, write
from bzlgraph.export.query_formats.options import OutputOptions, QueryOutput
from bzlgraph.export.query_formats.records import SCHEMA

SELECTS = Path(__file__).parents[2] / "workspaces" / "selects"


@pytest.fixture(scope="module")
def workspace():
    return bzlgraph.open(SELECTS, bazel_version="4.2.3", cache=False)


@pytest.fixture(scope="module")
def answer(workspace):
    return workspace.query("//...:* - //dictionaries:all").answer


@pytest.fixture(scope="module")
def labels(answer) -> set[str]:
    return {str(label) for label in answer}


@pytest.fixture(scope="module")
def printed(workspace, answer):
    def of(name: str, **options) -> bytes:
        places = workspace_places(workspace.loader.workspace)
        output = QueryOutput(answer, OutputOptions(**options), workspace.loader.workspace.facts, places)
        return b"".join(write(name, output))

    return of


def test_the_command_line_offers_what_there_is() -> None:
    assert list(OUTPUTS) == list(FORMATS)


def test_inputs_in_repositories_that_nobody_knows_stand_where_their_names_do(tmp_path) -> None:
    (tmp_path / "MODULE.bazel").write_text("")
    named = '"@unseen//:x", "@bazel_tools//src/conditions:darwin", ":b", "@another//:q"'
    (tmp_path / "BUILD").write_text(f'filegroup(name = "a", srcs = [{named}])\nfilegroup(name = "b")\n')
    workspace = bzlgraph.open(tmp_path, bazel_version="7.7.1", cache=False)
    places = workspace_places(workspace.loader.workspace)
    canonical, facts = workspace.loader.workspace.map_repository.canonical, workspace.loader.workspace.facts
    output = QueryOutput(workspace.query("//:a").answer, OutputOptions(), facts, places, canonical=canonical)
    (target,) = build_pb2.QueryResult.FromString(b"".join(write("proto", output))).target
    unknown = "@@[unknown repo '{}' requested from @@]//:{}".format
    tools = "@bazel_tools//src/conditions:darwin"
    assert list(target.rule.rule_input) == ["//:b", unknown("another", "q"), tools, unknown("unseen", "x")]


def test_proto_is_read_by_the_protobuf_library(printed, labels) -> None:
    result = build_pb2.QueryResult.FromString(printed("proto"))
    by_name = {_name(target): target for target in result.target}
    assert set(by_name) == labels
    lib = by_name["//:lib"].rule
    assert lib.rule_class == "cc_library"
    assert list(lib.rule_input)[:3] == ["//:a.cc", "//:fast", "//:fast.cc"]
    srcs = next(attribute for attribute in lib.attribute if attribute.name == "srcs")
    assert srcs.type == build_pb2.Attribute.LABEL_LIST
    assert list(srcs.string_list_value) == ["//:a.cc", "//:fast.cc", "//:slow.cc", "//:z.cc", "//:more.cc"]


def test_selects_stay_selects_in_proto_when_asked(printed) -> None:
    result = build_pb2.QueryResult.FromString(printed("proto", proto_flatten_selects=False))
    lib = next(target.rule for target in result.target if target.rule.name == "//:lib")
    copts = next(attribute for attribute in lib.attribute if attribute.name == "copts")
    assert copts.type == build_pb2.Attribute.SELECTOR_LIST
    (selector,) = copts.selector_list.elements
    assert [(entry.label, list(entry.string_list_value)) for entry in selector.entries] == [
        ("//:fast", ["-O3"]),
        ("//:opt", ["-O2"]),
    ]
    assert (selector.has_default_value, selector.no_match_error) == (False, "neither")


def test_what_proto_options_leave_out(printed) -> None:
    options = {
        "proto_default_values": False,
        "proto_locations": False,
        "proto_rule_inputs_and_outputs": False,
        "proto_instantiation_stack": True,
        "proto_output_rule_attrs": ("name", "deps"),
    }
    result = build_pb2.QueryResult.FromString(printed("proto", **options))
    wrapped = next(target.rule for target in result.target if target.rule.name == "//:wrapped")
    assert [attribute.name for attribute in wrapped.attribute] == ["deps", "name"]
    assert (wrapped.location, list(wrapped.rule_input)) == ("", [])
    assert [text.partition(": ")[2] for text in wrapped.instantiation_stack] == ["<toplevel>", "wrapped"]


def test_streamed_proto_is_a_message_after_its_length(printed, labels) -> None:
    from google.protobuf.internal.decoder import _DecodeVarint32 as read_varint

    data, position, names = printed("streamed_proto"), 0, set()
    while position < len(data):
        size, position = read_varint(data, position)
        names.add(_name(build_pb2.Target.FromString(data[position : position + size])))
        position += size
    assert names == labels


def test_jsonproto_is_read_by_json_and_by_protobuf(printed) -> None:
    from google.protobuf.json_format import ParseDict

    messages = [ParseDict(each, build_pb2.Target()) for each in json.loads(printed("jsonproto"))]
    assert messages == list(build_pb2.QueryResult.FromString(printed("proto")).target)
    lines = printed("streamed_jsonproto").decode().splitlines()
    assert [ParseDict(json.loads(line), build_pb2.Target()) for line in lines] == messages


def test_xml_is_read_by_lxml(printed, labels) -> None:
    from lxml import etree

    root = etree.fromstring(printed("xml"))
    assert (root.tag, root.get("version")) == ("query", "2")
    assert {element.get("name") for element in root} == labels
    assert root.xpath('rule[@name="//:lib"]/list[@name="copts"]/string/@value') == ["-O3", "-O2"]
    assert root.xpath('rule[@name="//:which"]/label[@name="actual"]/@configurable') == ["yes"]


def test_graph_is_read_by_graphviz(printed, labels) -> None:
    import pygraphviz

    graph = pygraphviz.AGraph(string=printed("graph", graph_factored=False).decode())
    assert set(graph.nodes()) == labels
    assert graph.get_edge("//:which", "//:lib").attr["label"] == "//:fast"
    factored = pygraphviz.AGraph(string=printed("graph").decode())
    assert {label for node in factored.nodes() for label in node.split("\\n")} == labels
    assert len(factored) < len(graph)


def test_graphml_is_read_by_networkx(printed, labels) -> None:
    import networkx

    graph = networkx.parse_graphml(printed("graphml").decode())
    assert set(graph) == labels
    assert graph.edges["//:lib", "//:fast.cc"]["conditions"] == "//:fast"


def test_json_is_read_by_json_and_says_why(printed, labels, answer) -> None:
    data = json.loads(printed("json"))
    assert (data["schema"], data["query"], data["bazel_version"]) == (SCHEMA, answer.text, "4.2.3")
    targets = {target["label"]: target for target in data["targets"]}
    assert set(targets) == labels
    lib = targets["//:lib"]
    reasons = {each["label"]: each["reasons"] for each in lib["dependencies"]}
    assert reasons["//:slow.cc"] == [
        {
            "attribute": "srcs",
            "when": [{"label": "//conditions:default", "unknown": None, "unless": ["//:fast"]}],
            "flags": [],
        }
    ]
    assert lib["attributes"]["copts"]["value"]["sum"][0]["no_match_error"] == "neither"
    wrapped = targets["//:wrapped"]
    assert wrapped["macro"]["function"] == "wrapped"
    assert [frame["function"] for frame in wrapped["stack"]] == ["<toplevel>", "wrapped"]
    assert data["complete"] is (not data["gaps"] and not data["problems"])


def test_jsonl_has_the_records_of_json(printed) -> None:
    whole = json.loads(printed("json"))
    records = [json.loads(line) for line in printed("jsonl").splitlines()]
    kinds = [("target", "targets"), ("problem", "problems"), ("gap", "gaps")]
    for word, key in kinds:
        assert [each for each in records if each["record"] == word] == [{"record": word, **each} for each in whole[key]]


def test_csv_is_read_by_csv_and_pandas(printed, labels) -> None:
    import pandas

    text = printed("csv").decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["label"] for row in rows} == labels
    frame = pandas.read_csv(io.StringIO(text))
    assert frame.set_index("label").loc["//:lib", "kind"] == "cc_library rule"


def test_parquet_is_read_by_pyarrow_and_pandas(printed, labels) -> None:
    import pandas
    from pyarrow import parquet

    data = printed("parquet")
    table = parquet.read_table(io.BytesIO(data))
    assert set(table.column("label").to_pylist()) == labels
    frame = pandas.read_parquet(io.BytesIO(data)).set_index("label")
    assert frame.loc["//:wrapped", "macro"] == "wrapped"
    assert "//other:here" in list(frame.loc["//:wrapped", "dependencies"])


def test_markdown_and_table_have_a_row_per_target(printed, labels) -> None:
    _, rule, *rows = printed("markdown").decode().splitlines()
    assert rule == "|---|---|---|---|---|"
    assert {row.split("|")[1].strip() for row in rows} == labels
    head, *lines = printed("table").decode().splitlines()
    assert {line.split()[0] for line in lines} == labels
    assert {line.index("//", 1) for line in lines} == {head.index("package")}


def test_lines_end_with_a_zero_byte_when_asked(printed, labels) -> None:
    assert set(printed("label", line_terminator="\0").decode().rstrip("\0").split("\0")) == labels


def _name(target: build_pb2.Target) -> str:
    return (target.rule.name or target.source_file.name or target.generated_file.name) or target.package_group.name
