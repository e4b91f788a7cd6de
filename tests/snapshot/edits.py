"""A small workspace, edits of it, and the questions asked after each."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.written_files import write_files

FILES = {
    "WORKSPACE": "local_repository(name = 'lib', path = 'other')\n"
    "new_local_repository(name = 'over', path = 'laid', build_file = '//over:BUILD')\n",
    "over/BUILD": "filegroup(name = 'o', srcs = glob(['*.txt']))\n",
    "laid/one.txt": "",
    "BUILD": "load('//:macros.bzl', 'both')\nboth(name = 'top', deps = ['//a', '//b'])\n",
    "macros.bzl": "def both(name, deps):\n    native.filegroup(name = name, srcs = deps)\n",
    "a/BUILD": "filegroup(name = 'a', srcs = glob(['**/*.txt']) + ['@lib//:l'])\n",
    "a/one.txt": "",
    "a/sub/two.txt": "",
    "b/BUILD": "filegroup(name = 'b', srcs = ['//c:x/y.txt'], visibility = ['//visibility:public'])\n",
    "c/BUILD": "exports_files(['x/y.txt'])\n",
    "c/x/y.txt": "",
    "d/BUILD": "filegroup(name = 'd')\n",
    "g/BUILD": "filegroup(name = 'g', srcs = ['//later:x'])\n",
    "aspect.bzl": """
def _none(target, ctx):
    return []

looks_up = aspect(implementation = _none, attr_aspects = ["deps"], attrs = {"_tool": attr.label(default = "//d")})

def _rule(ctx):
    return []

applies = rule(implementation = _rule, attrs = {"deps": attr.label_list(aspects = [looks_up])})
""",
    "i/BUILD": "load('//:aspect.bzl', 'applies')\napplies(name = 'i', deps = ['//j:x'])\n",
    "j/BUILD": "exports_files(['x'])\n",
    "j/x": "",
    "other/WORKSPACE": "",
    "other/BUILD": "filegroup(name = 'l', srcs = ['l.txt'], visibility = ['//visibility:public'])\n",
    "other/l.txt": "",
    ".bazelrc": "",
}
QUESTIONS = (
    "buildfiles(//d:all)",
    "deps(//:top)",
    "//...",
    "rdeps(//..., //c:x/y.txt)",
    "//d:all",
    "deps(//g)",
    "deps(//i)",
    "kind(rule, deps(//...))",
    "why //c:x/y.txt",
    "why @lib//:l.txt --from=//:top --output=json",
    "select //...",
    "labels(srcs, //...)",
    "deps(@over//:all)",
    "expand //b //:top",
)


def replaced(name: str, before: str, after: str) -> Callable[[Path], None]:
    """An edit of a file in place."""

    def edit(root: Path) -> None:
        path = root / name
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")

    return edit


def same_size_and_time(root: Path) -> None:
    """An edit that keeps the size and puts the old time back."""
    import os

    path = root / "b" / "BUILD"
    status = path.stat()
    path.write_text(path.read_text(encoding="utf-8").replace("//c:x/y.txt", "//c:x/z.txt"), encoding="utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


EDITS: dict[str, Callable[[Path], object]] = {
    "a BUILD file": replaced("b/BUILD", "['//c:x/y.txt']", "['//c:x/y.txt', '//d']"),
    "a BUILD file, size and time kept": same_size_and_time,
    "a macro": replaced("macros.bzl", "srcs = deps", "srcs = deps + ['//d']"),
    "a file that a glob sees": lambda root: write_files(root, {"a/sub/three.txt": ""}),
    "a file that a glob saw": lambda root: (root / "a" / "one.txt").unlink(),
    "a package below a glob": lambda root: write_files(root, {"a/sub/BUILD": "filegroup(name = 'sub')\n"}),
    "a package in the way of a label": lambda root: write_files(root, {"c/x/BUILD": "exports_files(['y.txt'])\n"}),
    "a new package": lambda root: write_files(root, {"e/f/BUILD": "filegroup(name = 'f', srcs = ['//d'])\n"}),
    "a package gone": lambda root: shutil.rmtree(root / "d"),
    "BUILD.bazel beside BUILD": lambda root: write_files(root, {"d/BUILD.bazel": "filegroup(name = 'other')\n"}),
    "the WORKSPACE file": replaced("WORKSPACE", "'other'", "'d'"),
    "another repository's BUILD file": replaced("other/BUILD", "'l.txt'", "'l.txt', 'BUILD'"),
    "a BUILD file laid over another repository": replaced("over/BUILD", "'o'", "'other'"),
    "a file below a BUILD file from elsewhere": lambda root: write_files(root, {"laid/two.txt": ""}),
    "a .bazelignore": lambda root: write_files(root, {".bazelignore": "d\n"}),
    "a broken BUILD file": lambda root: write_files(root, {"c/BUILD": "exports_files(['x/y.txt']\n"}),
    "a package that was missing": lambda root: write_files(root, {"later/BUILD": "filegroup(name = 'x')\n"}),
    "a file becomes a rule that an aspect is applied to": lambda root: write_files(
        root, {"j/BUILD": "filegroup(name = 'x')\n"}
    ),
    "a file nobody reads": lambda root: write_files(root, {"b/README": "read me\n"}),
    "a link out of the checkout": lambda root: (root / "a" / "out").symlink_to("/usr/share"),
}


def asked(root: Path, question: str, *options: str) -> list[str]:
    """The command line of a question."""
    words = question.split() if question.startswith(("why ", "select ", "expand ")) else ["query", question]
    return ["-C", str(root), "--jobs=1", *options, words[0], "-k", *words[1:]]
