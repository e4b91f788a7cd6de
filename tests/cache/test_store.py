"""Cache files: kept while the code is the same, dropped when it is not, never in the way."""

import gc
import marshal
import os
import pickle
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import pytest

from bzlgraph.base.codec import Codec
from bzlgraph.base.gap import Gap
from bzlgraph.cache import database, store
from bzlgraph.cache.freshness import key_of
from bzlgraph.cache.private import make_private
from bzlgraph.cache.store import Store
from bzlgraph.loading.executors import in_parallel
from bzlgraph.starlark.evaluation.budget import Budget, OverBudget
from bzlgraph.starlark.evaluation.watchdog import watched

TEXT, GAP = Codec(str), Codec(Gap)
KEY = key_of("thing", (b"content",))


def fill(folder: Path) -> None:
    Store(folder, "x.sqlite").put([(KEY, "value")], TEXT)
    gc.collect()  # closes the file


def found(folder: Path) -> str | None:
    return Store(folder, "x.sqlite").get(KEY, TEXT)


def test_values_stay(tmp_path: Path) -> None:
    fill(tmp_path)
    assert found(tmp_path) == "value"
    assert Store(tmp_path, "y.sqlite").get(KEY, TEXT) is None


def test_the_process_leaves_one_file(tmp_path: Path) -> None:
    """No journal beside it: its like is as large as the cache."""
    code = f"""
import gc
from pathlib import Path
from bzlgraph.base.codec import Codec
from bzlgraph.cache.store import Store
gc.disable()
store = Store(Path({str(tmp_path)!r}), "x.sqlite")
store.itself = store
store.put([(b"key", "value")], Codec(str))
gc.freeze()
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert [each.name for each in tmp_path.iterdir()] == ["x.sqlite"]


def calls_while_another_closes(folder: Path, moment: int) -> int:
    """Look up a value while another store closes the file at a call of that number; how many calls there were."""
    stores = [Store(folder, "x.sqlite")]
    stores[0].put([(KEY, "value" * 5000)], TEXT)
    calls = 0

    def close_at_moment(*_: object) -> None:
        nonlocal calls
        calls += 1
        if calls == moment:
            stores.clear()

    second = Store(folder, "x.sqlite")
    sys.setprofile(close_at_moment)
    try:
        found = second.get(KEY, TEXT)
    finally:
        sys.setprofile(None)
    assert found, f"lost at call {moment}"
    return calls


def test_whoever_closes_the_file_may_do_so_while_another_opens_it(tmp_path: Path) -> None:
    """Then its journal is written into it and taken away: between any two calls of who opens it."""
    last = next(moment for moment in count(1) if calls_while_another_closes(tmp_path / str(moment), moment) < moment)
    assert last > 20


def test_a_value_is_made_once(tmp_path: Path) -> None:
    calls: list[int] = []

    def make() -> Gap:
        calls.append(1)
        return Gap("load", "a", "b")

    for _ in range(3):
        assert Store(tmp_path, "x.sqlite").remember(KEY, GAP, make) == Gap("load", "a", "b")
    assert len(calls) == 1


def test_a_value_of_another_type_counts_for_nothing(tmp_path: Path) -> None:
    fill(tmp_path)
    assert Store(tmp_path, "x.sqlite").get(KEY, GAP) is None


def test_without_a_folder_nothing_is_kept() -> None:
    nowhere = Store(None, "x.sqlite")
    nowhere.put([(KEY, "value")], TEXT)
    assert nowhere.get(KEY, TEXT) is None


def test_a_forked_process_opens_the_file_itself(tmp_path: Path) -> None:
    of_parent = Store(tmp_path, "x.sqlite")
    of_parent.put([(KEY, "value")], TEXT)
    child = os.fork()
    if child == 0:
        os._exit(0 if of_parent.get(KEY, TEXT) == "value" else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert of_parent.get(KEY, TEXT) == "value"


def test_other_code_starts_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    monkeypatch.setattr(store, "code_version", lambda: "0123456789")
    assert found(tmp_path) is None


def test_a_file_grown_too_large_starts_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    monkeypatch.setattr(database, "MAX_BYTES", 10)
    assert found(tmp_path) is None


def rows(path: Path) -> list[tuple[bytes, bytes, bytes]]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.execute("SELECT key, seal, value FROM kept ORDER BY key"))


@pytest.mark.parametrize("column", ["seal", "value"])
def test_a_row_with_another_byte_is_none(tmp_path: Path, column: str) -> None:
    fill(tmp_path)
    path = tmp_path / "x.sqlite"
    [row] = rows(path)
    for at in range(len(row[1 if column == "seal" else 2])):
        changed = bytearray(row[1 if column == "seal" else 2])
        changed[at] ^= 1 << at % 8
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"UPDATE kept SET {column} = ?", (bytes(changed),))
        assert found(tmp_path) is None


@pytest.mark.parametrize("value", [None, 1, 1.5, "text", b""])
def test_a_row_of_other_types_is_none(tmp_path: Path, value: object) -> None:
    fill(tmp_path)
    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as connection, connection:
        connection.execute("UPDATE kept SET value = ?, seal = ?", (value, value))
    assert found(tmp_path) is None


def test_a_row_counts_under_its_own_key_in_its_own_file_only(tmp_path: Path) -> None:
    fill(tmp_path)
    other = key_of("thing", (b"other content",))
    Store(tmp_path, "x.sqlite").put([(other, "other value")], TEXT)
    gc.collect()
    first, second = rows(tmp_path / "x.sqlite")
    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as connection, connection:
        for key, (_, seal, value) in ((first[0], second), (second[0], first)):
            connection.execute("UPDATE kept SET seal = ?, value = ? WHERE key = ?", (seal, value, key))
    assert [Store(tmp_path, "x.sqlite").get(key, TEXT) for key in (KEY, other)] == [None, None]
    shutil.copyfile(tmp_path / "x.sqlite", tmp_path / "y.sqlite")
    os.chmod(tmp_path / "y.sqlite", 0o600)
    assert Store(tmp_path, "y.sqlite").get(KEY, TEXT) is None


def test_what_another_key_sealed_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as theirs:
        theirs.setenv("XDG_STATE_HOME", str(tmp_path / "theirs"))
        make_private(tmp_path / "theirs" / "bzlgraph")
        fill(tmp_path)
        assert found(tmp_path) == "value"
    assert found(tmp_path) is None


class Bomb:
    """What does harm when it is decoded."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("touch harm",)


