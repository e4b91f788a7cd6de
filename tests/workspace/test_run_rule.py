"""Repository rules run in memory: what they write is the repository, what they cannot know is said."""

from __future__ import annotations

import zipfile

import pytest

from bzlgraph.bazel.model import Package, Rule, SelectorList
from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.repositories.table import Repository
from bzlgraph.workspace.sources.source import DiskSource, MemorySource
from bzlgraph.workspace.workspace import Workspace, open_workspace
from tests.bazel.memory_workspace import files_of


def opened(implementation: str, attrs: str = "{}", call: str = "", more: str = "", **options: object) -> Workspace:
    """A workspace whose WORKSPACE calls one rule, ``r``, for a repository ``x``."""
    body = "\n".join(f"    {line}" for line in implementation.strip("\n").split("\n"))
    files = {
        "WORKSPACE": f'load("//:r.bzl", "r")\nr(name = "x", {call})\n'.encode(),
        "BUILD": b"",
        "r.bzl": f"def _impl(ctx):\n{body}\n\nr = repository_rule(implementation = _impl, attrs = {attrs})\n".encode(),
        **files_of(more),
    }
    return open_workspace(".", _options(options), MemorySource(files))


def _options(options: dict[str, object]) -> Options:
    general = {name: options.pop(name) for name in ("bazel_version", "enable_bzlmod") if name in options}
    return Options(repositories=RepositoryOptions(**options), **general)  # type: ignore[arg-type]


def repository(*arguments: str, **options: object) -> Repository:
    return opened(*arguments, **options).repository("x")


def texts(found: Repository) -> dict[str, str]:
    """The files of a repository but for the one that Bazel adds."""
    source = found.tree.source
    paths = source.paths()  # type: ignore[attr-defined]
    return {path: source.read(path).decode() for path in paths if path != "WORKSPACE"}


def gaps(found: Repository) -> list[str]:
    return [f"{each.what}: {each.hides}" for each in found.gaps]


def package(of: Workspace, name: str = "") -> Package:
    found = Loader(of).find("x", name)
    assert found is not None
    return found


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


# What is not known


def test_unknown_text_is_unknown_again_where_the_file_is_evaluated():
    workspace = opened(
        """
        version = ctx.execute(["tool", "-c", "print"]).stdout.strip()
        ctx.template("BUILD", Label("//:BUILD.tpl"), {"%{v}": version})
        """,
        more="--- BUILD.tpl\nfilegroup(name = 'a', srcs = ['known', 'lib-%{v}.so'])\n"
        "filegroup(name = 'b', srcs = [%{v}])\n"
        "genrule(name = 'c', outs = ['o'], cmd = 'run %{v}', tools = ['known'])",
    )
    found = package(workspace)
    srcs = found.targets["a"].values["srcs"]
    assert isinstance(srcs, SelectorList)
    assert "stdout" in str(srcs)
    assert isinstance(found.targets["c"], Rule)
    assert found.targets["c"].values["tools"] == [("x", "", "known")]
    assert [each.message for each in found.diagnostics] == []


def test_unknown_text_of_a_bzl_file_is_an_unknown_value():
    workspace = opened(
        """
        ctx.file("defs.bzl", "V = '%s'\\nW = 'known'\\n" % ctx.execute(["tool", "-c", ""]).stdout)
        ctx.file("BUILD", "load(':defs.bzl', 'V', 'W')\\nfilegroup(name = 'a' if V == '1' else 'b', tags = [W])")
        """
    )
    found = package(workspace)
    assert found.targets["b"].values["tags"] == ["known"]
    assert any("stdout" in each.what and "compared" in each.hides for each in found.gaps)


def test_a_failure_behind_an_unknown_decision_is_the_way_not_taken():
    """A tree that people build has repositories that can be made: what avoids fail() is so."""
    found = repository(
        """
        if not ctx.path("/usr/lib/thing").exists:
            fail("no thing")
        result = ctx.execute(["grep", "x", "/etc/thing"])
        if result.return_code != 0:
            fail("cannot read")
        lines = result.stdout.splitlines()
        if len(lines) != 1 or len(lines[0]) < 2:
            fail("strange")
        ctx.file("BUILD", "")
        """
    )
    assert (texts(found), gaps(found), found.present) == ({"BUILD": ""}, [], True)


