"""Labels: what a text means where it stands, what is refused, and that printing and parsing are inverse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.base.label import IdentityMapping, Label, LabelError, parse


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
    ],
)
def test_what_a_text_means(text: str, meant: Label) -> None:
    assert parse(text, "r", "p/q") == meant


@pytest.mark.parametrize(
    "text",
    [
        *":|//a:|a:b|//a:b:c|//a//b|///a|//a/:b|/a|a/|a//b|../a|a/./b|//a:..|//a/...|//a/...:b|//a/.:b|//..:b".split(
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
