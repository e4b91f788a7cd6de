"""The answer to ``why`` on small trees that have the shapes of real ones."""

from __future__ import annotations

import json
from collections.abc import Callable

from bzlgraph.base.gap import Gap
from bzlgraph.base.label import parse
from bzlgraph.export.why_formats.as_json import to_dict
from bzlgraph.export.why_formats.text import render
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.why.answer import WhyAnswer
from bzlgraph.why.ask import why
from tests.golden import check_golden
from tests.graph.tree import Select, Tree, plain_tree, plus

PIP, SWIG = "//pip:build_pip_package", "@swig//:swig"


def ask(
    tree: Tree, target: str, *sources: str, excluded_flags: int = 0, paths: int = 0, widen: bool = False
) -> WhyAnswer:
    graph = tree.graph()

    def load_all() -> None:
        graph.load(tree.found)

    numbers = [graph.resolve(parse(source, "", "")) for source in sources]
    goal = graph.resolve(parse(target, "", ""))
    widening: Callable[[], None] | None = load_all if widen else None
    return why(graph, goal, numbers, excluded_flags=excluded_flags, paths=paths, widen=widening)


def path(answer: WhyAnswer) -> list[str]:
    return [step.node.label.name for step in answer.steps]


def swig_tree() -> Tree:
    """The pip package and swig, as in TensorFlow 1.x, in eight packages."""
    tree = Tree()
    default = {"//tf:windows": ["//pip:console"], "//conditions:default": ["//tf:tensorflow_py", "//toco:toco"]}
    tree.rule(PIP, "sh_binary", line=166, srcs=["build.sh"], data=Select(default))
    tree.rule("//pip:console", "py_binary", deps=["//tf:tensorflow_py"])
    tree.rule("//tf:windows", "config_setting")
    tree.rule("//tf:tensorflow_py", "py_library", line=539, deps=["//python:python"])
    tree.rule("//python:python", "py_library", line=68, deps=["//python:no_contrib"])
    tree.rule("//python:no_contrib", "py_library", line=91, deps=["//python:pywrap"])
    tree.rule("//python:pywrap", "py_library", line=3405, deps=["//python:pywrap_internal"])
    wrap = ("tf_py_wrap_cc", "tf/tensorflow.bzl")
    for package, name, line in (("//python", "pywrap_internal", 3421), ("//toco", "toco", 12)):
        label = f"{package}:{name}"
        tree.rule(label, "py_library", line=line, macro=[(*wrap, 1460)], srcs=[f"{label}.py"])
        made = tree.rule(
            f"{label}_py_wrap", "_py_wrap_cc", line=line, macro=[(*wrap, 1415)], outs=[f"{name}.py"], _swig=[SWIG]
        )
        made.rule_class.bzl = parse("//tf:tensorflow.bzl", "", "")
    tree.rule(SWIG, "cc_binary", line=7, srcs=["main.c"])
    tree.found["swig", ""].gaps.append(Gap("glob", 'glob(["Lib/**"]) in @swig//', "files of an overlay"))
    tree.rule("//go:go", "go_library", deps=["//tf:tensorflow_py", "//go:only"])
    tree.rule("//go:only", "go_library")
    return tree


def test_the_swig_question() -> None:
    answer = ask(swig_tree(), SWIG, PIP, paths=100)
    check_golden("why/swig.txt", render(answer) + "\n")
    check_golden("why/swig.json", json.dumps(to_dict(answer), indent=1) + "\n")
    assert path(answer) == ["build_pip_package", "toco", "toco.py", "toco_py_wrap", "swig"]
    assert answer.cut is not None
    (place,) = answer.cut
    assert (place.attribute, place.rule_class, place.users) == ("_swig", "_py_wrap_cc", 2)


