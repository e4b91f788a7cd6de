def failing(name):
    native.filegroup(name = name + "_first")
    fail("no: %s" % name)

_private = 1
