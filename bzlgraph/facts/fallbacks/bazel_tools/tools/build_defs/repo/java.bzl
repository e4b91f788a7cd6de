"""Java libraries that are downloaded as jars."""

def _file_of(urls, default):
    """The name of the first jar among URLs."""
    jars = [url.rpartition("/")[2] for url in urls if url.endswith(".jar")]
    return jars[0] if jars else default

def _import(ctx, name, jar, sources, neverlink):
    """One rule that imports the jar, as code."""
    written = {"name": name, "jars": [jar], "deps": ctx.attr.deps, "exports": ctx.attr.exports}
    written["runtime_deps"] = ctx.attr.runtime_deps
    if sources:
        written["srcjar"] = sources
    if neverlink:
        written["neverlink"] = True
    if ctx.attr.testonly_:
        written["testonly"] = True
    given = ["    %s = %r,\n" % (key, value) for key, value in written.items() if value]
    return "%s(\n%s)\n" % (ctx.attr.rule_name, "".join(given))

def _impl(ctx):
    if ctx.attr.generated_linkable_rule_name and not ctx.attr.neverlink:
        fail("Only use generated_linkable_rule_name if neverlink is set")
    jar = _file_of(ctx.attr.jar_urls, ctx.name + ".jar")
    name = ctx.attr.generated_rule_name or ctx.name
    ctx.download(ctx.attr.jar_urls, jar, ctx.attr.jar_sha256)
    sources = None
    if ctx.attr.srcjar_urls:
        sources = _file_of(ctx.attr.srcjar_urls, name + "-src.jar").replace("-sources.jar", "-src.jar")
        ctx.download(ctx.attr.srcjar_urls, sources, ctx.attr.srcjar_sha256)
    text = ctx.attr.rule_load + "\n" if ctx.attr.rule_load else ""
    visibility = "package(default_visibility = %r)\n" % ctx.attr.default_visibility
    text += visibility + "licenses(%r)\n" % ctx.attr.licenses
    text += _import(ctx, name, jar, sources, ctx.attr.neverlink)
    if ctx.attr.generated_linkable_rule_name:
        text += _import(ctx, ctx.attr.generated_linkable_rule_name, jar, sources, False)
    ctx.file("BUILD", text + ctx.attr.extra_build_file_content)
    ctx.file("jar/BUILD", visibility +
                          "alias(name = \"jar\", actual = \"@%s//:%s\")\n" % (ctx.name, name) +
                          "filegroup(name = \"file\", srcs = [\"//:%s\"])\n" % jar)

java_import_external = repository_rule(
    implementation = _impl,
    attrs = {
        "licenses": attr.string_list(),
        "jar_urls": attr.string_list(),
        "jar_sha256": attr.string(),
        "canonical_id": attr.string(),
        "rule_name": attr.string(default = "java_import"),
        "rule_load": attr.string(),
        "srcjar_urls": attr.string_list(),
        "srcjar_sha256": attr.string(),
        "deps": attr.string_list(),
        "runtime_deps": attr.string_list(),
        "testonly_": attr.bool(),
        "exports": attr.string_list(),
        "neverlink": attr.bool(),
        "generated_rule_name": attr.string(),
        "generated_linkable_rule_name": attr.string(),
        "default_visibility": attr.string_list(default = ["//visibility:public"]),
        "extra_build_file_content": attr.string(),
    },
)
