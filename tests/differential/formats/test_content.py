"""The reading of each format, and what counts as a difference; the formats themselves are compared with Bazel's."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.differential.formats import content
from tests.differential.formats.content import NAMES, QUESTIONS, Tally, compare_format, placer
from tests.differential.formats.outputs import path_of, read
from tests.differential.formats.texts import Element, Elements, build, edges, label_kinds, locations, nodes, ranks, xml

_XML = """<?xml version="1.1" encoding="UTF-8" standalone="no"?>
<query version="2">
    <rule class="cc_library" location="ROOT/BUILD:1:1" name="//:lib">
        <string name="name" value="lib"/>
        <list name="deps">
            <label value="//:a"/>
            <label value="//:b"/>
        </list>
        <rule-input name="//:a"/>
        <rule-input name="//:b"/>
    </rule>
    <source-file location="ROOT/BUILD" name="//:BUILD"/>
</query>
"""
_DEPS = '<label value="//:a"/>\n            <label value="//:b"/>'
_GRAPH = """digraph mygraph {
  node [shape=box];
  "//:a"
  "//:a" -> "//:c\\n//:b"
  [label="//:fast"];
  "//:a" -> "//:d"
  "//:c\\n//:b"
}
"""


def _tallies(question: str, theirs: str, ours: str) -> list[Tally]:
    return list(compare_format(question, theirs.encode(), ours.encode(), lambda text: text))


def test_xml_is_read_by_parts() -> None:
    elements = xml(_XML)
    assert list(elements) == ["//:lib", "//:BUILD"]
    assert elements["//:lib"].kind == "cc_library rule"
    assert elements["//:lib"].parts == {
        "location": "ROOT/BUILD:1:1",
        "name": '<string name="name" value="lib"/>',
        "deps": '<list name="deps"><label value="//:a"/><label value="//:b"/></list>',
        "rule-input": "//:a //:b",
    }


def test_a_graph_is_nodes_and_edges_with_conditions() -> None:
    assert list(nodes(_GRAPH)) == ["//:a", "//:b\\n//:c"]
    drawn = {name: element.parts["conditions"] for name, element in edges(_GRAPH).items()}
    assert drawn == {"//:a -> //:b\\n//:c": "//:fast", "//:a -> //:d": ""}


def test_conditions_have_no_order_and_may_run_into_one_another() -> None:
    one = '"//:a" -> "//:b"\n[label="//p:x\\n@r//:y//p:z"];\n'
    other = '"//:a" -> "//:b"\n[label="@r//:y\\n//p:z\\n//p:x"];\n'
    assert edges(one) == edges(other) == {"//:a -> //:b": Element("", {"conditions": "//p:x //p:z @r//:y"})}


def test_a_character_may_be_written_as_a_reference() -> None:
    """Bazel's Java decides: U+0085, a line break to Python, is written as it is by that of Debian."""
    (tally,) = _tallies("xml", _XML.replace('"lib"', '"l\x85b"'), _XML.replace('"lib"', '"l&#133;b"'))
    assert tally.equal == 1


def test_the_tests_of_a_suite_are_a_set() -> None:
    tests = '<list name="$implicit_tests"><label value="//:a"/><label value="//:b"/></list>'
    one = _XML.replace('<string name="name" value="lib"/>', tests)
    other = one.replace('<label value="//:a"/><label value="//:b"/>', '<label value="//:b"/><label value="//:a"/>')
    assert one != other
    assert _tallies("xml", one, other)[0].equal == 1
    assert _tallies("xml", one, one.replace('<label value="//:a"/>', ""))[0].equal == 0


def test_what_only_bzlgraph_has_is_left_out_of_graphs() -> None:
    theirs = {"label_kind": b"source file //:a\n", "minrank": b"0 //:a\n1 @r//:b\n"}
    ours = {"label_kind": b"source file //:a\nsource file //:x\n", "minrank": b"0 //:a\n0 //:x\n1 @r//:b\n1 @r//:y\n"}
    assert content.only_ours(theirs, ours) == ["//:x", "@r//:y"]
    narrowed = content.narrowed(["//:x"])
    assert narrowed.keys() == {"minrank", "maxrank", "graph", "factored graph"}
    assert narrowed["minrank"][0] == 'deps((//... - set("//:x"))) - set("//:x")'


