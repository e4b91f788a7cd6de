# Mirrors tensorflow/tensorflow.bzl: the macros through which nearly every target of TensorFlow is made.

load("@local_config_cuda//cuda:build_defs.bzl", "cuda_default_copts", "if_cuda", "if_cuda_is_configured")
load(
    "//tensorflow/core:platform/default/build_config_root.bzl",
    "if_static",
    "tf_cuda_tests_tags",
)
load("//third_party/mkl:build_defs.bzl", "if_mkl")

# A label that stays right when TensorFlow is itself an external repository of someone else's workspace.
def clean_dep(dep):
    return str(Label(dep))

# ---------------------------------------------------------------- conditions

def if_android(a):
    return select({
        clean_dep("//tensorflow:android"): a,
        "//conditions:default": [],
    })

def if_not_windows(a):
    return select({
        clean_dep("//tensorflow:windows"): [],
        "//conditions:default": a,
    })

def if_windows(a):
    return select({
        clean_dep("//tensorflow:windows"): a,
        "//conditions:default": [],
    })

def tf_copts(android_optimization_level_override = "-O2"):
    return (
        if_not_windows([
            "-DEIGEN_AVOID_STL_ARRAY",
            "-Wno-sign-compare",
            "-fno-exceptions",
        ]) +
        if_cuda(["-DGOOGLE_CUDA=1"]) +
        if_mkl(["-DINTEL_MKL=1"]) +
        select({
            clean_dep("//tensorflow:android"): ["-std=c++11", android_optimization_level_override],
            clean_dep("//tensorflow:windows"): ["/DEIGEN_AVOID_STL_ARRAY", "/Iexternal/gemmlowp"],
            "//conditions:default": ["-pthread"],
        })
    )

# ------------------------------------------------------------ shared objects

def _rpath_linkopts(name):
    """The way from the folder of `name` back up to libtensorflow_framework.so."""
    levels_to_root = native.package_name().count("/") + name.count("/")
    return select({
        clean_dep("//tensorflow:darwin"): [
            "-Wl,-rpath,@loader_path/%s" % "/".join([".."] * levels_to_root),
        ],
        clean_dep("//tensorflow:windows"): [],
        "//conditions:default": [
            "-Wl,-rpath,$$ORIGIN/%s" % "/".join([".."] * levels_to_root),
        ],
    })

def tf_binary_additional_srcs():
    return if_static(
        extra_deps = [],
        otherwise = [clean_dep("//tensorflow:libtensorflow_framework.so")],
    )

def tf_cc_shared_object(
        name,
        srcs = [],
        deps = [],
        linkopts = [],
        framework_so = tf_binary_additional_srcs(),
        **kwargs):
    native.cc_binary(
        name = name,
        srcs = srcs + framework_so,
        linkopts = linkopts + _rpath_linkopts(name),
        linkshared = 1,
        deps = deps,
        **kwargs
    )

def tf_cc_binary(name, srcs = [], deps = [], linkopts = [], copts = tf_copts(), **kwargs):
    native.cc_binary(
        name = name,
        srcs = srcs + tf_binary_additional_srcs(),
        copts = copts,
        linkopts = linkopts + _rpath_linkopts(name),
        deps = deps + if_mkl(["//third_party/mkl:intel_binary_blob"]),
        **kwargs
    )

# ------------------------------------------------------------------------ ops

def tf_gen_op_libs(op_lib_names, deps = None):
    """For each name a library of the registrations in ops/NAME.cc: NAME_op_lib."""
    if not deps:
        deps = []
    for n in op_lib_names:
        native.cc_library(
            name = n + "_op_lib",
            srcs = ["ops/" + n + ".cc"],
            copts = tf_copts(),
            linkstatic = 1,
            visibility = ["//visibility:public"],
            deps = deps + [clean_dep("//tensorflow/core:framework")],
            alwayslink = 1,
        )

