"""Random trees and random texts for the property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from bzlgraph.syntax import ast

NAMES = st.sampled_from(["a", "b", "c_1", "_d", "load_me", "nota", "innie"])
TEXTS = st.text(st.sampled_from("ab\n\t\\\"'é\0{}% 1"), max_size=6)
NUMBERS = st.one_of(st.integers(0, 10**20), st.floats(0, 1e30, allow_nan=False, allow_infinity=False))


def ident(name: str) -> ast.Ident:
    return ast.Ident(0, 0, name)


IDENTS = NAMES.map(ident)
LEAVES = st.one_of(IDENTS, st.one_of(TEXTS, NUMBERS).map(lambda value: ast.Literal(0, 0, value)))


def chains(inner: Any, ops: list[str]) -> Any:
    """Chains of one level; the parser makes one node of `a + b + c`, so a first operand of the level is made apart."""
    return st.lists(inner, min_size=2, max_size=4).flatmap(
        lambda operands: st.lists(st.sampled_from(ops), min_size=len(operands) - 1, max_size=len(operands) - 1).map(
            lambda chosen: ast.Binary(0, 0, operands, chosen, [0] * len(chosen))
        )
    )


def targets() -> Any:
    one = st.one_of(IDENTS, st.builds(lambda v, n: ast.Dot(0, 0, v, n, 0), IDENTS, NAMES))
    return st.one_of(one, st.lists(one, min_size=1, max_size=2).map(lambda items: ast.TupleExpr(0, 0, items, True)))


def clauses(inner: Any) -> Any:
    loop = st.builds(lambda t, i: ast.ForClause(0, 0, t, i), targets(), inner)
    test = st.builds(lambda t: ast.IfClause(0, 0, t), inner)
    return st.tuples(loop, st.lists(st.one_of(loop, test), max_size=2)).map(lambda pair: [pair[0], *pair[1]])


def arguments(inner: Any) -> Any:
    def made(positional: list[Any], named: list[Any], star: Any, double: Any) -> list[ast.Arg]:
        args = [ast.Arg(0, 0, "", None, value) for value in positional]
        args += [ast.Arg(0, 0, "", f"k{index}", value) for index, value in enumerate(named)]
        args += [ast.Arg(0, 0, "*", None, star)] if star is not None else []
        return args + ([ast.Arg(0, 0, "**", None, double)] if double is not None else [])

    some = st.lists(inner, max_size=2)
    return st.builds(made, some, some, st.none() | inner, st.none() | inner)


def parameters(inner: Any) -> Any:
    def made(plain: int, defaults: list[Any], star: str, only: list[Any], double: bool) -> list[ast.Param]:
        params = [ast.Param(0, 0, "", ident(f"p{index}"), None) for index in range(plain)]
        params += [ast.Param(0, 0, "", ident(f"o{index}"), value) for index, value in enumerate(defaults)]
        if star == "args" or only:
            params.append(ast.Param(0, 0, "*", ident("args") if star == "args" else None, None))
        params += [ast.Param(0, 0, "", ident(f"k{index}"), value) for index, value in enumerate(only)]
        return params + ([ast.Param(0, 0, "**", ident("kw"), None)] if double else [])

    optional = st.lists(inner, max_size=2)
    only = st.lists(st.none() | inner, max_size=2)
    return st.builds(made, st.integers(0, 2), optional, st.sampled_from(["", "args"]), only, st.booleans())


def larger(inner: Any) -> Any:
    items = st.lists(inner, max_size=3)
    maybe = st.none() | inner
    return st.one_of(
        chains(inner, ["+", "-"]), chains(inner, ["*", "/", "//", "%"]), chains(inner, ["<<", ">>"]),
        chains(inner, ["|"]), chains(inner, ["&"]), chains(inner, ["^"]),
        st.builds(lambda op, xs: ast.Logical(0, 0, op, xs), st.sampled_from(["and", "or"]),
                  st.lists(inner, min_size=2, max_size=3)),
        st.builds(lambda op, x: ast.Unary(0, 0, op, x), st.sampled_from(["-", "+", "~", "not"]), inner),
        st.builds(lambda a, op, b: ast.Compare(0, 0, a, op, 0, b), inner,
                  st.sampled_from(["==", "!=", "<", ">=", "in", "not in"]), inner),
        st.builds(lambda a, b, c: ast.Conditional(0, 0, a, b, c), inner, inner, inner),
        st.builds(lambda ps, x: ast.Lambda(0, 0, ps, x), parameters(inner), inner),
        st.builds(lambda f, xs: ast.Call(0, 0, f, xs, 0), inner, arguments(inner)),
        st.builds(lambda x, n: ast.Dot(0, 0, x, n, 0), inner, NAMES),
        st.builds(lambda x, k: ast.Index(0, 0, x, k, 0), inner, inner),
        st.builds(lambda x, a, b, c: ast.Slice(0, 0, x, a, b, c, 0), inner, maybe, maybe, maybe),
        items.map(lambda xs: ast.ListExpr(0, 0, xs)),
        items.map(lambda xs: ast.TupleExpr(0, 0, xs, True)),
        items.map(lambda xs: ast.DictExpr(0, 0, xs, list(reversed(xs)))),
        st.builds(lambda x, cs: ast.Comprehension(0, 0, None, x, cs), inner, clauses(inner)),
        st.builds(lambda k, x, cs: ast.Comprehension(0, 0, k, x, cs), inner, inner, clauses(inner)),
    )  # fmt: skip


EXPRESSIONS = st.recursive(LEAVES, larger, max_leaves=12)


def blocks(inner: Any) -> Any:
    body = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        st.builds(lambda n, ps, b: ast.Def(0, 0, n, ps, b), IDENTS, parameters(LEAVES), body),
        st.builds(lambda t, x, b: ast.For(0, 0, t, x, b), targets(), EXPRESSIONS, body),
        st.builds(lambda t, b, o: ast.If(0, 0, [t], [b], o), EXPRESSIONS, body, st.just([]) | body),
        st.builds(lambda t, b, c, o: ast.If(0, 0, [t, t], [b, c], o), EXPRESSIONS, body, body, st.just([]) | body),
    )


SIMPLE = st.one_of(
    EXPRESSIONS.map(lambda x: ast.ExprStmt(0, 0, x)),
    st.builds(lambda t, x: ast.Assign(0, 0, t, None, 0, x), targets(), EXPRESSIONS),
    st.builds(lambda t, op, x: ast.Assign(0, 0, t, op, 0, x), IDENTS, st.sampled_from(["+", "//", "<<"]), EXPRESSIONS),
    (st.none() | EXPRESSIONS).map(lambda x: ast.Return(0, 0, x)),
    st.just(ast.Branch(0, 0, "pass")),
)
# In a function, where every statement may stand.
FUNCTIONS = st.lists(st.recursive(SIMPLE, blocks, max_leaves=5), min_size=1, max_size=3).map(
    lambda body: [ast.Def(0, 0, ident("f"), [], body)]
)

WORDS = """
    a b 1 1.5 0x1 0777 "s" 's' \"\"\" ''' r"x\\d" f"" ( ) [ ] { } , : ; . + - * ** / // % = == += < <= != -> in not
    and or if elif else for def lambda return load pass break while import is \\ # $ @ é \r
"""
BREAKS = ["\n", "\n    ", "\n        ", "\n\t", "\\\n", "\t", "\0"]
SOUP = st.lists(st.sampled_from([*WORDS.split(), *BREAKS]), max_size=40)
