"""Calls of a frozen dictionary's mutators that would not change it: allowed before Bazel 5."""

_FROZEN = {"a": "there"}

def looked_up(name, options = {}):
    native.filegroup(
        name = name,
        tags = [
            _FROZEN.setdefault("a", "not there"),
            options.pop("tag", "default"),
        ],
    )
