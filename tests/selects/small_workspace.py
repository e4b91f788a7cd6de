"""A workspace written into a folder, and the selects in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import bzlgraph
from bzlgraph.graph.selects import GraphSelects
from bzlgraph.selects.answer import SelectAnswer
from tests.written_files import write_files

KINDS = """
load("@absent//:defs.bzl", "if_cuda")
load(":defs.bzl", "lib")

config_setting(name = "fast", values = {"define": "fast=1"})
config_setting(name = "slow", values = {"define": "slow=1"})
lib(name = "made")
cc_library(
    name = "plain",
    srcs = ["a.cc"],
)
cc_library(
    name = "kinds",
    srcs = ["a.cc"] + select({
        ":fast": ["b.cc", "c.cc"],
        ":slow": None,
        "//conditions:default": [],
    }),
    copts = select({":fast": ["-O3"] + if_cuda(["-DCUDA"]), "//conditions:default": ["-O0"]}),
    deps = if_cuda([":plain"]) + select({":slow": [":made"]}, no_match_error = "slow only"),
    linkstatic = select({":fast": 1, "//conditions:default": 0}),
)
genrule(
    name = "text",
    outs = ["x"],
    cmd = "a" + select({":fast": "", "//conditions:default": "slow\\n|"}) + "b",
)
"""
DEFS = """
def _inner(name, **kwargs):
    native.cc_library(name = name, **kwargs)

def lib(name):
    _inner(
        name,
        deps = select({
            "//:fast": ["//:plain"],
            "//conditions:default": [],
        }),
    )
"""


def written(folder: Path, files: Mapping[str, str]) -> bzlgraph.Workspace:
    """A workspace with these files."""
    (folder / "WORKSPACE").touch()
    write_files(folder, files)
    return bzlgraph.open(folder, cache=False, jobs=1)


def kinds(folder: Path) -> bzlgraph.Workspace:
    """One of each kind of select."""
    return written(folder, {"BUILD": KINDS, "defs.bzl": DEFS})


def selects_of(workspace: bzlgraph.Workspace, expression: str = "//...") -> SelectAnswer:
    """The answer to ``select``."""
    found = workspace.query(expression).answer
    return SelectAnswer(GraphSelects(found.graph), found.nodes, found.text, found.problems, found.gaps)
