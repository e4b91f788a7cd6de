"""Query text -> expression, or one clear error.

>>> from bzlgraph.query.language.ast import Call
>>> call = parse("deps(//a:b, 2)")
>>> isinstance(call, Call) and [argument.text for argument in call.arguments]
['//a:b', '2']

Language: https://bazel.build/query/language. Lark's errors name terminals; ``_explain`` turns them into the words of
the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import QueryFailure, QueryProblem
from bzlgraph.base.span import Location
from bzlgraph.query.functions.signatures import OF_CQUERY, SIGNATURES, ArgumentKind, Signature, suggest
from bzlgraph.query.language import tables
from bzlgraph.query.language.ast import Call, Chain, Expression, Let, Operator, SetOf, Variable, Word
from bzlgraph.query.language.tables import Node

if TYPE_CHECKING:
    from lark import Token
    from lark.exceptions import UnexpectedToken

MAX_NESTING = 200


def parse(text: str) -> Expression:
    """Parse and check names, numbers of arguments and variables. Raises QueryProblem."""
    _check_nesting(text)
    tree = tables.parse(text)
    if tree is None:
        raise _refusal(text)
    return _Builder(text).expression(tree, frozenset())


def _refusal(text: str) -> QueryProblem:
    """What is wrong with a text that does not parse."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    try:
        tables.lark_parser().parse(text)
    except UnexpectedCharacters as error:
        return _unreadable(text, error.pos_in_stream or 0)
    except UnexpectedToken as error:
        return _explain(text, error)
    raise AssertionError(f"the tables refuse a query that Lark accepts: {text}")


def quoted(text: str) -> str:
    """A single target pattern as a word of a query, whatever characters it has; an expression as it is.

    >>> quoted("//odd+name=x:all"), quoted("//a + //b"), quoted("deps(//a)")
    ('"//odd+name=x:all"', '//a + //b', 'deps(//a)')
    """
    single = text.startswith(("//", "@", ":")) and text.count("//") < 2 and not any(map(str.isspace, text))
    mark = "'" if '"' in text else '"'
    return f"{mark}{text}{mark}" if single else text


def is_pattern(text: str) -> bool:
    """Whether a query is nothing but target patterns, joined by operators: it calls no function.

    >>> is_pattern("//a:b + //c/..."), is_pattern("deps(//a:b)")
    (True, False)
    """
    waiting: list[Expression] = [parse(text)]
    for expression in waiting:
        if isinstance(expression, Call):
            return False
        if isinstance(expression, Let):
            waiting += [expression.value, expression.body]
        elif isinstance(expression, Chain):
            waiting += [expression.first, *(operand for _, operand in expression.rest)]
    return True


def _check_nesting(text: str) -> None:
    """Deep nesting is refused before anything recurses over it."""
    depth = 0
    for offset, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth > MAX_NESTING:
            raise problem_at(text, offset, f"parentheses nested more than {MAX_NESTING} deep")
    if text.count("let ") > MAX_NESTING:
        raise problem_at(text, 0, f"more than {MAX_NESTING} let expressions")


class _Builder:
    """Nodes of the grammar -> our expressions."""

    def __init__(self, text: str) -> None:
        self.text = text

    def expression(self, node: Node, bound: frozenset[str]) -> Expression:
        """Any node, with the variables bound around it."""
        build = getattr(self, f"_{node.data}")
        result: Expression = build(node, bound)
        return result

    def _word(self, node: Node, bound: frozenset[str]) -> Word | Variable:
        _, text, start, end, _ = node.children[0]
        if text[0] in "\"'":
            text = text[1:-1]
        if text.startswith("$") and (bound or text[1:].isidentifier()):
            return Variable(text[1:], start, end)
        return Word(text, start, end)

    def _set(self, node: Node, bound: frozenset[str]) -> SetOf:
        words = tuple(self._word(child, bound) for child in node.children)
        return SetOf(words, node.start, node.end)

    def _call(self, node: Node, bound: frozenset[str]) -> Call:
        name, *given = node.children
        arguments = tuple(self.expression(child, bound) for child in given)
        call = Call(name.text, arguments, node.start, node.end)
        _check_call(self.text, call)
        return call

    def _let(self, node: Node, bound: frozenset[str]) -> Let:
        token, value, body = node.children
        name = token.text
        built = self.expression(value, bound)
        return Let(name, built, self.expression(body, bound | {name}), node.start, node.end)

    def _chain(self, node: Node, bound: frozenset[str]) -> Chain:
        first, *rest = node.children
        pairs = zip(rest[::2], rest[1::2], strict=True)
        operations = tuple((Operator(sign.data), self.expression(operand, bound)) for sign, operand in pairs)
        return Chain(self.expression(first, bound), operations, node.start, node.end)


