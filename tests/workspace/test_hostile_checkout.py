"""A checkout that wants to be shown what lies outside of it: whatever it names, no file there is opened and no folder
is listed. Python's own audit events tell what a question touched."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workspace.archives import tar_file
from tests.workspace.spy import SPY

RULE = """
def _impl(ctx):
    for path in ["{outside}/secret.txt", "../../../../../../../../../../{outside}/secret.txt", "link/secret.txt"]:
        if ctx.path(path).exists:
            ctx.file("found", ctx.read(path))
    ctx.symlink("{outside}", "linked")
    ctx.symlink(Label("//:link/secret.txt"), "label")
    ctx.download("file://{outside}/secret.txt", "downloaded")
    ctx.extract("{outside}/archive.tgz")
    ctx.patch("{outside}/secret.patch")
    ctx.file("BUILD", 'filegroup(name = "x", srcs = glob(["**"]))')
hostile = repository_rule(_impl)
"""
HTTP = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\nload("//:rule.bzl", "hostile")\n'
BUILD_FILE = 'build_file_content = \'filegroup(name = "x", srcs = glob(["**"]))\''


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    for name in ("secret.txt", "external/linked/BUILD", "linked/BUILD", "vendored/BUILD", "r.bzl", "BUILD"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text('filegroup(name = "x", srcs = glob(["**"]))')
    (folder / "secret.patch").write_text("--- a/BUILD\n+++ b/BUILD\n@@ -0,0 +1 @@\n+x\n")
    tar_file(folder / "archive.tgz", {"BUILD": b""})
    return folder


@pytest.fixture
def checkout(tmp_path: Path, outside: Path) -> Path:
    root = tmp_path / "checkout"
    root.mkdir()
    for link, target in {"external": "external", "vendor": "", "bazel-checkout": "", "link": ""}.items():
        os.symlink(outside / target, root / link)
    links = {"out": str(outside), "up": "../outside/secret.txt"}
    patches = f'patches = ["{outside}/secret.patch"]'
    made = tar_file(root / "links.tgz", {"BUILD": b'filegroup(name = "x", srcs = glob(["**"]))'}, links)
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    (root / "bad.patch").write_text(f"--- a/{outside}/secret.txt\n+++ b/../outside/secret.txt\n@@ -1 +1 @@\n-x\n+y\n")
    (root / "rule.bzl").write_text(RULE.replace("{outside}", str(outside)))
    (root / ".bazelrc").write_text(f"common --distdir={outside} --repository_cache=../outside --vendor_dir={outside}\n")
    (root / "WORKSPACE").write_text(
        f"""{HTTP}
hostile(name = "rule")
new_local_repository(name = "absolute", path = "{outside}", {BUILD_FILE})
new_local_repository(name = "above", path = "../outside", {BUILD_FILE})
local_repository(name = "no_workspace", path = "{outside}/linked")
new_local_repository(name = "through", path = "link", {BUILD_FILE})
http_archive(name = "file_url", url = "file://{outside}/archive.tgz")
http_archive(name = "dotted", url = "https://x/../../outside/archive.tgz", sha256 = "{digest}")
http_archive(name = "links", url = "file://{root}/links.tgz", patches = ["//:bad.patch"], patch_args = ["-p1"])
http_archive(name = "overlay", url = "https://x/y.tgz", build_file = "{outside}/BUILD", {patches})
"""
    )
    names = ["rule", "absolute", "above", "no_workspace", "through", "file_url", "dotted", "links", "overlay"]
    srcs = [f"@{name}//:x" for name in (*names, "linked", "vendored")]
    no_names = "".join(
        f'filegroup(name = "{n}", srcs = ["@{name}//:x"])\n' for n, name in enumerate(("../outside", ".."))
    )
    (root / "BUILD").write_text(f'filegroup(name = "all", srcs = {json.dumps(srcs)})\n{no_names}')
    return root


@pytest.mark.parametrize(
    "question", [["query", "deps(//:all)"], ["doctor", "//:all"], ["doctor", "--missing", "//:all"]]
)
def test_nothing_outside_is_touched(tmp_path: Path, checkout: Path, outside: Path, question: list[str]) -> None:
    report = tmp_path / "report.json"
    line = [sys.executable, "-c", SPY, str(report), "--no_cache", "-C", str(checkout), *question, "-k"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=120)
    assert "Traceback" not in done.stderr
    touched = json.loads(report.read_text())
    assert str(checkout / "WORKSPACE") in touched
    assert str(checkout / "links.tgz") in touched
    assert [path for path in touched if Path(path).is_relative_to(outside)] == []
