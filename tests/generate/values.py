"""Values of attributes, by kind: expressions of plain values, of globs and of select() in every form."""

from __future__ import annotations

from collections.abc import Callable

from tests.generate.scope import WORDS, Scope
from tests.generate.text import call, dictionary, listed, string, strings

_PATTERNS = ("*", "*.txt", "**/*.txt", "*.c*", "**", "sub/**", "*/*", "d*/*.txt", "a*", "**/deep/*", "nothing*")
_COMMANDS = (
    "touch $@",
    "cp $< $@",
    "cat $(SRCS) > $@",
    "echo $$HOME > $(location x)",
    "for i in $(SRCS); do :; done",
    "$(CC) -c $<",
)


def value(scope: Scope, kind: str) -> str:
    """An expression of a kind: `labels:cc,any` are labels of those families, `?` in front says that select() may be."""
    if kind.startswith("?"):
        return configurable(scope, kind[1:])
    kind, _, families = kind.partition(":")
    return _PLAIN[kind](scope, tuple(families.split(",")))


def configurable(scope: Scope, kind: str) -> str:
    """A value that select() may be part of."""
    draw, conditions = scope.draw, scope.known(("condition",))
    scope.picked = set()
    if not conditions or draw.chance(55):
        return value(scope, kind)
    name, _, families = kind.partition(":")
    if name == "label" and not scope.known(families.split(",")):
        return "None"
    if name not in ADDABLE or (name in ("dictionary", "lists") and not scope.since(5)):
        return _select(scope, kind)
    makers = draw.one(_SUMS)
    parts, taken = [], scope.taken
    for make in makers:
        scope.taken = scope.taken | scope.picked if len(makers) > 1 else taken
        parts.append(make(scope, kind))
    scope.taken = taken
    return (" | " if name in ("dictionary", "lists") else " + ").join(parts)


def _select(scope: Scope, kind: str) -> str:
    draw = scope.draw
    chosen = draw.some(scope.known(("condition",)), 3)
    labels = [scope.label(each)[1:-1] for each in chosen]
    branches = {label: value(scope, kind) for label in labels}
    if len(branches) > 1 and draw.chance(15):
        branches[draw.one(labels[1:])] = "None"
    if not branches or draw.chance(85):
        branches["//conditions:default"] = value(scope, kind)
    error = string("nothing fits: choose a mode") if draw.chance(15) else ""
    return call("select", dictionary(branches), no_match_error=error)


_SUMS: tuple[tuple[Callable[[Scope, str], str], ...], ...] = (
    (_select,),
    (value, _select),
    (_select, value),
    (_select, _select),
    (value, _select, _select, value),
)
"""What is added up."""


def _label(scope: Scope, families: tuple[str, ...]) -> str:
    known = scope.known(families)
    return scope.label(scope.draw.one(known)) if known else "None"


def _labels(scope: Scope, families: tuple[str, ...]) -> str:
    chosen = scope.draw.some([each for each in scope.known(families) if each not in scope.taken], 3)
    scope.picked |= set(chosen)
    return listed(map(scope.label, chosen))


def _files(scope: Scope, families: tuple[str, ...]) -> str:
    """Files of the package: named, matched, both."""
    draw = scope.draw
    endings = tuple(each for each in families if each)
    here = [each for each in scope.package.files if not endings or each.endswith(endings)]
    left = [each for each in here if each not in scope.taken]
    if draw.chance(50) or scope.taken:
        chosen = draw.some(left, 3)
        scope.picked |= set(chosen)
        return strings(chosen)
    scope.picked |= set(here)
    return _comprehended(scope, glob(scope, endings))


def _comprehended(scope: Scope, expression: str) -> str:
    if scope.draw.chance(80):
        return expression
    condition = scope.draw.one(('not f.startswith("a")', 'f != "BUILD"', "len(f) % 2 == 0"))
    return f"[f for f in {expression} if {condition}]"


def glob(scope: Scope, endings: tuple[str, ...] = ()) -> str:
    """A call of glob()."""
    draw = scope.draw
    patterns = [f"{draw.one(('*', '**/*', 's*/*'))}{ending}" for ending in endings] or _PATTERNS
    included = draw.some(patterns, 3) or [draw.one(patterns)]
    excluded = draw.some((*_PATTERNS[1:], "BUILD", "**/BUILD*"), 2) if draw.chance(40) else []
    arguments = {
        "exclude": strings(excluded) if excluded else "",
        "exclude_directories": draw.one(("0", "1")) if draw.chance(20) and not endings else "",
        "allow_empty": "True" if scope.since(2) and draw.chance(30) else "",
    }
    return call("glob", strings(included), **arguments)


def _strings(scope: Scope, _: tuple[str, ...]) -> str:
    return strings(scope.draw.some(WORDS, 3))


def _dictionary(make: Callable[[Scope, tuple[str, ...]], str]) -> Callable[[Scope, tuple[str, ...]], str]:
    def made(scope: Scope, families: tuple[str, ...]) -> str:
        return dictionary({key: make(scope, families) for key in scope.draw.some(WORDS, 3)})

    return made


def _labels_with_strings(scope: Scope, families: tuple[str, ...]) -> str:
    chosen = scope.draw.some(scope.known(families), 3)
    return dictionary({scope.label(each)[1:-1]: string(scope.draw.one(WORDS)) for each in chosen})


def _string(scope: Scope, _: tuple[str, ...]) -> str:
    return string(scope.draw.one(WORDS))


def _visibility(scope: Scope, _: tuple[str, ...]) -> str:
    draw = scope.draw
    groups = [scope.label(each) for each in draw.some(scope.known(("group",)), 2)]
    packages = [
        string(f"//{scope.path(each.path)}:{draw.one(('__pkg__', '__subpackages__'))}")
        for each in draw.some([each for each in scope.packages if scope.path(each.path)], 2)
    ]
    if draw.chance(40) or not (groups or packages):
        return strings([draw.one(("//visibility:public", "//visibility:private"))])
    return listed([*groups, *packages])


_PLAIN: dict[str, Callable[[Scope, tuple[str, ...]], str]] = {
    "label": _label,
    "labels": _labels,
    "files": _files,
    "strings": _strings,
    "string": _string,
    "number": lambda scope, _: str(scope.draw.number(-2, 70)),
    "numbers": lambda scope, _: listed(map(str, scope.draw.several(lambda: scope.draw.number(-9, 9), 0, 3))),
    "shards": lambda scope, _: str(scope.draw.number(2, 9)),
    "flag": lambda scope, _: scope.draw.one(("True", "False", "1", "0")),
    "tristate": lambda scope, _: scope.draw.one(("-1", "0", "1")),
    "command": lambda scope, _: string(scope.draw.one(_COMMANDS)),
    "dictionary": _dictionary(_string),
    "lists": _dictionary(_strings),
    "labelled": _labels_with_strings,
    "visibility": _visibility,
    "one": lambda scope, words: string(scope.draw.one(words)),
    "exactly": lambda _, words: strings(words),
}
ADDABLE = ("labels", "files", "strings", "numbers", "string", "command", "dictionary", "lists")
