"""`bzlgraph flags`, through the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import main
from bzlgraph.questions import switches
from tests.cli.in_process import ended
from tests.flags.flags_workspace import written

KINDS = ("settings", "bazelrc", "configure", "runtime")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("flags"))


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    code, out, err = ended("--no_cache", "-C", str(folder), "flags", *arguments)
    return code, out.decode(), err.decode()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("output", ["text", "table", "csv", "json", "jsonl", "markdown", "html"])
def test_every_kind_in_every_format(folder: Path, kind: str, output: str) -> None:
    code, out, err = run(folder, kind, f"--output={output}")
    assert code == 0, err
    assert out


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("settings", ["label", "kind", "reads", "default", "selects", "branches", "adds"]),
        ("bazelrc", ["config", "command", "order", "option", "file", "line", "via"]),
        ("configure", ["variable", "question", "default", "writes_if_yes", "writes_if_no", "file", "line"]),
        ("runtime", ["name", "group", "type", "default", "description", "file", "line"]),
    ],
)
def test_the_promised_columns_come_first(folder: Path, kind: str, names: list[str]) -> None:
    _, out, _ = run(folder, kind, "--output=csv")
    header, *rows = csv.reader(io.StringIO(out))
    assert header[:7] == names
    assert rows


def test_the_option_of_a_row_is_as_the_file_says_and_its_meaning_is_further_on(folder: Path) -> None:
    _, out, _ = run(folder, "bazelrc", "best", "--output=csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["option"], row["name"], row["value"]) for row in rows] == [
        ("--config=fast", "--config", "fast"),
        ("--define fast=true", "--define", "fast=true"),
        ("-c opt", "--compilation_mode", "opt"),
    ]


def test_parquet_and_files(folder: Path, tmp_path: Path) -> None:
    import pyarrow.parquet

    target = tmp_path / "settings.parquet"
    assert run(folder, "settings", "--output=parquet", "-o", str(target))[0] == 0
    assert pyarrow.parquet.read_table(target).num_rows == 9


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["configure"], "configure.py asks 1 question."),
        (["settings"], "9 settings, 7 of them used by selects."),
        (["runtime"], "2 flags in 2 groups."),
        (["bazelrc"], "0 options always, 4 configs in .bazelrc"),
        (["bazelrc", "best"], "--config=best: 2 options"),
        (["with_fast"], "with_fast is a setting."),
        (["--config=best"], "--config=best is a config."),
        (["--config", "best"], "--config=best is a config."),
        (["--//:shiny"], "--//:shiny is a setting."),
    ],
)
def test_the_first_line_answers(folder: Path, words: list[str], first: str) -> None:
    code, out, err = run(folder, *words)
    assert (code, out.splitlines()[0]) == (0, first), err


def test_settings_that_choose_something_come_first(folder: Path) -> None:
    chooses = [line for line in run(folder, "settings")[1].splitlines() if line.startswith("    chooses")]
    assert [line.endswith("(nothing)") for line in chooses] == [False] * 7 + [True] * 2


def test_a_name_keeps_the_rows_that_have_it(folder: Path) -> None:
    _, out, _ = run(folder, "settings", "shiny", "--output=json")
    assert [row["label"] for row in json.loads(out)["rows"]] == [
        "//:all_of_them",
        "//:fast_and_shiny",
        "//:is_shiny",
        "//:shiny",
    ]


@pytest.mark.parametrize(
    ("words", "wanted", "said"),
    [
        (["with_fats"], 7, "hint: did you mean with_fast?"),
        (["settings", "nothing_like_it"], 7, "no row contains 'nothing_like_it'"),
        (["bazelrc", "beste"], 2, "did you mean best?"),
        (["one", "two"], 2, "flags takes one name, not several: one two"),
        (["setings", "cuda"], 2, "flags takes one name, not several: setings cuda (did you mean 'settings'?)"),
        (["bazlrc"], 7, "hint: did you mean bazelrc?"),
        (["--no_such_option"], 7, "no setting, config, variable, option or flag is named '--no_such_option'"),
    ],
)
def test_faults_are_told_in_one_breath(folder: Path, words: list[str], wanted: int, said: str) -> None:
    code, out, err = run(folder, *words)
    assert (code, out) == (wanted, "")
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("name", "hint"),
    [("--config=bets", "did you mean --config=best?"), ("--action_env=X", "all names: bzlgraph flags")],
)
def test_a_name_that_only_rc_files_give_is_refused_before_packages_load(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, hint: str
) -> None:
    def loads(*_: object) -> None:
        raise AssertionError("packages are loaded, or sources read")

    for reader in ("begin_reading", "settings"):
        monkeypatch.setattr(switches, reader, loads)
    code, out, err = run(folder, name)
    assert (code, out) == (7, "")
    assert hint in err


def test_a_checkout_without_a_configure_script(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text("")
    assert run(tmp_path, "configure")[:2] == (
        0,
        "The root of the checkout has no configure script that writes a .bazelrc.\n",
    )


def test_strict_counts_gaps(folder: Path, tmp_path: Path) -> None:
    (written(tmp_path) / "configure.py").write_text("def bazelrc(:")
    assert run(tmp_path, "configure")[0] == 0
    with CliRunner().isolation(), pytest.raises(SystemExit) as stop:
        main(["--strict", "-C", str(tmp_path), "flags", "configure"])
    assert stop.value.code == 3


def test_a_config_may_be_in_a_file_that_is_imported_and_not_there(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / ".bazelrc").write_text(
        "build:cuda -c opt\nimport %workspace%/a.rc\nimport %workspace%/made.rc\ntry-import %workspace%/user.rc\n"
    )
    (tmp_path / "a.rc").touch()
    code, _, err = ended("--no_cache", "-C", str(tmp_path), "select", "//...", "--config=cudda")
    assert code == 2
    assert b"--config=cudda is not defined in .bazelrc or a.rc\n" in err
    assert b"hint: did you mean --config=cuda? It may also be in made.rc, not on disk\n" in err
