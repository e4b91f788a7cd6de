"""Files that pin packages: what is no such file is a ValueError, whatever it is."""

import pytest

from bzlgraph.workspace.repositories.hubs.lock_files import cargo_lock, maven_install

DEEP = "[" * 100_000


@pytest.mark.parametrize("text", [f"a = {DEEP}", f"package = {DEEP}", "package = ", "\x00"])
def test_no_lock_file_of_cargo(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        cargo_lock(text.encode())


@pytest.mark.parametrize("text", ["", "package = 3", "package = {a = 1}", "[[package]]\nname = 1", "package = [1]"])
def test_a_lock_file_without_crates(text: str) -> None:
    assert cargo_lock(text.encode()) == ()


def test_a_crate_that_needs_blanks() -> None:
    text = '[[package]]\nname = "a"\nversion = "1"\nsource = "r"\ndependencies = ["", "\\n", 3, "b 1.0"]\n'
    assert [pin.needs for pin in cargo_lock(text.encode())] == [("b",)]


def test_no_lock_file_of_maven() -> None:
    with pytest.raises(ValueError, match="deeply"):
        maven_install(DEEP.encode())