def test_nothing_is_decoded_before_its_seal_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    code = marshal.dumps(compile("import os; os.system('touch harm')", "x", "exec"))
    for data in (code, pickle.dumps(Bomb())):
        with closing(sqlite3.connect(tmp_path / "x.sqlite")) as connection, connection:
            connection.execute("UPDATE kept SET value = ?", (data,))
        monkeypatch.setattr(marshal, "loads", lambda _: pytest.fail("it was decoded"))
        assert found(tmp_path) is None


def foreign(path: Path, *statements: str) -> bytes:
    with closing(sqlite3.connect(path)) as connection, connection:
        for each in statements:
            connection.execute(each)
    os.chmod(path, 0o600)
    return path.read_bytes()


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE theirs (a)", "INSERT INTO theirs VALUES (1)"],
        ["PRAGMA user_version=1", "CREATE TABLE kept (key BLOB PRIMARY KEY, value BLOB)"],
        ["PRAGMA application_id=7", "CREATE TABLE kept (key BLOB PRIMARY KEY, seal BLOB, value BLOB)"],
    ],
)
def test_the_file_of_another_application_is_left_alone(tmp_path: Path, statements: list[str]) -> None:
    before = foreign(tmp_path / "x.sqlite", *statements)
    fill(tmp_path)
    assert found(tmp_path) is None
    assert (tmp_path / "x.sqlite").read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["x.sqlite"]


