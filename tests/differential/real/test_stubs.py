"""Stub repositories: the tables read, the folders written."""

from __future__ import annotations

import pytest

from tests.differential.real.stubs import TABLES, StubRepository, digest, read_stubs, write_stubs


@pytest.mark.parametrize("table", sorted(path.stem for path in TABLES.glob("*.toml")))
def test_every_table_reads(table: str, tmp_path) -> None:
    stubs = read_stubs(table, tmp_path)
    assert len({stub.name for stub in stubs}) == len(stubs) > 0
    assert all(stub.files or stub.directory for stub in stubs)


def test_the_short_form_makes_public_targets(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("tests.differential.real.stubs.TABLES", tmp_path)
    (tmp_path / "t.toml").write_text('[repo.r.packages]\n"a/b" = "cc_library: x y; exports_files: LICENSE"\n', "utf-8")
    (stub,) = read_stubs("t", tmp_path)
    folders = write_stubs((stub,), tmp_path / "out")
    assert (folders["r"] / "WORKSPACE").read_text("utf-8") == 'workspace(name = "r")\n'
    assert (folders["r"] / "a/b/BUILD").read_text("utf-8").splitlines()[2:] == [
        'cc_library(name = "x")',
        'cc_library(name = "y")',
        'exports_files(["LICENSE"])',
    ]


def test_an_overlay_comes_from_the_tree(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("tests.differential.real.stubs.TABLES", tmp_path)
    (tmp_path / "t.toml").write_text('[overlays]\nswig = "third_party/swig.BUILD"\n', "utf-8")
    assert read_stubs("t", tmp_path)[0].files == {"BUILD.bazel": ""}
    (tmp_path / "third_party").mkdir()
    (tmp_path / "third_party/swig.BUILD").write_text("# swig\n", "utf-8")
    assert read_stubs("t", tmp_path)[0].files == {"BUILD.bazel": "# swig\n"}


def test_a_table_leaves_stubs_of_another_out(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("tests.differential.real.stubs.TABLES", tmp_path)
    (tmp_path / "t.toml").write_text('[repo.a.packages]\n"" = ""\n[repo.b.packages]\n"" = ""\n', "utf-8")
    (tmp_path / "u.toml").write_text('include = ["t"]\nwithout = ["a"]\n', "utf-8")
    assert [stub.name for stub in read_stubs("u", tmp_path)] == ["b"]


def test_the_digest_tells_contents_apart() -> None:
    one = StubRepository("r", {"BUILD": "a"})
    assert digest((one,)) == digest((StubRepository("r", {"BUILD": "a"}),))
    assert digest((one,)) != digest((StubRepository("r", {"BUILD": "b"}),))
