"""What proto says, when asked, of where a rule and its attributes come from. 4.2.3 and 7.7.1 were asked, with and
without --relative_locations; the aspects of 7.7.1 only, which alone has the option."""

from __future__ import annotations

from pathlib import Path

import bzlgraph
from bzlgraph.cli.output_options import workspace_places
from bzlgraph.export.query_formats import build_pb2
from bzlgraph.export.query_formats.formats import write
from bzlgraph.export.query_formats.options import OutputOptions, QueryOutput
from tests.written_files import write_files

MACROS = """
def _impl(ctx):
    return []

marked = rule(_impl)

def one(name):
    native.filegroup(name = name)
"""
ASPECTS = """
def _impl(*_):
    return []

first = aspect(
    implementation = _impl,
    attr_aspects = ["deps"],
    attrs = {"_tool": attr.label(default = "//:tool"), "_only": attr.label(default = "//:tool")},
)
second = aspect(
    implementation = _impl,
    attr_aspects = ["deps"],
    attrs = {"_tool": attr.label(default = "//:other")},
    requires = [first],
)
applies = rule(_impl, attrs = {"deps": attr.label_list(aspects = [second]), "_tool": attr.label(default = "//:own")})
"""
OURS = 'load("//p:p.bzl", "one", "marked")\none(name = "x")\nmarked(name = "y")\n'
THEIRS = OURS.replace("//p:p.bzl", "@main//p:p.bzl")


def _rules(tree: Path, files: dict[str, str], question: str, bazel: str, **options: bool) -> dict[str, build_pb2.Rule]:
    write_files(tree, files)
    workspace = bzlgraph.open(tree, bazel_version=bazel, cache=False)
    places = workspace_places(workspace.loader.workspace)
    facts = workspace.loader.workspace.facts
    output = QueryOutput(workspace.query(question).answer, OutputOptions(**options), facts, places)
    targets = build_pb2.QueryResult.FromString(b"".join(write("proto", output))).target
    return {each.rule.name: each.rule for each in targets}


def test_stacks_are_relative_in_the_repository_of_the_rule_only(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": 'workspace(name = "main")\nlocal_repository(name = "r", path = "r")\n',
        "p/BUILD": OURS.replace("//p:p.bzl", "@r//q:q.bzl"),
        "p/p.bzl": MACROS,
        "r/WORKSPACE": "",
        "r/BUILD": THEIRS,
        "r/q/BUILD": OURS.replace("//p:p.bzl", "//q:q.bzl"),
        "r/q/q.bzl": MACROS,
    }
    options = {"proto_instantiation_stack": True, "proto_definition_stack": True, "relative_locations": True}
    rules = _rules(tmp_path, files, "//p:all + @r//...", "4.2.3", **options)
    main, other = f"{tmp_path}/", f"{tmp_path}/r/"
    assert {name: [*rule.instantiation_stack, *rule.definition_stack] for name, rule in rules.items()} == {
        "//p:x": ["p/BUILD:2:4: <toplevel>", f"{other}q/q.bzl:8:21: one"],
        "//p:y": ["p/BUILD:3:7: <toplevel>", f"{other}q/q.bzl:5:14: <toplevel>"],
        "@r//:x": ["BUILD:2:4: <toplevel>", f"{main}p/p.bzl:8:21: one"],
        "@r//:y": ["BUILD:3:7: <toplevel>", f"{main}p/p.bzl:5:14: <toplevel>"],
        "@r//q:x": ["q/BUILD:2:4: <toplevel>", "q/q.bzl:8:21: one"],
        "@r//q:y": ["q/BUILD:3:7: <toplevel>", "q/q.bzl:5:14: <toplevel>"],
    }


def test_attributes_of_aspects_name_the_aspect(tmp_path: Path) -> None:
    build = 'load(":a.bzl", "applies")\napplies(name = "x")\ncc_proto_library(name = "cc")\n'
    build += "".join(f'filegroup(name = "{name}")\n' for name in ("tool", "other", "own"))
    files = {"WORKSPACE": "", "BUILD": build, "a.bzl": ASPECTS}
    rules = _rules(tmp_path, files, "//:all", "7.7.1", proto_include_attribute_source_aspects=True)
    tools = [each for each in rules["//:x"].attribute if each.name in ("$tool", "$only")]
    assert [(each.name, each.string_value, each.source_aspect_name) for each in tools] == [
        ("$tool", "//:own", ""),
        ("$only", "//:tool", "//:a.bzl%first"),
        ("$tool", "//:tool", "//:a.bzl%first"),
        ("$tool", "//:other", "//:a.bzl%second"),
    ]
    native = "@@_builtins//:common/cc/cc_proto_library.bzl%cc_proto_aspect"
    toolchains = [each for each in rules["//:cc"].attribute if each.name == ":aspect_cc_proto_toolchain"]
    assert [each.source_aspect_name for each in toolchains] == ["", native]
