"""Query -> nodes of the kept graph, as the full evaluator gives them, or ``Unanswered``.

What these modules know, they know exactly: tests compare them with the full evaluator on every recorded question.
Everything else (a name that is not found, a package that was never loaded) is left to the full evaluator, which can
also say what is wrong.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

from bzlgraph.snapshot.evaluation.functions import FOLLOWING, FUNCTIONS
from bzlgraph.snapshot.evaluation.patterns import everything, pattern
from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import Unanswered
from bzlgraph.snapshot.nodes.walk import Many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bzlgraph.snapshot.evaluation.expression import Tree

    Bindings = dict[str, set[int]]


def evaluate(run: Run, tree: Tree, bindings: Bindings) -> Iterable[int]:
    """The nodes of an expression that ``is_known``; those of a path in its order. Raises Unanswered."""
    match tree:
        case ("word", text):
            return pattern(run, text)
        case ("variable", name) if name in bindings:
            return bindings[name]
        case ("set", words):
            return set().union(*(evaluate(run, word, bindings) for word in words))
        case ("let", name, value, body):
            return evaluate(run, body, {**bindings, name: set(evaluate(run, value, bindings))})
        case ("chain", first, rest):
            return _chain(run, first, rest, bindings)
        case ("call", name, arguments):
            return _call(run, name, arguments, bindings)
    raise Unanswered


def _chain(run: Run, first: Tree, rest: list[tuple[str, Tree]], bindings: Bindings) -> set[int]:
    found = set(evaluate(run, first, bindings))
    for sign, operand in rest:
        other = set(evaluate(run, operand, bindings))
        if sign == "+":
            found |= other
        elif sign == "-":
            found -= other
        else:
            found &= other
    return found


def _call(run: Run, name: str, arguments: list[Tree], bindings: Bindings) -> Iterable[int]:
    function, kinds, _ = FUNCTIONS[name]
    values: list[Any] = []
    for kind, argument in zip(kinds, arguments, strict=False):
        if kind == "universe":
            values.append(_within(run, argument, bindings))
        elif kind == "targets":
            values.append(set(evaluate(run, argument, bindings)))
        elif argument[0] == "variable" and kind == "word":
            values.append(f"${argument[1]}")  # `$compiler`, an implicit attribute
        elif argument[0] != "word":
            raise Unanswered
        elif kind == "number":
            if not (argument[1].isascii() and argument[1].isdigit() and len(argument[1]) < 9):
                raise Unanswered
            values.append(int(argument[1]))
        else:
            values.append(argument[1])
    return function(run, *values)


def _within(run: Run, tree: Tree, bindings: Bindings) -> set[int] | Many:
    """What a universe reaches, with all edges that are followed."""
    if tree in (("word", "//..."), ("set", [("word", "//...")])) and not run.excluded:
        return everything(run)
    return run.followed(set(evaluate(run, tree, bindings)))


def follows_edges(tree: Tree) -> bool:
    """Whether the answer depends on which edges there are."""
    match tree:
        case ("let", _, value, inner):
            return follows_edges(value) or follows_edges(inner)
        case ("chain", first, rest):
            return follows_edges(first) or any(follows_edges(operand) for _, operand in rest)
        case ("call", name, arguments):
            return name in FOLLOWING or any(map(follows_edges, arguments))
    return False


def names_packages(tree: Tree) -> bool:
    """Whether a tree names all packages that it is about: its answer depends on no others, nor on which there are."""
    match tree:
        case ("word", text):
            return "..." not in text
        case ("set", trees):
            return all(map(names_packages, trees))
        case ("chain", first, rest):
            return names_packages(first) and all(names_packages(operand) for _, operand in rest)
    return False


def is_known(tree: Tree) -> bool:
    """Whether a tree has only functions that are known here, with as many arguments as they take."""
    match tree:
        case ("set", trees):
            return all(map(is_known, trees))
        case ("let", _, value, inner):
            return is_known(value) and is_known(inner)
        case ("chain", first, rest):
            return is_known(first) and all(is_known(operand) for _, operand in rest)
        case ("call", name, arguments):
            _, kinds, required = FUNCTIONS.get(name, (None, (), 1))
            return required <= len(arguments) <= len(kinds) and all(map(is_known, arguments))
    return True
