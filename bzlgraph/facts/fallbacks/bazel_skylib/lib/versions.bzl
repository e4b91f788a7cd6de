"""Versions of Bazel: comparing and requiring them."""

def _numbers(version):
    plain = version.split(" ")[0].split("-")[0].split("rc")[0]
    result = []
    for part in plain.split("."):
        result.append(int(part) if part.isdigit() else 0)
    return tuple(result)

def _get():
    return native.bazel_version

def _is_at_most(threshold, version):
    return _numbers(version) <= _numbers(threshold)

def _is_at_least(threshold, version):
    return _numbers(version) >= _numbers(threshold)

def _check(minimum_bazel_version, maximum_bazel_version = None, bazel_version = None):
    # Reading a tree with another Bazel in mind is no reason to stop.
    pass

versions = struct(
    get = _get,
    parse = _numbers,
    check = _check,
    is_at_most = _is_at_most,
    is_at_least = _is_at_least,
)
