"""The forms of a tree of modules and of an extension, as real Bazel 7.7.1 prints them, and with our reasons."""

from __future__ import annotations

import json

from bzlgraph.base.gap import Completeness
from bzlgraph.export.mod_formats.as_json import tree_data
from bzlgraph.export.mod_formats.dot_text import dot_text
from bzlgraph.export.mod_formats.extension_text import extension_data, extension_text
from bzlgraph.export.mod_formats.text import tree_text
from bzlgraph.export.pictures.mod_picture import mod_picture
from bzlgraph.export.pictures.picture import ArrowStyle
from bzlgraph.export.save import picture_bytes
from bzlgraph.mod.answer import ModOptions
from bzlgraph.mod.ask import show_extension
from tests.mod.workspace import ask, extensions_workspace

WHERE = extensions_workspace()
EXTENSION = """\
## @@//:ext.bzl%ext:

Fetched repositories:
  - one (imported by <root>)
  - three (imported by <root>)
  - two (imported by <root>)
  - extra

## Usage in <root> from /w/MODULE.bazel:7
ext.tag(name="one", number=3, items=["a", "b"], flag=True)
ext.tag(name="two", label="//:x")
ext.tag(name="three")
use_repo(
  ext,
  "one",
  second="two",
  "three",
)

"""
RULES = """\
## Usage in <root> from /w/MODULE.bazel:20
_repo_rules.//:ext.bzl%thing(text="hello", name="made")
_repo_rules.//:ext.bzl%other(name="made3")
use_repo(
  _repo_rules,
  "made",
  "made3",
)

"""


def shown(text: str, *, reasons: bool = False) -> str:
    answer = show_extension(text, *WHERE, ModOptions())
    return "".join(extension_text(answer, lambda place: f"/w/{place}", reasons=reasons))


def test_text_is_to_the_letter() -> None:
    assert "".join(tree_text(ask(WHERE, "path leaf --include_unused"), "ascii")) == (
        "<root> (mine@0.1)\n|___leaf@1.0 # (unused) \n|___leaf@1.1 # \n\n"
    )


def test_dot_has_frames_for_extensions() -> None:
    found = "".join(dot_text(ask(WHERE, "graph --depth=1 --extension_info=all --from=leaf")))
    assert (
        found
        == """\
digraph mygraph {
  node [ shape=box ]
  edge [ fontsize=8 ]
  "<root>" [ label="<root> (mine@0.1)" ]
  subgraph "cluster_@@//:MODULE.bazel%_repo_rules" {
    label="@@//:MODULE.bazel%_repo_rules"
    "@@//:MODULE.bazel%_repo_rules%made" [ label="made" ]
    "@@//:MODULE.bazel%_repo_rules%made3" [ label="made3" ]
  }
  "<root>" -> "@@//:MODULE.bazel%_repo_rules%made"
  "<root>" -> "@@//:MODULE.bazel%_repo_rules%made3"
  subgraph "cluster_@@//:ext.bzl%ext" {
    label="@@//:ext.bzl%ext"
    "@@//:ext.bzl%ext%one" [ label="one" ]
    "@@//:ext.bzl%ext%three" [ label="three" ]
    "@@//:ext.bzl%ext%two" [ label="two" ]
    "@@//:ext.bzl%ext%extra" [ label="extra" style=dotted ]
  }
  "<root>" -> "@@//:ext.bzl%ext%one"
  "<root>" -> "@@//:ext.bzl%ext%three"
  "<root>" -> "@@//:ext.bzl%ext%two"
  "<root>" -> "leaf@1.1" [  ]
}
"""
    )
    verbose = "".join(dot_text(ask(WHERE, "graph --verbose --include_unused")))
    assert '  "left@1.0" -> "leaf@1.0" [ label=MVS ]\n' in verbose
    assert '  "leaf@1.0" [ shape=box style=dotted ]\n' in verbose
    assert '  "leaf@1.1" [ shape=diamond style=solid ]\n' in "".join(dot_text(ask(WHERE, "explain leaf")))


