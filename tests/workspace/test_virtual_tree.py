"""A repository rule's tree in memory: what is written is read, links are read in place, nothing is without end."""

import pytest

from bzlgraph.workspace.sources import virtual_tree
from bzlgraph.workspace.sources.source import DiskSource, MemorySource
from bzlgraph.workspace.sources.virtual_tree import VirtualTree


def test_files_are_read_listed_and_replaced():
    tree = VirtualTree()
    tree.write("a/b/c.txt", b"1")
    tree.write("a/x", b"2")
    tree.write("a/x", b"3")
    assert tree.read("a/x") == b"3"
    assert tree.entries("a") == (["x"], ["b"])
    assert list(tree.paths()) == ["a/x", "a/b/c.txt"]
    with pytest.raises(FileNotFoundError):
        tree.read("a/b/d")
    with pytest.raises(IsADirectoryError):
        tree.read("a/b")
    with pytest.raises(NotADirectoryError):
        tree.write("a/x/y", b"")


def test_a_linked_folder_is_read_in_place():
    """``symlink(in-tree folder, ".")``: the repository is that folder."""
    other = MemorySource({"third_party/xla/BUILD": b"#", "third_party/xla/xla/a.cc": b"int a;"})
    tree = VirtualTree()
    tree.link("", other, "third_party/xla")
    assert tree.read("xla/a.cc") == b"int a;"
    assert tree.entries("") == (["BUILD"], ["xla"])
    assert list(tree.paths()) == ["BUILD", "xla/a.cc"]


def test_nothing_is_written_through_a_link(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.h").write_text("a")
    tree = VirtualTree()
    tree.link("lib", DiskSource(tmp_path), "lib")
    tree.write("lib/BUILD", b"x")
    assert tree.entries("lib") == (["BUILD", "a.h"], [])
    assert sorted(each.name for each in (tmp_path / "lib").iterdir()) == ["a.h"]
    assert tree.delete("lib")
    assert (tmp_path / "lib" / "a.h").is_file()


def test_links_to_nothing_and_in_a_circle_end():
    tree = VirtualTree()
    tree.link("a", tree, "b")
    tree.link("b", tree, "a")
    assert tree.entries("") == ([], [])
    with pytest.raises(FileNotFoundError):
        tree.read("a")
    tree.link("inside/me", tree, "inside")
    tree.write("inside/file", b"")
    assert list(tree.paths()) == ["inside/file"]


def test_delete_and_rename():
    tree = VirtualTree()
    tree.write("a/b", b"1")
    tree.rename("a", "c")
    assert tree.read("c/b") == b"1"
    with pytest.raises(OSError, match="into itself"):
        tree.rename("c", "c/d")
    assert (tree.delete("c"), tree.delete("c"), tree.empty) == (True, False, True)


def test_a_file_of_unknown_content_is_there():
    tree = VirtualTree()
    tree.put_opaque("file/downloaded", "the download of x")
    assert tree.is_file("file/downloaded")
    with pytest.raises(OSError, match="not known: the download"):
        tree.read("file/downloaded")


def test_what_is_there_is_not_linked_over():
    tree = VirtualTree()
    tree.write("a", b"")
    with pytest.raises(FileExistsError):
        tree.link("a", tree, "b")
    with pytest.raises(FileExistsError):
        tree.link("", tree, "b")


def test_it_has_an_end(monkeypatch):
    monkeypatch.setattr(virtual_tree, "MAX_FILES", 10)
    tree = VirtualTree()
    for number in range(10):
        tree.write(str(number), b"")
    with pytest.raises(OSError, match="too large"):
        tree.write("one more", b"")
    monkeypatch.setattr(virtual_tree, "MAX_BYTES", 100)
    tree = VirtualTree()
    for _ in range(5):
        tree.write("same", b"x" * 20)
    with pytest.raises(OSError, match="too large"):
        tree.write("same", b"x")


def test_links_make_no_tree_without_end():
    """A rule may link its folders into one another as often as it likes."""
    tree = VirtualTree()
    for number in range(20):
        tree.link(f"root{number}", tree, "")
        tree.link(f"a/{number}", tree, "b")
        tree.link(f"b/{number}", tree, "a")
    tree.write("a/file", b"")
    assert tree.entries("") == ([], ["a", "b"])
    assert tree.read("b/1/file") == b""
    assert len(list(tree.paths())) < 20**3
