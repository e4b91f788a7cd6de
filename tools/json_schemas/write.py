"""Writes ``docs/schemas``: a JSON Schema (draft 2020-12) for each JSON answer, from ``shapes.py`` beside.

``python -m tools.json_schemas.write`` after a change of shapes; tests/cli/test_formats.py validates all answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tools.json_schemas.shapes import PARTS, SHAPES, Object, Shape

FOLDER = Path(__file__).parents[2] / "docs" / "schemas"
_SIMPLE: dict[str, dict[str, object]] = {
    "s": {"type": "string"},
    "i": {"type": "integer"},
    "b": {"type": "boolean"},
    "any": {},
    "where": {"anyOf": [{"$ref": "#/$defs/place"}, {"type": "string"}, {"type": "null"}]},
}


def schema_of(name: str) -> dict[str, object]:
    """The JSON Schema of the answers whose ``schema`` is ``bzlgraph.NAME``."""
    used: dict[str, object] = {}
    properties, required = _keys(SHAPES[name], used)
    document: dict[str, object] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"bzlgraph.{name}",
        "type": "object",
        "properties": {"schema": {"const": f"bzlgraph.{name}"}, **properties},
        "required": ["schema", *(each for each in required if each != "schema")],
    }
    return {**document, "$defs": dict(sorted(used.items()))} if used else document


def path_of(name: str) -> Path:
    """The file of a schema: ``why-1.json``."""
    return FOLDER / f"{name.replace('/', '-')}.json"


def text_of(name: str) -> str:
    """The content of its file."""
    return json.dumps(schema_of(name), indent=1) + "\n"


def _schema(shape: Shape, used: dict[str, object]) -> dict[str, object]:
    if isinstance(shape, dict):
        properties, required = _keys(shape, used)
        return {"type": "object", "properties": properties, "required": required}
    if isinstance(shape, list):
        return {"type": "array", "items": _schema(shape[0], used)}
    if shape.endswith("?"):
        return {"anyOf": [_schema(shape[:-1], used), {"type": "null"}]}
    if shape == "where":
        _define("place", used)
    if shape in _SIMPLE:
        return _SIMPLE[shape]
    _define(shape, used)
    return {"$ref": f"#/$defs/{shape}"}


def _keys(shape: Object, used: dict[str, object]) -> tuple[dict[str, object], list[str]]:
    """What an object holds, and which of its keys never miss."""
    properties: dict[str, object] = {key.removeprefix("~"): _schema(inner, used) for key, inner in shape.items()}
    return properties, [key for key in shape if not key.startswith("~")]


def _define(part: str, used: dict[str, object]) -> None:
    if part not in used:
        used[part] = {}  # a part may hold itself
        used[part] = _schema(PARTS[part], used)


def main() -> None:
    """Write all files, and remove those of schemas that are gone."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for name in SHAPES:
        path_of(name).write_text(text_of(name), encoding="utf-8")
    (FOLDER / "README.md").write_text("\n".join(_readme()) + "\n", encoding="utf-8")


def _readme() -> Iterator[str]:
    yield "# Schemas of the JSON answers"
    yield "A JSON Schema (draft 2020-12) for each value of `schema`. The number increases if a change would break"
    yield "readers; new keys do not increase it. Written by `python -m tools.json_schemas.write`; a test validates the"
    yield "answers of every command. `mod` without `--reasons` prints what Bazel prints, which has no `schema`."
    yield "\n| schema | file |\n|---|---|"
    yield from (f"| `bzlgraph.{name}` | [{path_of(name).name}]({path_of(name).name}) |" for name in SHAPES)


if __name__ == "__main__":
    main()
