"""Which function of a .bzl file a place lies in: the ``def`` above it that starts in the first column.

>>> enclosing_function("def a():\\n  x\\n\\ndef b(y):\\n  z\\n", 5)
'b'
>>> enclosing_function("x = 1\\n", 1)
''
"""

from __future__ import annotations

import re

_DEFINITION = re.compile(r"def\s+(\w+)\s*\(")


def enclosing_function(text: str, line: int) -> str:
    """The name of the function, "" at the top level."""
    for above in reversed(text.splitlines()[:line]):
        found = _DEFINITION.match(above)
        if found:
            return found[1]
        if above[:1].isalpha() and not above.startswith(("def", "else", "elif")):
            return ""
    return ""
