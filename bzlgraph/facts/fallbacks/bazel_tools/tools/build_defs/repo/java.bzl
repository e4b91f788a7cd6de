"""Java libraries that are downloaded as jars."""

def _impl(repository_ctx):
    pass

java_import_external = repository_rule(
    implementation = _impl,
    attrs = {
        "licenses": attr.string_list(),
        "jar_urls": attr.string_list(),
        "jar_sha256": attr.string(),
        "canonical_id": attr.string(),
        "rule_name": attr.string(),
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
        "default_visibility": attr.string_list(),
        "extra_build_file_content": attr.string(),
    },
)