def tf_gen_op_wrapper_cc(name, out_ops_file, pkg = "", op_gen = clean_dep("//tensorflow/cc:cc_op_gen_main"), deps = None):
    """C++ functions for the ops of one library: builds a generator around the library, then runs it."""
    tool = out_ops_file + "_gen_cc"
    tf_cc_binary(
        name = tool,
        linkstatic = 1,
        deps = [op_gen] + (deps if deps else [pkg + ":" + name + "_op_lib"]),
    )
    native.genrule(
        name = name + "_genrule",
        outs = [
            out_ops_file + ".h",
            out_ops_file + ".cc",
            out_ops_file + "_internal.h",
            out_ops_file + "_internal.cc",
        ],
        srcs = ["//tensorflow/core/api_def:base_api_def"],
        cmd = "$(location :%s) $(location :%s.h) $(location :%s.cc) 1" % (tool, out_ops_file, out_ops_file),
        tools = [":" + tool] + tf_binary_additional_srcs(),
    )

def tf_gen_op_wrappers_cc(name, op_lib_names = [], pkg = "", deps = []):
    srcs = []
    hdrs = []
    for n in op_lib_names:
        tf_gen_op_wrapper_cc(n, "ops/" + n, pkg = pkg)
        srcs = srcs + ["ops/" + n + ".cc"]
        hdrs += ["ops/" + n + ".h"]
    native.cc_library(
        name = name,
        srcs = srcs,
        hdrs = hdrs,
        copts = tf_copts(),
        deps = deps + [clean_dep("//tensorflow/core:framework")],
    )

def tf_gen_op_wrapper_py(name, out = None, hidden = None, visibility = None, deps = [], require_shape_functions = False):
    """Python functions for the ops of one library: python/ops/gen_NAME.py and the py_library around it."""
    tool_name = "gen_" + name + "_py_wrappers_cc"
    if not deps:
        deps = [clean_dep("//tensorflow/core:" + name + "_op_lib")]
    tf_cc_binary(
        name = tool_name,
        linkstatic = 1,
        visibility = [clean_dep("//tensorflow:internal")],
        deps = deps + [
            clean_dep("//tensorflow/core:framework"),
            clean_dep("//tensorflow/python:python_op_gen_main"),
        ],
    )
    if not out:
        out = "ops/gen_" + name + ".py"
    native.genrule(
        name = name + "_pygenrule",
        outs = [out],
        srcs = [clean_dep("//tensorflow/core/api_def:python_api_def")],
        cmd = "$(location %s) '%s' %s > $@" % (
            tool_name,
            ",".join(hidden or []),
            "1" if require_shape_functions else "0",
        ),
        tools = [tool_name] + tf_binary_additional_srcs(),
    )
    native.py_library(
        name = "gen_" + name,
        srcs = [out],
        srcs_version = "PY2AND3",
        visibility = visibility,
        deps = [clean_dep("//tensorflow/python:framework_for_generated_wrappers")],
    )

# -------------------------------------------------------------------- kernels

def tf_gpu_kernel_library(name, srcs, copts = [], hdrs = [], deps = [], **kwargs):
    """The .cu.cc half of a kernel: empty unless CUDA is configured."""
    native.cc_library(
        name = name,
        srcs = if_cuda(srcs),
        hdrs = hdrs,
        copts = copts + cuda_default_copts() + tf_copts(),
        linkstatic = 1,
        deps = deps + if_cuda([
            clean_dep("//tensorflow/core:cuda"),
            clean_dep("//tensorflow/core:gpu_lib"),
        ]),
        alwayslink = 1,
        **kwargs
    )

def tf_cuda_library(deps = None, cuda_deps = None, copts = tf_copts(), **kwargs):
    """A cc_library that has more dependencies in a build with CUDA."""
    if not deps:
        deps = []
    if not cuda_deps:
        cuda_deps = []
    native.cc_library(
        deps = deps + if_cuda(cuda_deps + [
            clean_dep("//tensorflow/core:cuda"),
            "@local_config_cuda//cuda:cuda_headers",
        ]),
        copts = copts + if_cuda(["-DGOOGLE_CUDA=1"]) + if_mkl(["-DINTEL_MKL=1"]),
        **kwargs
    )

