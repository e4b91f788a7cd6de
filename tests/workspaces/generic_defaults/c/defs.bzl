def make(name):
    native.filegroup(name = name)