def test_many_targets_on_the_way_show_the_main_way() -> None:
    tree = swig_tree()
    for number in range(80):  # a library of which every part uses the wrapper
        tree.rule(f"//python:ops{number}", "py_library", deps=["//python:pywrap"])
    tree.found["", "python"].targets["no_contrib"].values["deps"] = [  # type: ignore[union-attr]
        parse(name, "", "") for name in ("//python:pywrap", *(f"//python:ops{n}" for n in range(80)))
    ]
    answer = ask(tree, SWIG, PIP)
    assert path(answer)[1:5] == ["tensorflow_py", "python", "no_contrib", "pywrap"]
    assert [each.node.label.name for each in answer.trunk][-3:] == [
        "pywrap_internal",
        "pywrap_internal.py",
        "pywrap_internal_py_wrap",
    ]
    text = render(answer)
    assert "Showing a representative path; 1 shorter path of 4 edges (--all)" in text
    assert "every path from 84 of the 91 passes through pywrap" in text


def test_plain_dependencies_come_before_tools_and_conditions() -> None:
    tree = Tree()
    choice = Select({"//c:x": ["//a:conditional"]})
    tree.rule("//a:top", deps=plus(["//a:zz_plain"], choice), tools=["//a:a_tool"], _implicit=["//a:b_default"])
    for name in ("zz_plain", "conditional", "a_tool", "b_default"):
        tree.rule(f"//a:{name}", "other", deps=["//a:goal"])
    tree.rule("//a:goal", "goal")
    answer = ask(tree, "//a:goal", "//a:top")
    assert path(answer) == ["top", "zz_plain", "goal"]
    assert answer.shortest_count == 4
    tree.rule("//a:top", deps=choice, tools=["//a:a_tool"], _implicit=["//a:b_default"])
    assert path(ask(tree, "//a:goal", "//a:top")) == ["top", "a_tool", "goal"]


def test_every_reason_of_a_step_is_kept() -> None:
    tree = Tree()
    tree.rule("//a:top", deps=Select({"//c:x": ["//a:goal"], "//c:y": ["//a:goal"]}), data=["//a:goal"])
    tree.rule("//a:goal")
    answer = ask(tree, "//a:goal", "//a:top")
    reasons = answer.steps[1].reasons
    found = [(reason.attribute, reason.when) for reason in reasons]
    assert found == [("data", ""), ("deps", "//c:x"), ("deps", "//c:y")]
    assert "(also deps)" in render(answer)


def test_a_label_in_every_branch_is_no_condition() -> None:
    tree = Tree()
    tree.rule("//a:top", deps=Select({"//c:x": ["//a:goal"], "//conditions:default": ["//a:goal"]}))
    tree.rule("//a:goal")
    assert "when" not in render(ask(tree, "//a:goal", "//a:top"))


def test_a_line_of_a_macro_is_one_place_to_cut() -> None:
    tree = Tree()
    tree.rule("//a:top", deps=[f"//a:m{n}" for n in range(5)])
    for n in range(5):
        tree.rule(f"//a:m{n}", "made", line=n + 1, macro=[("my_macro", "a/defs.bzl", 20)], deps=["//a:goal"])
    tree.rule("//a:goal")
    answer = ask(tree, "//a:goal", "//a:top")
    assert answer.cut is not None
    (place,) = answer.cut
    assert (place.macro, str(place.location), place.users) == ("my_macro", "a/defs.bzl:20:5", 5)
    assert "the deps that my_macro gives made at a/defs.bzl:20 (5 targets use it)" in render(answer)


def test_several_places_to_cut_are_listed() -> None:
    tree = plain_tree({"a": [f"m{n}" for n in range(12)], "goal": []} | {f"m{n}": ["goal"] for n in range(12)})
    lines = render(ask(tree, "//p:goal", "//p:a")).splitlines()
    place = lines.index("Minimum cut: 12 edges:")
    assert lines[place + 1] == "  deps of //p:m0 -> //p:goal (p/BUILD:1)"
    assert lines[place + 9] == "  and 4 more (--output=json)"