def tf_kernel_library(
        name,
        prefix = None,
        srcs = None,
        gpu_srcs = None,
        hdrs = None,
        deps = None,
        alwayslink = 1,
        copts = None,
        **kwargs):
    """The library of one family of kernels.

    With prefix = "cast_op": cast_op*.cc are its srcs, cast_op*.h its hdrs, cast_op*.cu.cc go to a second library
    `name`_gpu; tests are left out. `name` is linked whole, and also made into a plug-in libtfkernel_`name`.so.
    """
    srcs = srcs or []
    hdrs = hdrs or []
    deps = deps or []
    copts = (copts or []) + tf_copts()
    if prefix:
        if native.glob([prefix + "*.cu.cc"], exclude = ["*test*"]):
            gpu_srcs = (gpu_srcs or []) + native.glob(
                [prefix + "*.cu.cc", prefix + "*.h"],
                exclude = [prefix + "*test*"],
            )
        srcs = srcs + native.glob(
            [prefix + "*.cc"],
            exclude = [prefix + "*test*", prefix + "*.cu.cc"],
        )
        hdrs = hdrs + native.glob(
            [prefix + "*.h"],
            exclude = [prefix + "*test*", prefix + "*.cu.h"],
        )
    cuda_deps = [clean_dep("//tensorflow/core:gpu_lib")]
    if gpu_srcs:
        for gpu_src in gpu_srcs:
            if gpu_src.endswith(".cc") and not gpu_src.endswith(".cu.cc"):
                fail("{} not allowed in gpu_srcs: the name must end with .cu.cc".format(gpu_src))
        tf_gpu_kernel_library(
            name = name + "_gpu",
            srcs = gpu_srcs,
            deps = deps,
            **kwargs
        )
        cuda_deps.extend([":" + name + "_gpu"])
    kwargs["tags"] = kwargs.get("tags", []) + [
        "req_dep=%s" % clean_dep("//tensorflow/core:gpu_lib"),
    ]
    tf_cuda_library(
        name = name,
        srcs = srcs,
        hdrs = hdrs,
        copts = copts,
        cuda_deps = cuda_deps,
        linkstatic = 1,
        alwayslink = alwayslink,
        deps = deps,
        **kwargs
    )
    tf_cc_shared_object(
        name = "libtfkernel_%s.so" % name,
        srcs = srcs + hdrs,
        copts = copts,
        tags = ["manual", "notap"],
        deps = deps,
    )

def tf_mkl_kernel_library(name, prefix = None, srcs = None, hdrs = None, deps = None, alwayslink = 1, copts = tf_copts()):
    """Kernels that exist only in a build with MKL."""
    srcs = srcs or []
    hdrs = hdrs or []
    if prefix:
        srcs = srcs + native.glob([prefix + "*.cc"], exclude = [prefix + "*test*"])
        hdrs = hdrs + native.glob([prefix + "*.h"], exclude = [prefix + "*test*"])
    native.cc_library(
        name = name,
        srcs = if_mkl(srcs),
        hdrs = hdrs,
        copts = copts,
        features = ["-use_header_modules"],
        deps = deps,
        alwayslink = alwayslink,
    )

# ----------------------------------------------------------------------- swig

def _py_wrap_cc_impl(ctx):
    if len(ctx.files.srcs) != 1:
        fail("Exactly one SWIG source file label must be specified.", "srcs")
    arguments = ["-c++", "-python", "-module", ctx.attr.module_name]
    arguments += ["-o", ctx.outputs.cc_out.path, "-outdir", ctx.outputs.py_out.dirname]
    arguments += ["-l" + include.path for include in ctx.files.swig_includes]
    ctx.actions.run(
        inputs = ctx.files.srcs + ctx.files.swig_includes + ctx.files._swiglib,
        outputs = [ctx.outputs.cc_out, ctx.outputs.py_out],
        executable = ctx.executable._swig,
        arguments = arguments + [ctx.files.srcs[0].path],
        mnemonic = "PythonSwig",
    )
    return struct(files = depset([ctx.outputs.cc_out, ctx.outputs.py_out]))

