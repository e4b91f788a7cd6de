"""Which folders are packages and which files belong to them."""

import pytest

from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.tree import NO_LINKS, Overlay, RepositoryTree, ignored_folders
from bzlgraph.workspace.workspace import open_workspace


def tree(*paths: str, ignored: frozenset[str] = frozenset()) -> RepositoryTree:
    return RepositoryTree(MemorySource(dict.fromkeys(paths, b"")), ignored=ignored)


def test_build_bazel_wins_over_build():
    assert tree("a/BUILD", "a/BUILD.bazel").build_file("a") == "BUILD.bazel"
    assert tree("a/BUILD").build_file("a") == "BUILD"
    assert tree("a/x.cc").build_file("a") is None


def test_a_folder_called_build_is_no_build_file():
    assert tree("a/BUILD/x").build_file("a") is None


def test_packages_below_walks_through_folders_that_are_no_packages():
    found = tree("BUILD", "a/b/c/BUILD", "a/BUILD", "z/x.txt", "b/BUILD")
    assert list(found.packages_below("")) == ["", "a", "a/b/c", "b"]
    assert list(found.packages_below("a/b")) == ["a/b/c"]
    assert list(found.packages_below("nowhere")) == []


def test_ignored_folders_do_not_exist():
    found = tree("BUILD", "skip/BUILD", "a/skip/BUILD", "a/BUILD", ignored=frozenset({"skip", "a/skip"}))
    assert list(found.packages_below("")) == ["", "a"]
    assert found.build_file("skip") is None
    assert list(found.package_files("a").subpackages()) == []


def test_a_repository_inside_has_files_here_but_no_packages():
    found = tree("p/BUILD", "p/in/x.txt", "p/in/d/y.txt", "p/in/q/BUILD", "p/in/q/z.txt")
    found.foreign = {"p/in": "inner"}
    assert list(found.packages_below("")) == ["p"]
    assert list(found.packages_below("p/in")) == []
    assert found.build_file("p/in/q") is None
    assert list(found.package_files("p").files()) == ["BUILD", "in/d/y.txt", "in/x.txt"]
    assert list(found.package_files("p").directories()) == ["in", "in/d"]
    assert list(found.package_files("p").subpackages()) == []


def test_bazel_links_in_the_root_are_left_out():
    found = tree("BUILD", "bazel-bin/x/BUILD", "a/bazel-bin/BUILD")
    assert list(found.packages_below("")) == ["", "a/bazel-bin"]


def test_files_stop_at_subpackages():
    files = tree("p/BUILD", "p/x.cc", "p/d/y.cc", "p/d/sub/BUILD", "p/d/sub/z.cc").package_files("p")
    assert list(files.files()) == ["BUILD", "d/y.cc", "x.cc"]
    assert list(files.directories()) == ["d"]
    assert list(files.subpackages()) == ["d/sub"]
    assert files.exists("d")
    assert files.exists("d/y.cc")
    assert not files.exists("d/nothing.cc")


def test_package_of_a_file():
    found = tree("p/BUILD", "p/d/y.cc", "q/x.cc")
    assert found.package_of("p/d/y.cc") == "p"
    assert found.package_of("q/x.cc") is None


def test_an_overlay_is_the_package_of_an_absent_repository():
    found = RepositoryTree(MemorySource({}), known=False, overlays={"": Overlay(b"text", "third_party/x.BUILD")})
    assert list(found.packages_below("")) == [""]
    assert found.read_build_file("") == (b"text", "third_party/x.BUILD")
    assert not found.package_files("").known


def test_bazelignore_lines():
    """As 2.1.0, 4.2.3 and 7.7.1 read them."""
    source = MemorySource({".bazelignore": b"# comment\n\nnode_modules/\r\n./third\n spaced \na/../b//c\n/absolute\n"})
    assert ignored_folders(source) == {"node_modules", "third", " spaced ", "b/c"}
    assert ignored_folders(MemorySource({})) == frozenset()


def test_bazels_own_links_and_what_it_fetched_are_no_packages(tmp_path):
    """As Bazel 4.2.3 answers `//...` after a build; a real folder counts, but for `external`."""
    for path in (
        "elsewhere/pkg",
        "checkout/pkg",
        "checkout/bazel-real",
        "checkout/external/real",
        "checkout/a/external",
    ):
        (tmp_path / path).mkdir(parents=True)
        (tmp_path / path / "BUILD").touch()
    root = tmp_path / "checkout"
    (root / "WORKSPACE").touch()
    (root / "bazel-checkout").symlink_to(tmp_path / "elsewhere")
    tree = open_workspace(root).repository("").tree
    assert list(tree.packages_below("")) == ["a/external", "bazel-real", "pkg"]
    assert list(tree.packages_below("external")) == ["external/real"]
    assert tree.build_file("bazel-checkout/pkg") is None


def test_a_link_external_leads_to_repositories_not_to_packages(tmp_path):
    (tmp_path / "elsewhere" / "r").mkdir(parents=True)
    (tmp_path / "elsewhere" / "r" / "BUILD").touch()
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "WORKSPACE").touch()
    (root / "external").symlink_to(tmp_path / "elsewhere")
    tree = open_workspace(root).repository("").tree
    assert list(tree.packages_below("external")) == []
    assert tree.package_files("").files() == ["WORKSPACE"]


def test_a_folder_that_was_loaded_from_before_it_is_a_repository_is_no_package(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / ".bazelignore").write_text("elsewhere\n")
    (tmp_path / "sub" / "BUILD").write_text("")
    (tmp_path / "sub" / "defs.bzl").write_text('NAME = "sub"\n')
    (tmp_path / "WORKSPACE").write_text('load("//sub:defs.bzl", "NAME")\nlocal_repository(name = NAME, path = NAME)\n')
    found = open_workspace(tmp_path).repository("").tree
    assert found.foreign == {"sub": "sub"}
    assert found.build_file("sub") is None


def test_a_folder_may_say_that_its_links_are_not_followed(tmp_path):
    """`//...` does not follow them; who names what is behind one finds it. (0.19.1 to 7.7.1 were asked.)"""
    for path in ("real", "closed/own", "open"):
        (tmp_path / path).mkdir(parents=True)
    for path in ("real", "closed/own"):
        (tmp_path / path / "BUILD").touch()
    for path in ("closed", "open"):
        (tmp_path / path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "closed" / NO_LINKS).touch()
    (tmp_path / "WORKSPACE").touch()
    tree = open_workspace(tmp_path).repository("").tree
    assert list(tree.packages_below("")) == ["closed/own", "open/link", "real"]
    assert list(tree.packages_below("closed/link")) == ["closed/link"]
    assert tree.package_files("").subpackages() == ["closed/link", "closed/own", "open/link", "real"]


@pytest.mark.parametrize(
    ("pattern", "ignored"),
    [
        ("*", [".hid", "a", "[ab]"]),
        ("*id", []),
        ("[ab]", ["[ab]"]),
        (".*", [".hid"]),
        ("**/sub", [".hid/sub", "a/sub"]),
        ("a/**", ["a", "a/sub"]),
        ("/a", []),
        ("", []),
    ],
)
def test_ignored_patterns_are_those_of_glob(pattern: str, ignored: list[str]) -> None:
    """As IgnoredSubdirectoriesTest of Bazel (0629ae55) has it."""
    folders = (".hid", ".hid/sub", "a", "a/sub", "[ab]")
    found = tree(*(f"{folder}/BUILD" for folder in folders))
    found.ignored_patterns = (pattern,)
    assert [each for each in folders if found.ignoring_pattern(each)] == ignored
