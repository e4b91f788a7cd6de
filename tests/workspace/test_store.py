"""Cache files: kept while the code is the same, dropped when it is not, never in the way."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bzlgraph.workspace import store

TABLE = "CREATE TABLE IF NOT EXISTS things (key TEXT PRIMARY KEY)"


def fill(folder: Path) -> None:
    connection = store.connect(folder, "x.sqlite", TABLE)
    assert connection is not None
    with connection:
        connection.execute("INSERT INTO things VALUES ('a')")
    connection.close()


def count(folder: Path) -> int:
    connection = store.connect(folder, "x.sqlite", TABLE)
    assert connection is not None
    found: int = connection.execute("SELECT count(*) FROM things").fetchone()[0]
    connection.close()
    return found


def test_rows_stay(tmp_path: Path) -> None:
    fill(tmp_path)
    assert count(tmp_path) == 1


def test_other_code_starts_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    monkeypatch.setattr(store, "code_version", lambda: "0123456789")
    assert count(tmp_path) == 0


def test_a_file_grown_too_large_starts_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    monkeypatch.setattr(store, "MAX_BYTES", 10)
    assert count(tmp_path) == 0


NO_DATABASE = b"this is no database at all, but long enough to look like something" * 20


@pytest.mark.parametrize("damaged", [lambda _: NO_DATABASE, lambda data: data[:100] + b"\xff" * len(data)])
def test_a_damaged_file_starts_anew(tmp_path: Path, damaged: Callable[[bytes], bytes]) -> None:
    fill(tmp_path)
    path = tmp_path / "x.sqlite"
    path.write_bytes(damaged(path.read_bytes()))
    assert count(tmp_path) == 0
    fill(tmp_path)
    assert count(tmp_path) == 1


def test_a_folder_that_cannot_be_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert store.connect(tmp_path / "file", "x.sqlite", TABLE) is None
