# Mirrors third_party/gpus/cuda/build_defs.bzl.tpl: becomes @local_config_cuda//cuda:build_defs.bzl.

def if_cuda(if_true, if_false = []):
    return select({
        "@local_config_cuda//cuda:using_nvcc": if_true,
        "@local_config_cuda//cuda:using_clang": if_true,
        "//conditions:default": if_false,
    })

def cuda_default_copts():
    return if_cuda(["-x", "cuda", "-DGOOGLE_CUDA=1"] + %{cuda_extra_copts})

def cuda_is_configured():
    return %{cuda_is_configured}

def if_cuda_is_configured(x):
    if cuda_is_configured():
        return x
    return []
