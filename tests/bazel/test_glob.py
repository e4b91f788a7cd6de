"""glob() against real Bazel's answers, and against a naive reference."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bzlgraph.bazel.package.glob import FolderTree, around_a_star, match_glob, path_expression, without
from bzlgraph.starlark.value import EvalError
from tests.bazel.memory_workspace import package, problems, rule

FILES = [
    ".h.txt", "BUILD", "a.txt", "b.txt", "c", "data/.hid/z.txt", "data/a.txt", "data/nested/c.txt",
    "data/nested/deeper/d.txt", "data/x.cc",
]  # fmt: skip
FOLDERS = ["data", "data/.hid", "data/nested", "data/nested/deeper", "e"]


def tree(files: Iterable[str] = FILES, folders: Iterable[str] = FOLDERS) -> FolderTree:
    class Listing:
        known = True

        def files(self) -> list[str]:
            return sorted(files)

        def directories(self) -> list[str]:
            return sorted(folders)

        def subpackages(self) -> list[str]:
            return []

        def loops(self) -> Sequence[tuple[str, str]]:
            return ()

        def repositories(self) -> list[str]:
            return []

        def exists(self, path: str) -> bool:
            return path in files

    return FolderTree.of(Listing())


# Include patterns and what Bazel 0.19.1 and 4.2.3 answered for the tree above.
ANSWERS: list[tuple[list[str], list[str], bool, list[str]]] = [
    (["**"], [], False, FILES),
    (["**"], [], True, sorted(FILES + FOLDERS)),
    (["data/**"], [], True, sorted([f for f in FILES + FOLDERS if f.startswith("data")])),
    (["data"], [], True, ["data"]),
    (["data"], [], False, []),
    (["**/*"], [], False, FILES),
    (["**/c.txt"], [], False, ["data/nested/c.txt"]),
    (["*/**"], [], False, [f for f in FILES if "/" in f]),
    (["data/**/**/c.txt"], [], False, ["data/nested/c.txt"]),
    (["c", "c", "b.txt", "absent"], [], False, ["b.txt", "c"]),
    (["*"], ["data"], False, [".h.txt", "BUILD", "a.txt", "b.txt", "c"]),
    (["*.txt"], [], False, ["a.txt", "b.txt"]),
    (["**"], ["data/**"], False, [".h.txt", "BUILD", "a.txt", "b.txt", "c"]),
    (["**"], ["*"], False, [f for f in FILES if "/" in f]),
    (["**"], [".*"], False, [f for f in FILES if f != ".h.txt"]),
    (["e/**"], [], True, ["e"]),
    (["data/*/z.txt"], [], False, ["data/.hid/z.txt"]),
    (["[ab].txt"], [], False, []),
    (["*b*t*"], [], False, ["b.txt"]),
    (["**/nested"], [], True, ["data/nested"]),
    (["**/deeper/**"], [], True, ["data/nested/deeper", "data/nested/deeper/d.txt"]),
]


@pytest.mark.parametrize(("include", "exclude", "directories", "expected"), ANSWERS)
def test_as_bazel(include: list[str], exclude: list[str], directories: bool, expected: list[str]) -> None:
    assert match_glob(tree(), include, exclude, directories) == expected


HIDDEN = [".h.txt", "a.txt", "d/.h.txt", "d/.x/y.txt", "d/k.txt"]


@pytest.mark.parametrize(
    ("pattern", "left_by_4", "left_by_0"),
    [
        ("**/*.txt", [], [".h.txt", "d/.h.txt"]),
        ("d/**/*.txt", [".h.txt", "a.txt"], [".h.txt", "a.txt", "d/.h.txt"]),
        ("d/*.txt", [".h.txt", "a.txt", "d/.h.txt", "d/.x/y.txt"], [".h.txt", "a.txt", "d/.h.txt", "d/.x/y.txt"]),
        ("**/*/*.txt", [".h.txt", "a.txt", "d/.h.txt"], [".h.txt", "a.txt", "d/.h.txt"]),
        ("**/*.*", [".h.txt", "d/.h.txt"], [".h.txt", "d/.h.txt"]),
        ("**/?.txt", [".h.txt", "d/.h.txt"], [".h.txt", "d/.h.txt"]),
        ("**/h*", HIDDEN, HIDDEN),
        ("*h*", HIDDEN, HIDDEN),
    ],
)
def test_hidden_files_and_exclude(pattern: str, left_by_4: list[str], left_by_0: list[str]) -> None:
    listing = tree(HIDDEN, ["d", "d/.x"])
    assert match_glob(listing, ["**"], [pattern], exclude_by_ending=True) == left_by_4
    assert match_glob(listing, ["**"], [pattern], exclude_by_ending=False) == left_by_0


ROUTES = ["(a)/b/x.ts", "(a)/x.ts", ".h(x)", ".hx", "a/x.ts", "foo (b)", "foo b", "foo(x).c", "foox.c"]


@pytest.mark.parametrize(
    ("pattern", "included", "excluded"),
    [
        ("(a)/*", ["(a)/x.ts"], ["a/x.ts"]),
        ("(a)/**", ["(a)/b/x.ts", "(a)/x.ts"], ["a/x.ts"]),
        ("**/(a)/*.ts", ["(a)/x.ts"], ["a/x.ts"]),
        ("(*)/x.ts", ["(a)/x.ts", "a/x.ts"], ["(a)/x.ts", "a/x.ts"]),
        ("(*/*.ts", ["(a)/x.ts"], ["(a)/x.ts"]),
        ("*)/*.ts", ["(a)/x.ts"], ["(a)/x.ts"]),
        ("foo*(b)", ["foo b"], ["foo b"]),
        ("foo(*", ["foo(x).c"], ["foo(x).c"]),
        ("(*).c", ["foo(x).c", "foox.c"], ["foo(x).c", "foox.c"]),
        ("*(x)*", ["foo(x).c", "foox.c"], ["foo(x).c", "foox.c"]),
        (".*(x)", [".hx"], [".hx"]),
        ("(.*x)", [], []),
        ("foo (b)", ["foo (b)"], ["foo (b)"]),
    ],
)
def test_parentheses(pattern: str, included: list[str], excluded: list[str]) -> None:
    """Bazel 2.1.0, 4.2.3 and 7.7.1."""
    listing = tree(ROUTES, ["(a)", "(a)/b", "a"])
    assert match_glob(listing, [pattern]) == included
    for by_ending in (False, True):
        left = match_glob(listing, ["**"], [pattern], exclude_by_ending=by_ending)
        assert sorted(set(ROUTES) - set(left)) == excluded


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("a/**/*/x.c", ["a/y.c", "aa", "x.c"]),
        ("**/*/x.c", ["a/y.c", "aa", "x.c"]),
        ("a**/*", ["x.c"]),
        ("aa**/*a", ["a/b/x.c", "a/x.c", "a/y.c", "x.c"]),
        ("/a/**/*", ["a/b/x.c", "a/x.c", "a/y.c", "aa", "x.c"]),
        ("**/*//x.c", ["a/b/x.c", "a/x.c", "a/y.c", "aa", "x.c"]),
    ],
)
def test_what_stands_around_two_stars_a_slash_and_a_star_in_exclude(pattern: str, left: list[str]) -> None:
    """Bazel 4.2.3 and 7.7.1."""
    assert match_glob(tree(["a/b/x.c", "a/x.c", "a/y.c", "aa", "x.c"], ["a", "a/b"]), ["**"], [pattern]) == left


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("a?", "wildcard ? forbidden"),
        ("", "pattern cannot be empty"),
        ("/a", "pattern cannot be absolute"),
        ("a//b", "empty segment not permitted"),
        ("a/../b", "segment '..' not permitted"),
        ("./a", "segment '.' not permitted"),
        ("a**", "recursive wildcard must be its own segment"),
    ],
)
def test_bad_patterns(pattern: str, words: str) -> None:
    with pytest.raises(EvalError, match=words.replace("?", r"\?").replace("..", r"\.\.")):
        match_glob(tree(), [pattern])


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("*/", "empty segment not permitted"),
        ("*//b", "empty segment not permitted"),
        ("/*", "pattern cannot be absolute"),
        ("./?", "segment '.' not permitted"),
        ("*/../x", "segment '..' not permitted"),
        ("a**", "recursive wildcard must be its own segment"),
    ],
)
def test_bad_patterns_in_exclude(pattern: str, words: str) -> None:
    with pytest.raises(EvalError) as refused:
        match_glob(tree(), ["*"], [pattern])
    assert refused.value.message == f"{words} (in glob pattern '{pattern}')"
    assert match_glob(tree(), ["a.txt"], [pattern.replace("*", "").replace("?", "")]) == ["a.txt"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('subpackages(["*"])', "subpackages() got unexpected positional argument"),
        ('subpackages(include = [""])', "pattern cannot be empty"),
        ('subpackages(include = ["a/"])', "empty segment not permitted"),
        ('subpackages(include = ["?"])', "wildcard ? forbidden"),
        ("subpackages()", "subpackages() missing 1 required named argument: include"),
        (
            'subpackages(include = ["a", "b"])',
            "subpackages pattern 'b' didn't match anything, but allow_empty is set to False (the default value)",
        ),
        (
            'subpackages(include = ["a"], exclude = ["a"])',
            "all subpackages in subpackages() have been excluded, but allow_empty is set to False",
        ),
        (
            'subpackages(include = ["*"], allow_empty = 1)',
            "in call to subpackages(), parameter 'allow_empty' got value of type 'int', want 'bool'",
        ),
    ],
)
def test_wrong_calls_of_subpackages(call: str, message: str) -> None:
    assert problems(package(f"--- BUILD\n{call}\n--- a/BUILD\n", version="7.7.1")) == [message]


@pytest.mark.parametrize("version", ["0.19.1", "7.7.1", "9.1.0"])
def test_a_name_that_begins_as_a_repository_does_is_a_label(version: str) -> None:
    """https://github.com/bazelbuild/bazel/issues/10606; all Bazels asked do so."""
    files = "--- x.txt\n--- @f.txt\n--- d/@x.txt\n"
    made = package(f"--- BUILD\nfilegroup(name = 's', srcs = glob(['**/*.txt']))\n{files}", version=version)
    assert [str(label) for label in rule(made, "s").get("srcs")] == ["//:@f.txt", "//:d/@x.txt", "//:x.txt"]


