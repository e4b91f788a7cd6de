"""The small reader of queries says the same as the full parser, or nothing."""

from __future__ import annotations

import pytest

from bzlgraph.base.errors import QueryProblem
from bzlgraph.query.language import parser
from bzlgraph.query.language.ast import Call, Chain, Expression, Let, Operator, SetOf, Variable, Word
from bzlgraph.snapshot.evaluation import expression
from tests.differential.fixtures import fixtures
from tests.differential.questions import split

SIGNS = {Operator.UNION: "+", Operator.EXCEPT: "-", Operator.INTERSECT: "^"}
RECORDED = sorted({split(question)[1] for fixture in fixtures() for question in fixture.questions})
WRITTEN = [
    "//a:b",
    "deps( //a:b ,2 )",
    "//a + //b - //c ^ //d",
    "(//a except //b) intersect //c union //d",
    "let x = //a/... in deps($x) - $x",
    "//a + let x = //b in $x + //c",
    "set(//a:b 'c d' \"e\")",
    "set()",
    "kind('cc_.* rule', @@r+1//x:*)",
    "a-b:c%d[e]~f",
    "somepath(//a, set(//b //c))",
    "deps(//a) # why",
    "((((//a))))",
]
REFUSED = ["", "(", "deps(", "//a //b", "deps(//a,)", "set(//a, //b)", "'open", "let x //a in //b", "*", "//a +", ")"]


def tree_of(node: Expression) -> object:
    """The full parser's tree in the form of the small one's."""
    match node:
        case Word():
            return "word", node.text
        case Variable():
            return "variable", node.name
        case SetOf():
            return "set", [tree_of(each) for each in node.words]
        case Call():
            return "call", node.function, [tree_of(each) for each in node.arguments]
        case Let():
            return "let", node.name, tree_of(node.value), tree_of(node.body)
        case Chain():
            return "chain", tree_of(node.first), [(SIGNS[sign], tree_of(each)) for sign, each in node.rest]


@pytest.mark.parametrize("text", WRITTEN)
def test_both_read_the_same(text: str) -> None:
    small = expression.parse(text)
    assert small is None or small == tree_of(parser.parse(text))
    assert small is not None or "#" in text


def test_recorded_questions_are_read_alike() -> None:
    read = 0
    for text in RECORDED:
        small = expression.parse(text)
        try:
            full = parser.parse(text)
        except QueryProblem:
            continue  # an unknown function, or too many arguments: whoever evaluates refuses it
        assert small is None or small == tree_of(full), text
        read += small is not None
    assert read > 0.9 * len(RECORDED)


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_query_is_left_to_the_full_parser(text: str) -> None:
    with pytest.raises(QueryProblem):
        parser.parse(text)
    assert expression.parse(text) is None


def test_depth_is_left_to_the_full_parser() -> None:
    assert expression.parse("(" * 5000 + "//a" + ")" * 5000) is None
