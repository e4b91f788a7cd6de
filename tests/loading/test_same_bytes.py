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
