"""Which rc files are read, and what imports do."""

import re
from pathlib import Path

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.config.bazelrc import Bazelrc, RcChoice, read_bazelrc
from bzlgraph.workspace.sources.source import MemorySource

ROOT = Path("/w")


def read(files: dict[str, str], **choice: object) -> Bazelrc:
    source = MemorySource({path: text.encode() for path, text in files.items()})
    return read_bazelrc(ROOT, source, RcChoice(**choice))  # type: ignore[arg-type]


def words(rc: Bazelrc, command: str = "build", config: str = "") -> list[str]:
    return [token.text for token in rc.tokens(command, config)]


def paths(rc: Bazelrc) -> list[tuple[str, bool]]:
    return [(each.path, each.read) for each in rc.files]


def test_an_import_stands_for_the_file() -> None:
    files = {".bazelrc": "build --a\nimport %workspace%/x.rc\nbuild --c", "x.rc": "build --b\ntest --t"}
    rc = read(files)
    assert words(rc) == ["--a", "--b", "--c"]
    assert words(rc, "test") == ["--t"]
    assert [str(token.location) for token in rc.tokens("build")] == [".bazelrc:1:7", "x.rc:1:7", ".bazelrc:3:7"]


def test_relative_imports_start_at_the_root() -> None:
    assert words(read({".bazelrc": "import d/x.rc", "d/x.rc": "import d/y.rc", "d/y.rc": "build --y"})) == ["--y"]


def test_try_import_of_an_absent_file_is_told_not_refused() -> None:
    rc = read({".bazelrc": "try-import %workspace%/user.rc\nbuild --a"})
    assert words(rc) == ["--a"]
    assert paths(rc) == [(".bazelrc", True), ("user.rc", False)]


def told(rc: Bazelrc) -> list[str]:
    return [each.render().splitlines()[0] for each in rc.problems]


def test_import_of_an_absent_file_names_the_line_and_a_file_that_is_there() -> None:
    rc = read({".bazelrc": "build --a\nimport %workspace%/tools/user.rc\nbuild --b", "tools/users.rc": ""})
    assert words(rc) == ["--a", "--b"]
    assert paths(rc) == [(".bazelrc", True), ("tools/user.rc", False)]
    assert rc.problems[0].render().splitlines() == [
        ".bazelrc:2:8: error: no such file: tools/user.rc",
        "  import %workspace%/tools/user.rc",
        "         ^",
        "hint: did you mean %workspace%/tools/users.rc?",
    ]


def test_imports_that_go_round_are_an_error_with_the_circle() -> None:
    rc = read({".bazelrc": "import a.rc", "a.rc": "import b.rc", "b.rc": "import a.rc\nbuild --b"})
    assert told(rc) == ["b.rc:1:8: error: rc files import each other: a.rc > b.rc > a.rc"]
    assert words(rc) == ["--b"]


def test_one_file_imported_twice_counts_twice() -> None:
    assert words(read({".bazelrc": "import x.rc\nimport x.rc", "x.rc": "build --x"})) == ["--x", "--x"]


@pytest.mark.parametrize("line", ["import", "import a b", "try-import-if-bazel-version >=1 a b"])
def test_imports_with_the_wrong_number_of_words(line: str) -> None:
    (problem,) = told(read({".bazelrc": line, "a": ""}))
    assert re.match(r"\.bazelrc:1:1: error: .* takes", problem)


@pytest.mark.parametrize(("version", "found"), [("7.7.1", []), ("9.1.0", ["--nine"])])
def test_an_import_for_some_versions(version: str, found: list[str]) -> None:
    files = {".bazelrc": "try-import-if-bazel-version >=9.0.0 nine.rc", "nine.rc": "build --nine"}
    rc = read(files, version=version)
    assert words(rc) == found
    assert paths(rc) == [(".bazelrc", True), ("nine.rc", bool(found))]


def test_a_condition_that_is_none() -> None:
    rc = read({".bazelrc": "try-import-if-bazel-version nine a.rc"})
    assert told(rc) == [".bazelrc:1:29: error: 'nine' is not a condition on a version"]


def test_the_old_file_comes_first_where_it_counts() -> None:
    files = {"tools/bazel.rc": "build --old", ".bazelrc": "build --new"}
    assert words(read(files, old="always")) == ["--old", "--new"]
    assert words(read(files)) == ["--new"]
    assert paths(read(files)) == [(".bazelrc", True), ("tools/bazel.rc", False)]


def test_the_old_file_is_read_twice_only_by_the_bazels_that_do_so() -> None:
    files = {"tools/bazel.rc": "build --old", ".bazelrc": "build --new\nimport %workspace%/tools/bazel.rc"}
    assert words(read(files, old="unless imported")) == ["--new", "--old"]
    assert words(read(files, old="always")) == ["--old", "--new", "--old"]


def test_without_the_workspaces_files() -> None:
    files = {".bazelrc": "build --a", "tools/bazel.rc": "build --o"}
    assert read(files, workspace=False, old="always").sections == ()


def test_named_files_come_last_and_have_to_be_there(tmp_path: Path) -> None:
    (tmp_path / "more.rc").write_text("build --more")
    source = MemorySource({".bazelrc": b"build --a", "more.rc": b"build --more"})
    rc = read_bazelrc(tmp_path, source, RcChoice((str(tmp_path / "more.rc"),)))
    assert words(rc) == ["--a", "--more"]
    with pytest.raises(UsageProblem, match=r"--bazelrc=/no/such\.rc: no such file"):
        read({}, named=("/no/such.rc",))


def test_dev_null_ends_the_list() -> None:
    assert read({}, named=("/dev/null", "/no/such.rc")).files == ()


def test_bytes_that_are_no_utf8_are_kept() -> None:
    rc = read_bazelrc(ROOT, MemorySource({".bazelrc": b"build --copt=\xff"}), RcChoice())
    assert words(rc) == ["--copt=\xff"]


def test_imports_that_would_never_end_are_refused() -> None:
    deep = {f"{i}.rc": f"import {i + 1}.rc" for i in range(500)}
    wide = {f"{i}.rc": f"import {i + 1}.rc\nimport {i + 1}.rc" for i in range(50)}
    for files in (deep, wide):
        (problem,) = told(read({".bazelrc": "import 0.rc", **files, f"{len(files)}.rc": ""}))
        assert "too many imports" in problem


@pytest.mark.parametrize("old", ["", "unless imported"])
def test_a_file_that_cannot_be_read(tmp_path: Path, old: str) -> None:
    class Broken(MemorySource):
        def read(self, path: str) -> bytes:
            raise PermissionError(13, "Permission denied")

    rc = read_bazelrc(tmp_path, Broken({".bazelrc": b""}), RcChoice(old=old))
    assert told(rc) == [".bazelrc: error: cannot read it (workspace): Permission denied"]
