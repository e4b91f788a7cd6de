"""How targets may be named: from the folder of -C, as files, and what is said of names that nothing declares."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import main

UNKNOWN = 'load("@absent//:m.bzl", "m")\nm(name = "made")\nfilegroup(name = "lib")\n'


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    files = {
        "WORKSPACE": "",
        "a/BUILD": 'filegroup(name = "top", srcs = [":lib"])\nfilegroup(name = "lib", srcs = ["in/x.txt"])\n',
        "a/in/x.txt": "",
        "u/BUILD": UNKNOWN,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["-C", str(folder), "--no_cache", "--jobs=1", *arguments])
        return int(str(int(stop.value.code or 0))), out.getvalue().decode(), err.getvalue().decode()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("query", ":lib"), "//a:lib"),
        (("select", ":lib"), "No select in 1 target"),
        (("why", ":lib", "--from=:top"), "//a:lib"),
        (("why", "in/x.txt", "--from", "top"), "//a:in/x.txt"),
        (("graph", ":lib"), "//a:lib"),
        (("expand", ":lib"), "# //a:lib"),
        (("expand", "in/x.txt"), "# //a:in/x.txt"),
        (("doctor", ":all"), "1 package, 2 rules, 4 targets"),
        (("diff-config", ":lib", "--vs", "-c", "opt"), "deps(:lib)"),
    ],
    ids=" ".join,
)
def test_names_start_in_the_folder_of_the_question(words: tuple[str, ...], said: str, workspace: Path) -> None:
    extra = ("--output=json",) if words[0] == "diff-config" else ()
    code, out, err = run(workspace / "a", *words, *extra)
    assert code == 0, err
    assert said in out


@pytest.mark.parametrize("words", [("query", "//u:libb"), ("why", "//u:libb", "--from=//u:lib")], ids=" ".join)
def test_a_name_that_an_unknown_macro_may_make_is_told(words: tuple[str, ...], workspace: Path) -> None:
    code, _, err = run(workspace, *words)
    assert code == 0
    assert "note: //u:libb is not declared; a macro or file that is not on disk may create it" in err
    assert "hint: did you mean :lib?" in err
    assert run(workspace, "--strict", *words)[0] == 3


def test_expand_has_nothing_to_show_of_it(workspace: Path) -> None:
    code, out, err = run(workspace, "expand", "//u:libb")
    assert (code, out) == (7, "")
    assert "no such target '//u:libb'" in err


def test_expand_as_json(workspace: Path) -> None:
    code, out, _ = run(workspace, "expand", "-k", "//a:lib", "//a:none", "--output=json")
    said = json.loads(out)
    assert (code, said["schema"], said["complete"]) == (3, "bzlgraph.expand/1", False)
    assert [(each["label"], each["kind"]) for each in said["targets"]] == [("//a:lib", "filegroup rule")]
    assert 'name = "lib"' in said["targets"][0]["text"]
    assert [each["hint"] for each in said["problems"]] == ["see //a:all"]


@pytest.mark.parametrize(
    ("command", "ending", "start"),
    [
        ("query", "csv", "label,kind"),
        ("query", "xml", "<?xml"),
        ("select", "html", "<!"),
        ("why", "svg", "<?xml"),
        ("why", "json", "{"),
        ("graph", "mmd", "flowchart"),
        ("diff-config", "md", "|"),
        ("expand", "json", "{"),
        ("doctor", "json", "{"),
        ("flags", "jsonl", ""),
    ],
)
def test_the_ending_of_a_file_chooses_the_format(command: str, ending: str, start: str, workspace: Path) -> None:
    words = {"flags": ["settings"], "doctor": [], "diff-config": ["//a:top", "--vs", "-c", "opt"]}.get(
        command, ["//a:lib"]
    )
    file = workspace / f"answer.{ending}"
    code, out, err = run(workspace, command, *words, "-o", str(file))
    assert (code, out) == (0, ""), err
    assert file.read_text(encoding="utf-8").startswith(start)
    assert run(workspace, command, *words, "-o", str(workspace / "answer.odd"))[0] == 2
    assert not (workspace / "answer.odd").exists()


def test_an_explicit_format_wins_and_bazels_option_has_bazels_default(workspace: Path) -> None:
    file = workspace / "answer.json"
    assert run(workspace, "why", "//a:lib", "--output=dot", "-o", str(file))[0] == 0
    assert file.read_text(encoding="utf-8").startswith("digraph")
    assert run(workspace, "query", "//a:lib", f"--output_file={file}")[0] == 0
    assert file.read_text(encoding="utf-8") == "//a:lib\n"


def test_an_empty_picture_is_said_to_be_one(workspace: Path) -> None:
    code, _, err = run(workspace, "graph", "tests(//a:lib)", "-o", str(workspace / "x.svg"))
    assert code == 0
    assert "no target matches: nothing is drawn" in err
    assert "x.svg: 1 target\n" in run(workspace, "graph", "//a:top", "-o", str(workspace / "x.svg"))[2]
