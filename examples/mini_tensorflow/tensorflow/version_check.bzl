# Mirrors tensorflow/version_check.bzl: refuse a Bazel that is too old. A macro with real string work in it.

def _parse_bazel_version(bazel_version):
    """"0.15.0rc2 (abc)" -> (0, 15, 0)."""
    version = bazel_version.split(" ", 1)[0]
    numbers = []
    for part in version.split("."):
        digits = ""
        for i in range(len(part)):
            if not part[i].isdigit():
                break
            digits += part[i]
        numbers.append(int(digits) if digits else 0)
    return tuple(numbers)

def check_bazel_version_at_least(minimum):
    """Fails in Bazels older than `minimum`; does nothing where the version is not known (a build from head)."""
    if "bazel_version" not in dir(native) or not native.bazel_version:
        return
    if _parse_bazel_version(native.bazel_version) < _parse_bazel_version(minimum):
        fail("Bazel %s is too old: %s or newer is needed" % (native.bazel_version, minimum))
