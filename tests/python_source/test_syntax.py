"""What every reader of Python shares: any version is parsed, and names, imports and parameters are found."""

import ast

import pytest

from bzlgraph.python_source.syntax import (
    definitions,
    flattened,
    imported_names,
    literal_texts,
    parameter_defaults,
    parse_any,
    statements_below,
    walk,
)


@pytest.mark.parametrize(
    "text", ["x = 1", "print 'a'", "try:\n  f()\nexcept E, e:\n  print e", "f(async=True)", "x = '\\d'"]
)
def test_python_of_any_version_is_parsed(text: str) -> None:
    assert parse_any(text.encode()).body


@pytest.mark.parametrize("text", ["x = (", "print 'a\nx = (", "\0"])
def test_what_is_no_python_is_refused(text: str) -> None:
    with pytest.raises((SyntaxError, ValueError)):
        parse_any(text.encode())


def test_statements_and_definitions_are_found_below_compound_statements() -> None:
    body = parse_any(
        b"try:\n  import a\n  x = y = 1\nexcept E:\n  x: int = 2\nelse:\n  class C: pass\nwith z:\n  def f(): g = 1"
    )
    assert [type(each).__name__ for each in flattened(body.body)] == [
        *("Try", "Import", "Assign", "AnnAssign", "ClassDef", "With", "FunctionDef")
    ]
    assert [name for name, _statement in definitions(body.body)] == ["x", "y", "x", "C", "f"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import a.b", {"a": "a"}),
        ("import a.b as c", {"c": "a.b"}),
        ("from a.b import c as d, e", {"d": "a.b.c", "e": "a.b.e"}),
        ("from . import c", {"c": "p.q.c"}),
        ("from ..r import c", {"c": "p.r.c"}),
        ("from a import *", {"*": "a"}),
        ("x = 1", {}),
    ],
)
def test_imported_names_are_told_from_the_top(text: str, names: dict[str, str]) -> None:
    assert dict(imported_names(parse_any(text.encode()).body[0], ("p", "q"))) == names


def test_defaults_belong_to_the_last_parameters_and_to_keywords() -> None:
    (function,) = parse_any(b"def f(a, b, /, c=1, *d, e, g=2, **h): pass").body
    assert isinstance(function, ast.FunctionDef)
    assert [(name, ast.unparse(each)) for name, each in parameter_defaults(function.args)] == [("c", "1"), ("g", "2")]


def test_literal_texts_of_lists_are_those_of_their_members() -> None:
    assert literal_texts(ast.parse("['a', ('b', *['c']), 1, x]", mode="eval").body) == ("a", "b", "c")


WALKED = """\
import a
class B(C, metaclass=D):
    x: int = 1
    async def f(self, *, y=2, **z):
        global x
        try:
            from a import b
            return [each for each in {**z, 'k': -y}.values() if not each < 1 or each in z]
        except (E, F) as g:
            with open(g) as h, h.i[1:2, ...]:
                raise
        finally:
            import c
match a:
    case B(x=1) | [_, *rest] if rest:
        x += lambda d: f"{d!r:>{x}}"
"""


def test_a_walk_gives_all_nodes_but_operators_and_contexts() -> None:
    tree = ast.parse(WALKED)
    left_out = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
    assert list(walk(tree)) == [node for node in ast.walk(tree) if not isinstance(node, left_out)]
    holding = (ast.stmt, ast.ExceptHandler, ast.match_case, ast.Module)
    assert list(statements_below(tree)) == [node for node in ast.walk(tree) if isinstance(node, holding)]
