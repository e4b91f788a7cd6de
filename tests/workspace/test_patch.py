"""Diffs applied in memory: as Bazel's own patcher (each case was run by Bazel 4.2.3) and as GNU patch."""

import difflib
import random
import shutil
import subprocess

import pytest

from bzlgraph.base.errors import LoadProblem
from bzlgraph.workspace.sources.patch import apply_patch
from bzlgraph.workspace.sources.virtual_tree import VirtualTree

F = b"".join(b"line %d %d\n" % (i % 7, i // 3) for i in range(12))
G = b"a\nb\nc\na\nb\nc\n"
HUNK = "@@ -1,2 +1,2 @@\n line 0 0\n-line 1 0\n+X\n"
PATCHED = F.replace(b"line 1 0", b"X")
DELETES = "@@ -1,6 +0,0 @@\n-a\n-b\n-c\n-a\n-b\n-c\n"
RENAME = "diff --git a/f b/g/h\nsimilarity index 90%\nrename from f\nrename to g/h\n"


def patched(diff: str, strip: int = 1, gnu: bool = False, files: dict[str, bytes] | None = None) -> dict[str, bytes]:
    tree = VirtualTree()
    for name, data in (files or {"f": F, "d/g": G, "empty": b""}).items():
        tree.write(name, data)
    apply_patch(diff.encode(), tree, strip, gnu=gnu, path="x.patch")
    return {path: tree.read(path) for path in tree.paths()}


def changes(diff: str, **options: bool) -> dict[str, bytes | None]:
    before, after = {"f": F, "d/g": G, "empty": b""}, patched(diff, **options)
    return {path: after.get(path) for path in (*before, *after) if before.get(path) != after.get(path)}


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        pytest.param(f"--- a/f\n+++ b/f\n{HUNK}", {"f": PATCHED}, id="plain"),
        pytest.param(f"--- a/f\t2019-05-27 17:19\n+++ b/f\t2019-05-27\n{HUNK}", {"f": PATCHED}, id="times"),
        pytest.param(f"--- a/f\n+++ b/f\n{HUNK}".replace("\n", "\r\n"), {"f": PATCHED}, id="crlf"),
        pytest.param(f"--- a/q\n+++ b/f\n{HUNK}", {"f": PATCHED}, id="the old name is not there"),
        pytest.param(f"From: x\n\n---\n f | 2 +-\n\n--- a/f\n+++ b/f\n{HUNK}-- \n2.30\n", {"f": PATCHED}, id="mail"),
        pytest.param(
            "--- a/f\n+++ b/f\n@@ -1 +1,2 @@ def f():\n line 0 0\n+\n", {"f": F.replace(b"0 0\n", b"0 0\n\n", 1)},
            id="empty line, text after the header",
        ),
        pytest.param("--- a/f\n+++ b/f\n@@ -9,1 +9,1 @@\n-line 1 0\n+X\n", {"f": PATCHED}, id="offset"),
        pytest.param("--- a/d/g\n+++ b/d/g\n@@ -3,1 +3,1 @@\n-b\n+B\n", {"d/g": b"a\nB\nc\na\nb\nc\n"}, id="nearest"),
        pytest.param("--- /dev/null\n+++ b/n/w\n@@ -0,0 +1,2 @@\n+one\n+two\n", {"n/w": b"one\ntwo\n"}, id="new file"),
        pytest.param("--- /dev/null\n+++ b/empty\n@@ -0,0 +1 @@\n+x\n", {"empty": b"x\n"}, id="new file that is there"),
        pytest.param(f"--- a/d/g\n+++ /dev/null\n{DELETES}", {"d/g": None}, id="deletion"),
        pytest.param(
            f"diff --git a/d/g b/d/g\ndeleted file mode 100644\n--- a/d/g\n+++ /dev/null\n{DELETES}", {"d/g": None},
            id="deletion by git",
        ),
        pytest.param("diff --git a/empty b/empty\ndeleted file mode 100644\n", {}, id="an empty file stays"),
        pytest.param(RENAME, {"f": None, "g/h": F}, id="rename"),
        pytest.param(f"{RENAME}--- a/f\n+++ b/g/h\n{HUNK}", {"f": None, "g/h": PATCHED}, id="rename and change"),
        pytest.param("diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", {}, id="mode"),
        pytest.param(
            f"Index: f\n===\n--- a/f\n+++ b/f\n{HUNK}Index: d/g\n===\n--- a/d/g\n+++ b/d/g\n@@ -1,1 +1,1 @@\n-a\n+A\n",
            {"f": PATCHED, "d/g": b"A" + G[1:]}, id="two files",
        ),
        pytest.param("", {}, id="nothing"),
    ],
)  # fmt: skip
def test_as_bazel_does(diff, expected):
    assert changes(diff) == expected


