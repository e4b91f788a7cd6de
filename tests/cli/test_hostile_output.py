"""Whatever a checkout says: no answer commands a terminal, forges a line, or is not well-formed."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.a_terminal import shown_on_a_terminal
from tests.cli.hostile import BINARY, FOR_PROGRAMS, QUESTIONS, run

HARM = "\x1b[31m\x07\x08\r\x7f\x85\x9b \u202ertl\u2066\u2028\u2029\u200f\u061c end"
"""A colour, a bell, a step back, C1 controls, overrides of direction, separators."""
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
FORGED = "one\\nerror: forged"
BUILD = f"""
load(":m.bzl", "LONE", "many")
print("{FORGED} {HARM}")
genrule(name = "g", outs = ["o"], cmd = "=1+1 {HARM}", tags = ["{HARM}", "a\\nb", LONE, "\\0"])
filegroup(name = "quo\\"te", srcs = ["a.txt"])
cc_library(
    name = "s",
    srcs = select({{"//p:cs": ["quo\\"te"], "//conditions:default": []}}),
    copts = select({{"//p:cs": [LONE]}}),
)
config_setting(name = "cs", values = {{"define": "a={HARM}"}})
many("{HARM}")
""".replace("\r", "\\r")
MACROS = r"""
LONE = json.decode('"\\ud800 \\udcff"')
def many(text):
    native.genrule(name = "made", outs = ["made.out"], cmd = text + LONE, message = text)
"""
BROKEN = f'fail("{FORGED} {HARM}")\n'.replace("\r", "\\r")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile")
    files = {
        "WORKSPACE": 'load("@absent//:x.bzl", "x")\n' + f'x("{HARM}")\n'.replace("\r", "\\r"),
        "p/BUILD": BUILD,
        "p/m.bzl": MACROS,
        "broken/BUILD": BROKEN,
        ".bazelrc": "build --define=x=\x1b[31m\u202e\nbuild --copt='-DX=\x1b[9m'\nbuild --copt=-O1\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, newline="")
    (root / "p" / "a.txt").touch()
    return root


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_every_form_is_harmless(tree: Path, question: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    code, out, err = run(tree, *question)
    assert code in (0, 3, 7), err
    assert out or question[0] == "diff-config"
    form = question[-1].removeprefix("--output=")
    for text in [err] if form in BINARY else [err, out]:
        shown = text.decode()  # UTF-8
        if text is err or form not in FOR_PROGRAMS:
            assert not HARMFUL.search(shown.replace("\r\n", "\n") if form == "csv" else shown)
        assert not re.search("^error: forged", shown, re.MULTILINE)


@pytest.mark.parametrize("form", ["build", "xml", "jsonproto", "streamed_jsonproto", "proto"])
def test_a_terminal_gets_escapes_of_what_programs_get_as_it_is(tree: Path, form: str) -> None:
    shown, _ = shown_on_a_terminal("-C", str(tree), "--no_cache", "query", "//p:*", f"--output={form}")
    assert "\\u202e" in shown or form == "xml"
    assert not HARMFUL.search(shown.replace("\r\n", "\n"))


def test_build_and_xml_into_a_pipe_say_what_the_file_says(tree: Path) -> None:
    assert "\u202ertl" in run(tree, "query", "//p:g", "--output=build")[1].decode()
    assert "\u202ertl" in run(tree, "query", "//p:g", "--output=xml")[1].decode()


@pytest.mark.parametrize("version", ["4.2.3", "7.7.1"])
def test_xml_is_well_formed(tree: Path, version: str) -> None:
    text = run(tree, "--bazel_version", version, "query", "//p:*", "--output=xml")[1].decode()
    head, body = text.split("\n", 1)
    assert head == '<?xml version="1.1" encoding="UTF-8" standalone="no"?>'
    # Characters of XML 1.1 (sections 2.2 and 4.1): some may stand there as references only.
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]", body)
    references = re.findall(r"&#(\w+);", body)
    assert references
    assert all(0 < int(each) < 0xD800 for each in references)
    # The parser at hand knows XML 1.0 only, which lacks these references.
    found = ElementTree.fromstring(re.sub(r"&#\w+;", "?", body))
    assert found.tag == "query"
    assert "\ufffd" in body or "\ufffd".encode().decode("latin-1")[:1] in body  # what UTF-8 lacks


def test_json_says_the_same_with_escapes(tree: Path) -> None:
    text = run(tree, "select", "//p:s", "--output=json")[1]
    assert [row["value"] for row in json.loads(text)["rows"]][-1:] == ["\ud800 \udcff"]
    text = run(tree, "query", "//p:*", "--output=jsonl")[1]
    assert [json.loads(line)["label"] for line in text.decode().splitlines()][-1] == "//p:s"


def test_dot_is_read_by_graphviz(tree: Path) -> None:
    graphviz = pytest.importorskip("pygraphviz")
    for command in (["query", "//p:*", "--output=graph", "--nograph:factored"], ["graph", "//p:*"]):
        drawn = graphviz.AGraph(string=run(tree, *command)[1].decode())
        assert '//p:quo"te' in drawn.nodes()


FORMULAS = (
    '=HYPERLINK("http://x")', "+1+1", "-1+1", "-2", "@SUM(A1)", "-cmd|' /C calc'!A0", "@x|y", "--a(1)", "-", "@", "=",
    "@SUM(1+1)*cmd|' /C calc'!A0",
)  # fmt: skip


def tags_tree(root: Path, tags: list[str]) -> Path:
    root.mkdir()
    (root / "WORKSPACE").touch()
    listed = ", ".join(map(json.dumps, tags))
    branches = f'{{"//:c": [{listed}], "//conditions:default": []}}'
    setting = 'config_setting(name = "c", values = {"define": "a=b"})'
    (root / "BUILD").write_text(f'cc_library(name = "f", copts = select({branches}))\n{setting}\n')
    return root


def values(tree: Path, *options: str) -> list[str]:
    text = run(tree, *options, "select", "//:f", "--output=csv")[1].decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    return [row["value"] for row in rows if row["condition"] == "//:c"]


def test_cells_are_no_formulas(tmp_path: Path) -> None:
    tree = tags_tree(tmp_path / "w", list(FORMULAS))
    assert values(tree) == [f"'{each}" for each in FORMULAS]
    assert values(tree, "--csv_raw") == list(FORMULAS)


def test_labels_and_options_are_read_back_unchanged(tmp_path: Path) -> None:
    chosen = random.Random(1)
    parts = ["a", "b-c", "x_y", "v1.2", "lib+", "n~1", "Zed"]
    labels = [
        f"{chosen.choice(('@', '@@'))}{chosen.choice(parts)}//{'/'.join(chosen.choices(parts, k=number % 4))}:t{number}"
        for number in range(500)
    ]
    options = [
        f"{chosen.choice(('-O2', '-D', '-Wl,-', '-std=c++11', '-march=', '--cuda-gpu-arch=sm_', '-I', '-fno-', '-W'))}"
        f"{chosen.choice(parts)}{chosen.choice(('', '=1', ',x', '/y', '$(A', ' b')).replace('(', '')}{number}"
        for number in range(500)
    ]
    tree = tags_tree(tmp_path / "w", [*labels, *options])
    assert values(tree) == [*labels, *options]


def test_colours_are_ours_only(tree: Path) -> None:
    shown = run(tree, "--color=yes", "flags", "bazelrc")[1].decode()
    assert "-DX=\x1b" not in shown
    assert set(HARMFUL.findall(shown)) <= {"\x1b"}
    assert all(each in ("\x1b[9m", "\x1b[29m") for each in re.findall("\x1b.*?m", shown))
