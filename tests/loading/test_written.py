"""How targets are written is told by the rows beside an encoded package as by the targets themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.bazel.model import PackageGroup, Rule, SourceFile
from bzlgraph.graph.stored import StoredTargets
from bzlgraph.loading.codec import Decoder, Encoder, written_in
from bzlgraph.loading.loader import open_loader
from bzlgraph.loading.written import Written
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace

ROOT = Path(__file__).parents[2]
TREES = (
    "examples/mini_tensorflow",
    "tests/workspaces/macros",
    "tests/workspaces/visibility",
    "tests/workspaces/generated",
)


@pytest.mark.parametrize("tree", TREES)
def test_rows_are_what_targets_say(tree: str) -> None:
    loader = open_loader(open_workspace(ROOT / tree, Options(jobs=1)))
    packages = [package for name in loader.packages_below("", "") if (package := loader.find("", name)) is not None]
    kinds = set[type]()
    for package in packages:
        written = Written(written_in(Encoder().encode(package)))
        assert len(written) == len(package.targets)
        assert written.default_visibility == package.default_visibility
        for number, (_, target) in enumerate(sorted(package.targets.items())):
            kinds.add(type(target))
            if isinstance(target, Rule):
                made_by = target.generator.function if target.generator is not None else ""
                row = (target.stack, made_by, target.visibility, bool(target.macros))
                assert written.rule(number) == row
                continue
            assert written.place(number) == target.location
            if isinstance(target, SourceFile):
                assert written.file_visibility(number) == target.visibility
            elif isinstance(target, PackageGroup):
                assert written.group(number) == (target.packages, target.includes)
    assert {Rule, SourceFile} <= kinds


def test_a_decoded_package_has_them_without_reading_a_target() -> None:
    loader = open_loader(open_workspace(ROOT / TREES[0], Options(jobs=1)))
    package = loader.find("", "tensorflow/core")
    assert package is not None
    data = Encoder().encode(package)
    targets = Decoder().package(data).targets
    assert isinstance(targets, StoredTargets)
    assert targets.written == written_in(data)


@pytest.mark.parametrize("data", [b"", b"no rows"])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="decompressing"):
        Written(data)