@pytest.mark.parametrize(
    ("diff", "line", "message"),
    [
        ("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n line 0 0\n-nothing\n+X\n", 3, "does not apply to f"),
        ("--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n line 0 0\n-line 1 0\n", 6, "in the middle of a hunk"),
        ("--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n line 0 0\n?\n", 5, "in the middle of a hunk"),
        ("--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n line 0 0\n-line 1 0\n+X\n", 5, "more lines than its header says"),
        (f"--- a/q\n+++ b/q\n{HUNK}", 1, "no file to patch"),
        (f"--- f\n+++ f\n{HUNK}", 1, "nothing is left of the file name"),
        (HUNK, 1, "no file is named"),
        ("--- a/../../x\n+++ b/../../x\n@@ -0,0 +1 @@\n+x\n", 1, "outside of the repository"),
        ("--- a//etc/x\n+++ b//etc/x\n@@ -0,0 +1 @@\n+x\n", 1, "outside of the repository"),
        ("x\ndiff --git a/f b/../../x\nrename from f\nrename to ../../x\n", 2, "outside of the repository"),
        ("diff --git a/f b/d/g\nrename from f\nrename to d/g\n", 1, "cannot rename f to d/g"),
        ("diff --git a/new b/new\nnew file mode 100644\n", 1, "no file to patch"),
    ],
)
def test_what_does_not_fit_is_told_with_its_line(diff, line, message):
    with pytest.raises(LoadProblem, match=message) as caught:
        patched(diff)
    assert (caught.value.diagnostic.location.path, caught.value.diagnostic.location.line) == ("x.patch", line)


def test_gnu_makes_and_removes_empty_files():
    assert changes("diff --git a/new b/new\nnew file mode 100644\n", gnu=True) == {"new": b""}
    assert changes("diff --git a/empty b/empty\ndeleted file mode 100644\n", gnu=True) == {"empty": None}


def test_a_diff_that_fits_in_too_many_places_ends():
    hunk = "@@ -1,201 +1,200 @@\n" + 200 * " a\n" + "-b\n"
    tree = VirtualTree()
    tree.write("f", b"a\n" * 3000)
    with pytest.raises(LoadProblem, match="too many places"):
        apply_patch(f"--- f\n+++ f\n{hunk}".encode(), tree, budget=100_000)


@pytest.mark.parametrize("line", [1 << 40, (1 << 63) - 1])
def test_a_hunk_of_any_line_is_looked_for_in_the_file(line):
    assert changes(f"--- a/f\n+++ b/f\n{HUNK.replace('-1,2', f'-{line},2')}") == {"f": PATCHED}


def test_a_diff_that_changes_one_large_file_again_and_again_ends():
    tree = VirtualTree()
    tree.write("f", b"a\n" * 3000)
    once = "diff --git f f\n--- f\n+++ f\n@@ -1 +1 @@\n-a\n+a\n"
    assert apply_patch(once.encode() * 20, tree, budget=100_000) == 100_000 - 20 * (3000 + 6 + 2)
    with pytest.raises(LoadProblem, match="changes too much"):
        apply_patch(once.encode() * 40, tree, budget=100_000)


@pytest.mark.skipif(shutil.which("patch") is None, reason="GNU patch is not installed")
@pytest.mark.parametrize("seed", range(60))
def test_as_gnu_patch_does(tmp_path, seed):
    chance = random.Random(seed)
    base = [f"line {i % 5} {i // 9}" for i in range(chance.choice([5, 12, 40]))]
    start = _changed(base, chance, 3)
    diff = "\n".join(
        difflib.unified_diff(start, _changed(start, chance, 6), "a/f", "b/f", lineterm="", n=chance.choice([0, 1, 3]))
    )
    (tmp_path / "f").write_bytes(_text(base))
    line = ["patch", "-p1", "-s", "-f", "--no-backup-if-mismatch"]
    done = subprocess.run(line, input=f"{diff}\n".encode(), cwd=tmp_path, capture_output=True, check=False)
    if done.returncode:
        with pytest.raises(LoadProblem, match="does not apply"):
            patched(f"{diff}\n", gnu=True, files={"f": _text(base)})
    else:
        assert patched(f"{diff}\n", gnu=True, files={"f": _text(base)}) == {"f": (tmp_path / "f").read_bytes()}


def _changed(lines: list[str], chance: random.Random, most: int) -> list[str]:
    lines = list(lines)
    for _ in range(chance.randint(1, most)):
        at = chance.randrange(max(1, len(lines)))
        kind = chance.choice("idr")
        if kind == "i":
            lines.insert(at, f"new {chance.randint(0, 9)}")
        elif lines:
            lines[at : at + 1] = [] if kind == "d" else ["changed"]
    return lines


def _text(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
