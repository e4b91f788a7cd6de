"""What is in a dataset: its schema, and every row beside the answer of the question that it mirrors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import bzlgraph
from bzlgraph.export.dataset import files
from bzlgraph.export.dataset.schema import PARTITION, SCHEMA, tables
from bzlgraph.export.query_formats.formats import write
from bzlgraph.export.query_formats.options import QueryOutput
from bzlgraph.graph.model import EdgeFlag
from tests.written_files import write_files

parquet = pytest.importorskip("pyarrow.parquet")
hive = pytest.importorskip("pyarrow.dataset")

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "mini_tensorflow"
WORKSPACES = sorted(path.parent for path in (ROOT / "tests" / "workspaces").glob("*/expected"))
TYPES = {"text": "string", "integer": "int32", "boolean": "bool", "texts": "list<element: string>"}
Rows = list[dict[str, Any]]


def rows_of(folder: Path, table: str) -> Rows:
    """The rows of a table as readers see them that know hive partitions."""
    rows: Rows = hive.dataset(folder / table, partitioning="hive").to_table().to_pylist()
    return rows


def everything(ws: bzlgraph.Workspace, folder: Path, expression: str = "deps(//...)") -> Mapping[str, Rows]:
    ws.export_dataset(folder, expression, keep_going=True)
    return {name: rows_of(folder, name) for name in tables()}


@pytest.fixture(scope="module")
def example() -> bzlgraph.Workspace:
    return bzlgraph.open(EXAMPLE, cache=False, jobs=1)


@pytest.fixture(scope="module")
def folder(example: bzlgraph.Workspace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return example.export_dataset(tmp_path_factory.mktemp("example") / "dataset").folder


def source_of(workspace: Path) -> Path:
    """The folder of a fixture that has the workspace file."""
    return next(path.parent for name in ("WORKSPACE", "MODULE.bazel") for path in sorted(workspace.rglob(name)))


# ------------------------------------------------------------------------------------------------------ the schema
@pytest.mark.parametrize("name", tables())
def test_files_are_as_the_schema_says(name: str, folder: Path) -> None:
    table = tables()[name]
    file = parquet.ParquetFile(folder / name / f"{PARTITION}=mini_tensorflow" / files.FILE)
    schema = file.schema_arrow
    assert schema.metadata[b"bzlgraph.schema"].decode() == SCHEMA
    assert schema.metadata[b"bzlgraph.table"].decode() == name
    assert [(field.name, str(field.type)) for field in schema] == [
        (column.name, TYPES[column.type]) for column in table.columns
    ]
    assert {field.name for field in schema if field.nullable} == table.optional
    assert [field.metadata[b"description"].decode() for field in schema] == list(table.words)
    rows = file.read().to_pylist()
    assert [row for row in rows for name, cell in row.items() if cell is None and name not in table.optional] == []


def test_the_schema_names_its_version_and_the_flags_of_edges() -> None:
    assert (Path(files.__file__).parent / "schema.toml").read_text(encoding="utf-8").count(f'"{SCHEMA}"') == 1
    flags = [str(flag.name).lower() for flag in EdgeFlag]
    assert [column.name for column in tables()["edges"].columns][4:] == flags


def test_the_mark_says_what_it_is(folder: Path) -> None:
    said = json.loads((folder / "_dataset.json").read_text(encoding="utf-8"))
    assert said == {"schema": SCHEMA, "partition": PARTITION, "tables": sorted(tables())}
    assert {path.name for path in folder.iterdir()} == {"_dataset.json", *tables()}


# ------------------------------------------------------------------------------------------------------- the rows
@pytest.mark.parametrize("workspace", [EXAMPLE, *WORKSPACES], ids=lambda path: path.name)
def test_rows_are_what_the_questions_answer(workspace: Path, tmp_path: Path) -> None:
    ws = bzlgraph.open(source_of(workspace), cache=False, jobs=1)
    found = everything(ws, tmp_path / "dataset")
    answer = ws.query("deps(//...)", keep_going=True).answer
    known = json.loads(b"".join(write("json", QueryOutput(answer, facts=ws.loader.workspace.facts))))["targets"]
    labels = [row["label"] for row in found["targets"]]
    assert [row["id"] for row in found["targets"]] == list(range(len(labels)))
    assert sorted(row["label"] for row in found["targets"] if row["matches"]) == sorted(each["label"] for each in known)
    compare_targets(known, {row["label"]: row for row in found["targets"]})
    compare_edges(known, found["edges"], labels)
    compare_attributes(known, found["attributes"], labels)
    compare_branches(ws, found["branches"], labels)
    names = {row["id"]: (row["repository"], row["package"]) for row in found["packages"]}
    assert len(names) == len(found["packages"])
    assert [names[row["package_id"]] for row in found["targets"]] == [
        (row["repository"], row["package"]) for row in found["targets"]
    ]
    assert {row["label"] for row in found["packages"] if row["build_file"] is not None} == {
        each["package"] for each in known if not each["kind"].startswith(("unloaded", "missing"))
    }


def compare_targets(known: Rows, found: Mapping[str, dict[str, Any]]) -> None:
    for each in known:
        row, place = found[each["label"]], each["location"] or {}
        assert (row["kind"], row["rule_class"]) == (each["kind"], each.get("rule_class"))
        assert (row["path"], row["line"]) == (place.get("path"), place.get("line") or None)
        assert (row["macro"], row["defined_in"]) == ((each.get("macro") or {}).get("function"), each.get("defined_in"))
        assert row["possible"] == each.get("possible", False)
        stack = [frame["function"] for frame in each.get("stack") or ()][1:]
        assert [call.split(" (")[0] for call in (row["macros"] or "").split(" > ") if call] == stack


def compare_edges(known: Rows, found: Rows, labels: list[str]) -> None:
    flags = [str(flag.name).lower() for flag in EdgeFlag]
    listed = sorted(
        (each["label"], end["label"], reason["attribute"], when_text(reason["when"]), tuple(sorted(reason["flags"])))
        for each in known
        for end in each["dependencies"]
        for reason in end["reasons"]
    )
    assert listed == sorted(
        (
            *(labels[row["source"]], labels[row["target"]], row["attribute"], row["condition"] or ""),
            tuple(sorted(flag for flag in flags if row[flag])),
        )
        for row in found
    )


def when_text(terms: Rows) -> str:
    """The conjunction as ``why`` writes it."""
    texts = []
    for term in terms:
        unless = f" (not {', '.join(term['unless'])})" if term.get("unless") else ""
        texts.append(f"{term['label']}{unless}" if term["label"] else f"{term['unknown']} adds it (unknown)")
    return " and ".join(texts)


def compare_attributes(known: Rows, found: Rows, labels: list[str]) -> None:
    apart = {"name", "generator_name", "generator_function", "generator_location"}  # `targets` has them
    assert sorted((labels[row["target"]], row["attribute"], row["type"], row["value"]) for row in found) == sorted(
        (each["label"], name, said["type"], json.dumps(said["value"], ensure_ascii=False))
        for each in known
        for name, said in each.get("attributes", {}).items()
        if name not in apart
    )


def compare_branches(ws: bzlgraph.Workspace, found: Rows, labels: list[str]) -> None:
    names = [column.name for column in tables()["branches"].columns][1:]
    rows = ws.select("deps(//...)", keep_going=True)
    expected = rows[["target", *names]].itertuples(index=False, name=None)
    assert sorted(map(repr, expected)) == sorted(
        repr((labels[row["target"]], *(row[name] for name in names))) for row in found
    )


def test_settings_options_gaps_and_problems(example: bzlgraph.Workspace, folder: Path) -> None:
    flags = example.flags()
    assert [row["label"] for row in rows_of(folder, "settings")] == list(flags.settings["label"])
    assert [row["selects"] for row in rows_of(folder, "settings")] == list(flags.settings["selects"])
    assert [row["option"] for row in rows_of(folder, "rc_options")] == list(flags.bazelrc["option"])
    gaps = example.query("deps(//...)").gaps
    assert [(row["kind"], row["what"]) for row in rows_of(folder, "gaps")][: len(gaps)] == [
        (gap.kind, gap.what) for gap in gaps
    ]
    assert rows_of(folder, "problems") == []


def test_repositories(folder: Path) -> None:
    found = {row["repository"]: row for row in rows_of(folder, "repositories")}
    known = {"repository": "", "canonical": "", "asked": True, "whole": True, "checkout": "mini_tensorflow"}
    assert found[""] == {**known, **dict.fromkeys(("way", "rule", "urls", "path", "line", "column"))}
    assert (found["swig"]["rule"], found["swig"]["whole"], found["swig"]["asked"]) == ("tf_http_archive", False, True)
    assert (found["swig"]["path"], found["swig"]["line"]) == ("WORKSPACE", 23)


def test_an_expression_chooses_and_what_it_names_is_there_too(example: bzlgraph.Workspace, tmp_path: Path) -> None:
    found = everything(example, tmp_path / "dataset", "//tensorflow/core:lib")
    (lib,) = (row for row in found["targets"] if row["matches"])
    assert lib["label"] == "//tensorflow/core:lib"
    assert {row["source"] for row in found["edges"]} == {lib["id"]}
    assert {row["target"] for row in found["edges"]} == {row["id"] for row in found["targets"]} - {lib["id"]}
    assert [row["label"] for row in found["packages"] if row["matches"]] == ["//tensorflow/core"]
    assert {row["bzl_files"] is None for row in found["packages"] if not row["matches"]} == {True}
    assert found["checkouts"][0]["expression"] == "//tensorflow/core:lib"


def test_a_package_that_nobody_asked_for_has_no_kinds(tmp_path: Path) -> None:
    write_workspace(tmp_path, {"a/BUILD": 'filegroup(name = "a", srcs = ["//b", "@c//:d"])\n', "b/BUILD": ""})
    found = everything(bzlgraph.open(tmp_path, cache=False, jobs=1), tmp_path / "dataset", "//a")
    kinds = {row["label"]: row["kind"] for row in found["targets"]}
    assert (kinds["//a:a"], kinds["//b:b"], kinds["@c//:d"]) == ("filegroup rule", None, None)
    assert {row["repository"]: row["asked"] for row in found["repositories"]}["c"] is False


def test_problems_are_recorded(tmp_path: Path) -> None:
    write_workspace(tmp_path, {"a/BUILD": 'filegroup(name = "a", srcs = ["//b"])\nfail("no")\n'})
    found = everything(bzlgraph.open(tmp_path, cache=False, jobs=1), tmp_path / "dataset")
    assert found["checkouts"][0]["state"] == "partial"
    assert ("a/BUILD", 2) in {(row["path"], row["line"]) for row in found["problems"]}
    assert [row["broken"] for row in found["packages"] if row["label"] == "//a"] == [True]


def test_bytes_that_are_no_text_become_question_marks(tmp_path: Path) -> None:
    write_workspace(tmp_path, {"a/BUILD": 'filegroup(name = "a", srcs = glob(["*.txt"]))\n'})
    (tmp_path / "a" / "x\udc80é.txt").touch()
    found = everything(bzlgraph.open(tmp_path, cache=False, jobs=1), tmp_path / "dataset")
    assert "//a:x?é.txt" in {row["label"] for row in found["targets"]}


# ------------------------------------------------------------------------------------------------------- the files
def test_the_same_checkout_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    again = bzlgraph.open(EXAMPLE, cache=False, jobs=2).export_dataset(tmp_path / "dataset").folder
    paths = [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    assert len(paths) == len(tables()) + 1
    assert [path for path in paths if (folder / path).read_bytes() != (again / path).read_bytes()] == []


def test_row_groups_are_whole_packages(
    example: bzlgraph.Workspace, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "ROWS_AT_ONCE", 100)
    small = example.export_dataset(tmp_path / "dataset").folder
    for name in ("targets", "edges", "attributes", "branches"):
        assert rows_of(small, name) == rows_of(folder, name)
    (path,) = (small / "targets").rglob("*.parquet")
    file = parquet.ParquetFile(path)
    packages = [
        {tuple(row.values()) for row in file.read_row_group(number, ["repository", "package"]).to_pylist()}
        for number in range(file.num_row_groups)
    ]
    assert len(packages) > 3
    assert sum(map(len, packages)) == len(set().union(*packages))


def write_workspace(root: Path, named: Mapping[str, str]) -> None:
    (root / "WORKSPACE").touch()
    write_files(root, named)
