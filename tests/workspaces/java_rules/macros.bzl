"""Macros that make Java binaries."""

def two(name, **kwargs):
    """A binary with its library."""
    native.java_library(name = name + "_lib", srcs = ["B.java"])
    native.java_binary(name = name, main_class = "B", runtime_deps = [":" + name + "_lib"], **kwargs)
    for each in sorted(native.existing_rules()):
        native.filegroup(name = "seen_" + each, testonly = True, srcs = [])
