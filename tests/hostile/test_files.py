"""Files and folders that nobody would write by hand: each attempt is a checkout, and what has to be said of it. The
rest of the checkout is answered all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bzlgraph.questions.session import QueryOptions, ask_query, open_session
from tests.hostile.attack import assert_held, run, write

MB = 1 << 20
FINE = 'filegroup(name = "fine")\n'
ALL_FILES = 'filegroup(name = "all", srcs = glob(["**"]))\n'
QUERY = ("query", "//...", "-k")
CONFIGURED = (*QUERY, "-c", "opt")


USES = 'filegroup(name = "uses", srcs = ["@r//:x"])\n'
HTTP = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
MODULE = 'bazel_dep(name = "r", version = "1.0")\nsingle_version_override(module_name = "r", registry = "{registry}")\n'
NEW_LOCAL = 'new_local_repository(name = "r", path = "/{path}", build_file = "{path}")\n'
LOCAL_MODULE = 'bazel_dep(name = "r")\nlocal_path_override(module_name = "r", path = "{path}")\n'


def chain(rule: str, attribute: str, count: int) -> str:
    """Targets that each name the next one."""
    return "".join(f'{rule}(name = "t{each}", {attribute} = [":t{each + 1}"])\n' for each in range(count))


def aliases(count: int) -> str:
    """A condition behind so many names, and what asks for the first."""
    names = chain("alias", "actual", count).replace("[", "").replace("]", "")
    setting = f'config_setting(name = "t{count}", define_values = {{"a": "b"}})\n'
    return f'{names}{setting}filegroup(name = "x", srcs = select({{":t0": ["y"], "//conditions:default": []}}))\n'


@dataclass(frozen=True)
class Attempt:
    """What makes the checkout, and what is said: on stderr, or in the answer."""

    make: Callable[[Path], object]
    said: str = ""
    question: tuple[str, ...] = QUERY
    targets: tuple[str, ...] = ("//fine:fine",)


def files(**contents: str | bytes | Callable[[], str | bytes]) -> Callable[[Path], object]:
    """A checkout with these files; what is large is made when it is needed."""
    return lambda root: write(root, {path: text() if callable(text) else text for path, text in contents.items()})


def rc(text: Callable[[], str], said: str) -> Attempt:
    """A .bazelrc."""
    return Attempt(files(**{".bazelrc": text}), said, CONFIGURED)


def links(build: str, below: bool, count: int = 8) -> Callable[[Path], object]:
    """Folders that have a link to each other one."""

    def make(root: Path) -> None:
        write(root, {"BUILD": build} if build else {})
        for each in range(count):
            write(root, {f"d{each}/{'BUILD' if below else 'file'}": FINE})
            for other in range(count):
                os.symlink(f"../d{other}", root / f"d{each}/l{other}")

    return make


def ladder(root: Path) -> None:
    """2^30 ways to one folder."""
    for each in range(30):
        (root / f"a{each}").mkdir(parents=True)
        for way in "lr":
            os.symlink(f"../a{each + 1}", root / f"a{each}/{way}")
    write(root, {"a30/BUILD": FINE})


def loops(root: Path) -> None:
    write(root, {"BUILD": ALL_FILES})
    for link, target in {"self": ".", "a": "b", "b": "a", "up": "../tree", "none": "nothing", "c0": "BUILD"}.items():
        os.symlink(target, root / link)
    for each in range(100):  # more than a system follows
        os.symlink(f"c{each}", root / f"c{each + 1}")


def pipes(*names: str) -> Callable[[Path], object]:
    """Named pipes, to which nobody ever writes."""

    def make(root: Path) -> None:
        write(root, {"p/BUILD": 'load(":a.bzl", "a")\n'})
        for name in names:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).unlink(missing_ok=True)
            os.mkfifo(root / name)

    return make


def folders(*names: str) -> Callable[[Path], object]:
    """Folders where files are expected."""
    return lambda root: [(root / name).mkdir(parents=True, exist_ok=True) for name in names]


ASIDE = (
    ".bazelrc",
    ".bazeliskrc",
    ".bazelversion",
    ".bazelignore",
    "REPO.bazel",
    "MODULE.bazel.lock",
    "platform_mappings",
)
ATTEMPTS = {
    "folders that link to one another": Attempt(links(ALL_FILES, below=False), "folders behind links", QUERY),
    "packages that link to one another": Attempt(links("", below=True), "folders behind links", QUERY),
    "2^30 ways to one folder": Attempt(ladder, "folders behind links", QUERY),
    "links in loops": Attempt(loops, targets=("//fine:fine", "//:all")),
    "rc: one word of 50 MB": rc(lambda: "build --copt=" + "x" * 50 * MB, "more than 2 MB of rc files"),
    "rc: 50 MB of words": rc(lambda: "build " + "x " * 25 * MB, "more than 2 MB of rc files"),
    "rc: 2 MB of words": rc(lambda: "build " + "x " * (MB - 10), "more than 50000 words"),
    "rc: 2 MB of continued lines": rc(lambda: "build x\\\n" * (200_000), ""),
    "rc: 2 MB of lines that say nothing": rc(lambda: "import\n" * 290_000, "import takes one path"),
    "rc: 2 MB of files that are not there": rc(
        lambda: "".join(f"try-import {each}\n" for each in range(110_000)), "too many imports"
    ),
    "rc: 2 MB of conditions": rc(lambda: "try-import-if-bazel-version a b\n" * 60_000, "is not a condition"),
    "rc: more than a file may hold": rc(lambda: "x" * 70 * MB, "larger than 64 MB"),
    "a version of 60 MB": Attempt(files(**{".bazelversion": lambda: "1" * 60 * MB})),
    "a version of 6,000 digits": Attempt(files(**{".bazelversion": "1." + "9" * 6000 + ".0"})),
    "a .bazelignore of 60 MB": Attempt(files(**{".bazelignore": lambda: "x\n" * 30 * MB})),
    **{
        f"{what} as {where}": Attempt(
            files(**{"use/BUILD": USES, where.rpartition(" ")[2]: text}), question=("query", "deps(//...)", "-k")
        )
        for what, path in {"a NUL": "a\\0b", "a long path": "a" * 5000, "many folders": "a/" * 5000, "~": "~"}.items()
        for where, text in {
            "the path of a local repository in WORKSPACE": f'local_repository(name = "r", path = "{path}")\n',
            "an absolute path in WORKSPACE": NEW_LOCAL.format(path=path),
            "the path of a module in MODULE.bazel": LOCAL_MODULE.format(path=path),
            "a registry in MODULE.bazel": MODULE.format(registry=f"file:///{path}"),
        }.items()
    },
    "URLs that are none": Attempt(
        files(
            **{
                "use/BUILD": USES,
                "WORKSPACE": HTTP + 'http_archive(name = "r", urls = ["file://[x", "http://[::1"], sha256 = "0" * 64)',
            }
        ),
        "@r",
        ("query", "deps(//...)", "-k"),
    ),
    "a registry that is no URL": Attempt(
        files(
            **{
                "use/BUILD": USES,
                "MODULE.bazel": MODULE.format(registry="https://[x"),
            }
        ),
        "@r",
        ("query", "deps(//...)", "-k"),
    ),
    "a module's version of 6,000 digits": Attempt(
        files(**{"MODULE.bazel": f'bazel_dep(name = "r", version = "{"1" * 6000}")\n'})
    ),
    "patterns of folders with many stars": Attempt(
        files(
            **{
                "MODULE.bazel": "",
                "REPO.bazel": 'ignore_directories(["**/" * 40 + "z"])\n',
                f"{'/'.join('a' * 40)}/BUILD": FINE,
            }
        )
    ),
    "aliases of a condition, 10,000 deep": Attempt(
        files(BUILD=lambda: aliases(10_000)), "more than 50 settings", ("query", "deps(//...)", "--define=a=b")
    ),
    "test suites, 10,000 deep": Attempt(
        files(BUILD=lambda: chain("test_suite", "tests", 10_000) + 'sh_test(name = "t10000", srcs = ["t.sh"])\n'),
        question=("query", "tests(//:t0) + //fine"),
        targets=("//:t10000", "//fine:fine"),
    ),
    "pipes instead of a package": Attempt(pipes("p/BUILD", "p/a.bzl")),
    "a pipe instead of a .bzl file": Attempt(pipes("p/a.bzl"), "p/BUILD:1"),
    "pipes beside the packages": Attempt(pipes(*ASIDE, "MODULE.bazel", "tools/bazel.rc"), question=CONFIGURED),
    "folders beside the packages": Attempt(folders(*ASIDE, "MODULE.bazel", "p/BUILD"), question=CONFIGURED),
}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_attempt(tmp_path: Path, name: str) -> None:
    attempt, root = ATTEMPTS[name], write(tmp_path / "tree", {"fine/BUILD": FINE})
    attempt.make(root)
    ended = run(root, *attempt.question)
    assert_held(ended)
    assert attempt.said in ended.err
    assert set(attempt.targets) <= set(ended.out.split())


FORMS = ("label", "label_kind", "build", "xml", "proto", "json", "csv", "graph", "location")


@pytest.mark.parametrize("form", FORMS)
def test_names_that_are_no_utf_8(tmp_path: Path, form: str) -> None:
    """They are names as any other: each form shows them, with a cache, too."""
    root = write(tmp_path / "tree", {"fine/BUILD": FINE, "BUILD": ALL_FILES})
    folder = os.path.join(os.fsencode(root), b"\xff\xfe")
    for path in (folder, os.path.join(os.fsencode(root), b"more\xe9")):
        os.mkdir(path)
        for name in (b"\xfd.cc", b"BUILD") if path == folder else (b"\xfd.cc",):
            Path(os.fsdecode(os.path.join(path, name))).write_bytes(FINE.encode())
    options = (f"--cache_dir={tmp_path / 'cache'}", "query", "deps(//...)", f"--output={form}")
    for _ in range(2):
        ended = run(root, *options)
        assert_held(ended)
        assert ended.code == 0, ended.err
        assert "fine" in ended.out


@pytest.mark.parametrize("change", ["removed", "a folder", "other text"])
def test_a_file_that_changes_behind_a_listing(tmp_path: Path, change: str) -> None:
    root = write(
        tmp_path / "tree", {"fine/BUILD": FINE, "p/BUILD": 'load(":a.bzl", "A")\n' + FINE, "p/a.bzl": "A = 1\n"}
    )
    session = open_session(root)
    assert session.loader.packages_below("", "") == ["fine", "p"]
    (root / "p/BUILD").unlink()
    if change == "a folder":
        (root / "p/BUILD").mkdir()
    elif change == "other text":
        (root / "p/BUILD").write_text("fail('changed')\n")
    reply = ask_query(session, "//...", QueryOptions(keep_going=True))
    labels = [str(session.graph.labels[node]) for node in reply.answer.nodes]
    assert "//fine:fine" in labels
    said = {"removed": "No such file", "a folder": "Is a directory", "other text": "changed"}[change]
    assert any(said in each.message for each in reply.completeness.problems)


CLOSED = {"stdout": "exec 1>&-", "stderr": "exec 2>&-", "all": "exec 0<&- 1>&- 2>&-", "a full disk": "exec 1>/dev/full"}


@pytest.mark.parametrize("what", CLOSED)
def test_descriptors_that_are_closed_or_full(tmp_path: Path, what: str) -> None:
    root = write(tmp_path / "tree", {"BUILD": "x = 1 +\n", "fine/BUILD": FINE})
    script = f'{CLOSED[what]}; exec "$@"'
    command = ["bash", "-c", script, "-", sys.executable, "-m", "bzlgraph", "--no_cache", "-C", str(root), *QUERY]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == (3 if what == "stderr" else 7)
    assert "Traceback" not in done.stderr
    assert "//fine:fine" in done.stdout or what != "stderr"
    assert "BUILD" not in done.stdout


NUMBERS = (
    *('"{%s}".format(1)' % ("9" * 5000), '"%e" % (1 << 60000)', '"%d" % (1 << 60000)', "float(1 << 60000)"),
    *('"a".replace("a", "b", 1 << 100)', '"a".split("a", 1 << 100)', 'int("1" * 5000)', '"a" * (1 << 100)'),
    *("range(0, 10, 1 << 100)", "[1, 2][:: 1 << 100]", '"abc"[1 << 100]', "1 << (1 << 62)", "(1 << 60000) / 2"),
    *('json.decode("1" * 5000)', 'json.decode("[" * 100000)', "json.encode(1 << 60000)", "[].insert(1 << 100, 1)"),
    'native.filegroup(name = "x", srcs = ["//" + "a/" * 100000 + "b:c"])',
)


@pytest.mark.parametrize("expression", NUMBERS, ids=lambda text: text[:40])
def test_limits_of_python_are_none_of_ours(tmp_path: Path, expression: str) -> None:
    macro = f"def f():\n    x = {expression}\n"
    calls = {"BUILD": 'load(":a.bzl", "f")\nf()\n', "a.bzl": macro, "fine/BUILD": FINE}
    ended = run(write(tmp_path / "tree", calls), *("query", "deps(//...)", "-k"))
    assert_held(ended)
    assert "//fine:fine" in ended.out
