"""The words of a syntax error: a token that cannot stand where it stands -> Problem.

Token and terminal names never appear: a person is told what was expected in the language's own words, which bracket
is open, and what to write instead where the mistake is a known one. The known mistakes are the tables at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bzlgraph.syntax import ast
from bzlgraph.syntax.dialect import Dialect
from bzlgraph.syntax.lexer import RESERVED, string_parts, terminated
from bzlgraph.syntax.problem import Problem
from bzlgraph.syntax.tables import BAD, DEDENT, END, INDENT, NAME, NEWLINE, STRING, Row, Tables

_CLOSERS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Found:
    """The token that is wrong."""

    kind: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Opening:
    """The innermost open bracket: where, which, and what it opened ("the list")."""

    start: int
    bracket: str
    what: str

    @property
    def closer(self) -> str:
        return _CLOSERS[self.bracket]


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything an explanation looks at. ``accepts`` are the fixed words and symbols that could stand here."""

    found: Found
    text: str
    values: list[Any]
    accepts: frozenset[str]
    opening: Opening | None
    dialect: Dialect

    @property
    def after_operand(self) -> bool:
        """Whether an expression is complete here: an operator could follow, or the end."""
        return "and" in self.accepts

    @property
    def before(self) -> Any:
        return self.values[-1]

    def line_of(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1


def explain(
    found: Found, text: str, states: list[Row], values: list[Any], tables: Tables, dialect: Dialect
) -> Problem:
    """The problem of a token that the grammar does not take."""
    scene = Scene(found, text, values, _accepted(states, tables), _opening(text, values), dialect)
    if found.kind == BAD:
        return _broken(scene)
    message, hint = _known(scene) or (_expected(scene), None)
    notes: tuple[tuple[int, str], ...] = ()
    start, end = found.start, found.end
    if scene.opening is not None:
        if found.kind == END:
            start, end = scene.opening.start, scene.opening.start + 1
        elif f"`{scene.opening.closer}` to close" in message:
            notes = ((scene.opening.start, f"`{scene.opening.bracket}` is opened here"),)
    return Problem(start, end, message, hint, notes)


def _accepted(states: list[Row], tables: Tables) -> frozenset[str]:
    """The words and symbols that the automaton would shift: reductions are played on the states alone."""
    names = [*tables.symbols[: tables.terminals]]
    for word, column in tables.words.items():
        names[column] = word
    return frozenset(names[kind] for kind in range(tables.terminals) if _shifts(states, kind))


def _shifts(states: list[Row], kind: int) -> bool:
    stack: list[Row] = []  # what lies above states[:base]
    base = len(states)
    while True:
        row = stack[-1] if stack else states[base - 1]
        action = row[kind]
        if action.__class__ is not tuple:
            return action is not None
        size, goto, _ = action
        taken = min(size, len(stack))
        if taken:
            del stack[len(stack) - taken :]
        base -= size - taken
        stack.append((stack[-1] if stack else states[base - 1])[goto])


def _opening(text: str, values: list[Any]) -> Opening | None:
    """The innermost bracket that is open: brackets lie on the stack as offsets."""
    closed = 0
    for index in range(len(values) - 1, -1, -1):
        value = values[index]
        if value.__class__ is not int or value >= len(text):
            continue
        if text[value] in ")]}":
            closed += 1
        elif text[value] in _CLOSERS:
            if not closed:
                return Opening(value, text[value], _opened_by(text, values, index))
            closed -= 1
    return None


def _opened_by(text: str, values: list[Any], index: int) -> str:
    """What the bracket at ``values[index]`` opened."""
    bracket = text[values[index]]
    owner = values[index - 1] if index else None
    if bracket == "{":
        return "the dict"
    if isinstance(owner, ast.Ident) and index > 1 and _starts(text, values[index - 2], "def"):
        return f"the parameters of `{owner.name}`"
    if isinstance(owner, ast.Expr):
        return _call_of(owner) if bracket == "(" else "the index"
    if _starts(text, owner, "load"):
        return "the `load` statement"
    return "the list" if bracket == "[" else "the parenthesis"


def _starts(text: str, offset: Any, word: str) -> bool:
    return offset.__class__ is int and text.startswith(word, offset)


def _call_of(func: ast.Expr) -> str:
    name = func.name if isinstance(func, ast.Ident | ast.Dot) else ""
    return f"the call of `{name}`" if name else "the call"


# ------------------------------------------------------------------------------------------------- what was expected
def _expected(scene: Scene) -> str:
    """The general wording, when the mistake is not a known one."""
    found, opening = scene.found, scene.opening
    if found.kind == END and opening:
        return f"`{opening.bracket}` is never closed: expected `{opening.closer}` to close {opening.what}"
    wanted = _wanted(scene)
    if found.kind == INDENT:
        return "unexpected indentation"
    return f"expected {wanted}, found {_described(scene)}" if wanted else f"unexpected {_described(scene)}"


def _wanted(scene: Scene) -> str:
    """What could stand here, in words; empty when nothing short is true."""
    accepts, opening = scene.accepts, scene.opening
    if accepts <= {"INDENT"}:
        return "an indented block"
    if opening and opening.closer in accepts and (scene.after_operand or "," in accepts):
        closing = f"`{opening.closer}` to close {opening.what} opened at line {scene.line_of(opening.start)}"
        return f"`,` or {closing}" if "," in accepts else closing
    if scene.after_operand:
        for word, meaning in _AFTER_OPERAND:
            if word in accepts:
                return meaning
    for words, meaning in _WANTED:
        if words <= accepts:
            return meaning
    listed = sorted(f"`{word}`" for word in accepts if not word.isupper() and word != "$END")
    if 0 < len(listed) <= 3 and len(listed) == len(accepts):
        return " or ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)
    return "a name" if accepts == {"NAME"} else ""


_AFTER_OPERAND = (
    ("else", "`else` and a value: a conditional expression needs both"),
    (":", "`:`"),
    ("NEWLINE", "an operator or the end of the line"),
)

_WANTED: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"STRING", "def", "$END"}), "a statement"),
    (frozenset({"STRING", "def"}), "a statement"),
    (frozenset({"STRING", "("}), "an expression"),
    (frozenset({"in"}), "`in`"),
    (frozenset({"NEWLINE", ";"}), "the end of the line"),
    (frozenset({"NAME", "*", ":"}), "`:` or a parameter"),
    (frozenset({"NAME", "*"}), "a parameter"),
    (frozenset({"NAME", "("}), "a variable"),
)