def test_empty_results() -> None:
    with pytest.raises(EvalError, match="glob pattern 'zz' didn't match anything"):
        match_glob(tree(), ["a.txt", "zz"], allow_empty=False)
    with pytest.raises(EvalError, match="have been excluded"):
        match_glob(tree(), ["a.txt"], ["a*"], allow_empty=False)


def naive(pattern: list[str], path: list[str]) -> bool:
    """Glob by its definition, one segment at a time."""
    if not pattern:
        return not path
    if pattern[0] == "**":
        return naive(pattern[1:], path) or (bool(path) and naive(pattern, path[1:]))
    return bool(path) and naive_segment(pattern[0], path[0]) and naive(pattern[1:], path[1:])


def naive_include(pattern: list[str], path: list[str]) -> bool:
    """A final ``**`` stands for what is below a folder that the rest matches."""
    if pattern[-1] != "**":
        return naive(pattern, path)
    return any(naive(pattern[:-1], path[:count]) for count in range(len(path)))


def naive_segment(pattern: str, name: str) -> bool:
    if pattern == "*":
        return True
    if name.startswith(".") and not pattern.startswith("."):
        return False
    return naive_chars(pattern, name)


def naive_chars(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(naive_chars(pattern[1:], name[at:]) for at in range(len(name) + 1))
    return name[:1] == pattern[0] and naive_chars(pattern[1:], name[1:])


NAMES = st.text("ab.", min_size=1, max_size=3).filter(lambda name: set(name) != {"."})
PATHS = st.lists(NAMES, min_size=1, max_size=4)
SEGMENTS = st.one_of(
    st.just("**"), st.text("ab.*", min_size=1, max_size=3).filter(lambda s: "**" not in s and set(s) != {"."})
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PATHS, max_size=12), st.lists(SEGMENTS, min_size=1, max_size=4))
def test_equals_a_naive_reference(paths: list[list[str]], pattern: list[str]) -> None:
    folders = {"/".join(path[:count]) for path in paths for count in range(1, len(path))}
    files = {"/".join(path) for path in paths} - folders
    expected = [path for path in sorted(files) if naive_include(pattern, path.split("/"))]
    assert match_glob(tree(files, folders), ["/".join(pattern)]) == expected
    left = without(files, ["/".join(pattern)], False)
    assert left == {path for path in files if not naive(pattern, path.split("/"))}


SCRAPS = st.text("ab./\n", max_size=4)


@settings(max_examples=500, deadline=None)
@given(
    st.text("ab./\n", max_size=4), st.text("ab./\n", max_size=4), st.lists(st.text("ab./\n", min_size=1), min_size=1)
)
def test_one_star_is_matched_as_its_expression(before: str, after: str, paths: list[str]) -> None:
    pattern = f"{before}*{after}"
    paths += [f"{before}{path}{after}" for path in paths] + [before + after]
    expression = re.compile(path_expression(pattern), re.DOTALL)
    matches = around_a_star(pattern)
    assert [path for path in paths if path and matches(path)] == [p for p in paths if p and expression.fullmatch(p)]
