"""The answer of ``bzlgraph diff-config``: text for people, rows for programs, a picture in red and green."""
