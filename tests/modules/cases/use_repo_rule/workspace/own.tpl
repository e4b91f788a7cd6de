filegroup(
    name = "%{NAME}",
    srcs = ["%{SRC}"],
    visibility = ["//visibility:public"],
)
