"""What somebody tries who has read no page: every case of the first-use review (November 2026), by its number there.

``CASES`` are commands on the bundled example: how they end, and what is said. ``ELSEWHERE`` names the tests of what no
command line shows (pictures, terminals, packages). Between them every number of the review has its test: C1 to C12 are
its list of wrong answers, the words its sections.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.in_process import ended

ROOT = Path(__file__).parents[2]
MINI = ROOT / "examples" / "mini_tensorflow"
PIP = "//tensorflow/tools/pip_package:build_pip_package"
LIB = "//tensorflow/core:lib"
INTERNAL = "//tensorflow/python:pywrap_tensorflow_internal"


class Case(NamedTuple):
    """A command of the review: its exit code, what stdout or stderr says, and what neither may say."""

    number: str
    words: tuple[str, ...]
    code: int
    said: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    folder: str = ""


def case(number: str, line: str, code: int, *said: str, no: str = "", folder: str = "") -> Case:
    """``line``: words between blanks."""
    return Case(number, tuple(line.split()), code, said, tuple(filter(None, [no])), folder)


CASES = [
    case("1 C1", f"why {INTERNAL}x --from {PIP}", 7, "no such target", f"did you mean {INTERNAL}?", no="does not need"),
    case("1 C2", f"why //tensorflow/python/... --from {PIP}", 2, "is a pattern", "bzlgraph query", no="does not need"),
    case("2 C3", "query deps(//tensorflow/core:libb)", 7, "query:1:6", f"did you mean {LIB}?"),
    case("2 C4", "query rdeps(//tensorflow/...,//tensorflow/core:lib_protoss)", 7, "not declared"),
    case("2 C4", f"query somepath({LIB},//tensorflow/core:nope)", 7, "'nope' not declared"),
    case("3 C5", "expand //tensorflow/python:pywrap_tensorflow_internl", 7, f"did you mean {INTERNAL}?", no="KeyError"),
    case("4", "diff-config //tensorflow/core/kernels:conv_ops --vs --config=cuda", 0, "11 targets added"),
    case("4", f"diff-config {LIB} --vs --config=nothing_such", 2, "--config=nothing_such"),
    case("7", f"-q query deps({LIB})", 0, LIB, no="ncomplete"),
    case("9", "flags with_jemalloc", 0, "with_jemalloc is a define", "configure.py:118"),
    case("9", f"query {LIB} --config=optt", 2, "--config=optt"),
    case("10 C6", f"why @swig//:swig --from {PIP} -c opt", 0, "(with -c opt)", "transitive dependencies"),
    case("11", "why @swig//:swig", 0, "87 targets in //... depend on swig, 3 of them directly.", "├ _swig"),
    case("13 cwd", "why :pywrap_tensorflow", 0, "depend on pywrap_tensorflow", folder="tensorflow/python"),
    case("13 cwd", "expand :pywrap_tensorflow", 0, 'name = "pywrap_tensorflow"', folder="tensorflow/python"),
    case("13 cwd", "why tensorflow/core/kernels/conv_ops.cc", 0, "depend on conv_ops.cc"),
    case("13 cwd", "query tensorflow/core/kernels/conv_ops.cc", 0, "//tensorflow/core/kernels:conv_ops.cc"),
    case("cwd", "parse BUILD", 0, "File BUILD", folder="tensorflow/python"),
    case("cwd", f"parse {LIB}", 2, f"'{LIB}' names no file", f"bzlgraph expand {LIB}"),
    case("cwd", "parse //tensorflow/nothing", 2, "there is no BUILD file in //tensorflow/nothing"),
    case("14", f"--color=yes why @swig//:swig --from {PIP}", 0, "\x1b[36m"),
    case("14", f"--color=no why @swig//:swig --from {PIP}", 0, no="\x1b"),
    case("14", "doctor --output=json", 0, '"schema": "bzlgraph.doctor/1"'),
    case("14", f"expand {LIB} --output=json", 0, '"schema": "bzlgraph.expand/1"'),
    case("14", f"why {LIB} --from {PIP} --output=json", 0, '"schema": "bzlgraph.why/1"'),
    case("14 C10", f"--bazel_version=0.15.0 query {LIB}", 0, "0.15.0: read as 0.17.2"),
    case("14 C10", "--bazel_version=99.1 doctor //third_party/py:all", 7, "bazel  99.1"),
    case("15 C8", "doctor", 0, "every package loads", no="error:"),
    case("C8", "doctor //nothing/...", 7, "nothing"),
    case("C9", "-C /nonexistent query //...", 2, "no such folder"),
    case("C9", 'query filter("(",//...)', 2, "invalid regular expression"),
    case("C9", f"select {LIB} --condition (", 2, "invalid regular expression"),
    case("16 C12", "graph kind(nothing,//...)", 0, "no target matches; the picture is empty", no="0 targets"),
    case("C12", f"graph {LIB} --output=levels", 0, no="1 targets"),
    case("6 formats", f"why @swig//:swig --from {PIP} --output=svg", 0, "<svg"),
    case(
        "formats",
        f"why {LIB} -o why.xyz",
        2,
        "this answer cannot be written as '.xyz'",
        "choose with --output: text, json",
    ),
    case("formats", "op conv2d -o conv.svg", 2, "this answer cannot be written as '.svg'"),
    case(
        "formats",
        "deps //tensorflow/core:lib -o d.svg",
        2,
        "hint: bzlgraph graph 'deps(TARGET)' -o d.svg draws a picture",
    ),
    case("terminal", "wy x", 2, "No such command 'wy'. Did you mean why"),
    case("terminal", "help why", 0, "Usage: bzlgraph why [OPTIONS] TARGET"),
    case("terminal", "version", 0, "bzlgraph, version"),
    case("terminal", "cquery //...", 2, "bzlgraph query EXPR --config=NAME"),
    case("terminal", f"query {LIB} --noshow_progress", 0, LIB),
    case("terminal", "query config(//...,target)", 2, "bzlgraph query EXPR --config=NAME"),
    case("terminal", f"diff_config {LIB} --vs -c dbg", 0, "No difference"),
    case("18", "completion bash", 0, "_bzlgraph_completion"),
    case("names", "flags with_jemaloc", 7, "did you mean with_jemalloc?"),
    case("names", "op conv22d", 7, "did you mean"),
    case("names", 'query kind("cc_librry",//...)', 0, "did you mean cc_library?"),
]
ELSEWHERE = {
    "5 pictures": "tests/export/layout/test_page.py::test_a_page_can_be_read_on_a_screen",
    "5": "tests/export/overview/test_overview.py::test_fewer_lines_cross_than_when_dot_draws_all_of_them",
    "6": "tests/cli/test_formats.py::test_the_ending_of_a_file_chooses",
    "7": "tests/cli/test_formats.py::test_quiet_tells_only_what_is_wrong_and_v_tells_everything",
    "8": "tests/cli/test_progress.py::test_whoever_waits_for_a_checkout_sees_something_within_half_a_second",
    "12 C7": "tests/python_source/test_newer.py::test_all_pythons_read_the_same",
    "14": "tests/graph/test_index.py::test_the_networkx_view_keeps_kinds_and_reasons",
    "15 C8 C9": "tests/cli/test_exit_codes.py::test_no_answer_is_false_witness",
    "16": "tests/export/layout/test_page.py::test_the_svg_says_how_wide_its_texts_are_and_what_is_dark",
    "16 links": "tests/cli/test_links.py::test_pictures_have_links_to_where_targets_are_declared",
    "16 search": "tests/export/test_static_pages.py::test_the_search_finds_targets_in_folded_boxes",
    "17 api": "tests/test_api.py::test_all_public_names_are_there_and_the_types_of_answers_are_among_them",
    "17": "tests/test_api.py::test_what_the_command_line_answers_has_a_method_of_the_same_name",
    "17 completeness": "tests/test_api.py::test_a_table_says_what_the_answer_lacks",
    "18": "tests/cli/test_graph_parts.py::test_a_focus_has_what_is_near_in_both_directions",
    "18 C11": "tests/cli/test_first_use.py::test_no_more_boxes_are_drawn_than_were_asked_for",
    "18 man page": "tests/test_docs.py::test_the_manual_page_has_all_commands_as_they_are",
    "18 configuration file": "tests/defaults/test_defaults.py::"
    "test_what_is_typed_counts_more_than_ones_own_and_that_more_than_the_checkouts",
    "terminal width": "tests/cli/test_layout.py::test_an_answer_fits_the_terminal_and_loses_nothing",
    "terminal links": "tests/cli/test_links.py::test_a_terminal_gets_links_and_the_same_words",
    "terminal SIGINT": "tests/cli/test_exit_codes.py::test_an_interrupted_command",
    "terminal broken pipe": "tests/cli/test_exit_codes.py::test_stdout_that_nobody_reads",
    "wording": "tests/cli/test_first_use.py::test_words_that_nobody_understood_are_gone",
}
"""Numbers, and what of them -> the test."""


def run(*words: str) -> tuple[int, str]:
    code, out, err = ended(*words)
    return code, out.decode() + err.decode()


@pytest.mark.parametrize("each", CASES, ids=lambda each: f"{each.number}: {' '.join(each.words)}")
def test_a_first_try_is_answered_or_told_what_to_type(each: Case, cache: str, tmp_path: Path) -> None:
    code, said = run("-C", str(MINI / each.folder), cache, *each.words)
    assert code == each.code, said
    for text in each.said:
        assert text in said
    for text in (*each.unsaid, "internal error", "Traceback"):
        assert text not in said


def test_every_number_of_the_review_has_a_test_that_is_there() -> None:
    numbers = {word for each in (*(case.number for case in CASES), *ELSEWHERE) for word in each.split()}
    assert numbers >= {*map(str, range(1, 19)), *(f"C{number}" for number in range(1, 13))}
    for place in ELSEWHERE.values():
        file, _, name = place.partition("::")
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert name in {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}, place


def test_why_and_query_count_the_same(cache: str) -> None:
    for words in ((), ("-c", "opt"), ("--config=cuda",)):
        told = run("-C", str(MINI), cache, "why", "@swig//:swig", "--from", PIP, *words)[1]
        counted = re.search(r"([\d,]+) of its ([\d,]+) transitive dependencies", told)
        assert counted is not None, told
        listed = run("-C", str(MINI), cache, "-q", "query", "--exclude_self", f"deps({PIP})", *words)[1].split()
        assert len([each for each in listed if each.startswith(("//", "@"))]) == int(counted[2].replace(",", ""))


def test_no_more_boxes_are_drawn_than_were_asked_for(cache: str) -> None:
    drawn = run("-C", str(MINI), cache, "graph", f"deps({PIP})", "--max_nodes=5")[1]
    assert 0 < len(re.findall(r"^ *\"[^\"]*\" \[label=", drawn, re.M)) <= 5


OLD_WORDS = (
    r"because of \{.*\} steps", "The trunk", "To lose ", "Shown is the main way", "Complete but for",
    "their labels count as possible", r"\(a tool\)", "It is the other way round", "what its names make or choose",
    "used as a condition, and taken as false", "known from a table of Bazel", "No difference that can be known",
    "unknown on both sides are", "what is it compared with", "is defined in no rc file", "what nobody wrote",
    "Follow what runs while building", "two deep", "implied edges hidden", "drawn by forces",
    "not written on the target", "is no regular expression", "no picture format is called",
    "there are no type annotations", "may also make", "stderr is talk",
)  # fmt: skip
"""What texts said, and say otherwise since."""


@pytest.mark.parametrize("words", OLD_WORDS)
def test_words_that_nobody_understood_are_gone(words: str) -> None:
    pages = [*(ROOT / "bzlgraph").rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    told = [path.name for path in pages if re.search(words, path.read_text(encoding="utf-8"))]
    assert not told