def test_a_decision_that_makes_no_difference_is_no_gap():
    found = repository(
        """
        verbose = ctx.which("tool") != None
        if verbose:
            ctx.report_progress("found")
        ctx.file("BUILD", "")
        """
    )
    assert (gaps(found), found.present) == ([], True)


def test_a_decision_that_makes_a_difference_is_a_gap():
    found = repository(
        """
        if ctx.which("tool"):
            ctx.file("extra/BUILD", "")
        ctx.file("BUILD", "")
        """
    )
    assert gaps(found) == ['which("tool") of @x is unknown: it was used as a condition; assumed false']
    assert (texts(found), found.present) == ({"BUILD": ""}, False)


def test_what_was_written_before_an_unknown_failure_stays():
    found = repository(
        """
        ctx.file("BUILD", "filegroup(name = 'a')")
        if ctx.execute(["tool"]).return_code == 0:
            fail("no")
        fail("yes")
        """
    )
    assert texts(found) == {"BUILD": "filegroup(name = 'a')"}
    assert not found.problems
    assert gaps(found)[-1] == "@x cannot be made: an unknown value led to this: no: the files it writes"


def test_a_true_failure_is_a_problem():
    workspace = opened("fail('never')")
    assert [each.message for each in workspace.repository("x").problems] == ["never"]


def test_a_failure_that_follows_from_an_assumption_is_a_gap():
    found = repository("if ctx.execute(['uname', '-s']).stdout.strip() == 'Linux': fail('not here')")
    assert (found.problems, gaps(found)) == ((), ["@x cannot be made: not here: the files it writes"])


def test_a_command_may_leave_files():
    found = repository("ctx.execute(['configure'])\nctx.file('BUILD', '')")
    assert not found.present
    assert repository("ctx.execute(['gcc', '-v'])\nctx.file('BUILD', '')").present


def test_downloads_are_files_and_archives_are_missing():
    found = repository(
        """
        ctx.download("https://example.com/a.bin", "file/downloaded", sha256 = "0" * 64)
        ctx.file("file/BUILD", "exports_files(['downloaded'])")
        """
    )
    assert found.present
    assert found.tree.source.is_file("file/downloaded")
    archive = repository("ctx.download_and_extract(url = ['https://example.com/a.zip'])\nctx.file('BUILD', '')")
    assert (archive.present, archive.gaps) == (False, ())


def test_rules_that_need_each_other_are_a_gap():
    workspace = opened(
        'ctx.file("BUILD", ctx.read(Label("@x//:BUILD")) if ctx.name == "y" else ctx.read(Label("@y//:BUILD")))',
        more='--- WORKSPACE\nload("//:r.bzl", "r")\nr(name = "x")\nr(name = "y")',
    )
    assert not workspace.repository("x").present
    assert any("need each other" in each for name in "xy" for each in gaps(workspace.repository(name)))


def test_a_rule_reads_what_another_wrote():
    workspace = opened(
        """
        if ctx.name == "y":
            ctx.file("data.txt", "from y")
            ctx.file("BUILD", "")
        else:
            ctx.symlink(Label("@y//:data.txt"), "linked.txt")
            ctx.file("BUILD", "# " + ctx.read(Label("@y//:data.txt")))
        """,
        more='--- WORKSPACE\nload("//:r.bzl", "r")\nr(name = "x")\nr(name = "y")',
    )
    assert texts(workspace.repository("x")) == {"BUILD": "# from y", "linked.txt": "from y"}