def _described(scene: Scene) -> str:
    """What was found, in words."""
    found = scene.found
    if found.kind == END:
        return "the end of the file"
    if found.kind in (NEWLINE, DEDENT):
        return "the end of the line"
    if found.kind == STRING:
        return "a string"
    shown = found.text if len(found.text) <= 40 else f"{found.text[:37]}..."
    return f"`{shown}`"


# ---------------------------------------------------------------------------------------------------- broken tokens
def _broken(scene: Scene) -> Problem:
    """A token that is none: reserved words, strings without an end, wrong numbers, foreign characters."""
    found = scene.found
    token = found.text
    first = token.partition("\n")[0]
    end = found.start + len(first)
    message: str
    hint: str | None
    if token in RESERVED:
        message, hint = f"`{token}` is a reserved word and cannot be used", _RESERVED_HINTS.get(token)
    elif quote := string_parts(token)[1]:
        message, hint = _broken_string(token, quote)
    elif token[0].isdigit() or (token[0] == "." and len(token) > 1):
        message, hint = f"`{first[:40]}` is not a number", _number_hint(token)
    elif token in _SIGNS:
        message, hint = _SIGNS[token]
    elif token.isidentifier():
        message, hint = f"`{first[:40]}`: names consist of ASCII letters, digits and `_`", None
    else:
        message, hint = f"unexpected character {_character(token[0])}", _CHARACTER_HINTS.get(token[0])
    return Problem(found.start, end, message, hint)


def _broken_string(token: str, quote: str) -> tuple[str, str | None]:
    prefix = string_parts(token)[0].lower()
    if terminated(token):
        return _PREFIXES.get(prefix, (f"a string cannot have the prefix `{prefix}`", "only r\"...\" is known"))
    if len(quote) == 3:
        return f"the string that begins here is never closed: expected `{quote}`", None
    hint = "a string may not go on in the next line, except in triple quotes"
    return f"the string is not closed at the end of the line: expected `{quote}`", hint


