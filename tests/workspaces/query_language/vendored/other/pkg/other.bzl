def thing(name):
    native.cc_library(
        name = name,
        srcs = ["thing.cc"],
        visibility = ["//visibility:public"],
    )
