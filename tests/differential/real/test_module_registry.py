"""The registry holds every version that the modules ask for."""

import json
from pathlib import Path

import pytest

from tests.differential.real import module_registry
from tests.differential.real.bazel import cache_folder
from tests.differential.real.chroot import unstable


@pytest.mark.skipif(not (unstable(cache_folder()) / "usr/share/bazel").is_dir(), reason="no Debian unstable here")
def test_a_registry_has_what_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    asked = 'bazel_dep(name = "bazel_skylib", version = "1.3.0")\nbazel_dep(name = "nobody_has_it", version = "7")\n'
    (tmp_path / "tree/MODULE.bazel").write_text(asked, encoding="utf-8")
    folder = tmp_path / "registry"
    assert module_registry.write_modules(tmp_path / "tree", folder).options == (f"--registry=file://{folder}",)
    packaged = (folder / "modules/bazel_skylib/1.3.0/MODULE.bazel").read_text(encoding="utf-8")
    assert 'module(name = "bazel_skylib", version = "1.3.0"' in packaged
    assert 'bazel_dep(name = "platforms"' in packaged
    assert json.loads((folder / "modules/nobody_has_it/7/source.json").read_text(encoding="utf-8")) == {
        "type": "local_path",
        "path": "nobody_has_it",
    }
    assert (folder / "sources/nobody_has_it/BUILD").is_file()
    assert (folder / "sources/bazel_skylib/lib/paths.bzl").is_file()