def _number_hint(token: str) -> str | None:
    if len(token) > 1 and token[0] == "0" and token[1:].isdigit():
        digits = token.lstrip("0") or "0"
        return f"octal numbers are written `0o{digits}`; decimal ones have no leading zero"
    if "_" in token:
        return f"write `{token.replace('_', '')}`: numbers have no underscores"
    if token[-1] in "jJ":
        return "there are no complex numbers"
    return "a name cannot begin with a digit" if token.isalnum() and token[:2].lower() not in _BASES else None


_BASES = ("0x", "0o", "0b")


def _character(char: str) -> str:
    code = f"U+{ord(char):04X}"
    return f"`{char}` ({code})" if char.isprintable() and not char.isspace() else code


_PREFIXES: dict[str, tuple[str, str | None]] = {
    "f": ("there are no f-strings", 'write "...".format(...) or "..." % (...)'),
    "fr": ("there are no f-strings", 'write "...".format(...) or "..." % (...)'),
    "rf": ("there are no f-strings", 'write "...".format(...) or "..." % (...)'),
    "u": ('there is no prefix `u`: every string is Unicode', 'write "..."'),
    "b": ("there are no bytes literals in this kind of file", 'write "..."'),
    "rb": ("there are no bytes literals in this kind of file", 'write r"..."'),
    "br": ("there are no bytes literals in this kind of file", 'write r"..."'),
}

_SIGNS: dict[str, tuple[str, str | None]] = {
    "!": ("unexpected `!`", "negation is written `not`"),
    "->": ("there are no type annotations", "remove `->` and the type"),
    "**=": ("there is no operator `**=`", None),
    "!==": ("there is no operator `!==`", "write `!=`"),
}

_CHARACTER_HINTS = {
    "@": "there are no decorators; a label is a string: \"@repo//package:name\"",
    "?": "a conditional expression is written `a if condition else b`",
    "$": "only strings may contain `$`",
    "\\": "a backslash continues a line only at its very end",
    "\x00": "this looks like a binary file, or UTF-16 text: Bazel's files are UTF-8",
    "\u00a0": "this is a no-break space; write an ordinary space",
    "\u201c": 'this is a typographic quote; write `"`',
    "\u201d": 'this is a typographic quote; write `"`',
    "\u2018": "this is a typographic quote; write `'`",
    "\u2019": "this is a typographic quote; write `'`",
    "\ufeff": "a byte order mark may stand only at the very beginning of a file",
}

_RESERVED_HINTS = {
    "import": 'names of other files come through load("//package:file.bzl", "name")',
    "from": 'names of other files come through load("//package:file.bzl", "name")',
    "class": "there are no classes; a value with fields is struct(...)",
    "try": "errors cannot be caught; test before you act",
    "except": "errors cannot be caught; test before you act",
    "finally": "errors cannot be caught; test before you act",
    "raise": "to stop with an error call fail(...)",
    "assert": "to stop with an error call fail(...)",
    "is": "to compare write `==`; `is None` is `== None`",
    "del": "to remove an entry call .pop(key)",
    "global": "a function cannot rebind names outside itself",
    "nonlocal": "a function cannot rebind names outside itself",
    "with": "there are no context managers",
    "yield": "there are no generators; return a list",
    "async": "nothing in Starlark is asynchronous",
    "await": "nothing in Starlark is asynchronous",
}


# ---------------------------------------------------------------------------------------------------- known mistakes
def _known(scene: Scene) -> tuple[str, str | None] | None:
    """A message and a hint for mistakes that many people make."""
    for applies in _MISTAKES:
        if (answer := applies(scene)) is not None:
            return answer
    return None


_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not"})


def _chained_comparison(scene: Scene) -> tuple[str, str | None] | None:
    if scene.found.text not in _COMPARISONS or not scene.after_operand or "for" not in _around(scene):
        return None
    return "comparisons do not chain", "write `a < b and b < c`, or put one comparison in parentheses"


def _around(scene: Scene) -> set[str]:
    """``for`` unless `in` or `not` was found where loop variables are wanted."""
    return {"for"} if scene.after_operand else set()


def _adjacent_strings(scene: Scene) -> tuple[str, str | None] | None:
    before = scene.before
    if scene.found.kind != STRING or not (isinstance(before, ast.Literal) and isinstance(before.value, str)):
        return None
    if scene.opening and "," in scene.accepts:
        return "adjacent strings are not joined", "a comma is missing between them; to join them write `+`"
    return "adjacent strings are not joined", "to join them write `+`"


