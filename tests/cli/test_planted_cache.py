"""Caches that somebody else made: whatever is planted, nothing of it runs and no answer changes.

The attacker has ``bzlgraph``, the checkout and a key of their own: what they plant is well-formed in every way. The
first test shows that it works on whoever has their key.
"""

from __future__ import annotations

import marshal
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import CodeType

import pytest

from bzlgraph.cache.code import code_version
from bzlgraph.cache.seal import KEY_FILE, Seal
from bzlgraph.cache.store import PACKAGES, PROGRAMS
from bzlgraph.starlark.evaluation.program import Program

SECONDS, BYTES = 60, 1 << 30
"""Limits of a run; machines are shared."""
RIGHT = "//:a\n//:b\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "WORKSPACE").touch()
    (root / "m.bzl").write_text("def m():\n    native.filegroup(name = 'a')\n    native.filegroup(name = 'b')\n")
    (root / "BUILD").write_text('load(":m.bzl", "m")\nm()\n')
    return root


def environment_of(tree: Path, more: dict[str, str]) -> dict[str, str]:
    home = tree.parent / "home"
    home.mkdir(exist_ok=True)
    return {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": "", "XDG_STATE_HOME": "", **more}


def ask(tree: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = environment_of(tree, environment)
    command = [sys.executable, "-m", "bzlgraph", *options, "query", "kind(rule, //...)"]
    return subprocess.run(
        command, cwd=tree, env=env, capture_output=True, text=True, timeout=SECONDS,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES)),
    )  # fmt: skip


@pytest.fixture
def planted(tree: Path, tmp_path: Path) -> Path:
    """A cache in which every program leaves a mark, and the key that seals it."""
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    made = ask(tree, f"--cache_dir={theirs / 'cache'}", XDG_STATE_HOME=str(theirs / "state"))
    assert (made.returncode, made.stdout) == (0, RIGHT)
    (theirs / "cache" / PACKAGES).unlink()  # so that programs run
    shutil.rmtree(theirs / "cache" / "answers")
    seal = Seal((theirs / "state" / "bzlgraph" / KEY_FILE).read_bytes(), PROGRAMS, code_version())
    with closing(sqlite3.connect(theirs / "cache" / PROGRAMS)) as connection, connection:
        for key, value in list(connection.execute("SELECT key, value FROM kept")):
            program = Program.from_bytes(marshal.loads(value))
            data = marshal.dumps(replace(program, code=harmful(program.path, tmp_path / "harm")).to_bytes())
            connection.execute("UPDATE kept SET seal = ?, value = ? WHERE key = ?", (seal.of(key, data), data, key))
    return theirs


PLANT = """
import marshal, os, sys
from bzlgraph.cache import answers
from bzlgraph.cache.seal import Seal
folder, key_file, *arguments = sys.argv[1:]
key, value = answers.question(arguments), marshal.dumps((({}, {}, {}), b"//:never\\n", b"", ""))
seal = Seal(open(key_file, "rb").read(), answers.FOLDER, answers.code_version())
os.makedirs(os.path.join(folder, answers.FOLDER), mode=0o700, exist_ok=True)
path = os.path.join(folder, answers.FOLDER, key.hex())
with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
    file.write(seal.of(key, value) + value)
"""


def plant_answer(tree: Path, planted: Path, folder: Path, *options: str, **environment: str) -> None:
    """Put a false answer to the question of ``ask`` into a cache folder, sealed with their key: ``find`` alone tells
    it from a true one."""
    key_file = planted / "state" / "bzlgraph" / KEY_FILE
    arguments = [str(folder), str(key_file), *options, "query", "kind(rule, //...)"]
    env = environment_of(tree, environment)
    command = [sys.executable, "-c", PLANT, *arguments]
    subprocess.run(command, cwd=tree, env=env, check=True, capture_output=True)


def harmful(path: str, mark: Path) -> CodeType:
    """Code that reaches out of Starlark's names, which the compiler never makes."""
    body = "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]"
    return compile(f"{body}.__init__.__globals__['system']('touch {mark}')", path, "exec")


def test_it_works_on_whoever_has_their_key(tree: Path, planted: Path, tmp_path: Path) -> None:
    folder, others = f"--cache_dir={planted / 'cache'}", {"XDG_STATE_HOME": str(planted / "state")}
    ask(tree, folder, **others)
    assert (tmp_path / "harm").exists()
    plant_answer(tree, planted, planted / "cache", folder, **others)
    assert ask(tree, folder, **others).stdout == "//:never\n"


def into(folder: Path, planted: Path, mode: int = 0o700) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(planted / "cache", folder)
    os.chmod(folder, mode)


def usual(tree: Path, planted: Path) -> dict[str, str]:
    """The usual folder, as a restored home or CI cache brings it."""
    into(tree.parent / "home" / ".cache" / "bzlgraph", planted)
    return {}


def usual_with_key_beside(tree: Path, planted: Path) -> dict[str, str]:
    folder = tree.parent / "home" / ".cache" / "bzlgraph"
    into(folder, planted)
    shutil.copy(planted / "state" / "bzlgraph" / KEY_FILE, folder / KEY_FILE)
    return {}


def open_to_all(tree: Path, planted: Path) -> dict[str, str]:
    into(tree.parent / "home" / ".cache" / "bzlgraph", planted, 0o777)
    return {}


