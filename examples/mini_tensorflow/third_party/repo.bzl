# Mirrors third_party/repo.bzl: an archive with a build file of ours laid over it.

def _tf_http_archive_impl(ctx):
    ctx.download_and_extract(ctx.attr.urls, "", ctx.attr.sha256, "", ctx.attr.strip_prefix)
    if ctx.attr.build_file:
        ctx.template("BUILD.bazel", ctx.attr.build_file, {"%prefix%": "external"}, False)

tf_http_archive = repository_rule(
    implementation = _tf_http_archive_impl,
    attrs = {
        "build_file": attr.label(),
        "sha256": attr.string(),
        "strip_prefix": attr.string(),
        "urls": attr.string_list(mandatory = True),
    },
)
