"""Where repositories come from: the lines of files that lead to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.context.contexts import RepositoryCall
from bzlgraph.bzlmod.module import ROOT, ModuleFile, ModuleKey
from bzlgraph.export.origin_text import origin_lines
from bzlgraph.questions.origins import repository_origin
from bzlgraph.questions.paths import ask_why
from bzlgraph.questions.session import open_session
from bzlgraph.workspace.repositories.find_origin import origin_of
from bzlgraph.workspace.repositories.origin import Origin
from tests.bzlmod.graphs import module_files, resolved
from tests.mod.workspace import extensions_workspace

RESOLVED = extensions_workspace()[0].resolved


def lines(origin: Origin | None) -> list[str]:
    assert origin is not None
    return origin_lines(origin)


def test_a_macro_of_workspace_is_shown_with_the_line_that_calls_it(tmp_path: Path) -> None:
    (tmp_path / "deps.bzl").write_text('def deps():\n    native.local_repository(name = "lib", path = "lib")\n')
    (tmp_path / "WORKSPACE").write_text('load("//:deps.bzl", "deps")\n\ndeps()\n')
    (tmp_path / "BUILD").write_text('filegroup(name = "a", srcs = ["@lib//:x"])\nfilegroup(name = "b")\n')
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "BUILD").write_text('exports_files(["x", "y"])\n')
    (tmp_path / "lib" / "WORKSPACE").write_text("")
    session = open_session(tmp_path)
    said = ["Repository @lib: made by local_repository, WORKSPACE:3 > deps.bzl:2."]
    for target in ("@lib//:x", "@lib//:y"):  # a target of it that is needed, and one that is not
        assert lines(ask_why(session, target).answer.origin) == said
    assert ask_why(session, "//:b").answer.origin is None
    assert lines(repository_origin(session.loader.workspace, "local_config_cc")) == [
        "Repository @local_config_cc: made by cc_autoconf, which Bazel adds to every WORKSPACE."
    ]
    assert repository_origin(session.loader.workspace, "nobody") is None


def test_a_bare_repository_stands_for_the_nearest_target_of_it(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text(
        "".join(f'local_repository(name = "{name}", path = "{name}")\n' for name in ("lib", "idle", "own"))
    )
    (tmp_path / "BUILD").write_text('filegroup(name = "a", srcs = ["@lib//p:x", "@own//:own"])\n')
    for name in ("lib", "idle", "own"):
        (tmp_path / name / "p").mkdir(parents=True)
        (tmp_path / name / "WORKSPACE").touch()
        (tmp_path / name / "p" / "BUILD").write_text('filegroup(name = "x", srcs = [":y"])\nfilegroup(name = "y")\n')
    (tmp_path / "own" / "BUILD").write_text('filegroup(name = "own")\n')
    session = open_session(tmp_path)
    needed = ask_why(session, "@lib")
    assert str(needed.answer.target.label) == "@lib//p:x"
    assert needed.notes[-1] == "note: nothing depends on @lib//:lib; this is the nearest target in @lib"
    idle = ask_why(session, "@idle")
    assert not idle.answer.found
    assert idle.notes[-1] == "note: nothing depends on a target of @idle"
    assert lines(idle.answer.origin) == ["Repository @idle: made by local_repository, WORKSPACE:2."]
    assert ask_why(session, "@own").notes == ()


def test_a_bare_repository_may_be_one_that_an_unknown_macro_defines(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text('load("@rules//:defs.bzl", "hub_install")\nhub_install()\n')
    (tmp_path / "BUILD").write_text('filegroup(name = "a", srcs = ["@hub//:x", "@hub//:y"])\n')
    session = open_session(tmp_path)
    needed = ask_why(session, "@hub")
    assert str(needed.answer.target.label) == "@hub//:x"
    nearest = "this is the most used of the 2 nearest targets in @hub, before @hub//:"
    assert needed.notes[-1] == f"note: nothing depends on @hub//:hub; {nearest}y"
    maker = r"an unknown macro may define it: hub_install\(\) of @rules//:defs.bzl is unknown \(WORKSPACE:2:"
    with pytest.raises(LoadProblem, match=maker):
        ask_why(session, "@hubb")
    named = tmp_path / "BUILD"
    named.write_text(
        named.read_text() + 'filegroup(name = "b", srcs = [":a", "@hub"])\nfilegroup(name = "c", srcs = [":b"])\n'
    )
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "BUILD").write_text('filegroup(name = "p", srcs = ["@hub//:y"])\n')
    most_used = ask_why(open_session(tmp_path), "@hub", "//:a //p")
    assert str(most_used.answer.target.label) == "@hub//:y"
    assert most_used.notes[-1] == f"note: nothing depends on @hub//:hub; {nearest}x"
    by_name = ask_why(open_session(tmp_path), "@hub", "//:c")
    assert (str(by_name.answer.target.label), by_name.notes) == ("@hub//:hub", ())
    whether = ask_why(session, "@hub//:z").answer.no_way
    assert whether is not None
    assert "an unknown macro may define it: hub_install()" in str(whether)


def test_a_bare_repository_may_be_there_for_what_is_loaded_from_it(tmp_path: Path) -> None:
    """As tulsi: an unknown macro of WORKSPACE defines @swift, and only load() names it."""
    (tmp_path / "WORKSPACE").write_text('load("@rules//:defs.bzl", "repositories")\nrepositories()\n')
    (tmp_path / "BUILD").write_text('load("@swift//:swift.bzl", "swift_library")\nswift_library(name = "swifty")\n')
    session = open_session(tmp_path)
    loaded = ask_why(session, "@swift")
    assert loaded.notes[-1] == "note: nothing depends on a target of @swift, but BUILD loads .bzl files from it"
    no_way = loaded.answer.no_way
    assert no_way is not None
    assert "an unknown macro may define it: repositories()" in no_way.missing
    with pytest.raises(LoadProblem, match="an unknown macro may define it"):
        ask_why(session, "@swift//:swift")


def test_a_bare_hub_that_nothing_needs_is_told_with_what_makes_it(tmp_path: Path) -> None:
    """As theseed: nobody typed the target that is "not pinned by the lock file"."""
    (tmp_path / "MODULE.bazel").write_text(
        'bazel_dep(name = "rules_jvm_external", version = "6.0")\n'
        'maven = use_extension("@rules_jvm_external//:extensions.bzl", "maven")\n'
        'maven.install(artifacts = ["a:b:1"])\nuse_repo(maven, "maven")\n'
    )
    (tmp_path / "BUILD").write_text('filegroup(name = "maven")\n')
    asked = ask_why(open_session(tmp_path), "@maven")
    assert asked.notes[-1] == "note: nothing depends on a target of @maven"
    assert asked.answer.no_way.similar == ()
    assert lines(asked.answer.origin)[1:2] == [
        " ├ use_extension  @@rules_jvm_external~//:extensions.bzl%maven  MODULE.bazel:2"
    ]
    with pytest.raises(LoadProblem, match="is not pinned by the lock file"):
        ask_why(open_session(tmp_path), "@maven//:x")


def test_a_module_is_there_by_the_shortest_way_of_dependencies() -> None:
    graph = {"": "a@1 b@1", "a@1": "c@1", "b@1": "c@2", "c@1": "z@1", "c@2": "z@1", "z@1": ""}
    placed = {key: _placed(file, key) for key, file in module_files(graph).items()}
    found = resolved(graph, files=placed)
    assert lines(origin_of("z~", "z~", None, found)) == [
        "Repository @z~: module z@1.",
        " ├ bazel_dep  a@1  MODULE.bazel:1",
        " ├ bazel_dep  c@2  a/MODULE.bazel:1  requests 1: 2 is requested by b@1",
        " └ bazel_dep  z@1  c/MODULE.bazel:1",
    ]
    assert (
        lines(origin_of("c~", "c~", None, found))[-1] == "Also requested elsewhere: b@1 requests 2 (b/MODULE.bazel:1)."
    )


def _placed(file: ModuleFile, key: ModuleKey) -> ModuleFile:
    path = "MODULE.bazel" if key == ROOT else f"{key.name}/MODULE.bazel"
    dependencies = (replace(each, location=Location(path, n, 1)) for n, each in enumerate(file.dependencies, 1))
    return replace(file, dependencies=tuple(dependencies))


def test_a_repository_of_an_extension_is_there_by_its_tag() -> None:
    rule = RepositoryCall("two", "thing", Label("", "", "ext.bzl"), {}, Location("ext.bzl", 9, 5))
    assert lines(origin_of("second", "_main~ext~two", rule, RESOLVED)) == [
        "Repository @second: made by thing of the extension @@//:ext.bzl%ext.",
        " ├ use_extension  @@//:ext.bzl%ext  MODULE.bazel:7",
        " ├ tag            ext.tag           MODULE.bazel:9",
        " ├ use_repo       two as @second    MODULE.bazel:10",
        " └ thing          two               ext.bzl:9",
    ]


def test_a_repository_that_no_tag_names_may_come_from_any() -> None:
    said = lines(origin_of("_main~ext~extra", "_main~ext~extra", None, RESOLVED))
    assert said[0] == "Repository @_main~ext~extra: made by the extension @@//:ext.bzl%ext."
    assert said[-1] == " └ tag            3 tags            MODULE.bazel:8   none names it"


def test_a_repository_rule_of_the_module_file_is_a_line_of_it() -> None:
    (said,) = lines(origin_of("made", "_main~_repo_rules~made", None, RESOLVED))[1:]
    assert said == " └ thing  made  MODULE.bazel:20"
