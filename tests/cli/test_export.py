"""``export dataset``: its exit codes, lists of checkouts, and what is recorded of those that fail."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.cli.checkout_list import ListedCheckout, read, read_list
from bzlgraph.questions.dataset import revision_of
from tests.cli.failures import FAILURES, Failure
from tests.cli.in_process import run

parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return made(tmp_path / "good")


def made(root: Path, failure: Failure | None = None) -> Path:
    root.mkdir()
    (failure or Failure()).write(root)
    return root


def states(folder: Path) -> dict[str, tuple[str, str | None]]:
    """State and message of each checkout."""
    files = {path.parent.name.removeprefix("checkout="): path for path in (folder / "checkouts").rglob("*.parquet")}
    rows = {name: parquet.ParquetFile(path).read().to_pylist()[0] for name, path in files.items()}
    return {name: (row["state"], row["message"]) for name, row in rows.items()}


def labels(folder: Path, checkout: str) -> set[str]:
    path = folder / "targets" / f"checkout={checkout}" / "data.parquet"
    return set(parquet.ParquetFile(path).read(["label"]).column("label").to_pylist())


@pytest.mark.parametrize("options", [(), ("-k",), ("--strict",)], ids=lambda options: "".join(options) or "alone")
@pytest.mark.parametrize("name", FAILURES)
def test_exit_codes_are_those_of_a_query(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    root = made(tmp_path / "checkout", FAILURES[name])
    expected, _, _ = run(root, "query", *options, "deps(//top)")
    folder = tmp_path / "dataset"
    code, out, err = run(root, "export", *options, "dataset", str(folder), "deps(//top)")
    assert (code, out) == (expected, ""), err
    assert "internal error" not in err
    complete = run(root, "query", "-k", "--output=json", "deps(//top)")
    if code in (0, 3):
        state = "complete" if json.loads(complete[1])["complete"] else "partial"
        assert states(folder) == {"checkout": (state, None)}


def test_it_tells_how_much_was_written(good: Path, tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    code, out, err = run(good, "export", "dataset", str(folder))
    assert (code, out) == (0, "")
    assert f"{folder}: 3 packages, 5 targets, 4 edges" in err


def test_what_there_is_no_target_of_is_counted_apart(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    (root / "q").mkdir(parents=True)
    (root / "WORKSPACE").touch()
    (root / "q" / "BUILD").touch()
    (root / "BUILD").write_text("filegroup(name = 'a', srcs = [':b', '//q:gone'])\nfilegroup(name = 'b')\n")
    said = [
        run(root, *words)[2]
        for words in (
            ["graph", "-k", "deps(//...)", "-o", str(tmp_path / "it.svg")],
            ["explore", "-k", "-o", str(tmp_path / "it.html")],
            ["export", "-k", "dataset", str(tmp_path / "dataset")],
        )
    ]
    assert f"{tmp_path / 'it.svg'}: 2 targets\n" in said[0]
    assert f"{tmp_path / 'it.html'}: 2 targets, 1 missing, 0.1 MB\n" in said[1]
    assert f"{tmp_path / 'dataset'}: 2 packages, 2 targets, 1 missing, 2 edges\n" in said[2]


def test_a_name_that_does_not_exist_leaves_what_was_there(good: Path, tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    assert run(good, "export", "dataset", str(folder), "//top")[0] == 0
    code, _, err = run(good, "export", "dataset", str(folder), "//top:none")
    assert (code, "no such target" in err) == (7, True)
    assert labels(folder, "good") >= {"//top:top"}


def test_a_folder_with_other_files_is_refused_before_anything_is_read(good: Path) -> None:
    code, _, err = run(good, "export", "dataset", str(good))
    assert code == 2
    assert "files that do not belong to a dataset" in err
    assert (good / "WORKSPACE").is_file()


def test_without_pyarrow_it_says_what_to_install(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    code, _, err = run(good, "export", "dataset", str(tmp_path / "dataset"))
    assert (code, "pip install pyarrow" in err) == (2, True)


# --------------------------------------------------------------------------------------------------- many checkouts
@pytest.fixture
def fleet(good: Path, tmp_path: Path) -> Path:
    made(tmp_path / "broken", FAILURES["syntax error"])
    made(tmp_path / "gaps", FAILURES["unknown macro"])
    path = tmp_path / "list"
    path.write_text(
        f"""# a fleet
