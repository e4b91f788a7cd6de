"""Macros: they loop, nest, look at the targets that are there, and compute with strings and lists."""

from __future__ import annotations

from collections.abc import Callable

from tests.generate.scope import Callee, Scope
from tests.generate.text import indented, string

Step = tuple[list[str], tuple[tuple[str, str], ...]]
"""Lines of a body, and the targets that they make: suffixes of the name, with families."""


def _loop(scope: Scope) -> Step:
    count = scope.draw.number(1, 3)
    what = scope.draw.one(('"%s_%d" % (name, i)', 'name + "_" + str(i)', '"{}_{}".format(name, i)'))
    lines = [f"for i in range({count}):", f"    native.filegroup(name = {what}, srcs = srcs[:i], tags = ['n%d' % i])"]
    return lines, tuple((f"_{each}", "files") for each in range(count))


def _generated(scope: Scope) -> Step:
    command = scope.draw.one(
        ('"touch $@"', '" && ".join(["touch " + o for o in ["$@"]])', '"cat " + " ".join([w for w in words]) + " > $@"')
    )
    lines = [
        "native.genrule(",
        '    name = name + "_gen",',
        '    outs = [name + ".gen.txt"],',
        f"    cmd = {command},",
        ")",
    ]
    return lines, (("_gen", "files"), (".gen.txt", "files"))


def _existing(scope: Scope) -> Step:
    what = scope.draw.one(("existing_rule", "existing_rules"))
    if what == "existing_rule":
        lines = [
            'old = native.existing_rule(name + "_gen")',
            "if old:",
            '    words = words + [old["kind"]] + sorted(old.keys())[:2]',
        ]
        return lines, ()
    lines = ["found = native.existing_rules()", "for key in sorted(found.keys()):"]
    lines += [f'    if found[key]["kind"] == "{scope.draw.one(("filegroup", "genrule", "cc_library"))}":']
    lines += ["        words = words + [key]"]
    return lines, ()


def _globbed(scope: Scope) -> Step:
    pattern = scope.draw.one(("*.txt", "**/*.h", "*", "s*/**"))
    lines = [f'files = native.glob(["{pattern}"], exclude = ["BUILD"])']
    lines += ['native.filegroup(name = name + "_globbed", srcs = reversed(sorted(files)), visibility = visibility)']
    return lines, (("_globbed", "files"),)


def _words(scope: Scope) -> Step:
    return [scope.draw.one(_EXPRESSIONS)], ()


def _chosen(scope: Scope) -> Step:
    conditions = scope.known(("condition",))
    if not conditions:
        return [], ()
    target = scope.draw.one(conditions)
    condition = string(scope.absolute(target))
    lines = ["choice = select({", f"    {condition}: srcs,", '    "//conditions:default": [],', "})"]
    data = scope.draw.one(("srcs + choice", "choice", "choice", "choice + []", "[] + choice"))
    lines += [f'native.filegroup(name = name + "_chosen", srcs = choice, data = {data})']
    return lines, (("_chosen", "files"),)


def _nested(scope: Scope) -> Step:
    known = [each for each in scope.callees if each.name.startswith("make")]
    if not known:
        return [], ()
    callee = scope.draw.one(known)
    name = callee.name if callee.file == scope.bzl else scope.use(callee)
    suffix = f"_{scope.draw.one('pqr')}"
    suffixes = tuple((suffix + each, family) for each, family in callee.suffixes)
    return [f'{name}(name = name + "{suffix}", srcs = srcs, words = words[1:])'], ((suffix, "files"), *suffixes)


_EXPRESSIONS = (
    'words = ["%s-%s" % (w, i) for i, w in enumerate(words)]',
    "words = sorted({w: True for w in words}.keys())",
    'words = [w.upper() if w.startswith("f") else w.replace("a", "o") for w in words]',
    'words = words + [native.package_name().replace("/", "_")]',
    "words = [a + b for a, b in zip(words, reversed(words))]",
    'words = [str(len(words)), ",".join(words), repr(words[:1])]',
    'words = words + [native.repository_name(), str(Label("//x:y")), type(words)]',
    'words = [w for w in words if w not in ("slow", "manual")] + ["%d" % hash("abc")]',
    "words = words + [k + str(v) for k, v in sorted(dict(a = 1, b = [2]).items())]",
    'words = words + list(depset(["d"] + words).to_list())',
    "words = words + [str(struct(x = 1, y = words[:1]))]",
    'words = words + "a:b:c".split(":") + list("a.b".partition("."))',
)
_BODIES: tuple[Callable[[Scope], Step], ...] = (
    _loop,
    _generated,
    _existing,
    _globbed,
    _words,
    _words,
    _words,
    _chosen,
    _nested,
)


def macro(scope: Scope, name: str) -> str:
    """A macro of some steps, each at most once; it always makes a file group with its own name."""
    draw = scope.draw
    steps = [step(scope) for step in draw.some(_BODIES, 4)]
    lines = [line for body, _ in steps for line in body]
    main = draw.one(("native.filegroup", "native.filegroup", "native.sh_library"))
    lines += [f"{main}(", "    name = name,", "    srcs = srcs,", "    tags = words,", "    visibility = visibility,"]
    lines += ["    **kwargs", ")"]
    suffixes = tuple(each for _, made in steps for each in made)
    parameters = (
        ("srcs", "labels:files"),
        ("words", "strings"),
        ("visibility", "visibility"),
        ("data", "?labels:files"),
    )
    doc = [string("Makes things.")] if draw.chance(30) else []
    default = draw.one(("[]", '["w"]'))
    head = f"def {name}(name, srcs = [], words = {default}, visibility = None, **kwargs):"
    text = f"{head}\n{indented([*doc, *lines])}"
    scope.callees.append(Callee(scope.bzl, name, "files", parameters, suffixes))
    return text
