"""The form of the tables in ``bzlgraph/facts``: JSON with one entry a line, so that a change shows as what it is.

``table_text(value)`` -> text. A value that fits in a line stands on one; a longer one is spread, one item a line.
Rows of numbers stay together.

    python tools/table_text.py bzlgraph/facts/*.json    # rewrite tables in this form
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

WIDTH = 200


def main() -> None:
    """Rewrite the files that are named."""
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(table_text(json.loads(path.read_bytes())), encoding="utf-8")


def table_text(value: object) -> str:
    """The text of a whole file.

    >>> print(table_text({"versions": ["1.0", "2.0"], "rules": {"a": [0, 1]}}), end="")
    {"versions": ["1.0", "2.0"], "rules": {"a": [0, 1]}}
    """
    return _text(value, "") + "\n"


def _text(value: object, indent: str, key: str = "") -> str:
    plain = key + json.dumps(value, ensure_ascii=False)
    numbers = isinstance(value, list) and all(isinstance(item, int) for item in value)
    if numbers or not isinstance(value, list | dict) or len(indent) + len(plain) <= WIDTH:
        return indent + plain
    deeper = indent + " "
    if isinstance(value, dict):
        rows = [_text(item, deeper, f"{json.dumps(name, ensure_ascii=False)}: ") for name, item in value.items()]
        return f"{indent}{key}{{\n" + ",\n".join(rows) + f"\n{indent}}}"
    return f"{indent}{key}[\n" + ",\n".join(_text(item, deeper) for item in value) + f"\n{indent}]"


if __name__ == "__main__":
    main()
