"""A mapped file gives back what was written, or nothing: whichever byte is wrong, wherever it ends."""

from __future__ import annotations

import array
from collections.abc import Callable
from pathlib import Path

import pytest

from bzlgraph.cache.seal import Seal
from bzlgraph.snapshot import mapped
from bzlgraph.snapshot.mapped import DamagedFile, Mapped, packed, write

KEY = b"key"
SEAL = Seal(b"k" * 32, "graphs", "version 1")
NUMBERS = list(range(100_000))
COLUMNS = {
    "small": ("|u1", bytes(range(200))),
    "numbers": ("<i4", array.array("i", NUMBERS)),
    "empty": ("<u2", b""),
    "table": packed({"a": [1, 2, ("x", None)]}),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write(str(tmp_path / "kept"), SEAL, KEY, COLUMNS)
    return tmp_path / "kept"


def read(path: Path) -> object:
    """All that is in a file."""
    found = Mapped(str(path), SEAL, KEY)
    return bytes(found.whole("small")), list(found.whole("numbers")), list(found.whole("empty")), found.table("table")


def test_what_was_written_is_read(file: Path) -> None:
    assert read(file) == (bytes(range(200)), NUMBERS, [], {"a": [1, 2, ("x", None)]})


def test_a_part_of_a_column_is_checked_alone(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[-mapped.BLOCK * 3] ^= 1
    file.write_bytes(data)
    found = Mapped(str(file), SEAL, KEY)
    numbers = found.column("numbers")
    found.check("numbers", 10, 20)
    assert list(numbers[10:20]) == NUMBERS[10:20]
    with pytest.raises(DamagedFile):
        found.whole("numbers")


def test_numpy_reads_the_columns(file: Path) -> None:
    import io

    import numpy as np

    data = file.read_bytes()
    first = data.index(b"\x93NUMPY", data.index(b"\x93NUMPY") + 1)
    assert np.load(io.BytesIO(data[first:])).tolist() == NUMBERS


def damages() -> list[tuple[str, Callable[[bytes], bytes]]]:
    """Ways to damage a file, at places all over it."""
    places = [
        0,
        5,
        18,
        25,
        30,
        45,
        60,
        100,
        mapped.BLOCK - 1,
        mapped.BLOCK,
        mapped.BLOCK + 70,
        3 * mapped.BLOCK,
        -200,
        -1,
    ]
    flips = [
        (f"bit at {at}", lambda data, at=at, bit=bit: _flipped(data, at, bit)) for at in places for bit in (1, 16, 128)
    ]
    cuts = [(f"cut at {at}", lambda data, at=at: data[:at]) for at in places]
    return [*flips, *cuts, ("longer", lambda data: data + b"\0"), ("empty", lambda _: b"")]


def _flipped(data: bytes, at: int, bit: int) -> bytes:
    changed = bytearray(data)
    changed[at] ^= bit
    return bytes(changed)


@pytest.mark.parametrize(("name", "damage"), damages(), ids=lambda each: each if isinstance(each, str) else "")
def test_a_damaged_file_gives_nothing_wrong(name: str, damage: Callable[[bytes], bytes], file: Path) -> None:
    whole = read(file)
    file.write_bytes(damage(file.read_bytes()))
    try:
        found = read(file)
    except (DamagedFile, OSError, ValueError, EOFError, TypeError):
        return
    assert found == whole, name  # a byte between two columns


def test_other_keys_seals_and_users_get_nothing(file: Path) -> None:
    with pytest.raises(DamagedFile):
        Mapped(str(file), SEAL, b"other")
    with pytest.raises(DamagedFile):
        Mapped(str(file), Seal(b"k" * 32, "graphs", "version 2"), KEY)
    file.chmod(0o644)
    with pytest.raises(DamagedFile):
        Mapped(str(file), SEAL, KEY)


def test_a_link_is_not_followed(file: Path) -> None:
    link = file.with_name("link")
    link.symlink_to(file)
    with pytest.raises(OSError, match="link"):
        Mapped(str(link), SEAL, KEY)
