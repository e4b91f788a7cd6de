"""Words of rc files."""

from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.base.span import Location
from bzlgraph.config.rc_tokens import RcToken, quote, rc_lines

WORD = st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"]), min_size=1)


def words(text: str) -> list[list[str]]:
    return [[word.text for word in line] for line in rc_lines(text, "rc")]


@given(st.lists(st.lists(WORD, min_size=1), min_size=1))
def test_quoted_words_come_back(lines: list[list[str]]) -> None:
    text = "\n".join("build " + " ".join(map(quote, line)) for line in lines)
    assert words(text) == [["build", *line] for line in lines]


@given(st.lists(WORD, min_size=1), st.integers(0, 3))
def test_a_continued_line_is_one_line(line: list[str], at: int) -> None:
    cut = min(at, len(line))
    text = " ".join(map(quote, line[:cut])) + " \\\n " + " ".join(map(quote, line[cut:]))
    assert words(f"build {text}") == [["build", *line]]


@given(st.text())
def test_no_text_is_an_error_and_every_word_has_its_place(text: str) -> None:
    lines = text.split("\n")
    for line in rc_lines(text, "rc"):
        for word in line:
            assert word.text
            _, line_number, column = word.location
            assert 1 <= line_number <= len(lines)
            assert 1 <= column <= len(lines[line_number - 1])


def test_places_are_those_of_the_file_behind_a_continuation() -> None:
    (line,) = rc_lines("build --a \\\n  --b\\\n=c \\\r\n --d", "rc")
    assert line == [
        RcToken("build", Location("rc", 1, 1)),
        RcToken("--a", Location("rc", 1, 7)),
        RcToken("--b=c", Location("rc", 2, 3)),
        RcToken("--d", Location("rc", 4, 2)),
    ]


def test_a_comment_takes_the_continued_line_with_it() -> None:
    assert words("# all \\\nbuild --a\nbuild --b # x\nbuild --c#d --e") == [["build", "--b"], ["build", "--c"]]


def test_quotes_backslashes_and_what_is_unfinished() -> None:
    assert words(r"""build a"b c"d 'e\'f' "g\"h" \#i "j""") == [["build", "ab cd", "e'f", 'g"h', "#i", "j"]]
    assert words("build '' x\\") == [["build", "x"]]
