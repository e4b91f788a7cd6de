"""The sizes of the code: every Python file under bzlgraph/, benchmarks/, tests/ and tools/ -> what is too long, too
short or too crowded, one line each, and exit code 1.

Checked everywhere: a module has at most 600 lines (400 are meant: CONTRIBUTING.md); a function has at most 40, its
docstring included. Checked in bzlgraph/, benchmarks/ and tools/: a folder holds at most 15 modules, and a module at
least 25 lines of code, since a smaller one belongs to the neighbour it serves. `__init__.py` is no module in this
sense. A line of code is one that holds more than a comment or (a part of) a docstring.

    python tools/check_lengths.py --report    the figures by package: modules, lines, comments, docstrings, uses of Any
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("bzlgraph", "benchmarks", "tests", "tools")
MEANT, LIMIT = 400, 600
FUNCTION = 40
MODULES = 15
LEAST = 25

LONG_FUNCTIONS = {
    "bzlgraph/syntax/parser.py: Parser._run",  # the parser's loop: calls would cost speed (see rule 1 there)
}
SHORT_MODULES = {
    "bzlgraph/base/errors.py",  # the tree of exceptions
    "bzlgraph/cache/counters.py",  # the numbers of --profile, which every layer above may add to
    "bzlgraph/base/record.py",  # named tuples for what is imported before typing may be
    "bzlgraph/base/resolved_label.py",  # labels for the same
    "bzlgraph/syntax/grammar.py",  # the one function that finds grammars/, used by two layers
    "tools/make_build_pb2.py",  # a tool of its own
    "tools/table_text.py",  # what the tools that record share
    # To be merged into a neighbour, one by one; nothing is added here.
    "bzlgraph/export/pictures/bundled_graphviz.py",
    "bzlgraph/export/row_formats/formats.py",
}
"""Modules that have to stand alone, each with its reason."""
_TOKENS_WITHOUT_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
_TOKENS_WITHOUT_CODE |= {tokenize.ENCODING, tokenize.ENDMARKER}


@dataclass(frozen=True)
class Module:
    """One Python file; `path` is relative to the repository."""

    path: Path
    text: str

    @cached_property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def tokens(self) -> list[tokenize.TokenInfo]:
        return list(tokenize.generate_tokens(io.StringIO(self.text).readline))

    @cached_property
    def docstrings(self) -> set[int]:
        """The numbers of the lines that belong to docstrings, those of attributes included."""
        texts = (node.value for node in ast.walk(self.tree) if isinstance(node, ast.Expr))
        strings = (value for value in texts if isinstance(value, ast.Constant) and isinstance(value.value, str))
        return {line for value in strings for line in range(value.lineno, (value.end_lineno or value.lineno) + 1)}

    @cached_property
    def code(self) -> int:
        """How many lines hold code."""
        held = (token for token in self.tokens if token.type not in _TOKENS_WITHOUT_CODE)
        return len({line for token in held for line in range(token.start[0], token.end[0] + 1)} - self.docstrings)

    @cached_property
    def comments(self) -> int:
        return sum(token.type == tokenize.COMMENT for token in self.tokens)

    @cached_property
    def uses_of_any(self) -> int:
        """How often the type `Any` is used; its import does not count."""
        return sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(self.tree))

    def functions(self) -> Iterator[tuple[str, int, int]]:
        """(qualified name, line, how many lines it has)"""
        todo: list[tuple[ast.AST, str]] = [(self.tree, "")]
        while todo:
            node, prefix = todo.pop()
            for child in ast.iter_child_nodes(node):
                name = prefix
                if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    name = f"{prefix}{child.name}."
                    if not isinstance(child, ast.ClassDef):
                        yield name[:-1], child.lineno, (child.end_lineno or child.lineno) - child.lineno + 1
                todo.append((child, name))


def modules() -> list[Module]:
    """Every Python file of the folders that are checked, by path."""
    paths = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return [Module(path.relative_to(ROOT), path.read_text(encoding="utf-8")) for path in paths]


def problems(found: Iterable[Module]) -> Iterator[str]:
    """What breaks a rule, as `path:line:column: error: ...`."""
    crowds: dict[Path, int] = defaultdict(int)
    short: set[str] = set()
    long: set[str] = set()
    for module in found:
        where = f"{module.path}:1:1: error:"
        if module.lines > LIMIT:
            yield f"{where} {module.lines} lines, over the limit of {LIMIT}: split it by question"
        for name, line, lines in module.functions():
            if lines > FUNCTION:
                long.add(f"{module.path.as_posix()}: {name}")
                if f"{module.path.as_posix()}: {name}" not in LONG_FUNCTIONS:
                    yield f"{module.path}:{line}:1: error: {name} has {lines} lines, over the limit of {FUNCTION}"
        if module.path.name == "__init__.py" or module.path.parts[0] == "tests":
            continue
        crowds[module.path.parent] += 1
        if module.code < LEAST:
            short.add(module.path.as_posix())
            if module.path.as_posix() not in SHORT_MODULES:
                yield f"{where} {module.code} lines of code, under {LEAST}: move it into the module that it serves"
    for folder, count in crowds.items():
        if count > MODULES:
            yield f"{folder}:1:1: error: {count} modules, over the limit of {MODULES}: make sub-packages"
    for name in sorted(SHORT_MODULES - short | LONG_FUNCTIONS - long):
        yield f"tools/check_lengths.py:1:1: error: {name} needs no exception any more: take it off the list"


def report(found: Iterable[Module]) -> Iterator[str]:
    """A table by package of bzlgraph/, the other folders in a line each, and the sum of bzlgraph/."""
    columns = ("modules", "lines", "code", "docstrings", "comments", "Any")
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for module in found:
        parts = module.path.parts
        package = "/".join(parts[:2]) if parts[0] == "bzlgraph" and len(parts) > 2 else parts[0]
        figures = (1, module.lines, module.code, len(module.docstrings), module.comments, module.uses_of_any)
        for name in (package, "bzlgraph in all") if parts[0] == "bzlgraph" else (package,):
            sums[name].update(dict(zip(columns, figures, strict=True)))
    yield f"{'':24}" + "".join(f"{column:>12}" for column in columns)
    for name in sorted(sums):
        yield f"{name:24}" + "".join(f"{sums[name][column]:>12,}" for column in columns)


def main(arguments: list[str]) -> int:
    """Prints what breaks a rule (or the report); 1 when there is any."""
    found = modules()
    if arguments == ["--report"]:
        print("\n".join(report(found)))
        return 0
    broken = list(problems(found))
    print("".join(f"{line}\n" for line in broken), end="")
    long = sum(MEANT < module.lines <= LIMIT for module in found)
    print(f"{len(found)} modules, {long} between {MEANT} and {LIMIT} lines, {len(broken)} problems of size")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
