"""attr() of what made a rule: a macro of a .bzl file or one inside Bazel, told as each Bazel does."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.cli.main import main

BUILD = 'load(":m.bzl", "made")\nmade(name = "mm")\ncc_test(name = "ct", srcs = ["a.cc"])\n'
MACRO = 'def made(name):\n    native.filegroup(name = name + "_f")\n'


@pytest.mark.parametrize(
    ("version", "attribute", "pattern", "found"),
    [
        ("7.7.1", "generator_function", "cc_test", ["//:ct"]),
        ("4.2.3", "generator_function", "cc_test", []),
        ("7.7.1", "generator_name", "^ct$", ["//:ct"]),
        ("7.7.1", "generator_location", "BUILD:2:5$", ["//:mm_f"]),
        ("2.1.0", "generator_location", "BUILD:2$", ["//:mm_f"]),
        ("2.1.0", "generator_location", "BUILD:2:", []),
    ],
)
def test_as_each_bazel(
    version: str,
    attribute: str,
    pattern: str,
    found: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Bazel 2.1.0, 4.2.3 and 7.7.1 were asked."""
    for name, text in {"WORKSPACE": "", "BUILD": BUILD, "m.bzl": MACRO, "a.cc": ""}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["--no_cache", f"--bazel_version={version}", "query", f'attr({attribute}, "{pattern}", //:all)'])
    assert capsys.readouterr().out.split() == found
