"""Every answer in every form: JSON is what docs/schemas say, the ending of -o chooses, other forms are refused."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from pyarrow import parquet

from bzlgraph.cli.group import COMMANDS
from bzlgraph.cli.main import cli, main
from bzlgraph.cli.printing import ROWS_ONLY
from tests.cli.in_process import ended
from tools.json_schemas.shapes import SHAPES
from tools.json_schemas.write import FOLDER, path_of, schema_of, text_of

ROOT = Path(__file__).parents[2]
EXAMPLE = ["-C", str(ROOT / "examples" / "mini_tensorflow")]
EXTENSIONS = ["-C", str(ROOT / "examples" / "mini_modules"), "--bazel_version=7.7.1"]
MODULES = ["-C", str(ROOT / "tests" / "modules" / "cases" / "diamond" / "workspace")]
PIP = "//tensorflow/tools/pip_package:build_pip_package"
QUESTIONS: dict[str, list[str]] = {
    "query": [*EXAMPLE, "query", "deps(//tensorflow/core:lib)"],
    "query in a configuration": [*EXAMPLE, "query", "deps(//tensorflow/core:lib)", "-c", "opt"],
    "why": [*EXAMPLE, "why", "@swig//:swig", "--from", PIP],
    "why not": [*EXAMPLE, "why", "//tensorflow/core:lib", "--from", "@swig//:swig"],
    "deps": [*EXAMPLE, "deps", "//tensorflow/core:lib", "--depth=2"],
    "rdeps": [*EXAMPLE, "rdeps", "//third_party/eigen3", "--from", PIP],
    "select": [*EXAMPLE, "select", "//tensorflow/core:lib", "-c", "opt"],
    "diff-config": [*EXAMPLE, "diff-config", "//tensorflow/core:lib", "--vs", "--config=cuda"],
    "flags": [*EXAMPLE, "flags"],
    "flags settings": [*EXAMPLE, "flags", "settings"],
    "flags bazelrc": [*EXAMPLE, "flags", "bazelrc"],
    "flags configure": [*EXAMPLE, "flags", "configure"],
    "flags runtime": [*EXAMPLE, "flags", "runtime"],
    "flags NAME": [*EXAMPLE, "flags", "with_jemalloc"],
    "op": [*EXAMPLE, "op", "tf.nn.conv2d"],
    "op, two": [*EXAMPLE, "op", "tf.nn.conv2d", "Conv2D"],
    "op --why": [*EXAMPLE, "op", "tf.nn.conv2d", "--why"],
    "op --table": [*EXAMPLE, "op", "--table"],
    "op --supported-by": [*EXAMPLE, "op", "--supported-by", "xla"],
    "op --bindings": [*EXAMPLE, "op", "--bindings"],
    "op --registrations": [*EXAMPLE, "op", "--registrations", "REGISTER_OP"],
    "op --needs": [*EXAMPLE, "op", "--needs", "tf.nn.conv2d"],
    "op --slice": [*EXAMPLE, "op", "--slice", "tf.nn.conv2d"],
    "op --tests": [*EXAMPLE, "op", "--tests", "tf.nn.conv2d"],
    "op --mentions": [*EXAMPLE, "op", "--mentions", "tf.nn.conv2d"],
    "expand": [*EXAMPLE, "expand", "//tensorflow/core:lib"],
    "doctor": [*EXAMPLE, "doctor"],
    "overview": [*EXAMPLE, "overview"],
    "doctor --missing": [*EXAMPLE, "doctor", "--missing"],
    "mod explain": [*MODULES, "mod", "explain", "left", "--reasons"],
    "mod graph of extensions": [*EXTENSIONS, "mod", "graph", "--extension_info=all", "--verbose", "--reasons"],
    "mod show_repo": [*EXTENSIONS, "mod", "show_repo", "@motto", "colours"],
    "mod show_extension": [*EXTENSIONS, "mod", "show_extension", "//:texts.bzl%texts"],
    "mod dump_repo_mapping": [*MODULES, "mod", "dump_repo_mapping", "left~"],
    "graph": [*EXAMPLE, "graph", "deps(//tensorflow/core:lib, 1)"],
}
"""Answers that are lists."""
TREES: dict[str, list[str]] = {
    "parse": [*EXAMPLE, "parse", "//third_party/py"],
    "starlark": ["starlark", str(ROOT / "examples" / "starlark" / "recursion.star")],
}
SCHEMAS = {
    "query in a configuration": "query",
    "why not": "why",
    **{f"flags {kind}": f"flags.{kind}" for kind in ("settings", "bazelrc", "configure", "runtime")},
    "flags NAME": "flags.trace",
    "op, two": "op.list",
    "op --why": "op.why",
    "op --table": "ops",
    "op --supported-by": "xla_ops",
    **{f"op --{kind}": kind for kind in ("bindings", "registrations")},
    **{f"op --{kind}": f"op_{kind}" for kind in ("needs", "slice", "tests", "mentions")},
    "doctor --missing": "doctor",
    **{question: "mod" for question in QUESTIONS if question.startswith("mod ")},
}
"""The schema of each answer that has not the name of its question."""
PICTURES = {"why", "why not", "graph", "diff-config", "mod explain"}
"""Answers whose html is a picture, or may be one."""


def run(*arguments: str) -> tuple[int, bytes, str]:
    code, out, err = ended(*arguments)
    return code, out, err.decode()


@pytest.mark.parametrize("question", [*QUESTIONS, *TREES])
def test_json_is_what_its_schema_says(question: str, cache: str) -> None:
    code, printed, said = run(cache, *(QUESTIONS | TREES)[question], "--output=json")
    assert code in (0, 1), said
    answer = json.loads(printed)
    name = f"{SCHEMAS.get(question, question)}/1"
    assert answer["schema"] == f"bzlgraph.{name}"
    Draft202012Validator(schema_of(name)).validate(answer)


def test_the_table_of_another_framework_is_what_its_schema_says(cache: str) -> None:
    """Its rows are about custom calls, and have no ops."""
    example = Path(__file__).parents[2] / "examples/custom_ops/jax_extension"
    code, printed, said = run(cache, f"-C{example}", "op", "--table", "--output=json")
    assert code == 0, said
    Draft202012Validator(schema_of("ops/1")).validate(json.loads(printed))


def test_there_is_an_answer_for_every_schema() -> None:
    assert {f"{SCHEMAS.get(each, each)}/1" for each in QUESTIONS | TREES} == set(SHAPES)


@pytest.mark.parametrize(
    "words", [[*MODULES, "mod", "graph"], [*EXTENSIONS, "mod", "graph", "--extension_info=usages"]]
)
def test_trees_of_modules_as_bazel_writes_them_are_those_of_the_schema(words: list[str], cache: str) -> None:
    code, printed, said = run(cache, *words, "--output=json")
    assert code == 0, said
    tree = json.loads(printed)
    assert "schema" not in tree  # Bazel's own form has none; ours, with --reasons, adds keys to it
    ours = {"schema": "bzlgraph.mod/1", **tree, "problems": [], "gaps": [], "complete": True}
    validator = Draft202012Validator(schema_of("mod/1"))
    validator.validate(ours)
    assert not validator.is_valid({**ours, "dependencies": [{"key": 1}]})


def test_a_schema_refuses_what_is_no_answer() -> None:
    validator = Draft202012Validator(schema_of("expand/1"))
    whole = {"schema": "bzlgraph.expand/1", "targets": [], "problems": [], "gaps": [], "complete": True}
    assert validator.is_valid(whole)
    for name, wrong in (("schema", "bzlgraph.expand/2"), ("targets", [{"label": 1}]), ("complete", "yes")):
        assert not validator.is_valid({**whole, name: wrong})
        assert not validator.is_valid({key: value for key, value in whole.items() if key != name})


def test_the_files_of_schemas_are_those_of_the_shapes() -> None:
    assert {path.name for path in FOLDER.glob("*.json")} == {path_of(name).name for name in SHAPES}
    for name in SHAPES:
        assert path_of(name).read_text(encoding="utf-8") == text_of(name), "stale: python -m tools.json_schemas.write"
        Draft202012Validator.check_schema(schema_of(name))


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_list_comes_in_every_form_of_rows(question: str, cache: str, tmp_path: Path) -> None:
    counts = {}
    for name in ROWS_ONLY:
        file = tmp_path / f"answer.{name}"
        code, nothing, said = run(cache, *QUESTIONS[question], f"-o{file}", f"--output={name}")
        assert (code, nothing) == (0, b""), said
        counts[name] = _rows(name, file, question)
    assert len(set(filter(None, counts.values()))) <= 1, counts
    assert counts["csv"] or question in ("why not", "diff-config")


def _rows(name: str, file: Path, question: str) -> int | None:
    """How many rows there are; None where the form does not tell, or tells of more than one kind."""
    data = file.read_bytes()
    if name == "csv":
        return len(list(csv.reader(io.StringIO(data.decode(), newline="")))) - 1
    if name == "jsonl":
        return None if question.startswith("query") else sum(1 for _ in map(json.loads, data.splitlines()))
    if name == "parquet":
        return int(parquet.read_table(file).num_rows)
    if name == "sqlite":
        return _first_table(file, "edges" if question == "graph" else None)
    assert data.lstrip().startswith({"html": b"<!doctype", "markdown": b"|", "table": data[:1]}[name])
    return None if name == "html" else len(data.decode().split("\n")) - (3 if name == "markdown" else 2)


def _first_table(file: Path, name: str | None) -> int:
    with closing(sqlite3.connect(file)) as connection:
        tables = [table for (table,) in connection.execute("SELECT name FROM sqlite_master ORDER BY rowid")]
        (count,) = connection.execute(f'SELECT count(*) FROM "{name or tables[0]}"').fetchone()
        return int(count)


ENDINGS = [
    ("why", "json"), ("why", "svg"), ("why", "csv"), ("why", "md"), ("query", "csv"), ("query", "graphml"),
    ("query", "db"), ("query", "html"), ("graph", "csv"), ("graph", "dot"), ("graph", "mmd"), ("select", "html"),
    ("op", "csv"), ("op --table", "json"), ("doctor", "json"), ("expand", "jsonl"), ("parse", "json"),
    ("starlark", "jsonl"), ("flags", "pq"), ("mod explain", "csv"), ("diff-config", "dot"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "ending"), ENDINGS, ids=" ".join)
def test_the_ending_of_a_file_chooses(question: str, ending: str, cache: str, tmp_path: Path) -> None:
    names = {"md": "markdown", "db": "sqlite", "mmd": "mermaid", "pq": "parquet"}
    words = (QUESTIONS | TREES)[question]
    assert run(cache, *words, "-o", str(tmp_path / f"a.{ending}"))[1] == b""
    assert run(cache, *words, "-o", str(tmp_path / "plain.txt"), f"--output={names.get(ending, ending)}")[1] == b""
    assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / "plain.txt").read_bytes()


@pytest.mark.parametrize("question", [*QUESTIONS, *TREES])
def test_a_form_that_an_answer_has_not_is_refused_with_those_that_it_has(question: str, tmp_path: Path) -> None:
    code, printed, said = run(*(QUESTIONS | TREES)[question], "-o", str(tmp_path / "answer.docx"))
    assert (code, printed) == (2, b"")
    assert "'.docx'" in said
    assert "choose with --output: " in said
    assert "json" in said
    assert not list(tmp_path.iterdir())


def _options(command: click.Command) -> Iterator[click.Option]:
    return (each for each in command.params if isinstance(each, click.Option))


OWN_MEANING = {
    ("mod", "--depth"), ("mod", "--from"), ("mod", "--verbose"), ("op", "--from"), ("op", "--all"), ("op", "--why"),
    ("select", "--why"), ("why", "--all"), ("diff-config", "--all"), ("why", "--from"),
    ("deps", "--all"), ("rdeps", "--all"), ("rdeps", "--from"),
    ("export", "--checkouts"),
}  # fmt: skip
"""(command, option): what is about the command's own subject, as Bazel's ``mod --from``."""


def test_an_option_means_the_same_in_every_command() -> None:
    context, seen = click.Context(cli), dict[str, tuple[str, str]]()
    for option in _options(cli):
        for name in option.opts:
            seen[name] = ("bzlgraph", option.help or "")
    for command in COMMANDS:
        found = cli.get_command(context, command)
        assert found is not None
        for option in _options(found):
            for name in (*option.opts, *option.secondary_opts):
                if (command, name) in OWN_MEANING:
                    continue
                text = _without_formats(option.help or "")
                assert text, (command, name)
                first, meaning = seen.setdefault(name, (command, text))
                assert meaning == text, f"{name} of {first} and of {command}"


def _without_formats(text: str) -> str:
    return "How to print" if text.startswith("Output format: ") else text


@pytest.mark.parametrize("command", [each for each in COMMANDS if each not in ("export", "completion")])
def test_every_command_has_an_output_and_a_file(command: str) -> None:
    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    names = {name for option in _options(found) for name in option.opts}
    assert {"--output", "-o", "--output_file"} <= names


def test_stdin_is_read_where_an_expression_or_a_file_goes(cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def typed(text: str, *arguments: str) -> str:
        with CliRunner().isolation(input=text) as (out, _err, _mixed):
            with pytest.raises(SystemExit):
                main([cache, "--jobs=1", *arguments])
            return out.getvalue().decode()

    assert (
        typed("//third_party/py:all\n", *EXAMPLE, "query", "-")
        == run(cache, *EXAMPLE, "query", "//third_party/py:all")[1].decode()
    )
    assert (
        typed("//third_party/mkl:enable_mkl", *EXAMPLE, "query", "--query_file=-") == "//third_party/mkl:enable_mkl\n"
    )
    assert typed("//third_party/mkl:enable_mkl", *EXAMPLE, "graph", "-").startswith("digraph")
    assert typed("x = 1", "parse", "-").startswith("File <stdin>")
    assert json.loads(typed("x = 1 +", "starlark", "-", "--json"))["file"] == "<stdin>"


def test_labels_and_paths_of_the_checkout_are_parsed() -> None:
    by_label = run(*EXAMPLE, "parse", "//third_party/py")[1].split(b"\n", 1)[1]
    assert run(*EXAMPLE, "parse", "third_party/py/BUILD")[1].split(b"\n", 1)[1] == by_label
    assert run(*EXAMPLE[:1], f"{EXAMPLE[1]}/third_party", "parse", "py/BUILD")[1].split(b"\n", 1)[1] == by_label
    assert run(*EXAMPLE, "parse", "//third_party/py:nothing")[0] == 2
    assert "only files inside it have labels" in run(*EXAMPLE, "parse", "@swig//:BUILD")[2]


def test_a_target_is_left_out_of_its_own_dependencies(cache: str) -> None:
    lib = "//tensorflow/core:lib"
    for text in (f"deps({lib})", f"rdeps(//tensorflow/core:all, {lib})", f"allrdeps({lib}, 1)"):
        whole = run(cache, *EXAMPLE, "query", text)[1].decode().split()
        others = run(cache, *EXAMPLE, "query", "--exclude_self", text)[1].decode().split()
        assert others == [each for each in whole if each != lib]
        assert others
    code, _, said = run(cache, *EXAMPLE, "query", "--exclude_self", f"kind(rule, {lib})")
    assert code == 2
    assert "'except'" in said


def test_quiet_tells_only_what_is_wrong_and_v_tells_everything(cache: str) -> None:
    question = [*EXAMPLE, "query", "deps(//tensorflow/core:lib)"]
    code, printed, said = run(cache, *question)
    assert "Incomplete: " in said
    assert run(cache, "-q", *question) == (code, printed, "")
    assert "no such target" in run(cache, "-q", *EXAMPLE, "query", "//tensorflow/core:nothing_such")[2]
    whole = run(cache, "-v", *question)[2].splitlines()
    gaps = json.loads(run(cache, *question, "--output=json")[1])["gaps"]
    assert len([line for line in whole if line.startswith("gap: ")]) == len(gaps) > 2
