"""Benchmarks: how fast, how much memory, against whom; `make bench`."""
