"""Labels: what a text means where it stands, what is refused, and that printing and parsing are inverse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.base.label import IdentityMapping, Label, LabelError, parse
from bzlgraph.base.names import repository_fault


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("x.cc", Label("r", "p/q", "x.cc")),
        (":x.cc", Label("r", "p/q", "x.cc")),
        ("sub/x.cc", Label("r", "p/q", "sub/x.cc")),
        ("//a", Label("r", "a", "a")),
        ("//a/b", Label("r", "a/b", "b")),
        ("//a/b:c/d.h", Label("r", "a/b", "c/d.h")),
        ("//:top", Label("r", "", "top")),
        ("@s", Label("s", "", "s")),
        ("@s//a", Label("s", "a", "a")),
        ("@s//:x", Label("s", "", "x")),
        ("@@s//a:x", Label("s", "a", "x")),
        ("@//a:x", Label("", "a", "x")),
        ("//visibility:public", Label("", "visibility", "public")),
        ("//conditions:default", Label("", "conditions", "default")),
        ("x y+z=1,(2)@3~.so", Label("r", "p/q", "x y+z=1,(2)@3~.so")),
        ("a/.", Label("r", "p/q", "a")),
        ("//a:b/c/.", Label("r", "a", "b/c")),
        ("//a:.", Label("r", "a", ".")),
    ],
)
def test_what_a_text_means(text: str, meant: Label) -> None:
    assert parse(text, "r", "p/q") == meant


@pytest.mark.parametrize(
    "text",
    [
        *":|//a:|a:b|//a:b:c|//a//b|///a|//a/:b|/a|a/|a//b|../a|a/./b|//a:..|//a/...|//a/...:b|./a/.|a/./.|//a/.:b|//..:b".split(
            "|"
        ),
        *"@r//...|@r:x|a\nb|a\\b||//a\\b:c|//é|@r/x|@a b//x|@r:x//y|@é//x|@@r,//x".split("|"),
    ],
)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(LabelError):
        parse(text, "", "p")


class Joined(IdentityMapping):
    """Every apparent name is one of the repository that it is written in."""

    def __call__(self, current: str, apparent: str, /) -> str:
        return f"{current}+{apparent}"


def test_apparent_names_are_mapped_and_canonical_ones_are_not() -> None:
    mapping = Joined()
    assert parse("@s//a", "r", "p", mapping).repo == "r+s"
    assert parse("@s", "r", "p", mapping) == Label("r+s", "", "s")
    assert parse("@@s//a", "r", "p", mapping).repo == "s"
    assert parse("//a", "r", "p", mapping).repo == "r"
    assert parse("@//a", "r", "p", mapping).repo == ""


SEGMENTS = st.text("abcXYZ019_-+. ", min_size=1, max_size=6).filter(lambda text: text.strip(". ") == text != "")
PATHS = st.lists(SEGMENTS, min_size=1, max_size=3).map("/".join)
LABELS = st.builds(Label, st.sampled_from(["", "swig", "rules_cc+0.1"]), PATHS | st.just(""), PATHS)


@given(LABELS)
def test_printing_and_parsing_are_inverse(label: Label) -> None:
    assert parse(str(label), "", "somewhere/else") == label
    assert parse(label.shorthand, "", "somewhere/else") == label


@given(LABELS)
def test_a_label_is_itself_in_its_own_package(label: Label) -> None:
    assert parse(f":{label.name}", label.repo, label.package) == label


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("//a:", "invalid target name '': empty target name"),
        ("//a:b:c", "invalid target name 'b:c': target names may not contain ':'"),
        ("a:b", "absolute label must begin with '@' or '//'"),
        ("//a:/b", "invalid target name '/b': target names may not start with '/'"),
        ("//a:b/", "invalid target name 'b/': target names may not end with '/'"),
        ("//a:b\tc", "invalid target name 'b\tc': target names may not contain non-printable characters: '\\x09'"),
        ("//a/", "invalid package name 'a/': package names may not end with '/' (perhaps you meant \":\"?)"),
        (
            "//a//b",
            "invalid package name 'a//b': package names may not contain '//' path separators (perhaps you meant",
        ),
        ("///a", "invalid package name '/a': package names may not start with '/' (perhaps you meant \":a\"?)"),
        ("//a/../b:c", "invalid package name 'a/../b': package name component contains only '.' characters"),
        ("//é:x", "invalid package name 'é': package names may contain A-Z, a-z, 0-9, or any of"),
        ("@a$//x", "invalid repository name 'a$': repo names may contain only A-Z, a-z, 0-9, '-', '_', '.' and '~'"),
        ("@..//x", "invalid repository name '..': repo names are not allowed to be '..'"),
        ("@@@a//x", "invalid repository name '@a': repo names may contain only"),
    ],
)
def test_what_is_wrong_is_said_as_bazel_7_says_it(text: str, reason: str) -> None:
    with pytest.raises(LabelError) as stop:
        parse(text, "", "p")
    assert str(stop.value).startswith(f"invalid label '{text}': {reason}")


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("@a.b-c_1", None),
        ("@a~b", "invalid repository name '@a~b': workspace names may contain only A-Z, a-z, 0-9, '-', '_' and '.'"),
        ("@a+b", "invalid repository name '@a+b': workspace names may contain only A-Z, a-z, 0-9, '-', '_' and '.'"),
        ("@@a", "invalid repository name '@@a': workspace names may contain only A-Z, a-z, 0-9, '-', '_' and '.'"),
        ("@..", "invalid repository name '@..': workspace names are not allowed to be '@..'"),
    ],
)
def test_before_modules_repositories_had_names_of_workspaces(written: str, fault: str | None) -> None:
    """As Bazel 0.19.1 and 4.2.3 say it."""
    assert repository_fault(written, "workspace") == fault