def _check_call(text: str, call: Call) -> None:
    """Known function, right number of arguments; what each argument must be is checked when it is evaluated."""
    signature = SIGNATURES.get(call.function)
    if call.function in OF_CQUERY:
        raise problem_at(text, call.start, f"`{call.function}` is not a function of query", OF_CQUERY[call.function])
    if signature is None:
        near = suggest(call.function)
        hint = f"did you mean {near}?" if near else f"functions: {', '.join(sorted(SIGNATURES))}"
        raise problem_at(text, call.start, f"unknown function `{call.function}`", hint)
    count = len(call.arguments)
    if count < signature.required:
        missing = signature.parameters[count]
        plural = "s" if signature.required > 1 else ""
        message = f"{call.function} needs {signature.required} argument{plural}, not {count}: {missing.name} missing"
        raise problem_at(text, call.end - 1, message, signature.usage)
    if not signature.variadic and count > len(signature.parameters):
        message = f"{call.function} takes at most {len(signature.parameters)} arguments, not {count}"
        raise problem_at(text, call.arguments[len(signature.parameters)].start, message, signature.usage)
    _check_numbers(text, call, signature)


def _check_numbers(text: str, call: Call, signature: Signature) -> None:
    """Depths and counts are read while parsing, as in Bazel."""
    for parameter, argument in zip(signature.parameters, call.arguments, strict=False):
        if parameter.kind is not ArgumentKind.NUMBER:
            continue
        if not isinstance(argument, Word):
            message = f"the {parameter.name} of {call.function} must be {parameter.kind.value}"
            raise problem_at(text, argument.start, message, signature.usage)
        if not (argument.text.isascii() and argument.text.isdigit() and int(argument.text) < 2**31):
            raise problem_at(text, argument.start, f"expected a number, not `{argument.text}`")


def _unreadable(text: str, offset: int) -> QueryProblem:
    """A character no token starts with."""
    char = text[offset]
    if char in "\"'":
        return problem_at(text, offset, "the quoted word is not closed", f"close it with {char}")
    if char in _CURLY:
        return problem_at(text, offset, f"unexpected character `{char}`", "use straight quotes: \" or '")
    if char in "|&":
        return problem_at(text, offset, f"`{char}` is not an operator", OPERATORS)
    if char == "*":
        return problem_at(text, offset, "a word may not start with `*`", "//...:* stands for every target")
    if char == "\\":
        return problem_at(
            text, offset, "unexpected character `\\`", "labels have / between folders: //folder/package:target"
        )
    shown = char if char.isprintable() else f"\\x{ord(char):02x}"
    return problem_at(text, offset, f"unexpected character `{shown}`", "put unusual characters in quotes")


_CURLY = "\u2018\u2019\u201c\u201d\u00ab\u00bb\u201e"
OPERATORS = "a + b: in either; a ^ b: in both; a - b: in a, but not in b"
_NEGATIVE = re.compile(r"-\s*\d+")
_OPERANDS = ("WORD", "QUOTED", "LPAR", "SET", "LET")


def _explain(text: str, error: UnexpectedToken) -> QueryProblem:
    """An unexpected token, in the words of the language."""
    if not text.strip():
        return problem_at(text, 0, "the query is empty", "try //... or deps(//a:b)")
    at_end = error.token.type == "$END"
    offset = len(text.rstrip()) if at_end else error.token.start_pos or 0
    tokens = list(tables.lark_parser().lex(text[:offset]))
    expected = set(error.accepts or error.expected)
    paren, commas = _open_paren(tokens)
    name = tokens[paren - 1] if paren > 0 else None
    opened = (str(name), commas) if name is not None and name.type in ("WORD", "SET") else None
    if error.token.type in _OPERANDS and opened is not None and "COMMA" in expected:
        return _missing_comma(text, offset, tokens, opened, str(error.token))
    if error.token.type == "COMMA" and opened is not None and opened[0] == "set":
        return problem_at(text, offset, "the targets of a set are separated by spaces, not commas")
    if at_end and "RPAR" in expected and "SET" not in expected:
        line, column = _position(text, tokens[paren].start_pos or 0)
        return problem_at(text, offset, f"expected `)` to close the `(` opened at {line}:{column}")
    if error.token.type == "RPAR" and "SET" not in expected:
        return problem_at(text, offset, "`)` is unmatched: no parenthesis is open")
    if "SET" in expected and (negative := _NEGATIVE.match(text, offset)):
        return problem_at(text, offset, f"expected a number from 0 on, not `{negative[0]}`", "no number: no limit")
    message, hint = _wanted(expected)
    if hint == OPERATORS and paren < 0 and len(tokens) == 1 and str(tokens[0]) in SIGNATURES:
        hint = f"did you mean {_as_call(str(tokens[0]), text[offset:].split())}?"
    return problem_at(text, offset, message, hint)


