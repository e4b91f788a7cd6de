"""Folders that a Bazel in a chroot made, seen from outside."""

from __future__ import annotations

from pathlib import Path

from tests.differential.real import chroot


def test_links_into_the_other_debian_lead_there(tmp_path: Path) -> None:
    root, external, copies = tmp_path / "debian", tmp_path / "external", tmp_path / "outside"
    tools, made = root / "usr/share/tools", external / "made"
    for folder in (tools / "cpp", made):
        folder.mkdir(parents=True)
    (tools / "cpp/rules.bzl").write_text("theirs", encoding="utf-8")
    (external / "tools").symlink_to("/usr/share/tools")
    (made / "through_another.bzl").symlink_to(external / "tools/cpp/rules.bzl")
    (made / "straight.bzl").symlink_to("/usr/share/tools/cpp/rules.bzl")
    (made / "BUILD").write_text("own", encoding="utf-8")

    assert chroot.outside(root, external / "tools", copies) == tools
    seen = chroot.outside(root, made, copies)
    assert {each.name: each.read_text(encoding="utf-8") for each in seen.iterdir()} == {
        "BUILD": "own",
        "straight.bzl": "theirs",
        "through_another.bzl": "theirs",
    }
