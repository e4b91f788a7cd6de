# Mirrors third_party/systemlibs/syslibs_configure.bzl: which archives the system has already (TF_SYSTEM_LIBS=png,zlib).

def _syslibs_configure_impl(ctx):
    enabled = [name.strip() for name in ctx.os.environ.get("TF_SYSTEM_LIBS", "").split(",")]
    ctx.file("BUILD", "")
    ctx.file("build_defs.bzl", """
SYSLIBS = %r

def if_system_lib(lib, a, b = []):
    return a if lib in SYSLIBS else b

def if_not_system_lib(lib, a, b = []):
    return if_system_lib(lib, b, a)
""" % enabled)

syslibs_configure = repository_rule(
    implementation = _syslibs_configure_impl,
    environ = ["TF_SYSTEM_LIBS"],
)