def test_lines_are_read() -> None:
    assert label_kinds("source file //:a b.txt\n")["//:a b.txt"].kind == "source file"
    assert locations("x/BUILD:1:2: cc_library rule //x:y\n")["//x:y"].parts == {"location": "x/BUILD:1:2"}
    assert ranks("3 //x:y\n")["//x:y"].parts == {"rank": "3"}


def test_a_rule_of_build_is_named_by_its_folder() -> None:
    text = (
        '# x/BUILD:1:1\nfoo(\n  name = "y",\n  deps = [],\n)\n# Rule y instantiated at:\n#   x/BUILD:1:1   in <t>\n\n'
    )
    element = build(text + "# BUILD:2:1\n" + 'bar(\n  name = "z",\n)\n\n')
    assert element.keys() == {"//x:y", "//:z"}
    assert element["//x:y"].parts["deps"] == "[],"
    assert element["//x:y"].parts["stacks"] == "# Rule y instantiated at:\n#   x/BUILD:1:1 in <t>"


@pytest.mark.parametrize(
    ("before", "after", "cause", "what"),
    [
        ('value="lib"', 'value="lob"', "part", "name"),
        (_DEPS, _DEPS.replace("//:a", "//:c").replace("//:b", "//:a").replace("//:c", "//:b"), "order in part", "deps"),
        ('        <string name="name" value="lib"/>\n', "", "part missing", "name"),
        ("BUILD:1:1", "BUILD:2:1", "line", "location"),
        ('class="cc_library"', 'class="cc_test"', "kind", ""),
    ],
)
def test_what_differs_has_a_cause(before: str, after: str, cause: str, what: str) -> None:
    assert before in _XML
    (tally,) = _tallies("xml", _XML, _XML.replace(before, after))
    assert [(each.cause, each.what) for each in tally.differences] == [(cause, what)]
    assert (tally.compared, tally.equal) == (1, 0)
    assert not tally.enough
    causes = [names[0].cause for names in tally.named(share=True)]
    assert causes == [f"xml: {cause}", "less than 99.5 %"]


def test_files_need_reasons_but_are_not_counted() -> None:
    (tally,) = _tallies("xml", _XML, _XML.replace('    <source-file location="ROOT/BUILD" name="//:BUILD"/>\n', ""))
    assert [each.cause for each in tally.differences] == ["target missing"]
    assert (tally.compared, tally.equal) == (1, 1)


def test_an_edge_too_many_is_a_difference() -> None:
    of_nodes, of_edges = _tallies("graph", _GRAPH, _GRAPH.replace('-> "//:d"', '-> "//:e"'))
    assert not of_nodes.differences
    assert [each.cause for each in of_edges.differences] == ["target missing", "target too many"]
    assert (of_edges.compared, of_edges.equal) == (2, 1)


def test_paths_of_other_repositories_are_made_equal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BZLGRAPH_CONFORMANCE_CACHE", str(tmp_path))
    place = placer(Path("/tree"), {"r": tmp_path / "stubs" / "r"})
    theirs = f"{tmp_path}/output/4.2.3/{'0a' * 16}/external/r/x.bzl and /tree/x/BUILD"
    assert place(theirs) == place(f"{tmp_path}/stubs/r/x.bzl and /tree/x/BUILD") == "external/r/x.bzl and x/BUILD"


def test_every_recorded_answer_of_bazel_is_read_whole() -> None:
    """Nothing that Bazel printed is lost: as many elements as its own --output=label has lines."""
    recorded = dict(read(path_of("selects", "4.2.3")))
    labels = set(recorded["//...:*", "--output=label"].split())
    readers = {"label_kind": label_kinds, "location": locations, "xml": xml}
    for name, reader in readers.items():
        text = next(text for (_, output, *_), text in recorded.items() if output == f"--output={name}")
        found: Elements = reader(text)
        assert found.keys() == labels, name


def test_every_question_has_a_tally() -> None:
    assert {name.partition(":")[0] for name in NAMES} == QUESTIONS.keys()
    assert len(NAMES) == len(set(NAMES))


def test_answers_are_recorded_once(tmp_path: Path) -> None:
    class Said:
        output = b"said"

    class Fake:
        asked = 0

        def query(self, *_: str) -> Said:
            self.asked += 1
            return Said()

    fake = Fake()
    for _ in range(2):
        content.record(fake, tmp_path, refresh=False)  # type: ignore[arg-type]
    assert fake.asked == len(QUESTIONS)
    assert content.recorded(tmp_path)
    assert all(gzip.decompress(path.read_bytes()) == b"said" for path in (tmp_path / "formats").iterdir())
