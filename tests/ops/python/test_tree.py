"""Python files of a tree on disk, kept between questions."""

import os
from collections.abc import Iterator
from pathlib import Path

from bzlgraph.base.gap import Gap
from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.workspace.sources.source import DiskSource


def found(root: Path, cache: Path | None, *needles: bytes) -> list[str]:
    return list(PythonTree(DiskSource(root), cache).containing("a", needles))


def test_files_are_found_again_and_anew_when_they_change(tmp_path: Path) -> None:
    root, cache = tmp_path / "tree", tmp_path / "cache"
    (root / "a").mkdir(parents=True)
    (root / "a/one.py").write_text("x = 'wanted'\n")
    (root / "a/two.py").write_text("y = 1\n")
    for folder in (cache, cache, None):
        assert found(root, folder, b"wanted") == ["a/one.py"]
        assert found(root, folder, b"wanted", b"y =") == ["a/one.py", "a/two.py"]
    (root / "a/two.py").write_text("y = 'wanted too'\n")
    assert found(root, cache, b"wanted") == ["a/one.py", "a/two.py"]
    (root / "a/one.py").unlink()
    assert found(root, cache, b"wanted") == ["a/two.py"]


class Refusing(DiskSource):
    """A disk where one file cannot be read."""

    def read(self, path: str) -> bytes:
        if path.endswith("one.py"):
            raise PermissionError(13, os.strerror(13))
        return DiskSource.read(self, path)


def test_what_could_not_be_read_is_told_again(tmp_path: Path) -> None:
    (tmp_path / "tree/a").mkdir(parents=True)
    (tmp_path / "tree/a/one.py").write_text("x = 'wanted'\n")

    def gaps() -> Iterator[Gap]:
        for _ in range(2):
            tree = PythonTree(Refusing(tmp_path / "tree"), tmp_path / "cache")
            assert list(tree.containing("a", (b"wanted",))) == []
            yield tree.gaps["a/one.py"]

    first, second = gaps()
    assert first == second
