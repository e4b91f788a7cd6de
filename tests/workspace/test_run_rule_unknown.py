"""What a repository rule cannot know is said, and a rule that means harm ends with an error."""

from __future__ import annotations

import pytest

from bzlgraph.bazel.model import Rule, SelectorList
from bzlgraph.loading.loader import Loader
from bzlgraph.starlark.evaluation.budget import Budget
from bzlgraph.workspace.sources.source import DiskSource
from bzlgraph.workspace.workspace import open_workspace
from tests.bazel.memory_workspace import open_text
from tests.workspace.rule_workspace import gaps, opened, package, repository, texts

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


def test_what_a_rule_guessed_is_no_fault_of_the_files_that_it_wrote():
    """As Drake's VTK: a table of modules that a process would find is empty, and a macro looks one up."""
    workspace = opened(
        """
        found = ["'%s': 1" % line for line in ctx.execute(["find"]).stdout.splitlines()]
        ctx.file("table.bzl", "TABLE = {" + ", ".join(found) + "}")
        ctx.file("BUILD", "load('@//:use.bzl', 'use')\\nuse()\\nfilegroup(name = 'after')\\nfilegroup(nam = 'wrong')")
        """,
        more="--- use.bzl\nload('@x//:table.bzl', 'TABLE')\ndef use():\n    native.filegroup(name = str(TABLE['x11']))",
    )
    found = package(workspace)
    assert "after" in found.targets
    assert [each.message for each in found.diagnostics] == []
    assert any('key "x11" not found in dictionary' in each.what for each in found.gaps)


def test_what_an_archive_holds_is_asked_for_in_vain():
    """As Drake's MOSEK: what fails for want of files that a glob() would find is a gap."""
    text = """
--- WORKSPACE
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "a", url = "u", build_file = "//:a.BUILD")
--- BUILD
--- a.BUILD
FOUND = glob(["lib*.so"])
len(FOUND) == 1 or fail("no library")
filegroup(name = FOUND[0])
filegroup(name = "after")
"""
    found = Loader(open_text(text)).find("a", "")
    assert found is not None
    assert sorted(found.targets) == ["BUILD.bazel", "after"]
    assert [each.message for each in found.diagnostics] == []


def test_a_variable_that_a_rule_relies_on_is_unknown():
    """As TensorFlow Addons: its configure script puts it into an rc file, without which no build works."""
    body = """
        known = "A" in ctx.os.environ or ctx.os.environ.get("B") or len(ctx.os.environ)
        ctx.file("BUILD", "filegroup(name = 'a', tags = ['%s', '%s'])" % (known, ctx.os.environ["DIR"]))
        """
    found = package(opened(body))
    assert [each.message for each in found.diagnostics] == []
    assert any("environment variable DIR (--repo_env=DIR=VALUE)" in each.what for each in found.gaps)
    assert found.targets["a"].values["tags"] == ["0"]


def test_a_repository_that_is_a_link_to_what_is_not_on_disk():
    """As TensorFlow Serving's vendored parts of a TensorFlow that it fetches."""
    found = repository(
        'ctx.symlink(ctx.path(Label("@absent//:WORKSPACE")).dirname.get_child("xla"), ".")\n'
        'ctx.file("BUILD", "filegroup(name = \'a\')")'
    )
    assert not found.present
    assert "xla" in found.lacks
    assert texts(found) == {"BUILD": "filegroup(name = 'a')"}


@pytest.mark.parametrize("write", ['ctx.symlink(Label("//:r.bzl"), ".")', 'ctx.file(".", "text")'])
def test_a_repository_is_a_folder(write: str):
    found = repository(write)
    assert [each.message for each in found.problems] != []


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


def test_what_is_decoded_from_an_unknown_text_is_unknown():
    """As the list of its releases that a Go SDK is looked up in."""
    found = repository(
        """
        ctx.download(url = ["https://a/b"], output = "versions.json")
        sums = {each["version"]: each["sum"] for each in json.decode(ctx.read("versions.json"))}
        ctx.file("sum", "%s and more" % json.decode(ctx.read("versions.json"))["sum"])
        ctx.delete("versions.json")
        if "1.2" not in sums:
            fail("no such version")
        ctx.file("BUILD", "")
        """
    )
    assert found.problems == ()
    assert texts(found)["BUILD"] == ""
    assert texts(found)["sum"].endswith(" and more")


