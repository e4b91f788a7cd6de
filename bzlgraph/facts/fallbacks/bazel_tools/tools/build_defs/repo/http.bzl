"""Repositories that are downloaded."""

def _impl(repository_ctx):
    pass

_COMMON = {
    "url": attr.string(),
    "urls": attr.string_list(),
    "sha256": attr.string(),
    "integrity": attr.string(),
    "netrc": attr.string(),
    "auth_patterns": attr.string_dict(),
    "canonical_id": attr.string(),
    "type": attr.string(),
}

# A type that attributes have since Bazel 7.4.
_FILES = attr.string_keyed_label_dict() if hasattr(attr, "string_keyed_label_dict") else attr.string_dict()

# In Bazel's order, in which `bazel mod show_repo` prints them.
_ARCHIVE = {
    "url": attr.string(),
    "urls": attr.string_list(),
    "sha256": attr.string(),
    "integrity": attr.string(),
    "netrc": attr.string(),
    "auth_patterns": attr.string_dict(),
    "canonical_id": attr.string(),
    "strip_prefix": attr.string(),
    "add_prefix": attr.string(),
    "files": _FILES,
    "type": attr.string(),
    "patches": attr.label_list(),
    "remote_file_urls": attr.string_list_dict(),
    "remote_file_integrity": attr.string_dict(),
    "remote_module_file_urls": attr.string_list(),
    "remote_module_file_integrity": attr.string(),
    "remote_patches": attr.string_dict(),
    "remote_patch_strip": attr.int(),
    "patch_tool": attr.string(),
    "patch_args": attr.string_list(),
    "patch_strip": attr.int(),
    "patch_cmds": attr.string_list(),
    "patch_cmds_win": attr.string_list(),
    "build_file": attr.label(allow_single_file = True),
    "build_file_content": attr.string(),
    "workspace_file": attr.label(),
    "workspace_file_content": attr.string(),
}

http_archive = repository_rule(implementation = _impl, attrs = _ARCHIVE)

# What is fetched is one file: the repository around it is known.

def _urls(ctx):
    return ctx.attr.urls or [ctx.attr.url]

def _http_file_impl(ctx):
    name = ctx.attr.downloaded_file_path or "downloaded"
    ctx.download(_urls(ctx), "file/" + name, ctx.attr.sha256, ctx.attr.executable, integrity = ctx.attr.integrity)
    ctx.file("WORKSPACE", "workspace(name = \"%s\")" % ctx.name)
    ctx.file("file/BUILD", "package(default_visibility = [\"//visibility:public\"])\n" +
                           "filegroup(name = \"file\", srcs = [\"%s\"])\n" % name)

def _http_jar_impl(ctx):
    name = ctx.attr.downloaded_file_name or "downloaded.jar"
    ctx.download(_urls(ctx), "jar/" + name, ctx.attr.sha256, integrity = ctx.attr.integrity)
    ctx.file("WORKSPACE", "workspace(name = \"%s\")" % ctx.name)
    ctx.file("jar/BUILD", "package(default_visibility = [\"//visibility:public\"])\n" +
                          "java_import(name = \"jar\", jars = [\"%s\"])\n" % name +
                          "filegroup(name = \"file\", srcs = [\"%s\"])\n" % name)

http_file = repository_rule(
    implementation = _http_file_impl,
    attrs = dict(_COMMON, executable = attr.bool(), downloaded_file_path = attr.string()),
)

http_jar = repository_rule(
    implementation = _http_jar_impl,
    attrs = dict(_COMMON, downloaded_file_name = attr.string()),
)
