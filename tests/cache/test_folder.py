"""Which folder is used: the user's own, closed to others, outside of the checkout; and where the key is."""

import os
from pathlib import Path

import pytest

from bzlgraph.cache import private
from bzlgraph.cache.folder import CacheFolder, checked_folder, default_folder, state_folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "checkout").mkdir()
    return tmp_path / "checkout"


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_it_is_made_for_its_user_alone(tmp_path: Path, checkout: Path) -> None:
    folder = tmp_path / "new" / "bzlgraph"
    assert checked_folder(folder, checkout) == CacheFolder(folder)
    assert mode(folder) == 0o700


def test_one_that_was_deleted_meanwhile_comes_back_closed(tmp_path: Path) -> None:
    private.make_folder(str(tmp_path / "home" / "bzlgraph" / "graphs"))
    private.make_folder(str(tmp_path / "home" / "bzlgraph" / "answers"))
    assert [mode(tmp_path / each) for each in ("home", "home/bzlgraph", "home/bzlgraph/answers")] == [0o700] * 3


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "bzlgraph").touch()
    with pytest.raises(NotADirectoryError):
        private.make_folder(str(tmp_path / "bzlgraph" / "graphs"))


def test_one_of_an_older_version_is_closed(tmp_path: Path, checkout: Path) -> None:
    folder = tmp_path / "bzlgraph"
    folder.mkdir(0o755)
    (folder / "packages.sqlite").touch()
    assert checked_folder(folder, checkout) == CacheFolder(folder)
    assert mode(folder) == 0o700


def test_one_that_holds_other_things_is_not_closed(tmp_path: Path, checkout: Path) -> None:
    folder = tmp_path / "home"
    folder.mkdir(0o755)
    (folder / "letter").touch()
    assert "holds other files" in checked_folder(folder, checkout).refused
    assert mode(folder) == 0o755


@pytest.mark.parametrize("bits", [0o770, 0o702, 0o777, 0o1777])
def test_one_that_others_may_write_to_is_refused(tmp_path: Path, checkout: Path, bits: int) -> None:
    folder = tmp_path / "bzlgraph"
    folder.mkdir()
    os.chmod(folder, bits)
    found = checked_folder(folder, checkout)
    assert found.path is None
    assert found.unsafe
    assert "other users may write" in found.refused
    assert list(folder.iterdir()) == []


def test_that_of_another_user_is_refused(tmp_path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bzlgraph").mkdir(0o700)
    monkeypatch.setattr(private.os, "geteuid", lambda: os.getuid() + 1)
    assert "another user" in checked_folder(tmp_path / "bzlgraph", checkout).refused


def test_a_link_is_refused(tmp_path: Path, checkout: Path) -> None:
    (tmp_path / "real").mkdir(0o700)
    (tmp_path / "bzlgraph").symlink_to(tmp_path / "real")
    assert "is a link" in checked_folder(tmp_path / "bzlgraph", checkout).refused


def test_nothing_in_the_checkout_is_used(tmp_path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "inner").mkdir(0o700)
    (tmp_path / "way").symlink_to(checkout)
    for folder in (checkout, checkout / "inner", checkout / "new", tmp_path / "way" / "inner"):
        assert "inside the checkout" in checked_folder(folder, checkout).refused
    monkeypatch.setenv("XDG_STATE_HOME", str(checkout))
    assert "inside the checkout" in checked_folder(tmp_path / "bzlgraph", checkout).refused
    assert sorted(each.name for each in checkout.iterdir()) == ["inner"]


def test_one_that_cannot_be_made_is_no_danger(tmp_path: Path, checkout: Path) -> None:
    (tmp_path / "file").touch()
    found = checked_folder(tmp_path / "file" / "bzlgraph", checkout)
    assert (found.path, found.unsafe) == (None, False)
    assert "Not a directory" in found.refused


@pytest.mark.parametrize("value", ["", ".", "cache", "./cache", "../cache", "~/cache"])
def test_relative_variables_count_for_nothing(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    monkeypatch.setenv("XDG_STATE_HOME", value)
    assert default_folder() == Path("/home/someone/.cache/bzlgraph")
    assert state_folder() == Path("/home/someone/.local/state/bzlgraph")


def test_nor_does_a_relative_home(monkeypatch: pytest.MonkeyPatch, checkout: Path) -> None:
    monkeypatch.setenv("HOME", ".")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("XDG_STATE_HOME")
    assert default_folder() is None
    assert checked_folder(checkout.parent / "cache", checkout).refused == "there is no home folder for its key"


def test_absolute_ones_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    monkeypatch.setenv("XDG_STATE_HOME", "/states")
    assert (default_folder(), state_folder()) == (Path("/caches/bzlgraph"), Path("/states/bzlgraph"))