def test_places_to_cut_that_the_tree_of_dependents_has_are_not_listed_again() -> None:
    tree = plain_tree({"a": ["goal"], "b": ["goal"], "c": ["b"], "goal": []})
    assert "Minimum cut: the edges of its 2 direct dependents." in render(ask(tree, "//p:goal", "//p:a", "//p:b"))
    assert "Minimum cut: 1 edge, deps of //p:b" in render(ask(tree, "//p:goal", "//p:c", "//p:b"))


def test_an_edge_from_file_to_rule_cannot_be_cut() -> None:
    tree = Tree()
    tree.rule("//a:gen", "genrule", outs=["x.h"])
    tree.file("//a:y.h")
    assert ask(tree, "//a:gen", "//a:x.h").cut is None


def test_several_sources() -> None:
    tree = plain_tree({"a": ["m"], "b": ["n"], "n": ["m"], "m": ["goal"], "goal": [], "alone": []})
    answer = ask(tree, "//p:goal", "//p:a", "//p:b", "//p:alone")
    assert path(answer) == ["a", "m", "goal"]
    assert [node.label.name for node in answer.required] == ["m"]
    assert answer.source_count == 2
    assert answer.path_count == 2
    assert render(answer).splitlines()[0] == "2 targets depend on goal, the nearest through 2 edges."


def test_only_sources_are_counted_as_those_that_name_the_target_directly() -> None:
    tree = plain_tree({"a": ["goal"], "b": ["far"], "far": ["goal"], "goal": []})
    answer = ask(tree, "//p:goal", "//p:a", "//p:b")
    assert answer.dependents is not None
    assert (answer.source_count, answer.direct_sources, answer.dependents.count) == (2, 1, 2)
    assert render(answer).splitlines()[0] == "2 targets depend on goal, 1 of them directly."


def test_the_target_itself() -> None:
    tree = plain_tree({"a": []})
    answer = ask(tree, "//p:a", "//p:a")
    assert path(answer) == ["a"]
    assert "a is the target itself." in render(answer)


def test_the_only_one_of_many_is_told_with_its_own_dependencies() -> None:
    tree = plain_tree({"a": ["b", "x"], "b": [], "c": ["d", "e", "f"], "d": [], "e": [], "f": [], "x": []})
    many = ask(tree, "//p:b", "//p:a", "//p:c")
    assert many.dependencies == ask(tree, "//p:b", "//p:a").dependencies == 2
    assert "none of its 2 transitive dependencies" in render(many)


def test_one_of_the_targets_that_are_asked_is_not_the_other_way_round() -> None:
    tree = plain_tree({"a": ["b"], "b": []})
    answer = ask(tree, "//p:a", "//p:a", "//p:b")
    assert "Reversed" not in render(answer)
    assert "Reversed: //p:a depends on //p:b; swap them." in render(ask(tree, "//p:a", "//p:b"))


def test_a_letter_is_like_no_name_that_it_stands_in() -> None:
    tree = Tree()
    tree.rule("//a:from", deps=["//a:def_parser.exe", "//b:x"])
    tree.rule("//a:x")
    no_way = ask(tree, "//a:x", "//a:from").no_way
    assert no_way is not None
    assert list(map(str, no_way.similar)) == ["//b:x"]


def test_no_way() -> None:
    tree = swig_tree()
    nearest = {
        "users elsewhere": ask(tree, "//go:only", PIP, widen=True),
        "the other way round": ask(tree, PIP, "//tf:windows"),
        "no such target": ask(tree, "//python:pywrap_intern", PIP),
        "no such package": ask(tree, "//pythn:pywrap", PIP),
        "absent repository": ask(tree, "@absent//:x", PIP),
        "only along what is left out": ask(tree, SWIG, "//python:pywrap", excluded_flags=int(EdgeFlag.IMPLICIT)),
        "several sources": ask(tree, "//go:only", PIP, "//tf:windows"),
    }
    assert not any(answer.found for answer in nearest.values())
    chunks = [f"--- {case}\n{render(answer)}\n" for case, answer in nearest.items()]
    check_golden("why/no_way.txt", "".join(chunks))
    for answer in nearest.values():
        json.dumps(to_dict(answer))
