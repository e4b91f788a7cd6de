"""Cache files: kept while the code is the same, dropped when it is not, never in the way."""

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bzlgraph.base.codec import Codec
from bzlgraph.base.gap import Gap
from bzlgraph.workspace import store
from bzlgraph.workspace.store import Store, key_of

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
from bzlgraph.workspace.store import Store
gc.disable()
store = Store(Path({str(tmp_path)!r}), "x.sqlite")
store.itself = store
store.put([(b"key", "value")], Codec(str))
gc.freeze()
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert [each.name for each in tmp_path.iterdir()] == ["x.sqlite"]


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


def test_keys_differ_by_name_and_by_every_part() -> None:
    keys = {key_of("a", ()), key_of("b", ()), key_of("a", (b"x",)), key_of("a", (b"x", b"")), key_of("a", (b"", b"x"))}
    assert len(keys) == 5


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
    monkeypatch.setattr(store, "MAX_BYTES", 10)
    assert found(tmp_path) is None


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