def test_json_names_what_was_written() -> None:
    root = tree_data(ask(WHERE, "graph --verbose --extension_info=all"))
    assert [*root] == [
        "key", "name", "version", "apparentName", "dependencies", "indirectDependencies", "cycles", "extensionUsages",
        "root",
    ]  # fmt: skip
    leaf, left, _right = root["dependencies"]  # type: ignore[misc]
    assert json.dumps(leaf) == json.dumps(
        {
            "key": "leaf@1.1",
            "name": "leaf",
            "version": "1.1",
            "apparentName": "leaf",
            "originalVersion": "1.0",
            "resolutionReason": "1.0",
            "resolvedRequestedBy": ["right@1.0"],
            "dependencies": [],
            "indirectDependencies": [],
            "cycles": [],
            "extensionUsages": [],
        }
    )
    assert left["dependencies"][0]["unexpanded"] is True
    assert root["extensionUsages"][1] == {  # type: ignore[index]
        "key": "@@//:ext.bzl%ext",
        "unexpanded": False,
        "used_repos": ["one", "three", "two"],
        "unused_repos": ["extra"],
    }


def test_with_reasons_json_says_how_complete_it_is() -> None:
    root = tree_data(ask(WHERE, "graph --extension_info=repos"), Completeness())
    assert root["complete"] is True
    leaf = root["dependencies"][0]  # type: ignore[index]
    assert leaf["asked"] == {"version": "1.0", "location": None}
    assert leaf["requests"] == [{"module": "right@1.0", "location": None}]
    places = [each["line"] for each in root["extensionUsages"][1]["locations"]]  # type: ignore[index]
    assert places == [7, 12]


def test_reasons_stand_beside_the_tree() -> None:
    lines = list(tree_text(ask(WHERE, "graph --depth=1 --extension_info=repos"), reasons=True))
    columns = dict(line.lstrip("│├└─ ").rstrip("\n").split("  ", 1) for line in lines if "  " in line.strip("│ \n"))
    assert columns["two"].strip() == "MODULE.bazel:10 as @second"
    assert columns["$@@//:ext.bzl%ext"].strip() == "MODULE.bazel:7, MODULE.bazel:12"


def test_an_extension_is_shown_with_its_usages() -> None:
    assert shown("//:ext.bzl%ext") == EXTENSION
    assert shown("//:MODULE.bazel%_repo_rules").endswith(RULES)
    assert 'second="two",  # MODULE.bazel:10\n' in shown("//:ext.bzl%ext", reasons=True)


def test_an_extension_for_programs_says_whether_all_is_known() -> None:
    known = extension_data(show_extension("//:ext.bzl%ext", *WHERE, ModOptions()))
    lonely = extension_data(show_extension("//:ext.bzl%lonely", *WHERE, ModOptions()))
    assert (known["all_repositories_known"], lonely["all_repositories_known"]) == (True, False)


def test_a_picture_has_modules_versions_that_lost_and_frames() -> None:
    picture = mod_picture(ask(WHERE, "graph --include_unused --extension_info=all"))
    families = {box.id: box.family for box in picture.boxes}
    assert families["leaf@1.0"] == "replaced version"
    assert families["@@//:ext.bzl%ext%extra"] == "repository that no module imports"
    assert "@@//:ext.bzl%ext" in dict(picture.clusters())
    arrows = {(arrow.source, arrow.target): arrow for arrow in picture.arrows}
    assert arrows["left@1.0", "leaf@1.1"].text == "requests 1.0"
    assert arrows["left@1.0", "leaf@1.0"].style is ArrowStyle.LOST
    assert arrows["<root>", "@@//:ext.bzl%ext%two"].tooltip == "MODULE.bazel:10 as @second"
    assert b"<svg" in picture_bytes(picture, "svg").data
