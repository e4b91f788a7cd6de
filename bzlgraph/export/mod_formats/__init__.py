"""The forms of ``bazel mod``: trees as text, JSON and dot, extensions, repositories and their names."""
