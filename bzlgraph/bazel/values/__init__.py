"""Values that Starlark code of Bazel handles beside Starlark's own: labels, depsets, structs, selects."""
