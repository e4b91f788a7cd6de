"""``bzlgraph mod`` on the example of a workspace of modules, and on workspaces that have none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.in_process import run

EXAMPLE = Path(__file__).parents[2] / "examples" / "mini_modules"


def mod(*arguments: str, root: Path = EXAMPLE) -> tuple[int, str, str]:
    return run(root, "--bazel_version=7.7.1", "mod", *arguments)


def answer(*arguments: str) -> str:
    code, out, err = mod(*arguments)
    assert code == 0, err
    return out


def test_the_graph_is_bazels() -> None:
    assert answer("graph") == (
        "<root> (mini_modules@0.1)\n├───canvas@1.0 \n│   └───ink@1.3 (*) \n├───colours@_ \n│   └───canvas@1.0 (*) \n"
        "└───ink@1.3 \n\n"
    )


def test_reasons_name_files_and_lines() -> None:
    lines = answer("explain", "ink", "--reasons").splitlines()
    assert any(line.startswith("└───ink@1.3 #") and "MODULE.bazel:5" in line for line in lines)
    asked = "1.3 is requested by canvas@1.0 (registry/modules/canvas/1.0/MODULE.bazel:3)"
    assert any(asked in line for line in lines)


@pytest.mark.parametrize("subcommand", ["deps", "path", "explain"])
def test_that_no_module_is_named_is_told(subcommand: str) -> None:
    assert f"note: no module is named; for one: bzlgraph mod {subcommand} MODULE\n" in mod(subcommand)[2]
    assert "no module is named" not in mod("graph")[2]


def test_options_of_bazel_say_what_counts() -> None:
    assert "ink@1.3 (was 1.2, cause canvas@1.0)" in answer("graph", "--verbose")
    # Overrides are for developers, too: asked of 7.7.1, which then finds no colours.
    options = ("--ignore_dev_dependency", f"--override_module=colours={EXAMPLE}/third_party/paint")
    assert "───ink" not in answer("graph", *options, "--depth=1")
    assert "ink@1.2 (unused)" in answer("graph", "--include_unused")


def test_an_extension_is_run_to_know_what_it_makes() -> None:
    said = answer("show_extension", "//:texts.bzl%texts")
    assert "  - greeting (imported by <root>)\n  - index\n" in said
    assert 'texts.text(name="greeting", words=["hello", "world"])\n' in said
    assert f"## Usage in <root> from {EXAMPLE}/MODULE.bazel:11\n" in said


def test_repositories_are_shown_with_their_rules() -> None:
    said = answer("show_repo", "@motto", "colours", "@bye")
    assert 'text_repository(\n  name = "_main~_repo_rules~motto",\n  _original_name = "motto",\n' in said
    assert 'local_repository(\n  name = "colours~",\n  path = "third_party/paint",\n' in said
    assert f"#   {EXAMPLE}/texts.bzl:7:34 in <toplevel>\n" in said
    assert 'name = "_main~texts~farewell",' in said


def test_a_mapping_is_one_object_a_repository() -> None:
    first, second = map(json.loads, answer("dump_repo_mapping", "", "colours~", "--noenable_workspace").splitlines())
    assert first["paint"] == "colours~"
    assert first["bye"] == "_main~texts~farewell"
    assert second["canvas"] == "canvas~"
    assert "paint" not in second


def test_json_of_ours_says_how_complete_it_is() -> None:
    assert "complete" not in json.loads(answer("graph", "--output=json"))
    assert json.loads(answer("graph", "--output=json", "--reasons"))["complete"] is True
    assert json.loads(answer("show_repo", "@motto", "--output=json"))["repositories"][0]["rule"] == "text_repository"


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    code, _, err = mod("graph", "--extension_info=repos", "-o", str(tmp_path / "modules.svg"))
    assert code == 0, err
    assert "greeting" in (tmp_path / "modules.svg").read_text(encoding="utf-8")


def test_why_draws_where_a_repository_comes_from() -> None:
    _, out, _ = run(EXAMPLE, "--bazel_version=7.7.1", "why", "@greeting//:text.txt", "--output=mermaid")
    boxes = ("@greeting", "use_repo · MODULE.bazel:17", "tag · MODULE.bazel:12", "use_extension · MODULE.bazel:11")
    assert [box for box in boxes if box not in out] == []


def test_why_tells_where_a_repository_comes_from() -> None:
    code, out, err = run(EXAMPLE, "--bazel_version=7.7.1", "why", "@ink")
    assert code == 0, err
    assert " └ bazel_dep  ink@1.3" in out
    _, out, _ = run(EXAMPLE, "--bazel_version=7.7.1", "why", "@greeting//:text.txt")
    steps = [line.split()[1] for line in out.partition("Repository @greeting")[2].splitlines() if line.startswith(" ")]
    assert steps == ["use_extension", "tag", "use_repo", "text_repository"]


def test_an_extension_that_fails_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text('ext = use_extension("//:e.bzl", "ext")\nuse_repo(ext, "x")\n')
    (tmp_path / "BUILD").touch()
    (tmp_path / "e.bzl").write_text('def _ext(ctx):\n    fail("no luck")\n\next = module_extension(_ext)\n')
    code, out, err = run(tmp_path, "mod", "graph", "--extension_info=repos")
    assert (code, "$@@//:e.bzl%ext" in out) == (7, True)
    assert "no luck" in err


def test_an_extension_that_is_not_on_disk_is_a_gap_where_all_is_asked(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text(
        'bazel_dep(name = "far", version = "1.0")\next = use_extension("@far//:e.bzl", "ext")\nuse_repo(ext, "x")\n'
    )
    for info, told in (("repos", False), ("all", True)):
        line = ("graph", f"--extension_info={info}", "--output=json", "--reasons")
        gaps = json.loads(mod(*line, root=tmp_path)[1])["gaps"]
        assert any(each["what"] == "module extension @@far~//:e.bzl%ext" for each in gaps) is told


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nonsense",), 2, "mod has no subcommand 'nonsense'"),
        (("grahp",), 2, "did you mean graph?"),
        (("tidy",), 2, "bzlgraph never writes"),
        ((), 2, "subcommands: graph, deps"),
        (("show_extension",), 2, "hint: the extensions are @@//:texts.bzl%texts"),
        (("show_extension", "texts"), 2, "hint: did you mean @@//:texts.bzl%texts?"),
        (("show_extension", "//:texts.bzl"), 2, "hint: did you mean @@//:texts.bzl%texts?"),
        (
            ("show_extension", "motto"),
            2,
            "an extension needs its .bzl file\nhint: an extension is MODULE//PACKAGE:FILE.bzl%NAME",
        ),
        (("graph", "ink"), 2, "doesn't take extra arguments"),
        (("dump_repo_mapping",), 2, "No repository name(s) specified"),
        (("show_repo", "@motto", "--output=svg"), 2, "the formats of show_repo are text, json, table"),
        (("explain", "inc"), 7, "Module inc does not exist in the dependency graph (did you mean 'ink'?)"),
        (("explain", "ink@1.2"), 7, "--include_unused includes it"),
        (("show_repo", "@nothing"), 7, "No repo visible as nothing from the main repository"),
        (("show_extension", "//:texts.bzl%text"), 7, "did you mean '@@//:texts.bzl%texts'?"),
        (("dump_repo_mapping", "nope", "--noenable_workspace"), 7, "Repositories not found: nope"),
        (("graph", "--noenable_bzlmod"), 2, "MODULE.bazel is ignored: --noenable_bzlmod switches modules off"),
    ],
)
def test_what_has_no_answer_is_said(arguments: tuple[str, ...], code: int, said: str) -> None:
    found, out, err = mod(*arguments)
    assert (found, out) == (code, "")
    assert said in err


def test_no_repository_is_a_note() -> None:
    code, out, err = mod("show_repo")
    assert (code, out) == (0, "")
    assert "note: name a repository" in err


def test_a_workspace_without_modules_is_told_where_to_ask(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text("")
    code, out, err = run(tmp_path, "mod", "graph")
    assert (code, out) == (7, "")
    assert "this workspace has no MODULE.bazel" in err
    assert "hint: bzlgraph why @NAME" in err


def test_modules_that_do_not_count_are_said_to_be_there(tmp_path: Path) -> None:
    """Before Bazel 7 --enable_bzlmod makes them count; doctor tells it, too."""
    for name, text in {"MODULE.bazel": "", "WORKSPACE": "", ".bazelversion": "6.5.0\n", "BUILD": ""}.items():
        (tmp_path / name).write_text(text)
    told = "MODULE.bazel is ignored: Bazel 6.5.0 (.bazelversion) reads it only with --enable_bzlmod"
    code, out, err = run(tmp_path, "mod", "graph")
    assert (code, out) == (2, "")
    assert told in err
    assert f"note   {told}" in run(tmp_path, "doctor")[1]
    assert told not in run(tmp_path, "doctor", "--enable_bzlmod")[1]
    assert run(tmp_path, "mod", "graph", "--enable_bzlmod")[0] == 0


def test_a_module_that_is_not_on_disk_is_a_gap(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text('bazel_dep(name = "far", version = "1.0")\n')
    code, out, err = run(tmp_path, "mod", "graph")
    assert (code, out) == (0, "<root> (@_)\n└───far@1.0 \n\n")
    assert "Incomplete: " in err
    assert "far@1.0" in err
    assert run(tmp_path, "--strict", "mod", "graph")[0] == 3
    code, out, err = run(tmp_path, "mod", "show_repo", "far")
    assert (code, out) == (7, "")
    assert "the source.json of its module is not on disk" in err


def test_a_module_file_that_breaks_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text('bazel_dep(name = "far", version = "1.0")\nboom()\n')
    code, out, err = run(tmp_path, "mod", "graph")
    assert (code, "far@1.0" in out) == (7, True)
    assert "MODULE.bazel:2" in err
    assert run(tmp_path, "mod", "graph", "-k")[0] == 3


def test_a_config_may_say_which_dependencies_count(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text('bazel_dep(name = "far", version = "1.0", dev_dependency = True)\n')
    (tmp_path / ".bazelrc").write_text("common:release --ignore_dev_dependency\n")
    assert "far@1.0" in run(tmp_path, "mod", "graph")[1]
    assert run(tmp_path, "mod", "graph", "--config=release")[1] == "<root> (@_)\n\n"


def test_of_a_repository_that_an_unknown_extension_makes_its_lines_can_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text(
        'bazel_dep(name = "rules_rs", version = "1.0")\n'
        'crate = use_extension("@rules_rs//rs:extensions.bzl", "crate")\nuse_repo(crate, "crates")\n'
    )
    code, _, err = mod("show_repo", "@crates", root=tmp_path)
    assert (code, "hint: bzlgraph why @crates shows who depends on it" in err) == (7, True), err
