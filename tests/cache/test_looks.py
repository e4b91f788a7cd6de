"""What is looked at is noted, all of it, and a change of it is seen."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bzlgraph.cache import looks

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "mini_tensorflow"

SPY = """
import os, sys
from bzlgraph.cache import looks

asked = set()

def spied(function):
    def call(path=".", *arguments, **options):
        if not isinstance(path, int):
            asked.add(os.path.abspath(os.fsdecode(path)))
        return function(path, *arguments, **options)
    return call

def on_event(event, arguments):
    if event in ("open", "os.scandir", "os.listdir") and isinstance(arguments[0], (str, bytes)):
        asked.add(os.path.abspath(os.fsdecode(arguments[0])))

for name in ("stat", "lstat", "readlink"):
    setattr(os, name, spied(getattr(os, name)))
sys.addaudithook(on_event)
real_fresh, recorded = looks.stop, []
def stop():
    recorded.append(looks.recorded())
    real_fresh()
looks.stop = stop
from bzlgraph.cli import main, transcript
transcript.begin(sys.argv[1:])
try:
    main(sys.argv[1:])
finally:
    seen, root = recorded[0], os.environ["SPIED"]
    noted = {*seen.states, *seen.links}
    on_the_way = {real[:end] for real in seen.reals for end in range(len(real) + 1)}
    missed = {path for path in asked if f"{path}/".startswith(f"{root}/")} - noted - on_the_way
    print(*sorted(missed), sep="\\n", file=sys.stderr)
    print("seen", len(noted), seen.reliable, file=sys.stderr)
"""

QUESTIONS = (
    ("query", "deps(//...)"),
    ("query", "--output=location", "kind(rule, //...) + buildfiles(//...)"),
    ("query", "--config=opt", "--keep_going", "//..."),
    ("why", "@swig//:swig", "--from", "//tensorflow/tools/pip_package:build_pip_package"),
    ("select", "//..."),
    ("diff-config", "//...", "-c", "opt"),
    ("flags",),
    ("op", "tf.nn.conv2d"),
    ("expand", "//tensorflow/core:lib"),
    ("graph", "--output=dot", "//tensorflow/core/..."),
    ("mod", "graph"),
)


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
@pytest.mark.parametrize("jobs", ["--jobs=1", "--jobs=2"])
def test_all_that_a_command_looks_at_in_a_checkout_is_noted(
    question: tuple[str, ...], jobs: str, tmp_path: Path
) -> None:
    """``os`` itself tells what was asked of it; but in worker processes, whose looks the other way shows."""
    environment = {**os.environ, "SPIED": str(EXAMPLE), "XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", SPY, jobs, *question], cwd=EXAMPLE, env=environment, capture_output=True, text=True
    )
    *missed, last = done.stderr.splitlines()
    assert last.startswith("seen "), done.stderr
    assert [line for line in missed if line.startswith(str(EXAMPLE))] == []
    assert int(last.split()[1]) > 20


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files that are not young."""
    monkeypatch.setattr(looks, "TICK", 0)
    (tmp_path / "a.cc").write_text("int a;")
    (tmp_path / "folder").mkdir()
    time.sleep(0.02)
    return tmp_path


def rewrite(path: Path) -> None:
    """Change a file, but not its size, time and inode."""
    before = os.stat(path)
    path.write_text("int b;")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


CHANGES = {
    "rewritten": lambda folder: rewrite(folder / "a.cc"),
    "gone": lambda folder: (folder / "a.cc").unlink(),
    "another": lambda folder: (folder / "b.cc").replace(folder / "a.cc"),
    "a link": lambda folder: ((folder / "a.cc").rename(folder / "c.cc"), (folder / "a.cc").symlink_to("c.cc")),
    "a new entry": lambda folder: (folder / "folder" / "new").touch(),
    "there now": lambda folder: (folder / "absent").touch(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen(change: str, old: Path) -> None:
    (old / "b.cc").write_text("int a;")
    seen = looks.record()
    try:
        assert looks.is_file(f"{old}/a.cc")
        assert not looks.is_link(f"{old}/a.cc")
        assert not looks.exists(f"{old}/absent")
        looks.look(f"{old}/folder")
    finally:
        looks.stop()
    assert seen.hold()
    assert looks.Looks(seen.seen).hold()
    time.sleep(0.02)
    CHANGES[change](old)
    assert not seen.hold()
    assert not looks.Looks(seen.seen).hold()


def test_what_changed_a_moment_ago_never_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "TICK", 10**12)
    (tmp_path / "a").touch()
    seen = looks.record()
    looks.is_file(f"{tmp_path}/a")
    looks.stop()
    assert not seen.hold()


def test_two_processes_that_saw_different_things_saw_a_change() -> None:
    seen = looks.Looks(({"/a": ()}, {"/b": False}, {"/c": "/d"}))
    for others in (({"/a": (1,)}, {}, {}), ({}, {"/b": True}, {}), ({}, {}, {"/c": "/e"})):
        both = looks.Looks(({"/a": ()}, {"/b": False}, {"/c": "/d"}))
        both.add(others, True)
        assert not both.reliable
    seen.add(({"/a": (), "/x": ()}, {}, {}), True)
    assert seen.reliable
    assert "/x" in seen.states


@pytest.mark.parametrize("path", ["a", "a/b"])
def test_a_relative_path_cannot_be_looked_at_again(path: str) -> None:
    seen = looks.record()
    looks.is_file(path)
    looks.stop()
    assert not seen.hold()


def test_a_pipe_cannot_be_looked_at_again(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    seen = looks.record()
    assert not looks.is_file(f"{tmp_path}/pipe")
    looks.stop()
    assert not seen.hold()


def test_nothing_is_noted_before_it_is_wanted(tmp_path: Path) -> None:
    assert looks.recorded() is None
    assert looks.fresh() is None
    assert looks.is_folder(str(tmp_path))


def test_where_paths_lead_is_found_folder_by_folder(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "to_a").symlink_to("a")
    (tmp_path / "a" / "b" / "up").symlink_to("../../to_a")
    (tmp_path / "round").symlink_to("round")
    names = (
        *("", "a", "a/b/none/at/all", "to_a", "to_a/b", "a/b/up/b/up", "a/b/up/none", "round", "round/x"),
        *("a/../to_a/b", "a//b", "a/./b/", "a/b/up/../x"),
    )
    paths = [*(f"{tmp_path}/{name}" for name in names), "/", "/usr/../usr", "//x"]
    noted = looks.Looks(({}, {}, {path: os.path.realpath(path) for path in paths}))
    assert noted.hold()
    assert not noted.changed()
    (tmp_path / "to_a").unlink()
    (tmp_path / "to_a").symlink_to("a/b")
    assert set(noted.changed()) == {path for path in paths if os.path.realpath(path) != noted.reals[path]} != set()
