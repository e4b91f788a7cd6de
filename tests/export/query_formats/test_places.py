"""Places as Bazel prints them in its formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

BUILDS = {
    "a macro of a .bzl file": 'load(":m.bzl", "made")\nmade(name = "x")\n',
    "a macro inside Bazel 7": 'py_library(name = "x")\n',
}


@pytest.mark.parametrize("text", BUILDS.values(), ids=BUILDS)
def test_generator_location_is_cut_where_the_path_first_has_the_package(tmp_path: Path, text: str) -> None:
    """Bazel cuts the absolute path at the first place of the package's name, be it the end of another folder's."""
    from bzlgraph.cli.main import main

    root = tmp_path / "my_zqlib"
    (root / "zqlib").mkdir(parents=True)
    (root / "WORKSPACE").touch()
    (root / "zqlib/m.bzl").write_text("def made(name):\n    native.filegroup(name = name)\n")
    (root / "zqlib/BUILD").write_text(text)
    line = ["--no_cache", "--jobs=1", "-C", str(root), "--bazel_version=7.7.1", "query", "//zqlib:x", "--output=build"]
    with CliRunner().isolation() as (out, _err, _mixed):
        with pytest.raises(SystemExit):
            main(line)
        printed = out.getvalue().decode("utf-8")
    assert 'generator_location = "zqlib/zqlib/BUILD:' in printed
