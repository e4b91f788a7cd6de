def failing(name):
    native.filegroup(name = name + "_first")
    fail("no: %s" % name)