# Hostile rules


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        (
            "for i in range(4000000):\n    for j in range(4000000):\n        ctx.read(Label('//:BUILD'))",
            "too many steps",
        ),
        ("ctx.file('../y/BUILD', '')", "Cannot write outside of the repository directory"),
        ("ctx.file('/etc/passwd', '')", "Cannot write outside of the repository directory"),
        ("ctx.symlink(Label('//:BUILD'), '../../x')", "Cannot write outside of the repository directory"),
        ("ctx.delete('..')", "Cannot write outside of the repository directory"),
        ("x = 'x' * 60000000\nctx.file('a', x + x)", "too long"),
        ("for i in range(200000):\n    ctx.file(str(i), '')", "too many steps"),
        ("x = 'x' * 50000000\nfor i in range(9):\n    ctx.file(str(i), x)", "too large"),
        ("ctx.read('nothing')", "no such file"),
        ("ctx.path(Label('//:nothing'))", "no such file"),
        ("ctx.template('a', Label('//:BUILD'), 3)", "got value of type 'int', want 'dict'"),
        ("ctx.symlink(Label('//:BUILD'), 'a')\nctx.symlink(Label('//:BUILD'), 'a')", "File exists"),
        ("ctx.path(3)", "can only take a string, a Label or a path, got int"),
    ],
)
def test_hostile_and_wrong_rules_end_with_a_clear_error(code: str, problem: str):
    found = repository(code)
    assert len(found.problems) == 1
    assert problem in found.problems[0].message


def test_nothing_outside_is_read(tmp_path):
    """Absolute paths, .. and links that lead out of the checkout: unknown, whatever is there."""
    (tmp_path / "secret").write_text("secret")
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "out").symlink_to(tmp_path)
    (checkout / "WORKSPACE").write_text('load("//:r.bzl", "r")\nr(name = "x")\n')
    (checkout / "BUILD").write_text("")
    (checkout / "r.bzl").write_text(
        "def _impl(ctx):\n"
        f"    ctx.file('a', ctx.read('{tmp_path}/secret'))\n"
        f"    ctx.file('b', ctx.read('{checkout}/../secret'))\n"
        "    ctx.file('c', ctx.read(ctx.path(Label('//:BUILD')).dirname.get_child('out').get_child('secret')))\n"
        f"    ctx.symlink('{tmp_path}/secret', 'd')\n"
        "r = repository_rule(implementation = _impl)\n"
    )
    found = open_workspace(checkout).repository("x")
    source = found.tree.source
    for path in "abcd":
        assert source.is_file(path)
        with pytest.raises(OSError, match="not known"):
            source.read(path)
    assert DiskSource(checkout).read("out/secret") == b"secret"


def test_a_build_file_that_the_rule_copies_is_found_where_people_wrote_it():
    workspace = opened(
        "ctx.symlink(ctx.attr.build_file, 'BUILD')",
        '{"build_file": attr.label()}',
        'build_file = "//:x.BUILD"',
        "--- x.BUILD\nfilegroup(name = 'a')",
    )
    found = package(workspace)
    assert (str(found.build_file), found.targets["a"].location.path) == ("@x//:BUILD", "x.BUILD")


def test_no_text_that_is_unknown_is_a_problem():
    """It may stand where it makes no sense; the true text would."""
    workspace = opened(
        """
        out = ctx.execute(["tool", "-c", ""]).stdout
        ctx.file("all/BUILD", out)
        ctx.file("between/BUILD", "filegroup(name = 'x')\\n%s\\nfilegroup(name = 'y')" % out)
        ctx.file("inside/BUILD", "filegroup(name = 'x')\\nfilegroup(name = 'y', srcs = [%s 'k'])" % out)
        ctx.file("loaded/d.bzl", "%s\\nX = 'x'\\n" % out)
        ctx.file("loaded/BUILD", "load(':d.bzl', 'X', 'Y')\\nfilegroup(name = X)\\nY(name = 'y')")
        ctx.file("name/BUILD", "load('//:%s.bzl', 'f')\\nf()\\nfilegroup(name = 'x')" % out)
        """
    )
    made = {name: package(workspace, name) for name in ("all", "between", "inside", "loaded", "name")}
    rules = {name: [each.label.name for each in found.rules()] for name, found in made.items()}
    assert rules == {"all": [], "between": ["x", "y"], "inside": ["x"], "loaded": ["x", "y"], "name": ["x"]}
    for found in made.values():
        assert found.diagnostics == []
        assert found.gaps
        assert not any("bzlgraph_unknown" in str(each) for each in found.gaps)


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
    found = repository("ctx.file('out', str(not hasattr(ctx, 'getenv')))", bazel_version=version, enable_bzlmod=False)
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