good    {good}
gone    '{tmp_path}/no such folder'   # it is not there
broken  {tmp_path}/broken -k
gaps    {tmp_path}/gaps "--deleted_packages=tensorflow/core/kernels"
""",
        encoding="utf-8",
    )
    return path


def test_one_that_fails_is_recorded_and_the_others_are_there(fleet: Path, good: Path, tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    code, out, err = run(good, "export", "dataset", str(folder), "--checkouts", str(fleet))
    assert (code, out) == (3, ""), err
    assert "gone: failed" in err
    assert "checkout 'gone' failed: no such folder" in err
    assert "checkout 'broken' has " in err
    found = states(folder)
    assert {name: state for name, (state, _) in found.items()} == {
        "good": "complete", "gone": "failed", "broken": "partial", "gaps": "partial",
    }  # fmt: skip
    assert "no such folder" in str(found["gone"][1])
    assert "//tensorflow/core/kernels:blur_op" in labels(folder, "good") - labels(folder, "gaps")
    assert [path.name for path in (folder / "targets").iterdir() if path.name.endswith("gone")] == []


def test_when_all_fail_nothing_is_written(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("a /no/such\nb /neither\n", encoding="utf-8")
    code, _, err = run(good, "export", "dataset", str(tmp_path / "dataset"), "--checkouts", str(path))
    assert code == 7
    assert err.count("failed: no such folder") == 2
    assert not (tmp_path / "dataset").exists()


def test_options_of_the_command_line_hold_for_all_and_those_of_a_line_for_one(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text(f"all {good}\none {good} //top\nold {good} --bazel_version=0.19.1\n", encoding="utf-8")
    folder = tmp_path / "dataset"
    code, _, err = run(good, "export", "dataset", str(folder), "--checkouts", str(path), "--bazel_version", "4.2.3")
    assert code == 0, err
    assert labels(folder, "one") < labels(folder, "all")
    versions = {
        name: parquet.ParquetFile(folder / "checkouts" / f"checkout={name}" / "data.parquet").read().to_pylist()[0]
        for name in ("all", "one", "old")
    }
    assert {name: row["bazel_version"] for name, row in versions.items()} == {
        "all": "4.2.3", "one": "4.2.3", "old": "0.19.1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "lists no checkout"),
        ("lonely\n", "has a name and a path"),
        ("a/b .\n", "is not a valid name for a checkout"),
        (".hidden .\n", "is not a valid name for a checkout"),
        ("a=b .\n", "is not a valid name for a checkout"),
        ("a .\nA .\n", "two checkouts are named 'A'"),
        ("a '.\n", "no closing quotation"),
        ("a . --no_such_option\n", "checkout 'a': No such option"),
        ("a . --max_steps=many\n", "checkout 'a': Invalid value"),
        ("[", "invalid JSON"),
        ('[{"name": "a"}]', "entry 1 is not a checkout"),
        ('[{"name": "a", "path": 3}]', "entry 1 is not a checkout"),
        ('["a"]', "entry 1 is not a checkout"),
    ],
)
def test_a_list_that_is_none(text: str, said: str, good: Path, tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text(text, encoding="utf-8")
    code, _, err = run(good, "export", "dataset", str(tmp_path / "dataset"), "--checkouts", str(path))
    assert (code, said in err) == (2, True), err
    assert not (tmp_path / "dataset").exists()


def test_a_list_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="--checkouts="):
        read_list(tmp_path / "none")


def test_lines_and_json_say_the_same() -> None:
    lines = "tf '../my tree' --bazel_version=0.19.1\n\nmine .  # comment\n"
    entries = [
        {"name": "tf", "path": "../my tree", "options": ["--bazel_version=0.19.1"]},
        {"name": "mine", "path": "."},
    ]
    expected = [ListedCheckout("tf", "../my tree", ("--bazel_version=0.19.1",)), ListedCheckout("mine", ".")]
    assert list(read(lines)) == list(read(json.dumps(entries))) == expected


def test_the_place_of_a_fault_is_told() -> None:
    with pytest.raises(UsageProblem) as refused:
        list(read("a .\n\nb\n", "my list"))
    assert str(refused.value).startswith("my list:3: ")


# -------------------------------------------------------------------------------------------------------- the commit
COMMIT, OTHER = "0123456789" * 4, "f" * 40


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"HEAD": f"{COMMIT}\n"}, COMMIT),
        ({"HEAD": "ref: refs/heads/main\n", "refs/heads/main": f"{COMMIT}\n"}, COMMIT),
        ({"HEAD": "ref: refs/heads/a/b", "packed-refs": f"{OTHER} refs/heads/b\n{COMMIT} refs/heads/a/b\n"}, COMMIT),
        ({"HEAD": "ref: refs/heads/none\n", "packed-refs": f"{COMMIT} refs/heads/none/x\n"}, None),
        ({"HEAD": "ref: refs/../secret\n", "secret": COMMIT}, None),
        ({"HEAD": "ref: ../secret\n", "../secret": COMMIT}, None),
        ({"HEAD": "ref: refs/heads/main\n", "refs/heads/main": "no commit\n"}, None),
        ({"HEAD": b"\xff\xfe"}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_the_commit_is_read_from_git_s_folder(
    files: dict[str, str | bytes], expected: str | None, tmp_path: Path
) -> None:
    for name, text in files.items():
        path = tmp_path / ".git" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert revision_of(tmp_path) == expected


def test_a_link_to_git_s_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "HEAD").write_text(COMMIT, encoding="utf-8")
    (tmp_path / ".git").symlink_to("elsewhere")
    assert revision_of(tmp_path) is None


def test_the_commit_is_in_the_dataset(good: Path, tmp_path: Path) -> None:
    (good / ".git").mkdir()
    (good / ".git" / "HEAD").write_text(COMMIT, encoding="utf-8")
    assert run(good, "export", "dataset", str(tmp_path / "dataset"), "//top")[0] == 0
    file = parquet.ParquetFile(tmp_path / "dataset" / "checkouts" / "checkout=good" / "data.parquet")
    assert file.read().to_pylist()[0]["revision"] == COMMIT
