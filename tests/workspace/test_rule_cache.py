"""Results of repository rules are kept, and count while all that was looked at is as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bzlgraph.starlark.evaluation.budget import DEFAULT
from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.running import rule_cache
from bzlgraph.workspace.running.run_rule import RuleRunner
from bzlgraph.workspace.workspace import Workspace, open_workspace
from tests.written_files import write_files

RULE = """
load(":parse.bzl", "words")

def _impl(ctx):
    pins = ctx.path(ctx.attr.pins)
    listed = words(ctx.read(pins))
    ctx.symlink(pins, "pins.txt")
    ctx.file("BUILD", "".join(["filegroup(name = '%s')\\n" % each for each in listed]))
    if ctx.path(Label("//:more.txt")).exists:
        ctx.file("more", "")
    ctx.file("env", ctx.os.environ.get("MODE", "") + ctx.attr.text)
    UNKNOWN
    print("made")

pinned = repository_rule(implementation = _impl, attrs = {"pins": attr.label(), "text": attr.string()})
"""
PARSE = "def words(text):\n    return [each for each in text.split(' ')]\n"
FILES = {
    "WORKSPACE": 'load("//:r.bzl", "pinned")\npinned(name = "x", pins = "//:pins.txt", text = "t")\n',
    "BUILD": "",
    "a/BUILD": "",
    "pins.txt": "one two",
    "r.bzl": RULE.replace("UNKNOWN", ""),
    "parse.bzl": PARSE,
}


@pytest.fixture(autouse=True)
def _all_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(rule_cache, "MIN_STEPS", 0)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return write_files(tmp_path / "tree", FILES)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The repositories whose rules were run."""
    made: list[str] = []
    attempt = RuleRunner._attempt

    def noted(self: RuleRunner, name: str, *others: object) -> object:
        made.append(name)
        return attempt(self, name, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(RuleRunner, "_attempt", noted)
    return made


def opened(checkout: Path, said: list[str] | None = None, **options: object) -> Workspace:
    told = said if said is not None else list[str]()
    given = RepositoryOptions(**options)  # type: ignore[arg-type]
    keeping = Options(cache_folder=checkout.parent / "cache", repositories=given)
    return open_workspace(checkout, replace(keeping, print=lambda text, place: told.append(f"{place}: {text}")))


def content(workspace: Workspace) -> object:
    """Everything that is said of the repository."""
    found = workspace.repository("x")
    source = found.tree.source
    paths = list(source.paths())  # type: ignore[attr-defined]
    files = {path: source.read(path) for path in paths if source.opaque(path) is None}  # type: ignore[attr-defined]
    return files, paths, found.present, found.gaps, found.problems, found.assumptions, found.lacks, found.way


def test_a_rule_is_run_once(checkout: Path, runs: list[str]) -> None:
    first_said: list[str] = []
    then_said: list[str] = []
    first = content(opened(checkout, first_said))
    (checkout / "a/BUILD").write_text("filegroup(name = 'edited')")
    assert content(opened(checkout, then_said)) == first
    assert runs == ["x"]
    assert then_said == first_said
    assert first_said


def changed(path: str, text: str) -> Callable[[Path], object]:
    return lambda checkout: (checkout / path).write_text(text)


@pytest.mark.parametrize(
    "edit",
    [
        changed("pins.txt", "one two three"),
        changed("more.txt", ""),
        changed("parse.bzl", PARSE.replace("' '", "'o'")),
        changed("r.bzl", FILES["r.bzl"].replace("%s", "x%s")),
        changed("WORKSPACE", FILES["WORKSPACE"].replace('"t"', '"u"')),
        lambda checkout: (checkout / "pins.txt").unlink(),
        lambda checkout: (checkout / "BUILD").unlink(),
    ],
    ids=["read", "exists", "loaded", "rule", "argument", "gone", "package"],
)
def test_it_is_run_again_when_something_has_changed(
    edit: Callable[[Path], object], checkout: Path, runs: list[str]
) -> None:
    first = content(opened(checkout))
    edit(checkout)
    again = content(opened(checkout))
    assert runs[:1] == ["x"] != runs
    assert again != first
    assert again == content(open_workspace(checkout))


@pytest.mark.parametrize("options", [{"repo_env": (("MODE", "m"),)}, {"host_os": "windows"}])
def test_it_is_run_again_with_other_options(options: dict[str, object], checkout: Path, runs: list[str]) -> None:
    for _ in range(2):
        content(opened(checkout))
        content(opened(checkout, **options))
    assert runs == ["x", "x"]


def test_what_is_unknown_is_kept_too(checkout: Path, runs: list[str]) -> None:
    asks = "ctx.file('c', '1' if ctx.which('cc') else '2')\n    ctx.file('d', ctx.execute(['ls']).stdout)"
    (checkout / "r.bzl").write_text(RULE.replace("UNKNOWN", asks))
    first = content(opened(checkout))
    times = len(runs)
    assert times > 1
    assert content(opened(checkout)) == first
    assert len(runs) == times


def test_a_failure_is_not_kept(checkout: Path, runs: list[str]) -> None:
    (checkout / "r.bzl").write_text(RULE.replace("UNKNOWN", "fail('no')"))
    assert content(opened(checkout)) == content(opened(checkout))
    assert len(runs) == 2


def test_a_rule_that_a_limit_ends_is_not_kept(checkout: Path, runs: list[str]) -> None:
    endless = "ctx.file('c', str([a for a in range(1000000) for b in range(1000000)]))"
    (checkout / "r.bzl").write_text(RULE.replace("UNKNOWN", endless))
    options = Options(cache_folder=checkout.parent / "cache", budget=replace(DEFAULT, steps=500))
    problems = [open_workspace(checkout, options).repository("x").problems for _ in range(2)]
    assert problems[0] == problems[1] != ()
    assert runs == ["x", "x"]


def test_without_a_cache_nothing_is_kept(checkout: Path, runs: list[str]) -> None:
    for _ in range(2):
        content(open_workspace(checkout))
    assert runs == ["x", "x"]


def test_little_work_is_not_kept(checkout: Path, runs: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_cache, "MIN_STEPS", 200_000)
    for _ in range(2):
        content(opened(checkout))
    assert runs == ["x", "x"]


@pytest.mark.parametrize("limit", ["MAX_BYTES", "MAX_JOURNAL"])
def test_too_much_is_not_kept(limit: str, checkout: Path, runs: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_cache, limit, 5)
    first = content(opened(checkout))
    assert content(opened(checkout)) == first
    assert runs == ["x", "x"]
