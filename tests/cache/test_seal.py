"""The key: made once, the user's own, never in the way."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bzlgraph.cache import seal
from bzlgraph.cache.seal import KEY_FILE, NoKey, user_key


def fresh(folder: Path) -> bytes:
    """The key as another process would find it."""
    seal._keys.clear()
    return user_key(folder)


@pytest.fixture(autouse=True)
def _others_key() -> object:
    yield
    seal._keys.clear()


def test_it_is_made_once(tmp_path: Path) -> None:
    key = fresh(tmp_path)
    assert len(key) == 32
    assert fresh(tmp_path) == key
    assert [each.name for each in tmp_path.iterdir()] == [KEY_FILE]
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600


def to_link(path: Path) -> None:
    other = path.with_name("other")
    path.rename(other)
    path.symlink_to(other)


SPOILED: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:31]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"x"),
    "readable": lambda path: os.chmod(path, 0o644),
    "writable": lambda path: os.chmod(path, 0o620),
    "a link": to_link,
}


@pytest.mark.parametrize("how", SPOILED)
def test_one_that_cannot_be_trusted_is_replaced(tmp_path: Path, how: str) -> None:
    key = fresh(tmp_path)
    SPOILED[how](tmp_path / KEY_FILE)
    other = fresh(tmp_path)
    assert other != key
    assert fresh(tmp_path) == other


def test_without_a_place_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(NoKey):
        fresh(tmp_path / "absent")
    (tmp_path / KEY_FILE).mkdir()
    with pytest.raises(NoKey):
        fresh(tmp_path)


def test_many_at_once_make_one(tmp_path: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from bzlgraph.cache.seal import user_key
sys.stdin.readline()
print(user_key(Path({str(tmp_path)!r})).hex())
"""
    command = [sys.executable, "-c", code]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(8)]
    for each in running:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    assert len({each.communicate()[0] for each in running}) == 1
    assert [each.name for each in tmp_path.iterdir()] == [KEY_FILE]
