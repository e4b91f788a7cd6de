"""Protocol buffer bytes: the cases that `bazel query --output=proto` has."""

from __future__ import annotations

import pytest

from tests.differential.facts import wire


def test_fields_in_any_order_and_repeated() -> None:
    data = bytes([0x12, 1]) + b"a" + bytes([0x08, 0x05, 0x12, 2]) + b"bc"
    fields = wire.decode(data)
    assert wire.texts(fields, 2) == ["a", "bc"]
    assert wire.text(fields, 2) == "bc"
    assert wire.number(fields, 1) == 5


def test_numbers_are_signed() -> None:
    minus_one = bytes([0x08]) + b"\xff" * 9 + b"\x01"
    assert wire.number(wire.decode(minus_one), 1) == -1
    assert wire.numbers(wire.decode(minus_one + bytes([0x08, 0x03])), 1) == [-1, 3]


def test_nested_and_absent() -> None:
    fields = wire.decode(bytes([0x0A, 0x02, 0x08, 0x07]))
    assert wire.number(wire.messages(fields, 1)[0], 1) == 7
    assert (wire.text(fields, 9), wire.number(fields, 9), wire.messages(fields, 9)) == ("", 0, [])


def test_fixed_width_fields_are_skipped() -> None:
    fields = wire.decode(bytes([0x0D, 1, 2, 3, 4, 0x11, *range(8), 0x18, 0x09]))
    assert wire.number(fields, 3) == 9


def test_an_unknown_wire_type_is_an_error() -> None:
    with pytest.raises(ValueError, match="wire type 3"):
        wire.decode(bytes([0x0B]))
