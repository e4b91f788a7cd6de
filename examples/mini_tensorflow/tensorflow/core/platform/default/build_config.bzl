# Mirrors tensorflow/core/platform/default/build_config.bzl: what the open-source build adds to the internal one.

load("@local_config_cuda//cuda:build_defs.bzl", "if_cuda")
load("//tensorflow/core:platform/default/build_config_root.bzl", "if_static")
load("//third_party/mkl:build_defs.bzl", "if_mkl_ml")

def _proto_gen_impl(ctx):
    outs = ctx.outputs.outs
    ctx.actions.run(
        inputs = ctx.files.srcs,
        outputs = outs,
        executable = ctx.executable._protoc,
        arguments = ["--%s_out=%s" % (ctx.attr.language, ctx.genfiles_dir.path)] + [f.path for f in ctx.files.srcs],
    )

# One .proto -> the sources of one language. The compiler is a default that no BUILD file mentions, just like swig.
_proto_gen = rule(
    implementation = _proto_gen_impl,
    attrs = {
        "language": attr.string(values = ["cpp", "python"]),
        "outs": attr.output_list(),
        "srcs": attr.label_list(allow_files = [".proto"]),
        "_protoc": attr.label(
            default = Label("@protobuf_archive//:protoc"),
            executable = True,
            cfg = "host",
        ),
    },
    output_to_genfiles = True,
)

def _stems(srcs):
    return [src[:-len(".proto")] for src in srcs]

def tf_proto_library_cc(name, srcs, cc_deps = [], visibility = None, **kwargs):
    _proto_gen(
        name = name + "_cc_genproto",
        srcs = srcs,
        outs = [stem + ".pb.cc" for stem in _stems(srcs)] + [stem + ".pb.h" for stem in _stems(srcs)],
        language = "cpp",
    )
    native.cc_library(
        name = name + "_cc",
        srcs = [stem + ".pb.cc" for stem in _stems(srcs)],
        hdrs = [stem + ".pb.h" for stem in _stems(srcs)],
        deps = cc_deps + if_static(
            extra_deps = ["@protobuf_archive//:protobuf"],
            otherwise = ["@protobuf_archive//:protobuf_headers"],
        ),
        visibility = visibility,
        **kwargs
    )

def tf_proto_library_py(name, srcs, py_deps = [], visibility = None, **kwargs):
    _proto_gen(
        name = name + "_py_genproto",
        srcs = srcs,
        outs = [stem + "_pb2.py" for stem in _stems(srcs)],
        language = "python",
    )
    native.py_library(
        name = name + "_py",
        srcs = [stem + "_pb2.py" for stem in _stems(srcs)],
        srcs_version = "PY2AND3",
        deps = py_deps + ["@protobuf_archive//:protobuf_python"],
        visibility = visibility,
        **kwargs
    )

def tf_proto_library(name, srcs, protodeps = [], visibility = None, **kwargs):
    """Both languages: `name`_cc and `name`_py, and the .proto files themselves under `name`."""
    native.filegroup(name = name, srcs = srcs, visibility = visibility)
    tf_proto_library_cc(
        name = name,
        srcs = srcs,
        cc_deps = [dep + "_cc" for dep in protodeps],
        visibility = visibility,
        **kwargs
    )
    tf_proto_library_py(
        name = name,
        srcs = srcs,
        py_deps = [dep + "_py" for dep in protodeps],
        visibility = visibility,
        **kwargs
    )

def tf_additional_lib_hdrs():
    return native.glob(["platform/default/*.h", "platform/posix/*.h"]) + select({
        "//tensorflow:windows": native.glob(["platform/windows/*.h"]),
        "//conditions:default": [],
    })

def tf_additional_lib_srcs():
    return native.glob(["platform/default/*.cc", "platform/posix/*.cc"])

def tf_additional_lib_deps():
    return [
        "@com_google_absl//absl/base:base",
        "@nsync//:nsync_cpp",
    ] + if_static(["@farmhash_archive//:farmhash"]) + select({
        "//tensorflow:with_jemalloc_linux_x86_64": ["@jemalloc//:jemalloc_impl"],
        "//conditions:default": [],
    })

def tf_additional_core_deps():
    return select({
        "//tensorflow:windows": [],
        "//tensorflow:with_gcp_support": ["//tensorflow/core/platform/cloud:gcs_file_system"],
        "//conditions:default": [],
    }) + select({
        "//tensorflow:with_aws_support": ["@aws"],
        "//conditions:default": [],
    })

def tf_additional_binary_deps():
    return ["@nsync//:nsync_cpp"] + if_cuda([
        "//tensorflow/stream_executor:cuda_platform",
    ]) + if_mkl_ml(["//third_party/mkl:intel_binary_blob"])

def tf_kernel_tests_linkstatic():
    return if_static(1, 0)
