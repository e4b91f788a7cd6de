"""After an edit of the checkout no answer is that of before, and what the edit does not concern is still kept."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from bzlgraph.cache import answers, looks
from bzlgraph.snapshot.making.splice import Splice
from bzlgraph.snapshot.making.tables import Tables
from tests.snapshot.asking import full, kept
from tests.snapshot.edits import EDITS, FILES, QUESTIONS, asked
from tests.written_files import write_files


@pytest.fixture
def checkout(tmp_path: Path, private_cache: None) -> Path:
    write_files(tmp_path / "tree", FILES)
    return tmp_path / "tree"


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("first", [QUESTIONS, QUESTIONS[::-1]], ids=["forth", "back"])
def test_no_answer_is_that_of_before(edit: Callable[[Path], object], first: tuple[str, ...], checkout: Path) -> None:
    for question in QUESTIONS:
        full(asked(checkout, question))
    time.sleep(0.02)  # two changes in one tick of the clock look alike: that is what TICK is for
    edit(checkout)
    for question in first:
        right = full(asked(checkout, question, "--no_cache"))
        assert kept(asked(checkout, question)) in (None, right), "before anybody asked the full way"
        assert full(asked(checkout, question)) == right
        assert kept(asked(checkout, question)) in (None, right), "after it"
    for question in QUESTIONS:
        right = full(asked(checkout, question, "--no_cache"))
        assert kept(asked(checkout, question)) in (None, right)


PACKAGES = (
    "//:all",
    "//a:all",
    "//b:all",
    "//c:x/y.txt",
    "//d:all",
    "//g:all",
    "//i",
    "//j:x",
    "@lib//:all",
    "//e/f",
    "@over//:all",
)
BESIDE = {  # packages that an edit is nothing to, and one that it changes
    "a BUILD file": ("//a:a //c:x/y.txt //d:all //i", "//b:b"),
    "a file that a glob sees": ("//b:b //c:x/y.txt //d:all //i", "//a:a"),
    "a package in the way of a label": ("//b:b //d:all //i", "//c:x/y.txt"),
    "a broken BUILD file": ("//a:a //b:b //d:all //i", "//c:x/y.txt"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_no_label_is_answered_as_before(edit: str, checkout: Path) -> None:
    """Of a question about labels only what concerns their packages is looked at."""
    full(asked(checkout, "deps(//...)"))
    time.sleep(0.02)
    EDITS[edit](checkout)
    commands = [asked(checkout, f"{word}{each}") for each in PACKAGES for word in ("", "select ")]
    for command in commands:
        assert kept(command) in (None, full([*command, "--no_cache"])), command


@pytest.mark.parametrize("edit", BESIDE)
def test_labels_of_packages_beside_an_edit_are_answered(edit: str, checkout: Path) -> None:
    beside, concerned = BESIDE[edit]
    full(asked(checkout, "deps(//...)"))
    time.sleep(0.02)
    EDITS[edit](checkout)
    for label in beside.split():
        command = asked(checkout, label)
        said = kept(command)
        assert said is not None, label
        assert said == full([*command, "--no_cache"])
    looked, others = looked_at(asked(checkout, "//d:all")), ("a", "b", "c", "g", "j")
    assert f"{checkout}/d/BUILD" in looked
    assert not any(path.startswith(f"{checkout}/{each}/") for path in looked for each in others)
    assert kept(asked(checkout, concerned)) is None


def test_without_modules_an_edit_imports_nothing_of_them(checkout: Path) -> None:
    """Where repositories come from is known from before."""
    line = asked(checkout, "deps(//:top)", "--bazel_version=4.2.3")
    full(line)
    time.sleep(0.02)
    EDITS["a BUILD file"](checkout)
    script = (
        "import sys\n"
        "from bzlgraph.cli import transcript\n"
        "from bzlgraph.cli.main import main\n"
        f"transcript.begin({line!r})\n"
        f"try:\n    main({line!r})\n"
        "except SystemExit as stop:\n    assert not stop.code\n"
        "print(*sorted(name for name in sys.modules if name.startswith('bzlgraph.')), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "@lib//:l" in done.stdout.split()
    imported = done.stderr.split()
    assert "bzlgraph.snapshot.making.growing" in imported, "what was kept is brought up to date"
    assert not any(name.startswith(("bzlgraph.bzlmod", "bzlgraph.questions.origins")) for name in imported)


def looked_at(command: list[str]) -> list[str]:
    """The paths that are looked at for a question."""
    with patch.object(looks, "state_of_path", wraps=looks.state_of_path) as look:
        assert kept(command) is not None
    return [each.args[0] for each in look.call_args_list]


@pytest.mark.parametrize("said", ["repo(default_visibility = ['//visibility:public'])", "ignore_directories(['p'])"])
@pytest.mark.parametrize("home", ["", "other/"], ids=["the checkout", "another repository"])
def test_a_repo_file_has_a_say_about_every_package(said: str, home: str, checkout: Path) -> None:
    """A BUILD file far below a REPO.bazel that was not there before."""
    version = "--bazel_version=9.0.0" if "ignore" in said else "--bazel_version=7.7.1"
    write_files(checkout, {f"{home}p/BUILD": "filegroup(name = 'x', srcs = ['x.txt'])\n"})
    repository = f"--override_repository=lib={checkout / 'other'}"
    target = "@lib//p:x" if home else "//p:x"
    commands = [
        asked(checkout, f"visible(//b, {target})", version, repository),
        asked(checkout, target, version, repository),
    ]
    for command in commands:
        full(command)
    time.sleep(0.02)
    write_files(checkout, {f"{home}REPO.bazel": f"{said}\n"})
    for command in commands:
        right = full([*command, "--no_cache"])
        assert kept(command) in (None, right)
        assert full(command) == right
        assert kept(command) in (None, right)


PRELUDE = "tools/build_rules/prelude_bazel"


@pytest.mark.parametrize(
    "before",
    [
        {},
        {"tools/build_rules/BUILD": ""},
        {
            "tools/build_rules/BUILD": "",
            PRELUDE: "load('//tools:names.bzl', 'NAME')\n",
            "tools/names.bzl": "NAME = 'x'\n",
        },
        {PRELUDE: "NAME = 'x'\n"},
    ],
    ids=["no folder", "no prelude", "another value", "no package"],
)
@pytest.mark.parametrize("home", ["", "other/"], ids=["the checkout", "another repository"])
@pytest.mark.parametrize("version", ["2.1.0", "7.7.1"])
def test_a_prelude_has_a_say_about_every_package(
    before: dict[str, str], home: str, version: str, checkout: Path
) -> None:
    files = {"p/BUILD": "filegroup(name = 'x', srcs = [NAME])\n", "tools/BUILD": "", **before}
    write_files(checkout, {f"{home}{path}": text for path, text in files.items()})
    options = (f"--bazel_version={version}", f"--override_repository=lib={checkout / 'other'}")
    target = "@lib//p:x" if home else "//p:x"
    commands = [asked(checkout, f"deps({target})", *options), asked(checkout, target, *options)]
    for command in commands:
        full(command)
    time.sleep(0.02)
    after = {
        "tools/build_rules/BUILD": "",
        PRELUDE: "load('//tools:names.bzl', 'NAME')\n",
        "tools/names.bzl": "NAME = 'y'\n",
    }
    write_files(checkout, {f"{home}{path}": text for path, text in after.items()})
    for command in commands:
        right = full([*command, "--no_cache"])
        assert kept(command) in (None, right)
        assert full(command) == right
        assert kept(command) in (None, right)


def test_a_bzl_file_that_was_missing_is_loaded(checkout: Path) -> None:
    write_files(checkout, {"h/BUILD": "load('//d:later.bzl', 'later')\nlater(name = 'h')\n"})
    full(asked(checkout, "deps(//h:all)"))
    time.sleep(0.02)
    write_files(checkout, {"d/later.bzl": "def later(name):\n    native.filegroup(name = name, srcs = ['//a'])\n"})
    right = full(asked(checkout, "deps(//h:all)", "--no_cache"))
    assert kept(asked(checkout, "deps(//h:all)")) in (None, right)
    full(asked(checkout, "//d:all"))
    assert kept(asked(checkout, "deps(//h:all)")) in (None, right)
    assert full(asked(checkout, "deps(//h:all)")) == right


def test_what_is_unchanged_is_answered(checkout: Path) -> None:
    for question in QUESTIONS:
        full(asked(checkout, question))
    for question in (*QUESTIONS[1:], "deps(//d)", "//a:all + //b", "somepath(//:top, @lib//:l.txt)"):
        said = kept(asked(checkout, question))
        assert said is not None, question
        assert said == full(asked(checkout, question, "--no_cache"))


def test_after_an_edit_the_other_packages_are_still_kept(checkout: Path) -> None:
    full(asked(checkout, "deps(//...)"))
    time.sleep(0.02)
    EDITS["a BUILD file"](checkout)
    assert kept(asked(checkout, "deps(//a)")) is None
    full(asked(checkout, "//b"))
    for question in ("deps(//a)", "deps(//:top)", "deps(//b)", "//..."):
        assert kept(asked(checkout, question)) == full(asked(checkout, question, "--no_cache")), question


def test_options_that_change_what_is_loaded_have_graphs_of_their_own(checkout: Path) -> None:
    full(asked(checkout, "deps(//:top)"))
    for option in ("--bazel_version=7.7.1", f"--override_repository=lib={checkout / 'd'}", "--stay_inside"):
        assert kept(asked(checkout, "deps(//:top)", option)) is None
    assert kept(asked(checkout, "deps(//:top)", "--no_cache")) is None
    assert kept([*asked(checkout, "deps(//:top)"), "--config=x"]) is None


def test_an_answer_after_an_edit_is_not_given_again_after_the_next(checkout: Path) -> None:
    question = asked(checkout, "//...")
    full(question)
    time.sleep(0.02)
    EDITS["a BUILD file"](checkout)
    full(question)
    time.sleep(0.02)
    EDITS["a package below a glob"](checkout)
    assert answers.find(question) is None


def test_numbers_that_become_wider(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when an edit brings the condition that two bytes have no number for; and back."""
    for most in (1 << 16, 0, 1 << 16):
        monkeypatch.setattr("bzlgraph.snapshot.making.numbers.SHORT", most)
        (checkout / "b" / "BUILD").write_text(f"{FILES['b/BUILD']}filegroup(name = 'more{most}', srcs = [':b'])\n")
        for question in QUESTIONS:
            right = full(asked(checkout, question, "--no_cache"))
            assert full(asked(checkout, question)) == right
            assert kept(asked(checkout, question)) in (None, right)
        assert kept(asked(checkout, "//...")) is not None
        time.sleep(0.02)


def test_tables_that_have_grown_too_long_with_many_edits(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The graph is then made anew, of what this question has loaded."""
    full(asked(checkout, "//..."))

    def too_long(splice: Splice) -> Tables:
        if splice.old.graph is not None:
            raise OverflowError("unsigned short is greater than maximum")
        return Tables(splice)

    monkeypatch.setattr("bzlgraph.snapshot.making.make.Tables", too_long)
    time.sleep(0.02)
    EDITS["a BUILD file"](checkout)
    right = full(asked(checkout, "deps(//a)", "--no_cache"))
    assert full(asked(checkout, "deps(//a)")) == right
    assert kept(asked(checkout, "deps(//a)")) == right
