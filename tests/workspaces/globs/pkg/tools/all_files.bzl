def all_files(name):
    # The package of the glob is the one of the BUILD file that calls the macro.
    native.filegroup(name = name, srcs = native.glob(["*.txt", "tools/*.bzl"]))
