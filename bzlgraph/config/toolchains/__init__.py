"""Toolchain resolution: a rule in a configuration -> the toolchains it gets, and why those."""
