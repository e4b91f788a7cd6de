"""bzlgraph's outputs, byte for byte, against what real Bazel printed on the fixture workspaces: no Bazel is needed.

Two things of Bazel 0.x are made equal first, with the reasons of explained.toml: it gives a source file the place of
the list that names it (place-of-a-source-file), and says that ``$cc_toolchain_type`` of a genrule depends on the
configuration when the command does (computed-default-of-a-select).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.differential.fixtures import FOLDER, VERSIONS
from tests.differential.formats.outputs import QUESTIONS, WORKSPACES, path_of, read
from tests.differential.real.stubs import read_stubs, write_stubs

_PLACES = (
    (re.compile(r"^(.*BUILD(?:\.bazel)?)(?::\d+)+(: source file )", re.MULTILINE), r"\1\2"),
    (re.compile(r'<label configurable="yes" (name="\$cc_toolchain_type")/>'), r"<label \1/>"),
    (re.compile(r'(<source-file location="[^":]*)[:\d]*"'), r'\1"'),
)


@pytest.fixture(scope="module")
def overrides(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("stubs")
    return write_stubs(read_stubs("bazel_rules", folder), folder / "repositories")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("workspace", WORKSPACES)
def test_same_bytes_as_bazel(workspace: str, version: str, overrides) -> None:
    recorded = dict(read(path_of(workspace, version)))
    assert tuple(recorded) == QUESTIONS
    for question, theirs in recorded.items():
        ours = _ours(FOLDER / workspace, version, question, overrides)
        assert _comparable(ours, version) == _comparable(theirs, version), " ".join(question)


def _ours(tree: Path, version: str, question: tuple[str, ...], overrides: dict[str, Path]) -> str:
    from bzlgraph.cli.main import main

    expression, *options = question
    stubs = [f"--override_repository={name}={path}" for name, path in overrides.items()]
    line = ["--no_cache", "-C", str(tree), "--bazel_version", version, *stubs, "query", "-k", *options, expression]
    with CliRunner().isolation() as (out, _err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(line)
        printed = out.getvalue().decode("utf-8")
    assert stop.value.code in (0, 3)
    return printed.replace(str(tree.resolve()), "ROOT")


def _comparable(text: str, version: str) -> str:
    if version.startswith("0."):
        for place, same in _PLACES:
            text = place.sub(same, text)
    return text
