"""The commands about files by themselves: parse, starlark."""
