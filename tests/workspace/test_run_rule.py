"""Repository rules run in memory: what they write is the repository."""

from __future__ import annotations

import zipfile

import pytest

from bzlgraph.workspace.workspace import open_workspace
from tests.workspace.rule_workspace import opened, package, repository, texts

MARK = '# DO NOT EDIT: automatically generated WORKSPACE file for r rule\nworkspace(name = "x")\n'

# What is written


def test_files_and_templates_are_written():
    found = repository(
        """
        ctx.file("BUILD", "filegroup(name = 'a')")
        ctx.template("sub/b.bzl", Label("//:b.tpl"), {"%{n}": "1", "%{m}": "%{n}"})
        """,
        more="--- b.tpl\nN = %{n} + %{m}",
    )
    assert texts(found) == {"BUILD": "filegroup(name = 'a')", "sub/b.bzl": "N = 1 + %{n}\n"}
    assert (found.present, found.gaps, found.problems, found.way) == (True, (), (), "evaluated")


def test_attributes_have_their_types_and_defaults():
    found = repository(
        """
        a = ctx.attr
        ctx.file("out", "\\n".join([repr(each) for each in [
            a.name, a.text, a.flag, a.number, a.one, a.many, a.keyed, a._private, a.none, a.words,
        ]]))
        """,
        """{
            "text": attr.string(default = "t"),
            "flag": attr.bool(),
            "number": attr.int(default = 3),
            "one": attr.label(),
            "many": attr.label_list(),
            "keyed": attr.label_keyed_string_dict(),
            "none": attr.label(),
            "words": attr.string_list_dict(),
            "_private": attr.label(default = "//tools:private"),
        }""",
        'one = "//p:q", many = [":a", "@y//:z"], keyed = {"//p": "v"}, flag = 1',
        bazel_version="5.4.0",
    )
    assert texts(found)["out"].split("\n") == [
        '"x"',
        '"t"',
        "True",
        "3",
        'Label("//p:q")',
        '[Label("//external:a"), Label("@y//:z")]',
        '{Label("//p:p"): "v"}',
        'Label("//tools:private")',
        "None",
        "{}",
    ]


def test_a_linked_folder_is_the_repository():
    """As TensorFlow's tf_vendored does with third_party/xla."""
    workspace = opened(
        """
        path = ctx.path(ctx.attr.parent).dirname
        for part in ctx.attr.relpath.split("/"):
            path = path.get_child(part)
        ctx.symlink(path, ".")
        """,
        '{"parent": attr.label(default = "//:WORKSPACE"), "relpath": attr.string()}',
        'relpath = "third_party/xla"',
        "--- third_party/xla/WORKSPACE\n--- third_party/xla/BUILD\nfilegroup(name = 'all', srcs = glob(['**/*.cc']))\n"
        "--- third_party/xla/xla/a.cc",
    )
    assert package(workspace).targets["all"].values["srcs"] == [("x", "", "xla/a.cc")]
    assert workspace.repository("x").present


def test_paths_answer_for_the_checkout():
    found = repository(
        """
        here = ctx.path(Label("//:WORKSPACE")).dirname
        folder = here.get_child("lib")
        ctx.file("out", "\\n".join([
            str(folder.exists), str(here.get_child("nothing").exists), str(folder.is_dir), folder.basename,
            ",".join([each.basename for each in folder.readdir()]), str(folder == here.get_child("lib")),
            ctx.read(folder.get_child("a")).strip(), str(ctx.path("sub/../sub/b").dirname.basename), ctx.name,
            str(ctx.workspace_root == here), str(folder.realpath == folder),
        ]))
        """,
        more="--- lib/a\ntext\n--- lib/b/c",
    )
    assert texts(found)["out"].split("\n") == [
        "True", "False", "True", "lib", "a,b", "True", "text", "sub", "x", "True", "True",
    ]  # fmt: skip


def test_what_is_written_can_be_changed():
    found = repository(
        """
        ctx.file("a/b", "1")
        ctx.rename("a/b", "c")
        ctx.symlink("c", "d")
        ctx.file("gone", "")
        ctx.file("state", str([ctx.delete("gone"), ctx.delete("gone"), ctx.read("d")]))
        """
    )
    assert texts(found) == {"c": "1", "d": "1", "state": '[True, False, "1"]'}


