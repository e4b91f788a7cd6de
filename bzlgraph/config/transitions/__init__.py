"""Transitions: a target in a configuration -> the configurations that its dependencies are built in."""
