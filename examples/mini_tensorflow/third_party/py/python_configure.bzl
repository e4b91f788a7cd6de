# Mirrors third_party/py/python_configure.bzl: asks the interpreter where its headers are, writes @local_config_python.

def _python_configure_impl(ctx):
    python = ctx.os.environ.get("PYTHON_BIN_PATH") or ctx.which("python")
    include = ctx.execute([python, "-c", "import sysconfig; print(sysconfig.get_path('include'))"])
    ctx.symlink(include.stdout.strip(), "python_include")
    ctx.file("BUILD", """
licenses(["restricted"])

cc_library(
    name = "python_headers",
    hdrs = glob(["python_include/**/*.h"]),
    includes = ["python_include"],
    visibility = ["//visibility:public"],
)
""")

python_configure = repository_rule(
    implementation = _python_configure_impl,
    environ = ["PYTHON_BIN_PATH"],
)
