"""Flags and environment variables that the programs of a tree read when they run, found in their C++."""
