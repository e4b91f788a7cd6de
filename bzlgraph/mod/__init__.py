"""Questions about the modules of a workspace, those of ``bazel mod``: data in, answers as data, no printing."""
