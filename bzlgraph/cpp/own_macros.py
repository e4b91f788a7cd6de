"""Macros of a file that write what somebody looks for, expanded where the file calls them.

For questions about one file; ``invocations`` asks about a tree, with headers and conditions. A place in an expansion is
the place of the call.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from bzlgraph.cpp.brackets import Brackets
from bzlgraph.cpp.expand import Expander, ExpansionLimit, pieces
from bzlgraph.cpp.include_tree import in_force
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.tokens import Kind, Token

Lookup = Callable[[str], Macro | None]


def macros_writing(file: SourceFile, words: Collection[str]) -> dict[str, Macro]:
    """The file's function-like macros whose bodies hold one of the words, directly or through one another."""
    own = {name: macro for _, name, macro in file.defines if macro is not None and macro.parameters is not None}
    users: dict[str, list[str]] = {}
    writing: dict[str, Macro] = {}
    for name, macro in own.items():
        for text in {each.text for each in macro.tokens}:
            if text in own:
                users.setdefault(text, []).append(name)
            if text in words:
                writing[name] = macro
    waiting = list(writing)
    while waiting:
        for name in users.get(waiting.pop(), ()):
            if name not in writing:
                writing[name] = own[name]
                waiting.append(name)
    return writing


def expanded_call(call: Sequence[Token], lookup: Lookup) -> list[Token]:
    """What a call stands for, every token at the place of the call; the call itself when it is a macro bomb."""
    try:
        made = Expander(lookup).expand(pieces(call))
    except ExpansionLimit:
        return list(call)
    return [Token(each.kind, each.text, call[0].start) for each in made]


def with_own_macros(file: SourceFile, tokens: list[Token]) -> list[Token]:
    """Some tokens of a file with the calls of its function-like macros expanded, as each is defined at that place."""
    own = {name for _, name, macro in file.defines if macro is not None and macro.parameters is not None}
    if own.isdisjoint([token.text for token in tokens]):
        return tokens

    def lookup_of(index: int, _last: int) -> Lookup | None:
        start, name = tokens[index].start, tokens[index].text

        def lookup(each: str) -> Macro | None:
            macros = in_force(file, start, each, file.directives.condition(start)) if each in own else None
            return macros[-1] if macros else None

        return lookup if name in own and lookup(name) is not None else None

    return expand_calls(tokens, lookup_of)[0]


def expand_calls(
    tokens: list[Token], lookup_of: Callable[[int, int], Lookup | None]
) -> tuple[list[Token], Mapping[int, str]]:
    """Tokens with the calls expanded for which ``lookup_of(index of the name, index of its last bracket)`` gives a
    lookup; and the macro that wrote what stands at each offset."""
    brackets = Brackets(tokens)
    written: list[Token] = []
    macro_at: dict[int, str] = {}
    index = 0
    while index < len(tokens):
        token, end = tokens[index], index
        if token.kind == Kind.NAME and index + 1 < len(tokens) and tokens[index + 1].text == "(":
            last = brackets.end(index + 1, len(tokens))
            lookup = lookup_of(index, last)
            if lookup is not None:
                end = last
                written += expanded_call(tokens[index : last + 1], lookup)
                macro_at[token.start] = token.text
        if end == index:
            written.append(token)
        index = end + 1
    return written, macro_at
