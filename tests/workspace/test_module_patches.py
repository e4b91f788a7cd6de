"""The patches of a single_version_override change the MODULE.bazel that counts. Bazel 7.7.1 was asked about each."""

from pathlib import Path

import pytest

from tests.workspace.modules import opened, registry, used
from tests.written_files import write_files

DIFF = """--- a/MODULE.bazel
+++ b/MODULE.bazel
@@ -1,1 +1,2 @@
 module(name = "a", version = "1")
+bazel_dep(name = "b", version = "1")
--- a/below/MODULE.bazel
+++ b/below/MODULE.bazel
@@ -1,1 +1,1 @@
-not there
+nor this
"""
RENAME = "diff --git a/MODULE.bazel b/x\nsimilarity index 90%\nrename from MODULE.bazel\nrename to x\n"


def patched(tmp_path: Path, patches: str, diff: str = DIFF, version: str = "7.7.1") -> tuple[list[str], list[str]]:
    """The modules that are used, and what is said of a."""
    override = f'single_version_override(module_name = "a", patch_strip = 1, {patches})'
    module = f'bazel_dep(name = "a", version = "1")\n{override}'
    ws = write_files(tmp_path / "ws", {"MODULE.bazel": module, "BUILD": "", "a.diff": diff, "sub/a.diff": diff})
    workspace = opened(ws, registry(tmp_path / "r", "a@1", "b@1"), version=version)
    messages = [each.message for each in workspace.diagnostics]
    return used(workspace), [each.partition(": ")[2] for each in messages if "<root> -> a@1:" in each]


@pytest.mark.parametrize(
    ("patches", "version", "expected"),
    [
        ('patches = ["//:a.diff"]', "7.7.1", ["a@1", "b@1"]),
        ('patches = [":sub/a.diff"]', "8.0.1", ["a@1", "b@1"]),
        ('patches = ["@@other//:a.diff", "//:a.diff"]', "9.1.0", ["a@1", "b@1"]),
        ('patches = ["//:a.diff"]', "7.3.2", ["a@1"]),
    ],
)
def test_since_7_4_they_count(tmp_path: Path, patches: str, version: str, expected: list[str]) -> None:
    assert patched(tmp_path, patches, version=version) == (expected, [])


@pytest.mark.parametrize(
    ("patches", "diff", "message"),
    [
        ("//:no.diff", DIFF, "error reading single_version_override patch no.diff: not a regular file"),
        ("//sub:a.diff", DIFF, "unable to load package for single_version_override patch //sub:a.diff: BUILD file not"),
        (
            "//:a.diff",
            DIFF.replace("module(", "x("),
            "error applying single_version_override patch a.diff to module file",
        ),
        ("//:a.diff", RENAME, "Renaming MODULE.bazel while applying patches to it as a single file is not supported"),
    ],
)
def test_what_is_refused(tmp_path: Path, patches: str, diff: str, message: str) -> None:
    _, (found,) = patched(tmp_path, f'patches = ["{patches}"]', diff)
    assert message in found


@pytest.mark.parametrize(
    ("diff", "why"),
    [
        ("--- /dev/null\n+++ b/MODULE.bazel\n@@ -0,0 +1,1 @@\n+x\n", "it makes a file"),
        (DIFF.replace("a/MODULE", "x/a/MODULE"), "the names are others"),
    ],
)
def test_what_changes_no_module_file_does_nothing(tmp_path: Path, diff: str, why: str) -> None:
    assert patched(tmp_path, 'patches = ["//:a.diff"]', diff) == (["a@1"], []), why


@pytest.mark.parametrize(
    ("version", "counts"), [("7.6.2", False), ("7.7.1", True), ("8.4.0", False), ("8.5.0", True), ("9.1.0", True)]
)
def test_commands_count_without_patches_since(tmp_path: Path, version: str, counts: bool) -> None:
    text = 'module(name = "a", version = "1")'
    folder = write_files(
        tmp_path / "r",
        {"modules/a/1/MODULE.bazel": text, "modules/a/1/source.json": '{"url": "https://a.example/a.tgz"}'},
    )
    override = 'single_version_override(module_name = "a", patch_cmds = ["rm x"])'
    ws = write_files(tmp_path / "ws", {"MODULE.bazel": f'bazel_dep(name = "a", version = "1")\n{override}'})
    call = opened(ws, folder.as_uri(), version=version).repository("a").call
    assert call is not None
    assert (call.attributes.get("patch_cmds") == ["rm x"]) == counts
