"""``complete`` is never false witness: every kind of failure, every command, every form of answer, every exit code."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bzlgraph.cli.group import COMMANDS as ALL_COMMANDS
from bzlgraph.cli.main import main
from tests.cli.failures import COMMANDS, FAILURES, REFUSALS, Failure, table
from tests.cli.in_process import ended

PAGE = Path(__file__).parents[2] / "docs" / "exit_codes.md"
CASES = [(failure, command) for failure in FAILURES for command in COMMANDS]


@pytest.fixture(scope="module")
def workspaces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    roots = {name: tmp_path_factory.mktemp("failure") for name in (*FAILURES, "none")}
    for name, root in roots.items():
        FAILURES.get(name, Failure()).write(root)
    return roots


def run(root: Path, *arguments: str) -> tuple[int, str, str]:
    code, out, err = ended("-C", str(root), "--no_cache", "--max_steps=200000", *arguments)
    return code, out.decode("utf-8", "replace"), err.decode()


def words_of(found: dict[str, object] | str) -> str:
    """A problem or gap of a JSON form, with its place as ``path:line``."""
    if isinstance(found, str):
        return found
    place = found["location"]
    where = f"{place['path']}:{place['line']}" if isinstance(place, dict) else place
    return f"{where}: {found.get('message')} {found.get('what')}\n"


def asked(command: str, *options: str) -> tuple[str, ...]:
    return command, *options, *COMMANDS[command]


def test_every_command_is_in_the_table() -> None:
    others = {"completion", "explore", "export", "mod", "overview", "parse", "starlark"}
    assert {*COMMANDS, *others} == set(ALL_COMMANDS)
    assert len(FAILURES) >= 20


@pytest.mark.parametrize("command", COMMANDS)
def test_a_workspace_without_faults_is_complete(command: str, workspaces: dict[str, Path]) -> None:
    code, out, err = run(workspaces["none"], *asked(command, "--strict", "--output=json"))
    assert code == 0, err
    assert json.loads(out)["complete"] is True
    assert (json.loads(out)["problems"], json.loads(out)["gaps"]) == ([], [])


@pytest.mark.parametrize(("failure", "command"), CASES)
def test_no_answer_is_false_witness(failure: str, command: str, workspaces: dict[str, Path]) -> None:
    case = FAILURES[failure]
    met = command in case.reached_by
    code, out, err = run(workspaces[failure], *asked(command, "-k", "--output=json"))
    assert code == (3 if met and not case.gap else 0), err
    document = json.loads(out)
    assert document["complete"] is not met
    found = document["gaps"] + document.get("other_gaps", []) if case.gap else document["problems"]
    assert case.said in "".join(map(words_of, found)) if met else document["problems"] == document["gaps"] == []


@pytest.mark.parametrize(("failure", "command"), CASES)
def test_every_form_tells_of_it(failure: str, command: str, workspaces: dict[str, Path]) -> None:
    case = FAILURES[failure]
    met = command in case.reached_by
    code, out, err = run(workspaces[failure], *asked(command, "--strict"))
    assert code == ((3 if case.gap else 7) if met else 0), err
    assert "internal error" not in err
    if met and case.gap:
        assert "gap" in (out + err).lower() or "unresolved input" in out + err
        assert case.said in out + err or command == "why"  # counts those that are not on the way
    elif met:
        assert case.said in err
        assert "error:" in err


@pytest.mark.parametrize("failure", FAILURES)
def test_the_language_tools(failure: str, workspaces: dict[str, Path]) -> None:
    case, file = FAILURES[failure], workspaces[failure] / "bad" / "BUILD"
    code, out, err = run(workspaces[failure], "parse", str(file), "--output=json")
    assert code == case.parsed, err
    if code != 2:
        assert json.loads(out)["complete"] is (code == 0)
    code, out, _ = run(workspaces[failure], "starlark", "--json", str(file))
    assert code == case.run  # there is no filegroup() in the bare language
    assert json.loads(out)["ok"] is (code == 0)


@pytest.mark.parametrize("name", REFUSALS)
def test_questions_without_an_answer(name: str, workspaces: dict[str, Path]) -> None:
    root = workspaces["none"]
    words, wanted, said = REFUSALS[name]
    code, out, err = run(root, *(word.format(root=root) if "{root}" in word else word for word in words))
    assert code == wanted, err
    assert said in err
    assert "internal error" not in err
    assert not out or code == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_a_fault_in_a_bazelrc_is_told_in_a_configuration_too(command: str, workspaces: dict[str, Path]) -> None:
    """It costs its line, not the answer."""
    root = workspaces["error in .bazelrc"]
    configured = ("-c", "opt") if command not in ("expand", "doctor", "flags", "diff-config") else ()
    code, out, err = run(root, command, *configured, *COMMANDS[command])
    assert code == 0, err
    assert "none.rc" in out + err


@pytest.mark.parametrize("command", COMMANDS)
def test_stdout_that_is_full(command: str, workspaces: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BufferedWriter(Full(), 1)))
    with pytest.raises(SystemExit) as stop:
        main(["-C", str(workspaces["none"]), "--no_cache", "--jobs=1", "--max_steps=200000", *asked(command)])
    assert stop.value.code == 7


@pytest.mark.parametrize("reader", ["closed", "gone"])
def test_stdout_that_nobody_reads(reader: str, workspaces: dict[str, Path]) -> None:
    command = [sys.executable, "-m", "bzlgraph", "--no_cache", "query", "//...:*"]
    read, write = os.pipe()
    os.close(read)
    words = ["bash", "-c", '"$@" >&-', "-", *command] if reader == "closed" else command
    done = subprocess.run(
        words,
        cwd=workspaces["none"],
        env=os.environ | _path(),
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write)
    assert done.returncode == (7 if reader == "closed" else 141), done.stderr
    assert "Traceback" not in done.stderr


def test_an_interrupted_command(monkeypatch: pytest.MonkeyPatch, workspaces: dict[str, Path]) -> None:
    def interrupted(*_: object, **_by_name: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bzlgraph.cli.global_options.GlobalOptions.session", interrupted)
    for command in COMMANDS:
        assert run(workspaces["none"], *asked(command))[0] == 130


def test_problems_that_are_not_shown_are_counted(tmp_path: Path) -> None:
    names = [f"x{number:02}" for number in range(60)]
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(
        f"filegroup(name = 'a', srcs = {[f'//{name}' for name in names]})\n", encoding="utf-8"
    )
    code, _, err = run(tmp_path, "why", "//:a")
    assert code == 7
    assert "... and 50 more problems (bzlgraph doctor lists all)" in err
    assert run(tmp_path, "doctor")[2].count("error:") == 60


def test_the_page_has_this_table() -> None:
    assert table() in PAGE.read_text(encoding="utf-8"), "docs/exit_codes.md: write tests.cli.failures.table() anew"


def _path() -> dict[str, str]:
    return {"PYTHONPATH": str(PAGE.parents[1])}
