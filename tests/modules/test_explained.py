"""What may differ from Bazel's answer must show in both answers."""

from __future__ import annotations

import pytest

from tests.modules.cases import Answer, Command
from tests.modules.explained import explained
from tests.modules.ours import differences

FETCH = ("ERROR: An error occurred during the fetch of repository '_main~_repo_rules~remote':",)
GAP = ("Incomplete: 1 unresolved input may hide edges: @remote//; bzlgraph doctor",)
TOP = "filegroup rule //:top"
UNLOADED = "unloaded target @remote//:x"


@pytest.mark.parametrize(
    ("theirs", "ours", "wrong"),
    [
        (Answer(3, (TOP,), FETCH), Answer(0, (TOP, UNLOADED), GAP), ""),
        (Answer(3, (TOP,), FETCH), Answer(0, (TOP, UNLOADED)), "has too many"),
        (Answer(3, (TOP,), FETCH), Answer(0, (TOP,)), "exit code 0"),
        (Answer(3, (TOP,), FETCH), Answer(0, (TOP, UNLOADED), (GAP[0].replace("@remote", "@other"),)), "has too many"),
        (Answer(3, (TOP,), FETCH), Answer(0, (TOP, "unloaded target @other//:x"), GAP), "has too many"),
        (Answer(3, (TOP,), FETCH), Answer(0, (UNLOADED,), GAP), "lacks"),
        (Answer(3, (TOP,)), Answer(0, (TOP, UNLOADED), GAP), "has too many"),
        (Answer(37, (), FETCH), Answer(0, (TOP,)), ""),
        (Answer(37, (), FETCH), Answer(0, ("filegroup rule @leaf//:leaf",)), "exit code 0"),
        (Answer(37, (), FETCH), Answer(7, (), GAP), ""),
    ],
)  # fmt: skip
def test_what_cannot_be_fetched_is_a_gap_of_that_repository(theirs: Answer, ours: Answer, wrong: str) -> None:
    assert any(wrong in each for each in differences(Command("query //..."), theirs, ours)) if wrong else True
    assert bool(differences(Command("query //..."), theirs, ours)) == bool(wrong)


@pytest.mark.parametrize(("told", "excused"), [("loads", True), ("other", False)])
def test_a_package_whose_load_fails_is_kept_where_it_is_told_to_be_broken(told: str, excused: bool) -> None:
    theirs = Answer(3, (), ("ERROR: error loading package 'loads': no such file",))
    ours = Answer(
        3,
        ("filegroup rule //loads:x", "filegroup rule //a:x"),
        (f"Incomplete: 1 unresolved input may hide edges: package //{told} is broken; bzlgraph doctor",),
    )
    assert explained(theirs, ours).lines == ({"filegroup rule //loads:x"} if excused else set())