def test_the_type_of_what_is_unknown_is_unknown():
    """As rules_haskell's packages, which a process lists: each must be of the right types, or the rule fails."""
    found = repository(
        """
        made = []
        for each in json.decode(ctx.execute(["cat", "list"]).stdout):
            if type(each) != "dict":
                fail("not a package")
            made.append("filegroup(name = '%s')" % each["name"])
        ctx.file("BUILD", "".join(made))
        """
    )
    assert (found.problems, texts(found)) == ((), {"BUILD": ""})
    assert ["iterated over; assumed empty" in each for each in gaps(found)] == [True]


def test_an_unknown_value_is_encoded_as_one():
    found = repository("ctx.file('x.json', json.encode({'a': 1, 'b': ctx.execute(['tool']).stdout}))")
    assert texts(found)["x.json"].startswith('{"a":1,"b":"bzlgraph_unknown_x')
    assert gaps(found) == []


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
    said = "fail() caused by an unknown value: yes: what the code does if fail() is not reached is unknown"
    assert said in gaps(found)


def test_what_was_written_before_an_unknown_error_stays():
    found = repository("ctx.file('BUILD', '')\nif ctx.which('tool') == None:\n    ctx.a()\nctx.b()")
    assert (texts(found), found.problems, found.present) == ({"BUILD": ""}, (), False)
    assert "@x cannot be created: caused by an unknown value: " in gaps(found)[-1]


def test_a_true_failure_is_a_problem():
    workspace = opened("fail('never')")
    assert [each.message for each in workspace.repository("x").problems] == ["never"]


def test_a_failure_that_follows_from_an_assumption_is_a_gap():
    found = repository("if ctx.execute(['uname', '-s']).stdout.strip() == 'Linux': fail('not here')")
    assert (found.problems, gaps(found)) == ((), ["@x cannot be created: not here: the files it writes are unknown"])


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
    assert any("depend on each other" in each for name in "xy" for each in gaps(workspace.repository(name)))


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
        ("ctx.file('../y/BUILD', '')", "Cannot write outside of the repository directory"),
        ("ctx.file('/etc/passwd', '')", "Cannot write outside of the repository directory"),
        ("ctx.symlink(Label('//:BUILD'), '../../x')", "Cannot write outside of the repository directory"),
        ("ctx.delete('..')", "Cannot write outside of the repository directory"),
        ("x = 'x' * 60000000\nctx.file('a', x + x)", "too long"),
        ("for i in range(2000000):\n    ctx.file(str(i), '')", "too large"),
        ("x = 'x' * 50000000\nfor i in range(9):\n    ctx.file(str(i), x)", "too large"),
        ("ctx.read('nothing')", "no such file"),
        ("ctx.path(Label('//nowhere:nothing'))", "no such file, and its package has no BUILD file"),
        ("ctx.template('a', Label('//:BUILD'), 3)", "got value of type 'int', want 'dict'"),
        ("ctx.symlink(Label('//:BUILD'), 'a')\nctx.symlink(Label('//:BUILD'), 'a')", "File exists"),
        ("ctx.path(3)", "can only take a string, a Label or a path, got int"),
    ],
)
def test_hostile_and_wrong_rules_end_with_a_clear_error(code: str, problem: str):
    found = repository(code)
    assert len(found.problems) == 1
    assert problem in found.problems[0].message


def test_a_rule_may_use_more_steps_than_a_file_and_what_a_user_sets_counts():
    """Rules read lock files letter by letter: one of rules_jvm_external has half a million."""
    code = "for i in range(1000):\n    for j in range(1000):\n        pass\nctx.file('BUILD')"
    assert not repository(code, budget=Budget(steps=2_000_000)).problems
    (problem,) = repository(code, budget=Budget(steps=200_000)).problems
    assert "too many steps" in problem.message


@pytest.mark.parametrize("label", ["//:nothing", "//:folder/nothing", "//:folder"])
def test_a_label_that_names_no_file_has_a_path_since_bazel_7(label: str):
    code = f"ctx.file('BUILD', str(ctx.path(Label('{label}')).exists))"
    more = "--- folder/a.txt\n"
    found = repository(code, more=more, bazel_version="7.7.1")
    assert not found.problems
    assert texts(found)["BUILD"] == str(label == "//:folder")
    (problem,) = repository(code, more=more, bazel_version="4.2.3").problems
    assert "no such file" in problem.message or "not a regular file" in problem.message


def test_a_loop_that_only_something_unknown_could_end_is_a_gap():
    found = repository("ctx.file('a')\nu = ctx.which('tool')\nfor i in range(4000000):\n    if u == i: pass")
    assert not found.problems
    assert "unknown values led to more than 2,000 decisions" in found.gaps[-1].what
    assert found.tree.source.is_file("a")


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


