"""Folders as boxes: folded until a budget holds, and opened again where much more was folded than was too much."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from bzlgraph.base.label import Label
from bzlgraph.export.overview.fold import Group, by_folder


def folded(packages: Iterable[str], budget: int) -> list[Group]:
    labels = [Label("", package, str(number)) for number, package in enumerate(packages)]
    groups = by_folder(range(len(labels)), labels, budget)
    assert sorted(member for group in groups for member in group.members) == list(range(len(labels)))
    return groups


CROWD = [f"crowd/p{at}" for at in range(100)]
"""More packages than a page has boxes."""
LARGE = [f"large/{folder}/p{at}" for folder in "abcd" for at in range(10) for _ in range(9)]
SMALL = [f"small/p{at}" for at in range(30)]


def test_the_largest_folders_are_opened_as_far_as_there_is_room() -> None:
    """For 50 boxes six folders are folded, the crowd last, which leaves six boxes. There is room for all that is in the
    large ones, but for neither the crowd nor the small ones."""
    names = [group.name for group in folded([*CROWD, *LARGE, *SMALL], 50)]
    assert sorted(name for name in names if "/large/" not in name) == ["//crowd/...", "//small/..."]
    assert len(names) == 2 + 40


@pytest.mark.parametrize("budget", [1, 2, 3, 5, 10, 20, 40, 60, 90, 200, 500])
def test_the_budget_holds(budget: int) -> None:
    assert len(folded([*CROWD, *LARGE, *SMALL, "", "alone"], budget)) <= budget


def test_a_folder_with_more_than_a_page_has_room_for_gives_up_its_largest_parts() -> None:
    """Many projects have most of their packages in one folder, ``//src/...``: one box for it would say nothing."""
    packages = [f"src/p{at:02}" for at in range(90) for _ in range(at)]
    names = [group.name for group in folded([*packages, *CROWD], 60)]
    assert names == ["//crowd/...", "34 others in //src", *(f"//src/p{at}" for at in range(35, 90))]
    assert [group.name for group in folded(CROWD, 40)] == ["//crowd/..."]  # none of these is larger than others


def test_a_page_that_is_half_full_stays_as_it_is() -> None:
    """Fifty packages fit in 60 boxes; 30 + 25 would, but the smaller folder is folded for 54, and stays so."""
    packages = [f"a/p{at}" for at in range(30)] + [f"b/p{at}" for at in range(25)]
    assert len(folded(packages, 60)) == 55
    assert [group.name for group in folded(packages, 54) if len(group.members) > 1] == ["//b/..."]