def test_the_host_is_nominal_and_the_environment_is_given():
    code = """
    ctx.file("out", " ".join([
        ctx.os.name, ctx.os.arch, ctx.os.environ.get("A", "-"), str(ctx.os.environ.get("HOME")),
        ctx.getenv("A", "-"), str(ctx.getenv("B")), ctx.execute(["uname", "-s"]).stdout.strip(),
    ]))
    """
    linux = repository(code, repo_env=(("A", "1"),))
    assert texts(linux)["out"] == "linux amd64 1 None 1 None Linux"
    assert linux.assumptions == ("uname -s prints Linux",)
    assert texts(repository(code, host_os="macos", host_arch="arm64"))["out"].startswith("mac os x aarch64 - None")


def test_a_build_file_that_the_rule_copies_is_found_where_people_wrote_it():
    workspace = opened(
        "ctx.symlink(ctx.attr.build_file, 'BUILD')",
        '{"build_file": attr.label()}',
        'build_file = "//:x.BUILD"',
        "--- x.BUILD\nfilegroup(name = 'a')",
    )
    found = package(workspace)
    assert (str(found.build_file), found.targets["a"].location.path) == ("@x//:BUILD", "x.BUILD")


def test_patches_are_applied():
    found = repository(
        """
        ctx.file("a.txt", "one\\ntwo\\n")
        ctx.file("p", "--- a/a.txt\\n+++ b/a.txt\\n@@ -1,2 +1,2 @@\\n one\\n-two\\n+three\\n")
        ctx.patch("p", strip = 1)
        ctx.delete("p")
        """
    )
    assert texts(found) == {"a.txt": "one\nthree\n"}
    wrong = repository("ctx.file('p', '--- a\\n+++ ../../a\\n@@ -0,0 +1 @@\\n+x\\n')\nctx.patch('p')")
    assert len(wrong.problems) == 1


def test_archives_of_the_checkout_are_read_in_place(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("top/BUILD", "filegroup(name = 'a', srcs = glob(['*.cc']))")
        archive.writestr("top/a.cc", "")
    (tmp_path / "WORKSPACE").write_text('load("//:r.bzl", "r")\nr(name = "x")\n')
    (tmp_path / "BUILD").write_text("")
    (tmp_path / "r.bzl").write_text(
        "def _impl(ctx):\n"
        "    ctx.file('b.cc', '')\n"
        "    ctx.symlink(Label('//:a.zip'), 'linked.zip')\n"
        "    ctx.extract('linked.zip', stripPrefix = 'top')\n"
        "r = repository_rule(implementation = _impl)\n"
    )
    found = package(open_workspace(tmp_path))
    assert [each.name for each in found.targets["a"].values["srcs"]] == ["a.cc", "b.cc"]


@pytest.mark.parametrize(
    ("version", "marks", "lacks"),
    [
        ("4.2.3", {"WORKSPACE": MARK}, True),
        ("7.7.1", {"REPO.bazel": "", "WORKSPACE": ""}, False),
        ("8.0.0", {"REPO.bazel": ""}, False),
    ],
)
def test_versions_of_bazel_differ(version: str, marks: dict[str, str], lacks: bool):
    options = {"bazel_version": version, "enable_bzlmod": False, "enable_workspace": True}
    found = repository("ctx.file('out', str(not hasattr(ctx, 'getenv')))", **options)
    source = found.tree.source
    assert {each: source.read(each).decode() for each in source.entries("")[0]} == {**marks, "out": str(lacks)}


def test_links_lead_to_what_they_name():
    found = repository(
        """
        ctx.symlink(ctx.path(Label("//:WORKSPACE")).dirname.get_child("lib"), "all/linked")
        real = ctx.path("all/linked/b").realpath
        ctx.file("out", str([real.basename, real.dirname.basename, real == ctx.path(Label("//:lib/b")), real.exists]))
        """,
        more="--- lib/b",
    )
    assert texts(found)["out"] == '["b", "lib", True, True]'