def _wanted(expected: set[str]) -> tuple[str, str | None]:
    """What may stand here, most telling first, and a hint."""
    if "EQUAL" in expected:
        return "expected `=` after the variable of `let`", "let x = //a/... in $x"
    if "IN" in expected:
        return "expected `in` after the value of `let`", "let x = //a/... in $x"
    if "SET" in expected:
        return "expected an expression here", None
    if "LPAR" in expected and "UNION" not in expected:
        return "expected `(` here", None
    if "WORD" in expected:
        return "expected a name for the variable of `let`", "let x = //a/... in $x"
    return "expected an operator between two expressions", OPERATORS


def _as_call(function: str, words: list[str]) -> str:
    """A call of which the parentheses were left out, as in ``bzlgraph query deps //a:b``.

    >>> _as_call("deps", ["//a:b"]), _as_call("kind", ["cc_library,", "//a/..."])
    ('deps(//a:b)', 'kind(cc_library, //a/...)')
    """
    return f"{function}({', '.join(word.strip(',') for word in words)})"


def _open_paren(tokens: list[Token]) -> tuple[int, int]:
    """The index of the innermost parenthesis that is still open, -1 when there is none, and the commas behind it."""
    depth = commas = 0
    for position in range(len(tokens) - 1, -1, -1):
        kind = tokens[position].type
        if kind == "LPAR" and depth == 0:
            return position, commas
        commas += kind == "COMMA" and depth == 0
        depth += (kind == "RPAR") - (kind == "LPAR")
    return -1, commas


def _missing_comma(text: str, offset: int, tokens: list[Token], opened: tuple[str, int], found: str) -> QueryProblem:
    """Two arguments side by side: name them, and write the call as it may have been meant."""
    function, commas = opened
    signature = SIGNATURES.get(function)
    if signature is None or commas + 1 >= len(signature.parameters):
        return problem_at(text, offset, f"expected `,` or `)` in the call of {function}")
    left, right = signature.parameters[commas].name, signature.parameters[commas + 1].name
    before = str(tokens[-1])
    hint = signature.usage
    if commas == 0 and tokens[-2].type == "LPAR" and tokens[-1].type == "WORD":
        swapped = left == "universe" and _is_wildcard(found) and not _is_wildcard(before)
        first, second = (found, before) if swapped else (before, found)
        number = signature.parameters[1].kind is ArgumentKind.NUMBER and not second.isdigit()
        meant = f"{first} + {second}" if number else f"{first}, {second}"
        hint = f"{signature.usage}: did you mean {function}({meant})?"
    return problem_at(text, offset, f"{function} needs a comma between the {left} and the {right}", hint)


def _is_wildcard(pattern: str) -> bool:
    return pattern.endswith(("...", ":all", ":*", ":all-targets"))


def _position(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def problem_at(text: str, offset: int, message: str, hint: str | None = None) -> QueryProblem:
    """The problem at ``offset`` of the query ``text``: it is no query."""
    return QueryProblem(_placed(text, offset, Diagnostic(message, hint=hint)))


def failure_at(text: str, offset: int, message: str, hint: str | None = None) -> QueryFailure:
    """The problem at ``offset`` of a query that reads well and has no value."""
    return QueryFailure(_placed(text, offset, Diagnostic(message, hint=hint)))


def placed(text: str, offset: int, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Diagnostics without a place of their own, at ``offset`` of the query."""
    return tuple(each if each.location else _placed(text, offset, each) for each in diagnostics)


def _placed(text: str, offset: int, diagnostic: Diagnostic) -> Diagnostic:
    return replace(diagnostic, location=Location("query", *_position(text, offset))).with_source(text)
