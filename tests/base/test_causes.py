"""What is told of causes and shares."""

from __future__ import annotations

import pytest

from bzlgraph.base.causes import possible_note


@pytest.mark.parametrize(
    ("possible", "of", "share"),
    [(1, 4, "25.0%"), (6007, 6009, "more than 99.9%"), (1, 9000, "less than 0.1%"), (7, 7, "100%")],
)
def test_a_share_is_all_only_if_it_is(possible: int, of: int, share: str) -> None:
    assert f"of {of:,} targets ({share})" in possible_note(possible, of)
