def group(name, srcs = [], **kwargs):
    native.filegroup(name = name, srcs = srcs, **kwargs)

def suffixed(name):
    native.filegroup(name = name + "_2")

SIZE = "small"
