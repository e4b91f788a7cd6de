"""Protocol buffer bytes -> field numbers and values: just enough to read what `bazel query --output=proto` writes.

    >>> decode(bytes([0x08, 0x96, 0x01, 0x12, 0x02, 0x68, 0x69]))
    {1: [150], 2: [b'hi']}

Rules: https://protobuf.dev/programming-guides/encoding/. Unknown fields are kept, so nothing is lost silently.
"""

from __future__ import annotations

Fields = dict[int, list["int | bytes"]]

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def decode(data: bytes) -> Fields:
    """One message: field number -> its values in order; nested messages stay bytes."""
    fields: Fields = {}
    position, end = 0, len(data)
    while position < end:
        key, position = _varint(data, position)
        wire_type = key & 7
        if wire_type == _VARINT:
            value, position = _varint(data, position)
            fields.setdefault(key >> 3, []).append(value)
            continue
        if wire_type == _BYTES:
            size, position = _varint(data, position)
        elif wire_type in (_FIXED64, _FIXED32):
            size = 8 if wire_type == _FIXED64 else 4
        else:
            raise ValueError(f"wire type {wire_type} at byte {position}")
        fields.setdefault(key >> 3, []).append(data[position : position + size])
        position += size
    return fields


def _varint(data: bytes, position: int) -> tuple[int, int]:
    result = shift = 0
    while True:
        byte = data[position]
        position += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            return result, position
        shift += 7


def text(fields: Fields, number: int) -> str:
    """The (last) string value of a field, or the empty string."""
    values = fields.get(number)
    return values[-1].decode("utf-8", "replace") if values and isinstance(values[-1], bytes) else ""


def texts(fields: Fields, number: int) -> list[str]:
    """All string values of a repeated field."""
    return [value.decode("utf-8", "replace") for value in fields.get(number, ()) if isinstance(value, bytes)]


def number(fields: Fields, field: int) -> int:
    """The (last) integer value of a field, as a signed 32-bit number; 0 when absent."""
    return next(reversed(numbers(fields, field)), 0)


def numbers(fields: Fields, field: int) -> list[int]:
    """All integer values of a repeated field, as signed 32-bit numbers."""
    return [_signed(value) for value in fields.get(field, ()) if isinstance(value, int)]


def _signed(value: int) -> int:
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def messages(fields: Fields, number: int) -> list[Fields]:
    """All nested messages of a repeated field, decoded."""
    return [decode(value) for value in fields.get(number, ()) if isinstance(value, bytes)]
