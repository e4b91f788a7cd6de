# Mirrors third_party/gpus/cuda/BUILD.tpl: becomes @local_config_cuda//cuda:BUILD.
licenses(["restricted"])

package(default_visibility = ["//visibility:public"])

config_setting(
    name = "using_nvcc",
    values = {"define": "using_cuda_nvcc=true"},
)

config_setting(
    name = "using_clang",
    values = {"define": "using_cuda_clang=true"},
)

config_setting(
    name = "darwin",
    values = {"cpu": "darwin"},
)

cc_library(
    name = "cuda_headers",
    hdrs = ["cuda/cuda_config.h"],
    includes = [".", "cuda/include"],
)

cc_library(
    name = "cudart",
    srcs = ["cuda/lib/libcudart.so"],
    linkstatic = 1,
)

cc_library(
    name = "cudnn",
    srcs = ["cuda/lib/libcudnn.so"],
    linkstatic = 1,
)

cc_library(
    name = "cuda",
    deps = [
        ":cuda_headers",
        ":cudart",
        ":cudnn",
    ],
)
