"""bzl_library: .bzl files as a target."""

StarlarkLibraryInfo = provider(fields = ["srcs", "transitive_srcs"])

def _bzl_library(ctx):
    pass

bzl_library = rule(
    implementation = _bzl_library,
    attrs = {
        "srcs": attr.label_list(allow_files = [".bzl", ".scl"]),
        "deps": attr.label_list(allow_files = [".bzl", ".scl"]),
    },
)
