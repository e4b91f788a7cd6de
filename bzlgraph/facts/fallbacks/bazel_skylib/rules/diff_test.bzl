"""diff_test: a test that two files are alike."""

def _impl(ctx):
    pass

_diff_test = rule(
    implementation = _impl,
    attrs = {
        "failure_message": attr.string(),
        "file1": attr.label(allow_single_file = True, mandatory = True),
        "file2": attr.label(allow_single_file = True, mandatory = True),
        "is_windows": attr.bool(mandatory = True),
    },
    test = True,
)

def diff_test(name, file1, file2, failure_message = None, **kwargs):
    """A test of file1 and file2."""
    windows = {"@bazel_tools//src/conditions:host_windows": True, "//conditions:default": False}
    _diff_test(
        name = name,
        file1 = file1,
        file2 = file2,
        failure_message = failure_message,
        is_windows = select(windows),
        **kwargs
    )
