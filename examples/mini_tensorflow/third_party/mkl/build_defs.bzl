# Mirrors third_party/mkl/build_defs.bzl: what a build with Intel's MKL adds, as selects over //third_party/mkl.

# Label() and not a string: the condition must be ours also when a macro uses it in another repository.
def if_mkl(if_true, if_false = []):
    return select({
        str(Label("//third_party/mkl:build_with_mkl")): if_true,
        "//conditions:default": if_false,
    })

def if_mkl_ml(if_true, if_false = []):
    return select({
        str(Label("//third_party/mkl_dnn:build_with_mkl_dnn_only")): if_false,
        str(Label("//third_party/mkl:build_with_mkl")): if_true,
        "//conditions:default": if_false,
    })

def mkl_deps():
    return select({
        str(Label("//third_party/mkl:build_with_mkl")): [
            str(Label("//third_party/mkl:intel_binary_blob")),
        ],
        "//conditions:default": [],
    })

def _mkl_repository_impl(ctx):
    if "TF_MKL_ROOT" in ctx.os.environ:
        ctx.symlink(ctx.os.environ["TF_MKL_ROOT"] + "/lib", "lib")
    else:
        ctx.download_and_extract(ctx.attr.urls, stripPrefix = ctx.attr.strip_prefix)
    ctx.symlink(ctx.attr.build_file, "BUILD")

mkl_repository = repository_rule(
    implementation = _mkl_repository_impl,
    attrs = {
        "build_file": attr.label(),
        "strip_prefix": attr.string(),
        "urls": attr.string_list(),
    },
    environ = ["TF_MKL_ROOT"],
)
