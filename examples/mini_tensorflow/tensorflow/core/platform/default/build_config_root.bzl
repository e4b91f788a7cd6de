# Mirrors tensorflow/core/platform/default/build_config_root.bzl: lower than build_config.bzl, to break a load cycle.
# It lies in a subdirectory that is no package of its own: //tensorflow/core:platform/default/build_config_root.bzl.

def tf_cuda_tests_tags():
    return ["requires-gpu", "local", "gpu"]

def tf_additional_verbs_deps():
    return select({
        "//tensorflow:with_verbs_support": ["//tensorflow/contrib/verbs:verbs_server_lib"],
        "//conditions:default": [],
    })

# Whether ops are registered in libtensorflow_framework.so (the default) or linked into each binary.
def if_static(extra_deps, otherwise = []):
    return select({
        str(Label("//tensorflow:framework_shared_object")): otherwise,
        "//conditions:default": extra_deps,
    })

def if_dynamic_kernels(extra_deps, otherwise = []):
    return otherwise
