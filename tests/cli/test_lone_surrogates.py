"""Half a character: ``json.decode`` gives one to whoever asks, and no encoding has it. In names of targets, files and
outputs, keys of selects, values, keys of dicts, contents of BUILD files: every form of an answer stays well-formed."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.hostile import BINARY, QUESTIONS, run

MACROS = r"""
LONE = json.decode('"\\udcff\\ud800"')
def _impl(ctx):
    pass
odd = rule(
    implementation = _impl,
    attrs = {"text": attr.string(), "texts": attr.string_dict(), "files": attr.label_list(allow_files = True)},
)
"""
BUILD = r"""
load(":m.bzl", "LONE", "odd")
print(LONE)
filegroup(name = "name" + LONE, srcs = ["file" + LONE], tags = [LONE])
filegroup(
    name = "s",
    srcs = select({":key" + LONE: [":name" + LONE], "//conditions:default": ["@made//:x" + LONE]}),
    visibility = ["group" + LONE],
)
config_setting(name = "key" + LONE, values = {"define": "a=" + LONE})
config_setting(name = "defined", define_values = {LONE: LONE})
genrule(name = "made" + LONE, outs = ["out" + LONE], cmd = LONE, message = LONE)
odd(name = "odd", text = LONE, texts = {LONE: LONE}, files = ["other" + LONE])
alias(name = "alias" + LONE, actual = "name" + LONE)
package_group(name = "group" + LONE, packages = ["//p"])
exports_files(["exported" + LONE])
"""
WORKSPACE = """
load("//p:m.bzl", "LONE")
new_local_repository(
    name = "made",
    path = "q",
    build_file_content = "filegroup(name = 'first')\\nfilegroup(name = 'x" + LONE + "')",
)
local_repository(name = "odd", path = "q" + LONE)
"""
SHOWN = r"\udcff\ud800"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("surrogates")
    files = {
        "WORKSPACE": WORKSPACE, "p/BUILD": BUILD, "p/m.bzl": MACROS, "q/WORKSPACE": "",
        "broken/BUILD": 'load("//p:m.bzl", "LONE")\nfail(LONE)\n',
    }  # fmt: skip
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    return root


NAMES = ("p/BUILD", "//p:made", "//p:g", "//p:o", "//p:s")
KEPT = [[*question] for question in QUESTIONS if not any(word in NAMES for word in question)]


@pytest.mark.parametrize("question", KEPT, ids=" ".join)
@pytest.mark.parametrize("version", ["4.2.3", "7.7.1"])
def test_every_form_is_text(tree: Path, question: list[str], version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    code, out, err = run(tree, "--bazel_version", version, *question)
    assert code in (0, 3, 7), err
    assert out
    err.decode()
    form = question[-1].removeprefix("--output=")
    if form not in BINARY:
        out.decode()
    if form in ("json", "jsonproto"):
        json.loads(out)
    elif form in ("jsonl", "streamed_jsonproto"):
        assert [json.loads(line) for line in out.splitlines()]
    elif form in ("xml", "graphml", "svg"):
        ElementTree.fromstring(re.sub(r"&#\w+;", "?", re.sub(r'version="1.1"', 'version="1.0"', out.decode(), count=1)))
    elif form == "csv":
        assert list(csv.reader(io.StringIO(out.decode(), newline="")))


def test_names_are_read_back(tree: Path) -> None:
    labels = [json.loads(line)["label"] for line in run(tree, "query", "//p:*", "--output=jsonl")[1].splitlines()]
    assert "//p:name\udcff\ud800" in labels
    shown = run(tree, "query", "//p:*")[1].decode().splitlines()
    assert [label.replace("\udcff\ud800", SHOWN) for label in labels] == shown


def test_protos_are_read_back(tree: Path) -> None:
    from bzlgraph.export.query_formats.build_pb2 import QueryResult

    result = QueryResult.FromString(run(tree, "query", "//p:*", "--output=proto")[1])
    assert "//p:name\ufffd\ufffd" in {each.rule.name for each in result.target}


def test_a_build_file_with_half_a_character_is_read_as_bytes(tree: Path) -> None:
    code, out, err = run(tree, "query", "kind(rule, @made//:*)")
    assert code == 0, err
    first, other = out.decode().splitlines()
    assert first == "@made//:first"
    assert other.startswith("@made//:x\\ud")


def test_a_query_follows_it(tree: Path) -> None:
    code, out, _ = run(tree, "query", "deps(//p:s)")
    assert code in (0, 3, 7)
    assert f"//p:name{SHOWN}" in out.decode()