def _generator(scene: Scene) -> tuple[str, str | None] | None:
    if scene.found.text != "for" or not scene.opening or scene.opening.bracket != "(" or not scene.after_operand:
        return None
    return "there are no generator expressions", "write a list: [x for x in ...]"


def _set_literal(scene: Scene) -> tuple[str, str | None] | None:
    if not scene.opening or scene.opening.bracket != "{" or scene.found.text not in (",", "}", "for"):
        return None
    if not scene.after_operand or "," in scene.accepts:
        return None
    return "expected `:` and a value after the dict key", "there are no set literals; write set([...])"


def _assignment_inside(scene: Scene) -> tuple[str, str | None] | None:
    if scene.found.text != "=" or not scene.after_operand:
        return None
    if scene.opening:
        if scene.opening.bracket == "(" and scene.opening.what.startswith("the call"):
            return "the name of an argument must be a plain name", "to compare write `==`"
        return f"{_expected(scene)}", "to compare write `==`; a dict entry is written `key: value`"
    if "NEWLINE" in scene.accepts:
        return "assignments do not chain", "write two statements"
    return "`=` is not an operator", "to compare write `==`"


def _annotation(scene: Scene) -> tuple[str, str | None] | None:
    parameters = scene.opening and scene.opening.what.startswith("the parameters")
    if scene.found.text != ":" or not (parameters or ("=" in scene.accepts and not scene.opening)):
        return None
    if not parameters and not isinstance(scene.before, ast.Ident):
        return None
    if not parameters:
        return "there are no type annotations", "to assign write `name = value`"
    return "there are no type annotations", "remove `:` and the type"


def _print_statement(scene: Scene) -> tuple[str, str | None] | None:
    before = scene.before
    if not (isinstance(before, ast.Ident) and scene.after_operand and "NEWLINE" in scene.accepts):
        return None
    if before.name in ("print", "exec") and (scene.found.kind in (STRING, NAME) or scene.found.text[:1].isalnum()):
        return f"`{before.name}` is a function", f"write {before.name}(...)"
    return None


def _foreign_operator(scene: Scene) -> tuple[str, str | None] | None:
    found = scene.found
    for operator in (scene.text[found.start - 1 : found.end], scene.text[found.start : found.end + 1]):
        if operator in _FOREIGN:
            return f"there is no operator `{operator}`", _FOREIGN[operator]
    return None


def _power(scene: Scene) -> tuple[str, str | None] | None:
    if scene.found.text == "**" and scene.after_operand:
        return "there is no operator `**`", "multiply instead"
    return None


def _unpacking(scene: Scene) -> tuple[str, str | None] | None:
    if scene.found.text not in ("*", "**") or scene.after_operand:
        return None
    if scene.opening and scene.opening.bracket in "[{":
        return f"`{scene.found.text}` cannot unpack into a list or dict", "join with `+`, or with dict(...)"
    return None


def _wrong_closer(scene: Scene) -> tuple[str, str | None] | None:
    if scene.found.text not in (")", "]", "}"):
        return None
    if scene.opening is None:
        return f"`{scene.found.text}` closes nothing: no bracket is open", None
    return None


def _else_if(scene: Scene) -> tuple[str, str | None] | None:
    at = scene.found.start
    if scene.found.text == "if" and scene.text[:at].rstrip().endswith("else"):
        return "expected `:` after `else`", "write `elif`"
    if scene.found.text in ("else", "elif") and "def" in scene.accepts:
        return f"`{scene.found.text}` belongs to no `if`", "loops have no `else`; check the indentation"
    return None


def _carriage_returns(scene: Scene) -> tuple[str, str | None] | None:
    if "\r" in scene.text and "\n" not in scene.text:
        return _expected(scene), "the lines of this file end in a bare carriage return; convert it to line feeds"
    return None


_FOREIGN = {
    "&&": "write `and`",
    "||": "write `or`",
    "<>": "write `!=`",
    ":=": "assign in a statement of its own",
    "=>": "write `>=`, or `lambda x: ...`",
}

_MISTAKES = (
    _carriage_returns,
    _adjacent_strings,
    _foreign_operator,
    _chained_comparison,
    _generator,
    _set_literal,
    _annotation,
    _assignment_inside,
    _print_statement,
    _power,
    _unpacking,
    _wrong_closer,
    _else_if,
)
