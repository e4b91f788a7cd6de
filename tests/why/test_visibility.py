"""Which visibility lets a step in, and what would be refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.in_process import run

FILES = {
    "WORKSPACE": "",
    "lib/BUILD": """\
package(default_visibility = ["//groups:friends"])
filegroup(name = "by_default")
filegroup(name = "public", visibility = ["//visibility:public"])
filegroup(name = "chained", visibility = ["//groups:outer"])
filegroup(name = "private", visibility = ["//visibility:private"])
filegroup(name = "to_other", visibility = ["//other:__subpackages__"])
filegroup(name = "to_absent", visibility = ["@absent//:group"])
filegroup(name = "without_it", visibility = ["//groups:all_but_app"])
filegroup(name = "alone", visibility = ["//visibility:private"])
""",
    "groups/BUILD": """\
package_group(name = "friends", packages = ["//app/..."])
package_group(name = "outer", includes = [":mid"], packages = ["//nowhere"])
package_group(name = "mid", includes = [":friends"])
package_group(name = "all_but_app", packages = ["//...", "-//app"])
""",
    "app/BUILD": """\
filegroup(name = "%s", srcs = ["//lib:%s"])
"""
    * 7
    % tuple(
        word
        for name in ("by_default", "public", "chained", "private", "to_other", "to_absent", "without_it")
        for word in (name, name)
    ),
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("visible")
    for name, text in FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("public", None),
        ("by_default", "//lib:by_default admits //app by //groups:friends > //app/..., the default of the package."),
        (
            "chained",
            "//lib:chained admits //app by //groups:outer > //groups:mid > //groups:friends > //app/... (lib/BUILD:4).",
        ),
        ("private", "//lib:private does not admit //app: it is visible to its own package only (lib/BUILD:5)."),
        ("to_other", "//lib:to_other does not admit //app: it is visible to //other:__subpackages__ (lib/BUILD:6)."),
        ("to_absent", "whether //lib:to_absent admits //app is not known: it is visible to @absent//:group."),
        ("without_it", "//lib:without_it does not admit //app: it is visible to //groups:all_but_app (lib/BUILD:8)."),
    ],
)
def test_each_step_that_not_everybody_may_take(workspace: Path, name: str, line: str | None) -> None:
    for attempt in ("loaded", "kept"):  # asked again it comes from the kept graph
        code, out, err = run(workspace, "why", f"//lib:{name}", f"--from=//app:{name}")
        assert code == 0, err
        told = [each for each in out.splitlines() if each.startswith("Visibility: ")]
        assert told == ([] if line is None else [f"Visibility: {line}"]), attempt


def test_without_a_path_the_target_that_would_refuse_is_told(workspace: Path) -> None:
    out = run(workspace, "why", "//lib:alone", "--from=//app:public")[1]
    assert "Visibility: //lib:alone does not admit //app: it is visible to its own package only (lib/BUILD:9)." in out
    answer = json.loads(run(workspace, "why", "//lib:alone", "--from=//app:public", "--output=json")[1])
    (found,) = answer["visibility"]
    assert (found["admitted"], found["known"], found["items"]) == (False, True, ["//visibility:private"])
    assert "Visibility" not in run(workspace, "why", "//lib:alone", "--from=//lib:public")[1], "its own package"


def test_the_default_of_a_rule_is_not_asked(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text("", encoding="utf-8")
    (tmp_path / "rules.bzl").write_text(
        'r = rule(implementation = lambda ctx: [], attrs = {"_tool": attr.label(default = "//t:hidden")})',
        encoding="utf-8",
    )
    (tmp_path / "BUILD").write_text('load(":rules.bzl", "r")\nr(name = "uses")', encoding="utf-8")
    (tmp_path / "t").mkdir()
    (tmp_path / "t/BUILD").write_text('filegroup(name = "hidden")', encoding="utf-8")
    code, out, _ = run(tmp_path, "why", "//t:hidden", "--from=//:uses")
    assert (code, "uses depends on hidden" in out, "Visibility" in out) == (0, True, False)


def test_a_gap_that_may_hide_the_path_is_told_the_nearest_first(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": "",
        "BUILD": 'filegroup(name = "top", srcs = ["//far", "//near"])',
        "far/BUILD": 'load("@absent//:x.bzl", "made")\nmade(name = "far")',
        "near/BUILD": 'load("@other//:y.bzl", "wrap")\nfilegroup(name = "near")\nwrap(name = "w")\n'
        'filegroup(name = "goal", srcs = ["@third//:lib"])\nfilegroup(name = "user", srcs = [":goal"])',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    code, out, err = run(tmp_path, "why", "//near:goal", "--from=//:top")
    assert code == 0, err
    lines = out.splitlines()
    start = lines.index("A path may be hidden by:")
    assert "wrap of @other//:y.bzl" in lines[start + 1]
    assert "(near/BUILD:3)" in lines[start + 1]
    assert "made of @absent//:x.bzl" in lines[start + 2]