def relative_in_the_checkout(tree: Path, planted: Path) -> dict[str, str]:
    into(tree / "cache" / "bzlgraph", planted)
    shutil.copytree(planted / "state" / "bzlgraph", tree / "cache" / "bzlgraph", dirs_exist_ok=True)
    return {"XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "cache"}


def absolute_in_the_checkout(tree: Path, planted: Path) -> dict[str, str]:
    into(tree / "cache" / "bzlgraph", planted)
    shutil.copytree(planted / "state", tree / "state")
    return {"XDG_CACHE_HOME": str(tree / "cache"), "XDG_STATE_HOME": str(tree / "state")}


def home_in_the_checkout(tree: Path, planted: Path) -> dict[str, str]:
    into(tree / ".cache" / "bzlgraph", planted)
    shutil.copytree(planted / "state", tree / ".local" / "state")
    return {"HOME": str(tree)}


def relative_home(tree: Path, planted: Path) -> dict[str, str]:
    return {**home_in_the_checkout(tree, planted), "HOME": "."}


def linked(tree: Path, planted: Path) -> dict[str, str]:
    (tree.parent / "home" / ".cache").mkdir(parents=True)
    (tree.parent / "home" / ".cache" / "bzlgraph").symlink_to(planted / "cache")
    return {}


def linked_files(tree: Path, planted: Path) -> dict[str, str]:
    folder = tree.parent / "home" / ".cache" / "bzlgraph"
    folder.mkdir(parents=True, mode=0o700)
    for each in (planted / "cache").iterdir():
        (folder / each.name).symlink_to(each)
    return {}


def key_that_others_could_write(tree: Path, planted: Path) -> dict[str, str]:
    into(tree.parent / "home" / ".cache" / "bzlgraph", planted)
    state = tree.parent / "home" / ".local" / "state"
    shutil.copytree(planted / "state", state)
    os.chmod(state / "bzlgraph" / KEY_FILE, 0o666)
    return {}


def key_folder_that_others_could_write(tree: Path, planted: Path) -> dict[str, str]:
    into(tree.parent / "home" / ".cache" / "bzlgraph", planted)
    state = tree.parent / "home" / ".local" / "state"
    shutil.copytree(planted / "state", state)
    os.chmod(state / "bzlgraph", 0o777)
    return {}


def linked_key(tree: Path, planted: Path) -> dict[str, str]:
    into(tree.parent / "home" / ".cache" / "bzlgraph", planted)
    state = tree.parent / "home" / ".local" / "state" / "bzlgraph"
    state.mkdir(parents=True, mode=0o700)
    (state / KEY_FILE).symlink_to(planted / "state" / "bzlgraph" / KEY_FILE)
    return {}


def seals_taken_out(tree: Path, planted: Path) -> dict[str, str]:
    into(tree.parent / "home" / ".cache" / "bzlgraph", planted)
    with closing(sqlite3.connect(tree.parent / "home" / ".cache" / "bzlgraph" / PROGRAMS)) as connection, connection:
        connection.execute("UPDATE kept SET seal = x''")
    return {}


def schema_that_computes(tree: Path, planted: Path) -> dict[str, str]:
    """A view that never ends, and one that gives values."""
    into(tree.parent / "home" / ".cache" / "bzlgraph", planted)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i, i FROM n"
    with closing(sqlite3.connect(tree.parent / "home" / ".cache" / "bzlgraph" / PROGRAMS)) as connection, connection:
        connection.execute("ALTER TABLE kept RENAME TO other")
        connection.execute(f"CREATE VIEW kept(key, seal, value) AS {endless}")
    return {}


ATTACKS: tuple[Callable[[Path, Path], dict[str, str]], ...] = (
    usual, usual_with_key_beside, open_to_all, relative_in_the_checkout, absolute_in_the_checkout,
    home_in_the_checkout, relative_home, linked, linked_files, key_that_others_could_write,
    key_folder_that_others_could_write, linked_key, seals_taken_out, schema_that_computes,
)  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_nothing_planted_runs(tree: Path, planted: Path, tmp_path: Path, attack: Callable[..., dict[str, str]]) -> None:
    environment = attack(tree, planted)
    for programs in (*tree.rglob(PROGRAMS), *(tree.parent / "home").rglob(PROGRAMS)):
        plant_answer(tree, planted, programs.parent, **environment)
    for _ in range(2):
        ended = ask(tree, **environment)
        assert not (tmp_path / "harm").exists()
        assert (ended.returncode, ended.stdout) == (0, RIGHT)
        assert "Traceback" not in ended.stderr


def test_a_folder_that_is_named_may_be_in_the_checkout_neither(tree: Path, planted: Path, tmp_path: Path) -> None:
    into(tree / "cache", planted)
    (tmp_path / "way").symlink_to(tree)
    others = {"XDG_STATE_HOME": str(planted / "state")}
    for folder in ("cache", str(tree / "cache"), str(tmp_path / "way" / "cache"), "./x/../cache"):
        plant_answer(tree, planted, tree / "cache", f"--cache_dir={folder}", **others)
        ended = ask(tree, f"--cache_dir={folder}", **others)
        assert not (tmp_path / "harm").exists()
        assert (ended.returncode, ended.stdout) == (0, RIGHT)
        assert "is inside the checkout" in ended.stderr


def test_files_of_others_are_neither_read_nor_written(tree: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(0o700)
    for name in (PROGRAMS, PACKAGES, "programs.sqlite"):
        with closing(sqlite3.connect(folder / name)) as connection, connection:
            connection.execute("CREATE TABLE mine (a)")
            connection.execute("INSERT INTO mine VALUES ('precious')")
    files = list(folder.iterdir())
    before = {each.name: each.read_bytes() for each in files}
    for mode in (0o600, 0o644):
        for each in files:
            os.chmod(each, mode)
        ended = ask(tree, f"--cache_dir={folder}")
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, RIGHT, "")
        assert {each.name: each.read_bytes() for each in files} == before
