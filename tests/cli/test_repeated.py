"""A question asked again: the same answer while nothing has changed, the new one as soon as something has."""

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from tests.written_files import write_files

ROOT = Path(__file__).parents[2]

TREE = {
    "WORKSPACE": 'load("//:repositories.bzl", "repositories")\nrepositories()\n',
    "repositories.bzl": """
def repositories():
    native.local_repository(name = "near", path = "near")
    native.new_local_repository(name = "built", path = "built", build_file = "//:built.BUILD")
""",
    "built.BUILD": 'filegroup(name = "built", srcs = glob(["*.txt"]))\n',
    "built/one.txt": "",
    "named/file.txt": "",
    "near/WORKSPACE": "",
    "near/BUILD": 'filegroup(name = "near", visibility = ["//visibility:public"])\n',
    "BUILD": 'load("//:defs.bzl", "made")\nload("//sub:deep.bzl", "NAMES")\nmade(NAMES)\n'
    'filegroup(name = "file", srcs = ["named/file.txt"])\n',
    "defs.bzl": """
def made(names):
    native.filegroup(
        name = "all",
        srcs = native.glob(["**/*.cc"]) + names + ["@near//:near", "@built//:built"],
    )
""",
    "sub/deep.bzl": 'NAMES = ["//sub:x", "//:file"]\n',
    "sub/BUILD": 'filegroup(name = "x", srcs = select({"//sub:fast": ["fast"], "//conditions:default": []}))\n'
    'config_setting(name = "fast", values = {"define": "fast=yes"})\n',
    "source/a.cc": "",
    "linked/b.cc": "",
    ".bazelrc": "try-import %workspace%/more.bazelrc\n",
}
QUESTION = ("query", "deps(//:all)", "--output=label_kind")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    write_files(root, TREE)
    (root / "link").symlink_to("linked")
    (tmp_path / "home").mkdir()
    return root


def environment_of(root: Path) -> dict[str, str]:
    """An environment with caches of its own for a tree."""
    home = root.parent / "home"
    own = {"HOME": home, "XDG_CACHE_HOME": home / "cache", "XDG_STATE_HOME": home / "state", "PYTHONPATH": ROOT}
    return {**os.environ, **{name: str(path) for name, path in own.items()}}


