"""What aspects bring, native ones and those of .bzl files, in the places where Bazel prints it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.export.bazel_view.asking import ask

_BZL = """
def _nothing(target, ctx):
    return []

below = aspect(implementation = _nothing, attrs = {"_low": attr.label(default = "//:low")})
above = aspect(
    implementation = _nothing,
    attrs = {
        "_zeta": attr.label(default = "//:zeta"),
        "_own": attr.label(default = "//:alpha"),
        "_text": attr.string(default = "//:text"),
    },
    requires = [below],
)
ruled = rule(
    implementation = _nothing,
    attrs = {"deps": attr.label_list(aspects = [above]), "_own": attr.label(default = "//:own")},
)
"""
_BUILD = """
load(":defs.bzl", "ruled")

[filegroup(name = name) for name in ("alpha", "low", "own", "zeta")]
ruled(name = "bare")
java_lite_proto_library(name = "lite")
"""


def _inputs(tree: Path, label: str, *options: str) -> list[str]:
    (tree / "WORKSPACE").touch()
    (tree / "BUILD").write_text(_BUILD)
    (tree / "defs.bzl").write_text(_BZL)
    version = "7.7.1" if label == "//:bare" else "4.2.3"  # which has no aspect(requires = ...)
    return re.findall(r'<rule-input name="(.*?)"', ask(tree, version, label, "--output=xml", *options))


def test_own_inputs_are_sorted_those_of_aspects_are_not(tmp_path: Path) -> None:
    """Also where nobody wrote the attribute, and where the rule has an attribute of the same name."""
    assert _inputs(tmp_path, "//:bare") == ["//:own", "//:low", "//:zeta", "//:alpha"]


def test_a_native_rule_and_its_aspect_may_need_the_same(tmp_path: Path) -> None:
    lite, tools = "@com_google_protobuf//:javalite_toolchain", "@bazel_tools//tools/jdk:current_java_toolchain"
    assert _inputs(tmp_path, "//:lite") == [tools, lite, lite, tools]


def test_nobody_wrote_what_aspects_bring(tmp_path: Path) -> None:
    assert _inputs(tmp_path, "//:lite", "--noimplicit_deps") == []
    assert _inputs(tmp_path, "//:bare", "--noimplicit_deps") == []


def test_an_aspect_that_bazel_predeclares_brings_its_own(tmp_path: Path) -> None:
    """Bazel 7 has `cc_proto_aspect` in .bzl files: those that require it have its attributes first."""
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "defs.bzl").write_text(_BZL.replace("requires = [below]", "requires = [cc_proto_aspect]"))
    (tmp_path / "BUILD").write_text('load(":defs.bzl", "ruled")\nruled(name = "bare")\n')
    shown = re.findall(r'<rule-input name="(.*?)"', ask(tmp_path, "7.7.1", "//:bare", "--output=xml"))
    proto = ["@bazel_tools//tools/cpp:current_cc_toolchain", "@bazel_tools//tools/proto:cc_toolchain"]
    assert shown == ["//:own", *proto, "//:zeta", "//:alpha"]