# Why swig is built: no BUILD file names it, this default does.
_py_wrap_cc = rule(
    attrs = {
        "srcs": attr.label_list(
            allow_files = True,
            mandatory = True,
        ),
        "swig_includes": attr.label_list(
            allow_files = True,
        ),
        "deps": attr.label_list(
            allow_files = True,
        ),
        "toolchain_deps": attr.label_list(
            allow_files = True,
        ),
        "module_name": attr.string(mandatory = True),
        "py_module_name": attr.string(mandatory = True),
        "_swig": attr.label(
            default = Label("@swig//:swig"),
            executable = True,
            cfg = "host",
        ),
        "_swiglib": attr.label(
            default = Label("@swig//:templates"),
            allow_files = True,
        ),
    },
    outputs = {
        "cc_out": "%{module_name}.cc",
        "py_out": "%{py_module_name}.py",
    },
    implementation = _py_wrap_cc_impl,
)

def _append_init_to_versionscript_impl(ctx):
    ctx.actions.expand_template(
        template = ctx.file.template_file,
        output = ctx.outputs.versionscript,
        substitutions = {"global:": "global:\n     init_%s;\n     PyInit_*;" % ctx.attr.module_name},
    )

# The linker exports only what the version script names: add the init function of the module.
_append_init_to_versionscript = rule(
    implementation = _append_init_to_versionscript_impl,
    attrs = {
        "module_name": attr.string(mandatory = True),
        "template_file": attr.label(
            allow_single_file = True,
            mandatory = True,
        ),
    },
    outputs = {"versionscript": "%{name}.lds"},
)

def tf_py_wrap_cc(name, srcs, swig_includes = [], deps = [], copts = [], **kwargs):
    """A Python module from a .i file: swig writes NAME.py and NAME.cc, the .cc becomes _NAME.so, both a py_library."""
    module_name = name.split("/")[-1]
    cc_library_name = "/".join(name.split("/")[:-1] + ["_" + module_name + ".so"])
    cc_library_pyd_name = "/".join(name.split("/")[:-1] + ["_" + module_name + ".pyd"])
    _py_wrap_cc(
        name = name + "_py_wrap",
        srcs = srcs,
        module_name = module_name,
        py_module_name = name,
        swig_includes = swig_includes,
        toolchain_deps = ["@bazel_tools//tools/cpp:current_cc_toolchain"],
        deps = deps,
    )
    vscriptname = name + "_versionscript"
    _append_init_to_versionscript(
        name = vscriptname,
        module_name = module_name,
        template_file = select({
            "@local_config_cuda//cuda:darwin": clean_dep("//tensorflow:tf_exported_symbols.lds"),
            "//conditions:default": clean_dep("//tensorflow:tf_version_script.lds"),
        }),
    )
    extra_deps = []
    extra_deps += select({
        clean_dep("//tensorflow:windows"): [],
        "//conditions:default": ["%s.lds" % vscriptname],
    })
    tf_cc_shared_object(
        name = cc_library_name,
        srcs = [module_name + ".cc"],
        copts = copts + if_not_windows([
            "-Wno-self-assign",
            "-Wno-write-strings",
        ]),
        linkopts = select({
            clean_dep("//tensorflow:windows"): [],
            "//conditions:default": ["-Wl,--version-script", "$(location %s.lds)" % vscriptname],
        }),
        linkstatic = 1,
        deps = deps + extra_deps,
        **kwargs
    )
    native.genrule(
        name = "gen_" + cc_library_pyd_name,
        srcs = [":" + cc_library_name],
        outs = [cc_library_pyd_name],
        cmd = "cp $< $@",
    )
    native.py_library(
        name = name,
        srcs = [":" + name + ".py"],
        srcs_version = "PY2AND3",
        data = select({
            clean_dep("//tensorflow:windows"): [":" + cc_library_pyd_name],
            "//conditions:default": [":" + cc_library_name],
        }),
    )

# -------------------------------------------------------------------- headers

def _transitive_hdrs_impl(ctx):
    outputs = depset(transitive = [dep.cc.transitive_headers for dep in ctx.attr.deps])
    return struct(files = outputs)

_transitive_hdrs = rule(
    attrs = {
        "deps": attr.label_list(
            allow_files = True,
            providers = ["cc"],
        ),
    },
    implementation = _transitive_hdrs_impl,
)

