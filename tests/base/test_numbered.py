"""``Kinds`` and ``Flags`` do what the classes of ``enum`` do."""

from __future__ import annotations

import copy
import json
import pickle
from enum import IntEnum, IntFlag
from typing import Any

import pytest

from bzlgraph.base.numbered import Flags, Kinds


class PlainSize(IntEnum):
    """How large."""

    SMALL = 0
    LARGE = 4


class Size(Kinds):
    """How large."""

    SMALL = 0
    LARGE = 4


class PlainMark(IntFlag):
    """Of what kind."""

    OLD = 1
    WIDE = 2
    ODD = 4


class Mark(Flags):
    """Of what kind."""

    OLD = 1
    WIDE = 2
    ODD = 4


@pytest.mark.parametrize("kind", [PlainSize, Size])
def test_kinds(kind: Any) -> None:
    large = kind.LARGE
    assert kind(4) is kind["LARGE"] is large
    assert isinstance(large, kind)
    assert large == 4
    assert (large.name, large.value, type(large.value), int(large)) == ("LARGE", 4, int, 4)
    assert list(kind) == [0, 4]
    assert len(kind) == 2
    assert large in kind
    assert (str(large), f"{large}", json.dumps(large)) == ("4", "4", "4")
    assert repr(large) == f"<{kind.__name__}.LARGE: 4>"
    assert pickle.loads(pickle.dumps(large)) is copy.deepcopy(large) is large
    assert {kind.SMALL: "a"}[0] == "a"
    assert max(kind) is large
    with pytest.raises(ValueError, match="3 is not a valid"):
        kind(3)


@pytest.mark.parametrize("kind", [PlainMark, Mark])
def test_flags(kind: Any) -> None:
    both = kind.OLD | kind.ODD
    assert both == 5
    assert both is kind(5)
    assert isinstance(both, kind)
    assert both.name == "OLD|ODD"
    assert list(both) == [kind.OLD, kind.ODD]
    assert list(kind(0)) == []
    assert list(kind) == [1, 2, 4]
    assert kind.OLD in both
    assert kind.WIDE not in both
    assert kind(0) in both
    assert both & kind.ODD is kind.ODD
    assert both & 4 is 4 & both is kind.ODD
    assert not both & kind.WIDE
    assert both ^ kind.OLD is kind.ODD
    assert kind.OLD | 4 is 4 | kind.OLD is both
    assert ~kind.OLD == kind.WIDE | kind.ODD
    assert both & ~kind.OLD is kind.ODD
    assert repr(both) == f"<{kind.__name__}.OLD|ODD: 5>"
    assert repr(kind(0)) == f"<{kind.__name__}: 0>"
    assert str(both) == f"{both}" == "5"
    assert pickle.loads(pickle.dumps(both)) is both
