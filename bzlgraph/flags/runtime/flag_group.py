"""Which environment variable a list of flags is read from: ``ParseFlagsFromEnv...("XLA_FLAGS", *list)``.

A list is a variable; flags get into it where it is made, by ``push_back``, through the parameter of a function that is
called with it, or by being inserted from another list. Those steps are followed inside one file. A call without a name
(TensorFlow 1.x) reads what the module that defines ``ParseFlagsFromEnv`` reads, ``TF_XLA_FLAGS``.
"""

from __future__ import annotations

from bisect import bisect_left

from bzlgraph.cpp import Kind, Token
from bzlgraph.cpp.outline import Scope
from bzlgraph.flags.runtime.source_view import SourceView

_PARSERS = ("ParseFlagsFromEnvAndDieIfUnknown", "ParseFlagsFromEnv", "ParseFlagsFromEnvAndIgnoreUnknown")
_FILLERS = frozenset({"push_back", "emplace_back", "insert", "assign"})
_MAX_STEPS = 6
MAX_HEAD = 100
"""Tokens at the beginning of a statement in which the list is named that it fills."""


def env_lists(view: SourceView, default_variable: str) -> dict[str, str]:
    """The lists of a file that are read from the environment: name of the variable -> name of the list's variable."""
    found: dict[str, str] = {}
    for parser in _PARSERS:
        for _index, given in view.calls(parser):
            if not given or len(given) > 2:
                continue
            variable = view.string(given[0]) if len(given) == 2 else default_variable
            name = _variable(given[-1])
            if variable and name and not _is_declaration(given[-1]):
                found[name] = variable
    return found


def group_of(view: SourceView, index: int, lists: dict[str, str]) -> str | None:
    """The environment variable that the flag made at a token of the file is read from."""
    function = view.file.outline.function_at(index)
    name = list_of(view, index)
    for _ in range(_MAX_STEPS):
        if name is None:
            return None
        if name in lists:
            return lists[name]
        onward = view.once(_inserted_into, name)
        if onward is None and function is not None:
            function, onward = view.once(_passed_as, name, function)
        if onward == name:
            return None
        name = onward
    return None


def list_of(view: SourceView, index: int) -> str | None:
    """The variable that a flag is put into: of the statement that the flag's token stands in."""
    start, vectors = _statement_start(view, index), view.places("vector")
    in_vector = bisect_left(vectors, start) < bisect_left(vectors, index)
    return view.once(_list_named, start, min(index, start + MAX_HEAD), in_vector)


def _list_named(view: SourceView, start: int, end: int, in_vector: bool) -> str | None:
    """The same by the head of the statement, which many flags share."""
    statement = view.tokens[start:end]
    for at, token in enumerate(statement):
        if token.text in ("->", ".") and at + 1 < len(statement) and statement[at + 1].text in _FILLERS:
            return statement[at - 1].text
        if token.text == "=" or (token.text in "({" and at and statement[at - 1].kind == Kind.NAME):
            name = statement[at - 1]
            if name.kind == Kind.NAME and name.text != "Flag" and in_vector:
                return name.text
            if token.text == "=":
                return name.text if name.kind == Kind.NAME else None
    return None


def _statement_start(view: SourceView, index: int) -> int:
    """Behind the last ``;``, block, or brace that closes one, before a token; the values of a list are no block."""
    stops, closed = view.once(_stops)
    behind = closed.get(view.levels[index] + 1, [])
    counts = ((places, bisect_left(places, index)) for places in (stops, behind))
    return max((places[count - 1] + 1 for places, count in counts if count), default=0)


def _stops(view: SourceView) -> tuple[list[int], dict[int, list[int]]]:
    """Where a ``;`` stands or a block opens, and each ``}`` by how many brackets are open before it."""
    stops: list[int] = []
    closed: dict[int, list[int]] = {}
    for at, token in enumerate(view.tokens):
        if token.text == ";" or (token.text == "{" and _opens_block(view.tokens, at)):
            stops.append(at)
        elif token.text == "}":
            closed.setdefault(view.levels[at], []).append(at)
    return stops, closed


def _opens_block(tokens: list[Token], at: int) -> bool:
    """Whether a ``{`` opens a block, and not the values of a list."""
    return at > 0 and tokens[at - 1].text in (")", "const", "else", "do", ";", "override", "try")


def _variable(argument: list[Token]) -> str | None:
    """The last name of ``*list``, ``&list``, ``list``."""
    names = [token.text for token in argument if token.kind == Kind.NAME]
    return names[-1] if names else None


def _is_declaration(argument: list[Token]) -> bool:
    return any(token.text in ("vector", "const") for token in argument)


def _inserted_into(view: SourceView, name: str) -> str | None:
    """The list that ``target->insert(target->end(), name.begin(), name.end())`` puts a list into."""
    for index in view.places(name):
        after = [token.text for token in view.tokens[index + 1 : index + 3]]
        if after in (["->", "begin"], [".", "begin"]):
            for at in range(index, max(index - 16, 1), -1):
                if view.tokens[at].text == "insert" and view.tokens[at - 1].text in ("->", "."):
                    target = view.tokens[at - 2].text
                    if target != name:
                        return target
    return None


def _passed_as(view: SourceView, name: str, function: Scope) -> tuple[Scope | None, str | None]:
    """(the calling function, its list) where ``function`` is called with a list for its parameter ``name``."""
    own = function.name.rpartition("::")[2]
    opening = next((at for at in range(function.start, function.opening) if view.tokens[at].text == "("), -1)
    if opening < 0:
        return None, None
    parameters = [_variable(each) for each in view.brackets.arguments(opening)]
    if name not in parameters:
        return None, None
    position = parameters.index(name)
    for index, given in view.calls(own):
        declares = function.start <= index < function.opening
        if not declares and position < len(given) and not _is_declaration(given[position]):
            return view.file.outline.function_at(index), _variable(given[position])
    return None, None