def transitive_hdrs(name, deps = [], **kwargs):
    """All headers that someone who includes those of `deps` needs, as one filegroup."""
    _transitive_hdrs(name = name + "_gather", deps = deps)
    native.filegroup(name = name, srcs = [":" + name + "_gather"])

def cc_header_only_library(name, deps = [], includes = [], **kwargs):
    _transitive_hdrs(name = name + "_gather", deps = deps)
    native.cc_library(
        name = name,
        hdrs = [":" + name + "_gather"],
        includes = includes,
        **kwargs
    )

# ---------------------------------------------------------------------- tests

def tf_cc_test(name, srcs, deps, linkstatic = 0, extra_copts = [], suffix = "", linkopts = [], **kwargs):
    native.cc_test(
        name = "%s%s" % (name, suffix),
        srcs = srcs + tf_binary_additional_srcs(),
        copts = tf_copts() + extra_copts,
        linkopts = select({
            clean_dep("//tensorflow:android"): ["-pie"],
            clean_dep("//tensorflow:windows"): [],
            "//conditions:default": ["-lpthread", "-lm"],
        }) + linkopts + _rpath_linkopts(name),
        linkstatic = linkstatic,
        deps = deps + if_mkl(["//third_party/mkl:intel_binary_blob"]),
        **kwargs
    )

def src_to_test_name(src):
    return src.replace("/", "_").split(".")[0]

def tf_cc_tests(srcs, deps, name = "", **kwargs):
    """One tf_cc_test for each file."""
    for src in srcs:
        tf_cc_test(name = src_to_test_name(src), srcs = [src], deps = deps, **kwargs)

def tf_cuda_cc_test(name, srcs = [], deps = [], tags = [], **kwargs):
    """The test twice: without a GPU, and with one where CUDA is configured."""
    tf_cc_test(name = name, srcs = srcs, deps = deps, tags = tags + ["manual"], **kwargs)
    tf_cc_test(
        name = name,
        srcs = srcs,
        suffix = "_gpu",
        tags = tags + tf_cuda_tests_tags(),
        deps = deps + if_cuda([clean_dep("//tensorflow/core:gpu_runtime")]),
        **kwargs
    )

def tf_py_test(name, srcs, size = "medium", data = [], main = None, args = [], tags = [], additional_deps = []):
    native.py_test(
        name = name,
        size = size,
        srcs = srcs,
        args = args,
        data = data,
        main = main if main else srcs[0],
        srcs_version = "PY2AND3",
        tags = tags,
        visibility = [clean_dep("//tensorflow:internal")],
        deps = [
            clean_dep("//tensorflow/python:extra_py_tests_deps"),
            clean_dep("//tensorflow/python:client_testlib"),
        ] + additional_deps,
    )

def cuda_py_test(name, srcs, size = "medium", additional_deps = [], tags = []):
    tf_py_test(
        name = name,
        size = size,
        srcs = srcs,
        tags = tags + tf_cuda_tests_tags(),
        additional_deps = additional_deps,
    )

# ------------------------------------------------------------- custom op libs

def tf_custom_op_library(name, srcs = [], gpu_srcs = [], deps = []):
    """A shared object that tf.load_op_library() takes: ops and kernels outside of TensorFlow itself."""
    cuda_deps = [clean_dep("//tensorflow/core:stream_executor_headers_lib")]
    if gpu_srcs:
        basename = name.split(".")[0]
        native.cc_library(
            name = basename + "_gpu",
            srcs = gpu_srcs,
            copts = cuda_default_copts(),
            deps = deps + if_cuda_is_configured(cuda_deps),
        )
        cuda_deps.extend([":" + basename + "_gpu"])
    tf_cc_shared_object(
        name = name,
        srcs = srcs,
        copts = tf_copts(),
        deps = deps + if_cuda_is_configured(cuda_deps),
    )

def tf_custom_op_py_library(name, srcs = [], dso = [], kernels = [], visibility = None, deps = []):
    native.py_library(
        name = name,
        srcs = srcs,
        data = dso,
        srcs_version = "PY2AND3",
        visibility = visibility,
        deps = deps,
    )
