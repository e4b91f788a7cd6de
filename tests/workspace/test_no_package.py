"""Why a folder is no package: the same folder with a BUILD file, and everything that takes it out."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.questions.session import open_session
from bzlgraph.workspace.options import Options


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    for folder in ("", "taken", "taken/below", "other"):
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / "BUILD").touch()
    (root / "WORKSPACE").touch()
    return root


def said(root: Path, folder: str, **options: object) -> tuple[str, str | None]:
    """What the loader says of the package: the words behind its name, and the hint."""
    loader = open_session(root, Options(**options)).loader  # type: ignore[arg-type]
    assert loader.build_file("", folder) is None
    told = loader.missing("", folder)
    return told.message.removeprefix(f"no such package '//{folder}': "), told.hint


@pytest.mark.parametrize("folder", ["taken", "taken/below"])
def test_bazelignore(root: Path, folder: str) -> None:
    (root / ".bazelignore").write_text("# not ours\n./taken/\n")
    assert said(root, folder) == ("the folder is ignored", ".bazelignore names 'taken'")


@pytest.mark.parametrize("folder", ["taken", "taken/below"])
def test_ignore_directories_of_repo_bazel(root: Path, folder: str) -> None:
    (root / "MODULE.bazel").touch()  # else it is read as a Bazel that knows no REPO.bazel
    (root / "REPO.bazel").write_text('ignore_directories(["other", "t*"])\n')
    assert said(root, folder) == ("the folder is ignored", "ignore_directories() of REPO.bazel has 't*'")


def test_deleted_packages_are_not_those_below(root: Path) -> None:
    deleted = frozenset({("", "taken")})
    words = "a command line or an rc file names it in --deleted_packages"
    assert said(root, "taken", deleted_packages=deleted) == ("deleted by --deleted_packages", words)
    session = open_session(root, Options(deleted_packages=deleted))
    assert session.loader.build_file("", "taken/below") == "BUILD"


@pytest.mark.parametrize(("folder", "meant"), [("taken", ":all"), ("taken/below", "below")])
def test_a_repository_inside(root: Path, folder: str, meant: str) -> None:
    (root / "taken" / "WORKSPACE").touch()
    (root / "WORKSPACE").write_text('local_repository(name = "r", path = "taken")\n')
    assert said(root, folder) == ("the folder belongs to @r", f"did you mean @r//{meant}?")


def test_a_link_of_bazel(root: Path) -> None:
    (root / "bazel-bin").symlink_to(root / "taken")
    (root / "external").symlink_to(root / "taken")
    no_file = "BUILD file not found in 'bazel-bin/below'"
    assert said(root, "bazel-bin/below") == (
        no_file,
        "'bazel-bin' is a link to the outputs of a build, which is not entered",
    )
    assert said(root, "external/below")[1] == "'external' is a link to what Bazel has fetched, which is not entered"


def test_other_links_are_entered_unless_they_lead_nowhere(root: Path) -> None:
    (root / "alias").symlink_to(root / "taken")
    (root / "broken").symlink_to(root / "nothing")
    assert open_session(root).loader.build_file("", "alias") == "BUILD"
    assert said(root, "broken")[1] == said(root, "broken/below")[1] == "'broken' is a link that leads nowhere"


def test_what_is_in_the_place_of_the_build_file(root: Path) -> None:
    (root / "folder" / "BUILD").mkdir(parents=True)
    (root / "link").mkdir()
    (root / "link" / "BUILD.bazel").symlink_to("nothing")
    (root / "other" / "x.txt").touch()
    assert said(root, "folder") == ("BUILD file not found in 'folder'", "'folder/BUILD' is a folder")
    assert said(root, "link")[1] == "'link/BUILD.bazel' is a link that leads nowhere"
    assert said(root, "other/x.txt")[1] == "'other/x.txt' is a file"


def test_a_folder_without_a_build_file_belongs_to_the_package_around_it(root: Path) -> None:
    (root / "other" / "data").mkdir()
    assert said(root, "other/data") == (
        "BUILD file not found in 'other/data'",
        "the folder has no BUILD file, its files belong to //other",
    )


def test_where_there_is_no_folder_a_near_name_may_be_meant(root: Path) -> None:
    assert said(root, "takn") == ("BUILD file not found in 'takn'", "did you mean //taken?")
