# Mirrors third_party/gpus/cuda_configure.bzl: looks for CUDA and writes @local_config_cuda from templates.

def _flag(ctx, name):
    return ctx.os.environ.get(name, "0").strip() in ["1", "true", "yes"]

def _tpl(ctx, path, substitutions):
    ctx.template(
        path,
        Label("//third_party/gpus:%s.tpl" % path),
        substitutions,
    )

def _cuda_configure_impl(ctx):
    configured = _flag(ctx, "TF_NEED_CUDA")
    substitutions = {
        "%{cuda_is_configured}": "True" if configured else "False",
        "%{cuda_extra_copts}": "[]",
    }
    _tpl(ctx, "cuda/build_defs.bzl", substitutions)
    _tpl(ctx, "cuda/BUILD", substitutions)
    if configured:
        ctx.symlink(ctx.os.environ["CUDA_TOOLKIT_PATH"] + "/include", "cuda/include")

cuda_configure = repository_rule(
    implementation = _cuda_configure_impl,
    environ = ["CUDA_TOOLKIT_PATH", "TF_NEED_CUDA"],
)
