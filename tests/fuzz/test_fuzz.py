"""The fuzzer itself, and a few inputs for every target."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random

import pytest

from tests.fuzz import run, targets
from tests.fuzz.__main__ import main
from tests.fuzz.run import fuzz, input_of
from tests.fuzz.starlark_programs import program
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_a_few_inputs_bring_out_nothing(name: str) -> None:
    figures = fuzz(name, seed=7, first=0, last=40)
    assert figures.inputs == 40
    assert figures.faults == []


def test_an_input_follows_from_its_number() -> None:
    assert input_of("build", 1, 5) == input_of("build", 1, 5)
    assert len({input_of("build", 1, number) for number in range(50)}) > 40
    assert program(1, 5) == program(1, 5) != program(1, 6)


def test_xml_may_refer_to_the_characters_that_bazels_version_of_xml_has() -> None:
    """A genrule whose ``cmd`` held U+0004 was called a fault: Bazel writes XML 1.1, lxml reads 1.0."""
    targets.well_formed("xml", b'<a value="cp &#4;&#31; &#9;"/>')
    for output, text in (("xml", b'<a value="&#0;"/>'), ("xml", b"<a>\x04</a>"), ("graphml", b"<a>&#4;</a>")):
        with pytest.raises(SyntaxError):
            targets.well_formed(output, text)


def _broken(data: bytes) -> object:
    if b"import" in data:
        raise KeyError("a bug")
    return len(data)


def _endless(_data: bytes) -> object:
    while True:
        pass


def _greedy(_data: bytes) -> object:
    return len(bytearray(1 << 31))


def _forgetful(_data: bytes) -> object:
    return time.perf_counter_ns()


@pytest.mark.parametrize(
    ("read", "what"),
    [
        (_endless, "more than"),
        (_greedy, "MemoryError"),
        (_forgetful, "another outcome"),
        (_broken, "KeyError: 'a bug'"),
    ],
)
def test_each_kind_of_fault_is_found(read: object, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    target = replace(TARGETS["rc"], read=read, files=("tests/fuzz/*.py",), words="")
    monkeypatch.setitem(TARGETS, "rc", target)
    monkeypatch.setattr(run, "SECONDS", 0.2)
    run.mutator_of.cache_clear()
    try:
        figures = fuzz("rc", seed=1, first=0, last=2 if what == "more than" else 100)
    finally:
        run.mutator_of.cache_clear()
    assert figures.inputs
    assert any(what in fault.what for fault in figures.faults)


def test_one_input_can_be_shown_again(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["rc", "--seed=1", "--only=3"]) == 0
    out, err = capsysbinary.readouterr()
    assert out.startswith(input_of("rc", 1, 3))
    assert b"---- re" in err


def test_mutations_keep_within_bounds() -> None:
    mutator = TARGETS["build"].mutator()
    assert max(len(mutator.draw(Random(number))) for number in range(300)) < 500_000