def test_a_file_with_other_tables_starts_anew(tmp_path: Path) -> None:
    fill(tmp_path)
    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as connection, connection:
        connection.execute("DROP TABLE kept")
        connection.execute("CREATE VIEW kept AS SELECT x'00' AS key, x'00' AS seal, x'00' AS value")
    assert found(tmp_path) is None
    fill(tmp_path)
    assert found(tmp_path) == "value"


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
def test_links_and_files_that_others_can_write_are_left_alone(tmp_path: Path, suffix: str) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    link = tmp_path / f"x.sqlite{suffix}"
    link.symlink_to(precious)
    fill(tmp_path)
    assert found(tmp_path) is None
    link.unlink()
    link.write_bytes(b"")
    os.chmod(link, 0o666)
    fill(tmp_path)
    assert found(tmp_path) is None
    assert precious.read_text() == "mine"


def test_files_are_the_users_own(tmp_path: Path) -> None:
    store = Store(tmp_path, "x.sqlite")
    store.put([(KEY, "value")], TEXT)
    assert {each.name: each.stat().st_mode & 0o777 for each in tmp_path.iterdir()} == {
        "x.sqlite": 0o600,
        "x.sqlite-wal": 0o600,
        "x.sqlite-shm": 0o600,
    }


def test_damage_that_is_seen_late_is_healed_for_the_next_run(tmp_path: Path) -> None:
    store = Store(tmp_path, "x.sqlite")
    store.put([(key_of("thing", (b"%d" % number,)), "value" * 1000) for number in range(200)], TEXT)
    del store
    gc.collect()
    path = tmp_path / "x.sqlite"
    data = path.read_bytes()
    path.write_bytes(data[:8192] + os.urandom(len(data) - 8192))
    values = [Store(tmp_path, "x.sqlite").get(key_of("thing", (b"%d" % number,)), TEXT) for number in range(200)]
    assert set(values) <= {None, "value" * 1000}
    fill(tmp_path)
    fill(tmp_path)
    assert found(tmp_path) == "value"


def test_a_schema_that_is_no_text_starts_anew(tmp_path: Path) -> None:
    """Python cannot even say what is wrong with it."""
    fill(tmp_path)
    path = tmp_path / "x.sqlite"
    data = path.read_bytes()
    spoiled = data.replace(b"keptkept", b"kep\xf5kept").replace(b"TABLE kept (key", b"TABLE kept ((ey")
    path.write_bytes(spoiled)
    with pytest.raises(UnicodeDecodeError), closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT * FROM kept")
    assert found(tmp_path) is None
    fill(tmp_path)
    assert found(tmp_path) == "value"


NO_DATABASE = b"this is no database at all, but long enough to look like something" * 20


@pytest.mark.parametrize("damaged", [lambda _: NO_DATABASE, lambda data: data[:100] + b"\xff" * len(data)])
def test_a_damaged_file_starts_anew(tmp_path: Path, damaged: Callable[[bytes], bytes]) -> None:
    fill(tmp_path)
    path = tmp_path / "x.sqlite"
    path.write_bytes(damaged(path.read_bytes()))
    assert found(tmp_path) is None
    fill(tmp_path)
    assert found(tmp_path) == "value"


def test_a_folder_that_cannot_be_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    fill(tmp_path / "file")
    assert found(tmp_path / "file") is None


def test_what_a_limit_of_time_cut_short_is_not_kept(tmp_path: Path) -> None:
    def made() -> str:
        with suppress(OverBudget), watched(Budget(seconds=0.02)):
            while True:
                pass
        return "half"

    first = Store(tmp_path, "x.sqlite")
    assert first.remember(KEY, TEXT, made) == "half"
    assert first.remember(KEY, TEXT, lambda: "made of it") == "made of it"
    assert found(tmp_path) is None
    assert Store(tmp_path, "x.sqlite").remember(KEY, TEXT, lambda: "whole") == "whole"
    assert found(tmp_path) == "whole"


def test_what_a_worker_cut_short_is_not_kept(tmp_path: Path) -> None:
    def work(_key: int) -> str:
        with suppress(OverBudget), watched(Budget(seconds=0.02)):
            while True:
                pass
        return "half"

    store = Store(tmp_path, "x.sqlite")
    assert store.remember(KEY, TEXT, lambda: in_parallel(work, [1], 2)[0]) == "half"
    assert found(tmp_path) is None
