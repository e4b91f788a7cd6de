"""The same bytes however packages were made: evaluated here, by workers, kept, or read from the cache."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import main

ROOT = Path(__file__).parents[2]
WORKSPACES = ("computed_defaults", "implicit_outputs", "macros", "selects", "rule_attributes", "broken")
FORMATS = ("label_kind", "build", "xml", "jsonproto", "json")


def answer(tree: Path, form: str, *options: str) -> tuple[int, bytes, bytes]:
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["-C", str(tree), *options, "query", "-k", "//...:*", f"--output={form}"])
        return int(stop.value.code or 0), out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Copies that are no part of another workspace."""
    folder = tmp_path_factory.mktemp("trees")
    shutil.copytree(ROOT / "examples" / "mini_tensorflow", folder / "mini_tensorflow")
    for name in WORKSPACES:
        shutil.copytree(ROOT / "tests" / "workspaces" / name, folder / name)
    return {name: folder / name for name in ("mini_tensorflow", *WORKSPACES)}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["mini_tensorflow", *WORKSPACES])
def test_the_bytes(
    trees: dict[str, Path], name: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, cache = trees[name], f"--cache_dir={tmp_path}"
    fresh = answer(tree, form, "--no_cache", "--jobs=1")
    assert len(fresh[1]) > 100
    assert answer(tree, form, cache, "--jobs=1") == fresh
    assert answer(tree, form, cache, "--jobs=1") == fresh
    monkeypatch.setattr("bzlgraph.loading.loader.WORTH_A_POOL", 1)
    assert answer(tree, form, "--no_cache", "--jobs=3") == fresh


def test_links_out_of_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are told of, whichever process met them, and whether or not the package is in the answer."""
    (tmp_path / "outside").mkdir()
    tree, cache = tmp_path / "tree", f"--cache_dir={tmp_path / 'cache'}"
    for name in ("a", "b", "c"):
        (tree / name / "below").mkdir(parents=True)
        (tree / name / "below" / "link").symlink_to(tmp_path / "outside")
        (tree / name / "BUILD").write_text("filegroup(name = 'files', srcs = glob(['**']))\n")
    (tree / "d").mkdir()
    (tree / "d" / "BUILD").write_text("filegroup(name = 'd', srcs = ['//c:files', '//b:files', '//a:files'])\n")
    (tree / "WORKSPACE").touch()

    def told(*options: str) -> str:
        with CliRunner().isolation() as (_out, err, _mixed):
            with pytest.raises(SystemExit):
                main(["-C", str(tree), *options, "query", "-k", "deps(//d) ^ //d"])
            return err.getvalue().decode()

    fresh = told("--no_cache", "--jobs=1")
    places = [fresh.find(f"{name}/below/link is a link to") for name in ("a", "b", "c")]
    assert -1 not in places
    assert places == sorted(places)
    assert told(cache, "--jobs=1") == fresh
    assert told(cache, "--jobs=1") == fresh
    monkeypatch.setattr("bzlgraph.loading.loader.WORTH_A_POOL", 1)
    assert told("--no_cache", "--jobs=3") == fresh


def test_links_that_nobody_follows_are_not_told_of(tmp_path: Path) -> None:
    """As those that Bazel makes for what it builds, and what is ignored."""
    (tmp_path / "outside").mkdir()
    tree = tmp_path / "tree"
    (tree / "a").mkdir(parents=True)
    (tree / "WORKSPACE").touch()
    (tree / "BUILD").write_text("filegroup(name = 'files', srcs = glob(['**']))\n")
    (tree / ".bazelignore").write_text("a/ignored\n")
    for name in ("bazel-bin", "a/ignored"):
        (tree / name).symlink_to(tmp_path / "outside")
    assert b"Incomplete" not in answer(tree, "label", "--no_cache")[2]
    (tree / "a" / "followed").symlink_to(tmp_path / "outside")
    told = answer(tree, "label", "--no_cache")[2]
    assert b"1 unresolved input may hide edges: a/followed is a link to" in told