def test_an_unknown_function_may_write_files():
    workspace = opened(
        "configure(ctx)\nctx.file('BUILD', '')",
        more='--- r.bzl\nload("@absent//:c.bzl", "configure")\n'
        "def _impl(ctx):\n    configure(ctx)\n    ctx.file('BUILD', '')\nr = repository_rule(implementation = _impl)",
    )
    found = workspace.repository("x")
    assert (found.present, gaps(found)) == (
        False,
        ["configure() of @absent//:c.bzl is unknown: the files it writes are unknown"],
    )


def test_a_question_has_one_answer():
    """However often it is asked: else the runs would be without number, and contradict themselves."""
    found = repository(
        """
        def ready():
            out = ctx.execute(["tool", "--list"]).stdout
            return out.startswith("a") and not out.startswith("b")
        for _ in range(100):
            if not ready():
                fail("not ready")
        ctx.file("BUILD", "")
        """
    )
    assert (texts(found), gaps(found)) == ({"BUILD": ""}, [])


def test_rules_that_loop_may_run_while_another_does():
    found = opened(
        """
        for name in ["a", "b"]:
            ctx.file(name, "".join([each for each in ["1", name]]))
        if ctx.name == "x":
            ctx.file("c", ctx.read(Label("@y//:a")))
        """,
        more='--- WORKSPACE\nload("//:r.bzl", "r")\nr(name = "x")\nr(name = "y")',
    ).repository("x")
    assert texts(found) == {"a": "1a", "b": "1b", "c": "1a"}


def test_all_ways_behind_a_decision_are_looked_at():
    """A decision makes no difference only if none does that follows from it."""
    found = repository(
        """
        path = ctx.execute(["tool", "--path"]).stdout
        if path and path.startswith("/opt"):
            ctx.file("BUILD", "filegroup(name = 'there')")
        else:
            ctx.file("BUILD", "")
        """
    )
    assert len(found.gaps) == 1
    assert (texts(found), found.present) == ({"BUILD": ""}, False)


def test_only_the_run_that_counts_prints():
    printed: list[str] = []
    workspace = opened(
        """
        found = ctx.which("tool")
        print("found" if found else "not found")
        if not found:
            fail("no tool")
        """,
        print=lambda text, _location: printed.append(text),
    )
    assert workspace.repository("x").gaps == ()
    assert printed == ["found"]


def test_a_run_that_may_go_otherwise_prints_nothing():
    printed: list[str] = []
    code = "print('warning')\nif not ctx.which('tool'):\n    ctx.file('BUILD', '')"
    workspace = opened(code, print=lambda text, _location: printed.append(text))
    assert workspace.repository("x").gaps != ()
    assert printed == []


def test_commands_are_assumed_to_work():
    found = repository(
        """
        result = ctx.execute(["pkg-config", "--libs"])
        ctx.file("BUILD", "yes" if result.return_code == 0 else "no")
        """
    )
    assert texts(found) == {"BUILD": "yes"}
    assert [each.hides for each in found.gaps] == ["it was compared; assumed true"]


def test_what_is_made_of_unknown_text_is_unknown():
    """As configure rules read what a script of theirs prints."""
    found = repository(
        """
        result = ctx.execute(["find_config"])
        if result.return_code:
            fail("no config")
        config = dict([tuple(line.split(": ")) for line in result.stdout.splitlines()])
        major = config["version"].split(".")[0]
        if int(major) < 11:
            fail("too old")
        for name in sorted(list(config["libraries"].split(","))):
            ctx.file("unknown_" + name, "")
        ctx.file("BUILD", "exports_files(['lib.so.%s'])" % major)
        """
    )
    assert found.problems == ()
    assert "exports_files" in texts(found)["BUILD"]


def test_where_every_way_fails_the_code_behind_is_looked_at():
    """What it says and what was printed cannot be compared: the rule of a tree that people build gets past that."""
    found = repository(
        """
        wanted = ["/usr/lib/a.so", "/usr/lib/b.so"]
        there = [path for path in ctx.execute(["check"] + wanted).stdout.splitlines()]
        if wanted != there:
            fail("libraries are missing")
        ctx.file("BUILD", "filegroup(name = 'a')")
        """
    )
    assert texts(found) == {"BUILD": "filegroup(name = 'a')"}
    assert (found.problems, found.present) == ((), False)
    assert any("libraries are missing" in each for each in gaps(found))