def asked(root: Path, *words: str, environment: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command in a tree."""
    command = [sys.executable, "-m", "bzlgraph", *words]
    chosen = {**environment_of(root), **(environment or {})}
    done = subprocess.run(command, cwd=root, env=chosen, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def kept(root: Path) -> list[Path]:
    """The answers that were kept."""
    folder = root.parent / "home" / "cache" / "bzlgraph" / "answers"
    return sorted(folder.iterdir()) if folder.is_dir() else []


def settle() -> None:
    """Let what was written grow old enough."""
    time.sleep(0.12)


CHANGES: dict[str, Callable[[Path], object]] = {
    "BUILD file": lambda root: (root / "BUILD").write_text(TREE["BUILD"] + 'filegroup(name = "all")\n'),
    "load()ed file": lambda root: (root / "defs.bzl").write_text(TREE["defs.bzl"].replace("names +", "")),
    "file that a file loads": lambda root: (root / "sub/deep.bzl").write_text("NAMES = []\n"),
    "a file for glob()": lambda root: (root / "source/new.cc").touch(),
    "a file less for glob()": lambda root: (root / "source/a.cc").unlink(),
    "a deep folder for glob()": lambda root: ((root / "source/x").mkdir(), (root / "source/x/y.cc").touch()),
    "a new package below": lambda root: (root / "source/BUILD").touch(),
    "a package less": lambda root: (root / "sub/BUILD").unlink(),
    "where a link leads": lambda root: ((root / "link").unlink(), (root / "link").symlink_to("source")),
    "a folder for a link": lambda root: ((root / "link").unlink(), (root / "link").mkdir()),
    "WORKSPACE": lambda root: (root / "WORKSPACE").write_text('local_repository(name = "near", path = "near")\n'),
    "file that WORKSPACE loads": lambda root: (root / "repositories.bzl").write_text("def repositories():\n    pass\n"),
    "another repository": lambda root: (root / "near/BUILD").write_text(""),
    "sources of another repository": lambda root: (root / "built/two.txt").touch(),
    "the BUILD file of another repository": lambda root: (root / "built.BUILD").write_text("exports_files([])\n"),
    ".bazelignore": lambda root: (root / ".bazelignore").write_text("sub\n"),
    ".bazelversion": lambda root: (root / ".bazelversion").write_text("9.0.0\n"),
    "MODULE.bazel": lambda root: ((root / "MODULE.bazel").touch(), (root / ".bazelversion").write_text("7.7.1\n")),
    "a package below a file that is named": lambda root: (root / "named/BUILD").touch(),
    "BUILD.bazel": lambda root: (root / "sub/BUILD.bazel").write_text('filegroup(name = "x")\n'),
    "a nested workspace": lambda root: (root / "sub/WORKSPACE").touch(),
    "where a repository is looked for first": lambda root: (root / "external/near").mkdir(parents=True),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_gives_the_new_answer(change: str, tree: Path) -> None:
    settle()
    first = asked(tree, *QUESTION)
    assert first[0] == 0, first
    assert asked(tree, *QUESTION) == first
    assert len(kept(tree)) == 1
    CHANGES[change](tree)
    settle()
    assert asked(tree, *QUESTION) == asked(tree, "--no_cache", *QUESTION)


def test_an_edit_that_keeps_size_and_times_gives_the_new_answer(tree: Path) -> None:
    settle()
    first, before = asked(tree, *QUESTION), os.stat(tree / "sub/BUILD")
    (tree / "sub/BUILD").write_text((tree / "sub/BUILD").read_text().replace("fast=yes", "fast=no!"))
    (tree / "sub/BUILD").write_text((tree / "sub/BUILD").read_text().replace('["fast"]', '["slow"]'))
    os.utime(tree / "sub/BUILD", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert os.stat(tree / "sub/BUILD").st_size == before.st_size
    again = asked(tree, *QUESTION)
    assert again != first
    assert again == asked(tree, "--no_cache", *QUESTION)


def test_an_rc_file_that_was_not_there_counts(tree: Path) -> None:
    question = ("query", "--config=fast", "deps(//sub:x)")
    (tree / ".bazelrc").write_text("try-import %workspace%/more.bazelrc\nbuild:fast --copt=-g\n")
    settle()
    first = asked(tree, *question)
    assert first[0] == 0, first
    assert len(kept(tree)) == 1
    (tree / "more.bazelrc").write_text("build:fast --define=fast=yes\n")
    settle()
    again = asked(tree, *question)
    assert again != first
    assert again == asked(tree, "--no_cache", *question)


def test_the_rc_file_of_a_home_counts(tree: Path) -> None:
    question = ("select", "--home_rc", "--config=fast", "//sub:x")
    (tree / ".bazelrc").write_text("build:fast --copt=-g\n")
    settle()
    first = asked(tree, *question)
    (tree.parent / "home" / ".bazelrc").write_text("build:fast --define=fast=yes\n")
    settle()
    assert asked(tree, *question) == asked(tree, "--no_cache", *question) != first


def test_another_environment_is_another_question(tree: Path) -> None:
    settle()
    asked(tree, *QUESTION)
    asked(tree, *QUESTION, environment={"CC": "clang"})
    assert len(kept(tree)) == 2


def test_packages_that_worker_processes_evaluate_count(tree: Path) -> None:
    for number in range(40):
        (tree / f"p{number}").mkdir()
        (tree / f"p{number}/BUILD").write_text('filegroup(name = "x", srcs = glob(["*.txt"]))\n')
    settle()
    question = ("--jobs=2", "query", "deps(//...)")
    first = asked(tree, *question)
    assert len(kept(tree)) == 1
    (tree / "p33/new.txt").touch()
    settle()
    again = asked(tree, *question)
    assert again == asked(tree, "--no_cache", *question)
    assert "//p33:new.txt" in again[1]
    assert again != first


@pytest.mark.parametrize(
    "words",
    [
        ("query", "//nowhere:x"),  # a problem
        ("query", "-k", "//nowhere:x + //sub:x"),
        ("--no_cache", "query", "//sub:x"),
        ("doctor",),
        ("query", "--help"),
        ("parse", "BUILD"),
    ],
    ids=" ".join,
)
def test_what_is_no_whole_answer_is_not_kept(words: Sequence[str], tree: Path) -> None:
    settle()
    asked(tree, *words)
    assert kept(tree) == []


def test_an_answer_in_a_file_is_written_again_whatever_became_of_the_file(tree: Path) -> None:
    file = tree.parent / "answer.csv"
    question = ("query", "-o", str(file), "deps(//:all)")
    settle()
    first, written = asked(tree, *question), file.read_bytes()
    assert first[:2] == (0, "")
    assert len(kept(tree)) == 1
    assert b"//sub:x" in written
    for become in (b"x" * 10_000, None):
        file.unlink() if become is None else file.write_bytes(become)
        (answer,) = kept(tree)
        before = answer.stat().st_mtime_ns
        assert asked(tree, *question) == first
        assert file.read_bytes() == written
        assert answer.stat().st_mtime_ns == before  # not made and kept anew
    CHANGES["load()ed file"](tree)
    settle()
    asked(tree, *question)
    assert b"//sub:x" not in file.read_bytes()


def test_a_file_that_cannot_be_written_again_is_told_of_as_ever(tree: Path) -> None:
    folder = tree.parent / "made"
    folder.mkdir()
    question = ("query", "-o", str(folder / "answer.csv"), "//sub:x")
    settle()
    assert asked(tree, *question)[0] == 0
    (folder / "answer.csv").unlink()
    folder.rmdir()
    again = asked(tree, *question)
    assert again == asked(tree, "--no_cache", *question)
    assert again[0] == 2
    assert "No such file" in again[2]


@pytest.mark.parametrize("into_a_file", [False, True])
def test_the_table_of_ops_is_new_after_an_edit_of_a_kernel(into_a_file: bool, tree: Path) -> None:
    root, file = tree.parent / "tf", tree.parent / "ops.csv"
    shutil.copytree(ROOT / "examples" / "mini_tensorflow", root)
    words = ("op", "--table", *(("-o", str(file)) if into_a_file else ()))

    def table(*before: str) -> tuple[str, str]:
        code, out, told = asked(root, *before, *words)
        assert code == 0, told
        return file.read_text() if into_a_file else out, told

    settle()
    first = table()
    assert len(kept(tree)) == 1
    assert table() == first
    (kernel,) = [each for each in root.rglob("*.cc") if "REGISTER_KERNEL_BUILDER" in each.read_text()][:1]
    kernel.write_text(f"// one line more\n{kernel.read_text()}")
    settle()
    assert first != table() == table("--no_cache")


def test_a_folder_of_caches_that_is_named_is_used(tree: Path) -> None:
    settle()
    named = tree.parent / "named"
    first = asked(tree, f"--cache_dir={named}", *QUESTION)
    assert len(list((named / "answers").iterdir())) == 1
    assert asked(tree, f"--cache_dir={named}", *QUESTION) == first


def test_a_damaged_answer_is_never_given(tree: Path) -> None:
    settle()
    first = asked(tree, *QUESTION)
    (answer,) = kept(tree)
    data = answer.read_bytes()
    for at in (0, 5, 19, 20, 25, len(data) // 2, len(data) - 1):
        answer.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert asked(tree, *QUESTION) == first
    for size in (0, 10, 20, 21, len(data) // 2, len(data) - 1):
        answer.write_bytes(data[:size])
        assert asked(tree, *QUESTION) == first


def test_an_answer_that_others_may_have_written_is_never_given(tree: Path) -> None:
    settle()
    first = asked(tree, *QUESTION)
    (answer,) = kept(tree)
    answer.write_bytes(answer.read_bytes().replace(b"//sub:x", b"//sub:y"))
    assert asked(tree, *QUESTION) == first
    asked(tree, "query", "buildfiles(//sub:all)")
    one, other = kept(tree)
    other.write_bytes(one.read_bytes())  # sealed, but for another question
    assert asked(tree, *QUESTION) == first


DEFAULTS = ["bzlgraph.defaults", "bzlgraph.defaults.files", "bzlgraph.defaults.words"]
SPY = """
import os, sys
opened = []
sys.addaudithook(lambda event, arguments: opened.append(arguments[0]) if event in ("open", "os.scandir") else None)
os._exit = sys.exit
from bzlgraph.__main__ import run
try:
    run()
finally:
    print(*[path for path in opened if str(path).startswith(os.getcwd())], file=sys.stderr)
    print(*sorted(name for name in sys.modules if name.startswith("bzlgraph.")), file=sys.stderr)
"""


def test_an_answer_given_again_reads_nothing_and_imports_next_to_nothing(tree: Path) -> None:
    settle()
    asked(tree, *QUESTION)
    command = [sys.executable, "-c", SPY, *QUESTION]
    done = subprocess.run(command, cwd=tree, env=environment_of(tree), capture_output=True, text=True, check=True)
    *_, opened, imported = done.stderr.splitlines()
    assert opened == ""
    light = ("answers", "code", "counters", "looks", "private", "seal")
    caches = ["bzlgraph.cache", *(f"bzlgraph.cache.{name}" for name in light)]
    assert imported.split() == ["bzlgraph.__main__", *caches, *DEFAULTS]


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_stream_ends_as_with_a_new_answer(stream: str, tree: Path) -> None:
    settle()
    asked(tree, *QUESTION)
    redirection = ">&-" if stream == "stdout" else "2>&-"
    outcomes = []
    for cache in ("", "--no_cache"):
        script = f"{sys.executable} -m bzlgraph {cache} query 'deps(//:all)' --output=label_kind {redirection}"
        done = subprocess.run(["sh", "-c", script], cwd=tree, capture_output=True, env=environment_of(tree))
        outcomes.append((done.returncode, done.stdout, done.stderr))
    assert outcomes[0] == outcomes[1]


def test_a_reader_that_has_seen_enough_ends_it_quietly(tree: Path) -> None:
    settle()
    asked(tree, *QUESTION)
    assert len(kept(tree)) == 1
    script = f"{sys.executable} -m bzlgraph {' '.join(map(shlex.quote, QUESTION))}; echo $? >&2"
    command = ["sh", "-c", f"({script}) | true"]
    done = subprocess.run(command, cwd=tree, capture_output=True, env=environment_of(tree), text=True)
    assert done.stderr == "141\n"


def test_a_page_of_the_explorer_is_written_again_until_something_changes(tree: Path) -> None:
    settle()
    question = ("explore", "//sub:x", "-o", "../page.html", "--profile")
    assert "packages were loaded" in asked(tree, *question)[2]
    page = tree.parent / "page.html"
    first = page.read_bytes()
    page.unlink()
    code, printed, told = asked(tree, *question)
    assert (code, printed) == (0, "")
    assert "the same question was answered before" in told
    assert page.read_bytes() == first
    (tree / "sub/BUILD").write_text(TREE["sub/BUILD"] + 'filegroup(name = "fast2")\nfilegroup(name = "y")\n')
    (tree / "sub/BUILD").write_text((tree / "sub/BUILD").read_text().replace('["fast"]', '["y"]'))
    settle()
    assert "packages were loaded" in asked(tree, *question)[2]
    assert page.read_bytes() != first


def test_a_page_that_is_served_is_served_again(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bzlgraph.cli.commands import explore
    from tests.snapshot.asking import full

    settle()
    served: list[object] = []
    monkeypatch.setattr(explore, "_serve", lambda *given: served.append(given))
    for name, value in environment_of(tree).items():
        monkeypatch.setenv(name, value)
    for times in (1, 2):
        assert full(["-C", str(tree), "--jobs=1", "explore", "//sub:x", "--serve"]).code == 0
        assert len(served) == times
    assert kept(tree) == []
