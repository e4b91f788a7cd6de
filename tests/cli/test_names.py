"""How targets may be named: from the folder of -C, as files, and what is said of names that nothing declares."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.in_process import run
from tests.written_files import write_files

UNKNOWN = 'load("@absent//:m.bzl", "m")\nm(name = "made")\nfilegroup(name = "lib")\n'


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    files = {
        "WORKSPACE": "",
        "a/BUILD": 'filegroup(name = "top", srcs = [":lib"])\nfilegroup(name = "lib", srcs = ["in/x.txt"])\n',
        "a/in/x.txt": "",
        "u/BUILD": UNKNOWN,
    }
    return write_files(tmp_path, files)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("query", ":lib"), "//a:lib"),
        (("select", ":lib"), "No select in 1 target"),
        (("why", ":lib", "--from=:top"), "//a:lib"),
        (("why", "in/x.txt", "--from", "top"), "//a:in/x.txt"),
        (("graph", ":lib"), "//a:lib"),
        (("expand", ":lib"), "# //a:lib"),
        (("expand", "in/x.txt"), "# //a:in/x.txt"),
        (("doctor", ":all"), "1 package, 2 rules, 4 targets"),
        (("diff-config", ":lib", "--vs", "-c", "opt"), "deps(:lib)"),
    ],
    ids=" ".join,
)
def test_names_start_in_the_folder_of_the_question(words: tuple[str, ...], said: str, workspace: Path) -> None:
    extra = ("--output=json",) if words[0] == "diff-config" else ()
    code, out, err = run(workspace / "a", *words, *extra)
    assert code == 0, err
    assert said in out


@pytest.mark.parametrize(
    "words",
    [
        ("query", "deps(//u:libb)"),
        ("query", "somepath(//u:lib, //u:libb)"),
        ("query", "allrdeps(//u:lib)", "--universe_scope=//u:libb"),
        ("select", "//u:libb"),
        ("graph", "//u:libb"),
        ("diff-config", "//u:libb", "--vs", "-c", "opt"),
        ("why", "//u:libb", "--from=//u:lib"),
        ("why", "//u:lib", "--from=//u:libb"),
        ("why", "//u:libb", "-c", "opt"),
        ("expand", "//u:libb"),
        ("doctor", "//u:libb"),
    ],
    ids=" ".join,
)
def test_a_name_that_only_an_unknown_macro_may_make_is_refused(words: tuple[str, ...], workspace: Path) -> None:
    code, out, err = run(workspace, *words)
    assert (code, out) == (7, "")
    assert "//u:libb is not declared; an unknown macro may create it: " in err
    assert "m of @absent//:m.bzl is unknown (u/BUILD:2:2)" in err
    assert "hint: did you mean //u:lib" in err
    assert "--assume_declared" in err


def test_errors_of_a_package_are_told_where_an_unknown_macro_may_make_the_name_too(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "a").mkdir()
    build = 'load("@absent//:m.bzl", "m")\nm(name = "x")\nnope(name = "y")\ncc_library(name = "z")\n'
    (tmp_path / "a/BUILD").write_text(build)
    for words in (("query", "//a:z"), ("why", "//a:z"), ("expand", "//a:z"), ("query", "//a:z", "--keep_going")):
        _, out, err = run(tmp_path, *words)
        assert not out, words
        told = "//a:z is not declared (the package has errors, which may hide it); an unknown macro may"
        assert told in err
        assert "name 'nope' is not defined" in err


@pytest.mark.parametrize("command", ["query", "select", "graph", "diff-config", "why"])
def test_it_may_be_assumed_to_be_there(command: str, workspace: Path) -> None:
    extra = ("--vs", "-c", "opt") if command == "diff-config" else ()
    code, _, err = run(workspace, command, "--assume_declared", "//u:libb", *extra)
    assert code == 0, err
    assert run(workspace, "--strict", command, "--assume_declared", "//u:libb", *extra)[0] == 3


def test_with_keep_going_the_rest_is_answered(workspace: Path) -> None:
    code, out, err = run(workspace, "query", "-k", "//u:libb + //u:lib")
    assert (code, out) == (3, "//u:lib\n")
    assert "warning: //u:libb is not declared" in err


def test_what_something_names_is_met_not_typed_wrongly(workspace: Path) -> None:
    (workspace / "u/BUILD").write_text(UNKNOWN + 'filegroup(name = "user", srcs = [":made.h", "@gone//:x"])\n')
    for label in ("//u:made.h", "@gone//:x"):
        code, out, err = run(workspace, "query", f"deps(//u:user) ^ {label}")
        assert (code, out) == (0, f"{label}\n"), err
        assert run(workspace, "why", label, "--from=//u:user")[0] == 0
    assert run(workspace, "query", "@gone//:x")[0] == 7
    code, out, err = run(workspace, "query", "rdeps(//u:lib, @gone//:x) + deps(//u:user, 0)")
    assert (code, out) == (0, "//u:user\n")
    assert "may hide edges: @gone//" in err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("//a:tpo", "//a:top"),
        ("//aa:top", "//a:top"),
        ("//atop", "//a:top"),
        ("//a/top", "//a:top"),
        ("/a:top", "//a:top"),
        ("//b:to", "//a:top"),
        ("a/in/y.txt", "//a:in/x.txt"),
        ("@hier//:x", "@here//:x"),
        ("@heer", "@here//:here"),
    ],
)
@pytest.mark.parametrize("command", ["query", "why", "expand", "graph"])
def test_the_label_that_was_meant_is_named(command: str, typed: str, meant: str, workspace: Path) -> None:
    (workspace / "WORKSPACE").write_text('new_local_repository(name = "here", path = "h", build_file = "//:h.BUILD")\n')
    (workspace / "h").mkdir()
    (workspace / "h.BUILD").write_text('filegroup(name = "x")\nfilegroup(name = "here")\n')
    code, out, err = run(workspace, command, typed)
    assert (code, out) == (2 if typed.startswith("/a") and command in ("why", "expand") else 7, "")
    assert f"hint: did you mean {meant}" in err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("top", "//a:top"),
        ("strings", "//x/strings:strings"),
        ("strigns", "//x/strings:strings"),
        ("deep.txt", "//a:in/deep.txt"),
        ("in/deep.txt", "//a:in/deep.txt"),
        ("u/out/deep.txt", "//a:in/deep.txt"),
        ("//a:both.txt", "//a:in/the/both.txt, //x/strings:both.txt"),
        ("//u:top", "//a:top"),
        ("//nowhere:top", "//a:top"),
        ("swig", "@swig//:swig"),
        ("guava", "@com_google_guava"),
        ("gson", "@maven//:com_google_code_gson"),
        ("som_target", "//a:some_target"),
        ("made_by_a_macro", None),
    ],
)
@pytest.mark.parametrize("root", [True, False], ids=["root package", "none"])
def test_a_name_that_another_package_has_is_suggested(
    typed: str, meant: str | None, root: bool, workspace: Path
) -> None:
    repositories = "".join(
        f'local_repository(name = "{each}", path = "gone")\n' for each in ("swig", "com_google_guava")
    )
    (workspace / "WORKSPACE").write_text(repositories)
    (workspace / "x/strings").mkdir(parents=True)
    (workspace / "x/strings/BUILD").write_text('filegroup(name = "strings")\nfilegroup(name = "both.txt")\n')
    (workspace / "a/in/deep.txt").touch()
    with (workspace / "a/BUILD").open("a") as build:
        build.write('exports_files(["in/deep.txt", "in/the/both.txt"])\n')
        build.write('filegroup(name = "some_target", srcs = ["@maven//:com_google_code_gson"])\n')
    if root:
        (workspace / "BUILD").write_text('filegroup(name = "something")\n')
    for command in ("why", "query"):
        code, out, err = run(workspace, command, typed)
        assert (code, out) == (7, ""), err
        assert (f"hint: did you mean {meant}" in err) if meant else ("did you mean" not in err), err


@pytest.mark.parametrize("name", ["all", "*", "all-targets"])
def test_of_a_mistyped_package_all_is_meant_where_all_was_asked(name: str, workspace: Path) -> None:
    (workspace / "kernels").mkdir()
    (workspace / "kernels/BUILD").write_text('filegroup(name = "other")\nfilegroup(name = "kernels")\n')
    code, out, err = run(workspace, "query", f"//kernesl:{name}")
    assert (code, out) == (7, "")
    assert f"hint: did you mean //kernels:{name}?" in err
    (workspace / "kernels/BUILD").write_text("1 +\n")
    code, _, err = run(workspace, "query", f"//kernels:{name}")
    assert (code, "did you mean" in err) == (7, False)


def test_the_repository_that_was_meant_is_named_for_a_pattern(workspace: Path) -> None:
    (workspace / "WORKSPACE").write_text('local_repository(name = "here", path = "gone")\n')
    for pattern in ("@heer//...", "@heer//:all"):
        code, out, err = run(workspace, "query", pattern)
        assert (code, out) == (7, "")
        assert "did you mean @here?" in err, err


def test_expand_as_json(workspace: Path) -> None:
    code, out, _ = run(workspace, "expand", "-k", "//a:lib", "//a:none", "--output=json")
    said = json.loads(out)
    assert (code, said["schema"], said["complete"]) == (3, "bzlgraph.expand/1", False)
    assert [(each["label"], each["kind"]) for each in said["targets"]] == [("//a:lib", "filegroup rule")]
    assert 'name = "lib"' in said["targets"][0]["text"]
    assert [each["hint"] for each in said["problems"]] == ["see //a:all"]


@pytest.mark.parametrize(
    ("command", "ending", "start"),
    [
        ("query", "csv", "label,kind"),
        ("query", "xml", "<?xml"),
        ("select", "html", "<!"),
        ("why", "svg", "<?xml"),
        ("why", "json", "{"),
        ("graph", "mmd", "flowchart"),
        ("diff-config", "md", "|"),
        ("expand", "json", "{"),
        ("doctor", "json", "{"),
        ("flags", "jsonl", ""),
    ],
)
def test_the_ending_of_a_file_chooses_the_format(command: str, ending: str, start: str, workspace: Path) -> None:
    words = {"flags": ["settings"], "doctor": [], "diff-config": ["//a:top", "--vs", "-c", "opt"]}.get(
        command, ["//a:lib"]
    )
    file = workspace / f"answer.{ending}"
    code, out, err = run(workspace, command, *words, "-o", str(file))
    assert (code, out) == (0, ""), err
    assert file.read_text(encoding="utf-8").startswith(start)
    assert run(workspace, command, *words, "-o", str(workspace / "answer.odd"))[0] == 2
    assert not (workspace / "answer.odd").exists()


@pytest.mark.parametrize("name", ["lib.bzl", "BUILD.bazel", "BUILD", "lib.build", "lib.txt"])
def test_what_is_expanded_may_be_written_to_a_build_file(name: str, workspace: Path) -> None:
    file = workspace / "out" / name
    file.parent.mkdir()
    assert run(workspace, "expand", "//a:lib", "-o", str(file))[:2] == (0, "")
    assert 'name = "lib"' in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(("typed", "meant"), [("ku", "//u/..."), ("in", "//a/in/..."), ("krenels", "//kernels/...")])
def test_a_folder_is_suggested_for_a_pattern(typed: str, meant: str, workspace: Path) -> None:
    for each in ("a/in", "kernels"):
        (workspace / each).mkdir(exist_ok=True)
        (workspace / each / "BUILD").touch()
    code, _, err = run(workspace, "query", f"//{typed}/...")
    assert (code, f"did you mean {meant}" in err) == (7, True), err


def test_a_short_name_of_a_folder_may_have_two_slips(workspace: Path) -> None:
    (workspace / "conf").mkdir()
    (workspace / "conf/BUILD").touch()
    assert "did you mean //conf/...?" in run(workspace, "query", "//orf/...")[2]
    assert "did you mean" not in run(workspace, "query", "//qqq/...")[2]


@pytest.mark.parametrize("text", ["somepath(//a:top, //a:nope)", "allpaths(//a:nope, //a:top)", "//a:nope - //a:top"])
def test_what_is_not_there_has_no_path_and_needs_no_other_remark(text: str, workspace: Path) -> None:
    for _ in range(2):
        code, out, err = run(workspace, "query", "-k", text)
        assert (code, out) == (3, "")
        assert "no such target '//a:nope'" in err
        assert "there is no path" not in err
        assert "no target matches" not in err


def test_a_module_is_known_by_the_name_that_is_seen(workspace: Path) -> None:
    (workspace / "WORKSPACE").unlink(missing_ok=True)
    (workspace / "MODULE.bazel").write_text(
        'bazel_dep(name = "rules_go", version = "0.5", repo_name = "io_bazel_rules_go")\n'
        'bazel_dep(name = "rules_gg", version = "0.5")\n'
    )
    for words in (("query", "@rules_go//go:def"), ("why", "@rules_go//:x"), ("query", "@rules_go//...")):
        code, _, err = run(workspace, "--bazel_version=7.7.1", *words)
        assert code == 7
        assert "hint: did you mean @io_bazel_rules_go? (module rules_go)" in err


def test_what_lies_in_a_repository_that_is_not_on_disk_may_exist(workspace: Path) -> None:
    (workspace / "WORKSPACE").write_text('local_repository(name = "here", path = "gone")\n')
    for label in ("@here//:x", "//u:sth"):
        code, out, err = run(workspace, "why", label, "--from=//u:lib", "--assume_declared")
        assert code == 0, err
        assert f"Whether {label} exists is not known here: " in out
        assert "does not exist here" not in out
        assert "BUILD file not found" not in out


def test_an_explicit_format_wins_and_else_the_ending_chooses(workspace: Path) -> None:
    file = workspace / "answer.json"
    assert run(workspace, "why", "//a:lib", "--output=dot", "-o", str(file))[0] == 0
    assert file.read_text(encoding="utf-8").startswith("digraph")
    assert run(workspace, "query", "//a:lib", f"--output_file={file}")[0] == 0
    assert file.read_text(encoding="utf-8").startswith('{"schema": "bzlgraph.query/1"')
    assert run(workspace, "query", "//a:lib", f"--output_file={workspace / 'answer'}")[0] == 0
    assert (workspace / "answer").read_text(encoding="utf-8") == "//a:lib\n"


def test_an_empty_picture_is_said_to_be_one(workspace: Path) -> None:
    code, _, err = run(workspace, "graph", "tests(//a:lib)", "-o", str(workspace / "x.svg"))
    assert code == 0
    assert "no target matches; the picture is empty" in err
    assert "x.svg: 1 target\n" in run(workspace, "graph", "//a:top", "-o", str(workspace / "x.svg"))[2]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("qury", "//a:lib"), "query"),
        (("query", "--outptu=label", "//a:lib"), "--output"),
        (("query", "-output=label", "//a:lib"), "--output"),
        (("diff-config", "//a:lib", "--vs", "-output=json", "-c", "opt"), "--output"),
        (("query", "output=label", "//a:lib"), "--output"),
        (("query", "-oepr_file_copt=x", "//a:lib"), "--per_file_copt"),
        (("query", "-noproto:flattne_selects", "//a:lib"), "--noproto:flatten_selects"),
        (("query", "-n-oxml:line_numbrs", "//a:lib"), "--noxml:line_numbers"),
        (("query", "--confg=x", "//a:lib"), "--config"),
        (("query", "--noimplicit_dps", "//a:lib"), "--noimplicit_deps"),
        (("query", "--output=lable", "//a:lib"), "label"),
        (("why", "--fromm=//a:top", "//a:lib"), "--from"),
        (("--bazel_verson=7", "query", "//a:lib"), "--bazel_version"),
        (("starlark", "--jsn", "x"), "--json"),
        (("query", "--config=fats", "//a:lib"), "--config=fast"),
        (("select", "//a:lib", "--config=fsat"), "--config=fast"),
        (("flags", "bazelrc", "fst"), "fast"),
    ],
    ids=" ".join,
)
def test_the_option_that_was_meant_is_named(words: tuple[str, ...], meant: str, workspace: Path) -> None:
    (workspace / ".bazelrc").write_text("build:fast -c opt\n")
    code, out, err = run(workspace, *words)
    assert (code, out) == (2, "")
    assert re.search(f"[Dd]id you mean {meant}\\b", err), err


def test_files_may_be_called_as_they_like(workspace: Path) -> None:
    file = workspace / "put=label"
    assert run(workspace, "query", f"-o{file}", "//a:lib")[0] == 0
    assert run(workspace, "query", "--query_file=" + str(workspace / "u/BUILD"))[0] == 2
    assert run(workspace, "query", "let outputs=//a:lib in $outputs")[:2] == (0, "//a:lib\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind(filegrop, //a:all)", "no kind of the 2 targets matches 'filegrop'; did you mean filegroup?"),
        ("kind('filegrop rule', //a:lib)", "no kind of the target matches 'filegrop'; did you mean filegroup?"),
        ("filter(tpo, //a:all)", "no label of the 2 targets matches 'tpo'; did you mean top?"),
        ("attr(name, lbi, //a:all)", "no value of `name` in the 2 targets matches 'lbi'; did you mean lib?"),
        ("attr(nme, lib, //a:all)", "did you mean `name`?"),
    ],
)
def test_a_pattern_that_matches_nothing_is_an_empty_answer_with_a_hint(text: str, said: str, workspace: Path) -> None:
    for _ in range(2):
        code, out, err = run(workspace, "query", text)
        assert (code, out) == (0, "")
        assert said in err


def test_a_file_that_no_rule_names_is_known_to_be_there(workspace: Path) -> None:
    (workspace / "a/tools.bzl").touch()
    (workspace / "u/seen.txt").touch()
    there = "hint: a file of this name exists; nothing in //{} names it"
    for words in (("query", "a/tools.bzl"), ("why", "//a:tools.bzl"), ("rdeps", "a/tools.bzl")):
        code, _, err = run(workspace, *words)
        assert code == 7
        assert there.format("a") + "; bzlgraph query 'rbuildfiles(a/tools.bzl)' lists the BUILD files" in err
    assert there.format("u") + " (--assume_declared" in run(workspace, "query", "u/seen.txt")[2]


def test_a_path_from_everywhere_cannot_be_turned(workspace: Path) -> None:
    (workspace / "a/BUILD").write_text('genrule(name = "g", outs = ["made.txt"], cmd = "", srcs = ["x.txt"])\n')
    out = run(workspace, "why", "//a:made.txt")[1]
    assert "targets depends on //a:made.txt" in out
    assert "swap them" not in out
    assert "swap them" in run(workspace, "why", "//a:made.txt", "--from=//a:x.txt")[1]


def test_the_folder_that_is_not_there_is_named(workspace: Path) -> None:
    code, _, err = run(workspace, "query", "//a:all", "-o", str(workspace / "none/here.csv"))
    assert (code, "hint: there is no folder " in err) == (2, True), err


@pytest.mark.parametrize(
    ("typed", "said"), [("affected", "bzlgraph rdeps FILE"), ("diff", "bzlgraph diff-config EXPR")]
)
def test_commands_of_other_tools_lead_to_ours(typed: str, said: str, workspace: Path) -> None:
    code, _, err = run(workspace, typed, "x")
    assert (code, said in err) == (2, True), err
