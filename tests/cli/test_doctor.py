"""`bzlgraph doctor`: a summary in the first line, gaps of one kind told once, what is broken on stderr."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bzlgraph.query.language.ast import Word
from bzlgraph.query.language.parser import parse, quoted

MACRO_USER = """
load("@absent//:defs.bzl", "conditional")
cc_library(name = "a", deps = conditional([":b"]) + conditional([":c"]), srcs = conditional(["a.cc"]))
cc_library(name = "b")
cc_library(name = "c")
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "good").mkdir()
    (tmp_path / "good" / "BUILD").write_text(MACRO_USER, encoding="utf-8")
    return tmp_path


@pytest.fixture
def with_problem(workspace: Path) -> Path:
    (workspace / "user").mkdir()
    (workspace / "user" / "BUILD").write_text('filegroup(name = "f", srcs = ["//good:a.cc"])', encoding="utf-8")
    return workspace


def doctor(workspace: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bzlgraph", "--no_cache", "-C", str(workspace), "doctor", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_first_line_sums_up(with_problem: Path) -> None:
    done = doctor(with_problem)
    assert done.returncode == 7
    assert "no such target '//good:a.cc'" in done.stderr
    assert done.stdout.splitlines()[0] == "2 packages, 4 rules, 6 targets: 1 problem"


UNCOMPARED = "based on its sources and documentation, not tested against it"


@pytest.mark.parametrize(
    ("files", "arguments", "told"),
    [
        ({}, [], "bazel  4.2.3 (no MODULE.bazel): answers tested against this Bazel"),
        ({".bazelversion": "8.x\n"}, [], f"bazel  8.7.0 (.bazelversion): {UNCOMPARED}"),
        ({}, ["--bazel_version=0.20.0"], "bazel  0.20.0 (--bazel_version=0.20.0): facts recorded from this Bazel"),
        ({"MODULE.bazel": ""}, [], "bazel  7.7.1 (MODULE.bazel): answers tested against this Bazel"),
    ],
)  # fmt: skip
def test_it_says_as_which_bazel_a_tree_is_read(
    tmp_path: Path, files: dict[str, str], arguments: list[str], told: str
) -> None:
    for name, text in {"WORKSPACE": "", "BUILD": "", **files}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "bzlgraph", "--no_cache", "-C", str(tmp_path), *arguments, "doctor"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[1] == told
    data = json.loads(subprocess.run([*command, "--output=json"], capture_output=True, check=False).stdout)
    assert data["bazel"]["version"] == told.split()[1]


def test_gaps_that_one_repository_closes_are_one_line(workspace: Path) -> None:
    lines = [line for line in doctor(workspace).stdout.splitlines() if "@absent" in line]
    assert len(lines) == 1
    assert lines[0].startswith("gap    @absent//:defs.bzl is not on disk: ")
    assert lines[0].endswith("; @absent would close 3 more gaps")


MAKES_TWO = """
def _fetched(rctx):
    rctx.execute(["fetch"])
    rctx.file("BUILD", "filegroup(name = 'all', srcs = glob(['**']))" if rctx.execute(["ok"]).stdout else "")
fetched = repository_rule(implementation = _fetched)
def _both(mctx):
    fetched(name = "one")
    fetched(name = "two")
both = module_extension(implementation = _both)
"""


def test_gaps_of_what_one_extension_makes_are_one_line(tmp_path: Path) -> None:
    module = """
bazel_dep(name = "dep", version = "1.0", repo_name = "first")
both = use_extension("//:ext.bzl", "both")
use_repo(both, "one", "two")
"""
    build = 'load("@first//:a.bzl", "a")\na(name = "x", deps = ["@one//:all", "@two//:all", "@@dep~//:y"])'
    for name, text in {"MODULE.bazel": module, "ext.bzl": MAKES_TWO, "BUILD": build}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    told = [line for line in doctor(tmp_path).stdout.splitlines() if "@one" in line or "@two" in line]
    assert len([line for line in told if line.startswith("gap")]) == 1
    assert "; the 2 repositories of @@//:ext.bzl%both would close " in told[-1]
    missing = json.loads(doctor(tmp_path, "--output=json").stdout)["missing"]
    assert sum("--override_module=dep=DIR" in each["give"] for each in missing) == 1


def test_json_has_every_place_of_a_gap_and_what_closes_it(workspace: Path) -> None:
    gaps = json.loads(doctor(workspace, "--output=json").stdout)["gaps"]
    of_calls = [gap for gap in gaps if gap["kind"] == "call"]
    assert len({gap["location"]["column"] for gap in of_calls}) == len(of_calls) == 3
    assert {gap["repository"] for gap in gaps if "@absent" in gap["what"]} == {"absent"}


def test_gaps_that_differ_in_place_only_are_told_once(workspace: Path) -> None:
    (workspace / "good" / "defs.bzl").write_text("conditional = ]", encoding="utf-8")
    (workspace / "good" / "BUILD").write_text(MACRO_USER.replace("@absent//", "//good"), encoding="utf-8")
    calls = [line for line in doctor(workspace).stdout.splitlines() if "conditional() of //good:defs.bzl" in line]
    assert len(calls) == 1
    assert "good/BUILD:3:" in calls[0]
    assert calls[0].endswith("and 2 more places)")


def test_a_broken_package_is_counted_and_told(workspace: Path) -> None:
    (workspace / "bad").mkdir()
    (workspace / "bad" / "BUILD").write_text('cc_library(name = "x")\ncc_library(\n', encoding="utf-8")
    done = doctor(workspace)
    assert "1 package has problems" in done.stdout
    assert "bad/BUILD:" in done.stderr


def test_strict_makes_a_gap_a_failure(workspace: Path) -> None:
    (workspace / "good" / "a.cc").touch()
    (workspace / "good" / "BUILD").write_text(MACRO_USER + 'exports_files(["a.cc"])', encoding="utf-8")
    assert doctor(workspace).returncode == 0
    assert doctor(workspace, "--strict").returncode == 3


def test_json_has_what_the_text_has(with_problem: Path) -> None:
    done = doctor(with_problem, "-k", "--output=json")
    said = json.loads(done.stdout)
    assert done.returncode == 3
    assert (said["schema"], said["packages"], said["rules"], said["targets"]) == ("bzlgraph.doctor/1", 2, 4, 6)
    assert [each["message"] for each in said["problems"]] == [
        "no such target '//good:a.cc': target 'a.cc' not declared in package 'good'"
    ]
    assert said["gaps"]
    assert said["complete"] is False


def test_a_package_that_does_not_exist_is_told_once_and_where_it_may_be(workspace: Path) -> None:
    (workspace / "inner" / "util").mkdir(parents=True)
    (workspace / "inner" / "WORKSPACE").touch()
    (workspace / "inner" / "util" / "BUILD").write_text('cc_library(name = "status")\n')
    deps = '["//util:status", "//util:statusor", "//nowhere:x"]'
    (workspace / "inner" / "BUILD").write_text(f'cc_library(name = "a", deps = {deps})\n')
    told = doctor(workspace).stderr.splitlines()
    place = "inner/BUILD:1:11: error:"
    assert [line for line in told if "//util" in line] == [
        f"{place} no such package '//util': BUILD file not found in 'util'; named by 2 labels, as //util:status",
        "hint: inner/ is a separate workspace that has //util: use -C inner",
    ]
    assert [line for line in told if "//nowhere" in line] == [
        f"{place} no such package '//nowhere': BUILD file not found in 'nowhere'; named by 1 label, as //nowhere:x"
    ]


ODD_NAMES = ["odd+name=x", "a%b", "a(b", "a'b", 'a"b', "a{b}", "a^b", "a,b", "a&b", "a-b"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_package_name_may_have_every_character_that_bazel_allows(name: str) -> None:
    word = parse(quoted(f"//{name}:all"))
    assert isinstance(word, Word)
    assert word.text == f"//{name}:all"


def test_an_odd_package_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "odd+name=x").mkdir()
    (tmp_path / "odd+name=x" / "BUILD").write_text('filegroup(name = "x")\n')
    assert doctor(tmp_path, "//odd+name=x:all").stdout.startswith("1 package, 1 rule")


ARCHIVE = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
ARCHIVE += f'http_archive(name = "big", urls = ["https://x.org/big-1.tar.gz"], sha256 = "{64 * "a"}")\n'


@pytest.fixture
def with_repositories(workspace: Path) -> Path:
    """Two repositories fetched and one vendored, one that hides much and one that hides little."""
    for folder in ("external/a", "external/b", "vendor/c+"):
        (workspace / folder).mkdir(parents=True)
        (workspace / folder / "BUILD").write_text('filegroup(name = "x", visibility = ["//visibility:public"])')
    (workspace / "WORKSPACE").write_text(ARCHIVE)
    deps = [*(f"@{name}//:x" for name in "abc"), "@small//:x", *(f"@big//:{number}" for number in range(30))]
    (workspace / "good" / "BUILD").write_text(f'filegroup(name = "all", srcs = {json.dumps(deps)})')
    return workspace


def test_how_repositories_were_found_takes_a_line_for_each_way(with_repositories: Path) -> None:
    told = doctor(with_repositories).stdout.splitlines()
    assert [line for line in told if line.startswith("found")] == [
        "found  2 fetched, in external: @a, @b",
        "found  1 vendored, in vendor: @c (c+)",
    ]


def test_what_is_missing_comes_by_what_it_hides_and_with_what_gives_it(with_repositories: Path) -> None:
    assert doctor(with_repositories, "--missing").stdout.splitlines() == [
        "@big  hides 30 targets, 30 edges",
        "  http_archive at WORKSPACE:2:13",
        "  url       https://x.org/big-1.tar.gz",
        f"  checksum  sha256:{64 * 'a'}",
        "  give      --distdir=DIR with big-1.tar.gz in DIR",
        "  give      --override_repository=big=DIR",
        "@small  hides 1 target, 1 edge",
        "  nothing here defines it",
        "  give      --override_repository=small=DIR",
        "  give      --output_base=DIR of a Bazel that has fetched it",
    ]
    first = "first  use --distdir=DIR with big-1.tar.gz in DIR for @big, which resolves the most: 30 targets, 30 edges"
    assert first in doctor(with_repositories).stdout.splitlines()
    said = json.loads(doctor(with_repositories, "--output=json").stdout)
    assert [each["name"] for each in said["missing"]] == ["big", "small"]
    assert said["found"][2] == {"name": "c", "way": "vendored", "place": "vendor/c+", "whole": True}


def test_many_gaps_take_one_screen(workspace: Path) -> None:
    calls = "".join(f'load("@r{number}//:x.bzl", "f{number}")\nf{number}(name = "t{number}")\n' for number in range(60))
    (workspace / "good" / "BUILD").write_text(calls)
    told = doctor(workspace).stdout.splitlines()
    assert len(told) < 30
    assert "       ... and 50 other repositories: bzlgraph doctor --missing" in told


def test_a_link_that_is_not_followed_is_told(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (workspace / "external").symlink_to(elsewhere)
    assert f"note   external leads to {elsewhere}, which is not followed" in doctor(workspace).stdout


def test_what_bazel_brings_itself_is_given_as_a_repository(workspace: Path) -> None:
    """``--override_module`` does nothing about a module that is built in."""
    (workspace / "MODULE.bazel").touch()
    (workspace / "good" / "BUILD").write_text('filegroup(name = "a", srcs = ["@bazel_tools//tools/nowhere:x"])\n')
    told = doctor(workspace, "--missing").stdout
    assert "  give      --override_repository=bazel_tools=DIR" in told
    assert "--override_module" not in told


def test_a_missing_module_is_given_as_a_module(workspace: Path) -> None:
    (workspace / "MODULE.bazel").write_text(
        'module(name = "m")\nbazel_dep(name = "dep", version = "1", repo_name = "d")\n'
    )
    (workspace / "good" / "BUILD").write_text('filegroup(name = "all", srcs = ["@d//:x"])')
    told = doctor(workspace, "--missing").stdout
    assert "@d  hides 1 target, 1 edge\n" in told
    assert "  give      --override_module=dep=DIR\n" in told


def test_an_override_by_a_name_that_only_the_main_repository_knows_is_told_and_not_used(workspace: Path) -> None:
    (workspace / "MODULE.bazel").write_text(
        'bazel_dep(name = "dep", repo_name = "d")\nlocal_path_override(module_name = "dep", path = "dep")\n'
    )
    for folder in ("dep", "other"):
        (workspace / folder).mkdir()
        (workspace / folder / "MODULE.bazel").write_text('module(name = "dep")')
        (workspace / folder / "BUILD").write_text(f'filegroup(name = "{folder}")')
    (workspace / "good" / "BUILD").write_text('filegroup(name = "all", srcs = ["@d//:dep"])')
    done = doctor(workspace, "--bazel_version=7.7.1", f"--override_repository=d={workspace / 'other'}")
    assert "note   --override_repository=d has no effect: @d is called dep~ here (--over" in done.stdout
    assert "no such target" not in done.stderr
    done = doctor(workspace, "--bazel_version=7.7.1", f"--override_repository=dep~={workspace / 'other'}")
    assert "note   --override_repository" not in done.stdout
    assert "no such target '@d//:dep'" in done.stderr


@pytest.mark.parametrize("pattern", ["//good", "//good:all", "//good/...", "//good:x"])
@pytest.mark.parametrize("command", [("doctor",), ("query",), ("why",)])
def test_a_folder_that_is_no_package_says_why(workspace: Path, command: tuple[str, ...], pattern: str) -> None:
    if command == ("why",) and pattern.endswith(("all", "...")):
        pytest.skip("why takes one target")
    (workspace / ".bazelignore").write_text("good\n", encoding="utf-8")
    line = [sys.executable, "-m", "bzlgraph", "--no_cache", "-C", str(workspace), *command, pattern]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (7, "")
    assert done.stderr.splitlines()[-1] == "hint: .bazelignore names 'good'"


def test_who_needs_a_package_that_is_ignored_is_told_so(with_problem: Path) -> None:
    (with_problem / ".bazelignore").write_text("good\n", encoding="utf-8")
    assert doctor(with_problem).stderr.splitlines() == [
        "user/BUILD:1:10: error: no such package '//good': the folder is ignored; named by 1 label, as //good:a.cc",
        "hint: .bazelignore names 'good'",
    ]


def test_what_only_an_unknown_rule_names_need_not_be_there(workspace: Path) -> None:
    unknown = """
load("@absent//:defs.bzl", "mystery")

mystery(
    name = "m",
    deps = ["//nowhere:possible"],
    settings = {"//command_line_option:cpu": "k8"},
    values = {"deps": select({":on": [], "//conditions:default": []})},
)
filegroup(name = "on")
"""
    (workspace / "good" / "BUILD").write_text(unknown, encoding="utf-8")
    done = doctor(workspace)
    assert (done.returncode, done.stderr) == (0, "")
    (workspace / "good" / "BUILD").write_text(f'{unknown}filegroup(name = "g", srcs = ["//nowhere:possible"])\n')
    done = doctor(workspace)
    assert done.returncode == 7
    assert "'//nowhere'" in done.stderr
    assert "named by 1 label, as //nowhere:possible" in done.stderr


def test_a_submodule_is_fetched_by_git_first(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": 'local_repository(name = "x", path = "deps/x")\n',
        ".gitmodules": '[submodule "x"]\n\tpath = deps/x\n\turl = ../x\n',
        "BUILD": 'cc_library(name = "a", deps = ["@x//:x"])\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert (
        "first  use git submodule update --init deps/x, which resolves the most: 1 target, 1 edge"
        in doctor(tmp_path).stdout
    )
    assert (
        "  give      git submodule update --init deps/x\n  give      --override_repository=x=DIR"
        in doctor(tmp_path, "--missing").stdout
    )


def test_no_name_and_no_advice_is_cut_off(tmp_path: Path) -> None:
    names = [f"a_repository_with_a_long_name_{number}" for number in range(30)]
    archives = "".join(f'http_archive(name = "{name}", url = "https://example.invalid/{name}.zip")\n' for name in names)
    (tmp_path / "WORKSPACE").write_text(f'load("@bazel_tools//:http.bzl", "http_archive")\n{archives}', "utf-8")
    for name in names:
        (tmp_path / f"{name}.BUILD").write_text("", encoding="utf-8")
    uses = "".join(f'cc_library(name = "{name}", deps = ["@{name}//a/package/of/it:a_target"])\n' for name in names)
    (tmp_path / "BUILD").write_text(uses, encoding="utf-8")
    told = doctor(tmp_path).stdout
    assert "..." in told  # of 30 repositories, not all are listed
    for line in told.splitlines():
        kept, _, left_out = line.partition("...")
        assert not left_out or left_out.lstrip(" and").split()[1] in ("more", "other"), line
        assert "..." not in line or kept.endswith(" "), line
    found = [line for line in told.splitlines() if line.startswith("gap")]
    assert found[0].endswith("its targets and their dependencies are unknown")


def test_a_pattern_that_matches_nothing_is_quoted_as_it_was_typed(workspace: Path) -> None:
    for options in ([], ["-k"]):
        done = doctor(workspace, "//nowhere", *options)
        assert ": no such package '//nowhere'" in done.stderr
        assert "deps(" not in done.stdout + done.stderr
