"""Maven artifacts."""

def _impl(repository_ctx):
    pass

jvm_import_external = repository_rule(
    implementation = _impl,
    attrs = {
        "rule_name": attr.string(),
        "licenses": attr.string_list(),
        "artifact_urls": attr.string_list(),
        "artifact_sha256": attr.string(),
        "srcjar_urls": attr.string_list(),
        "srcjar_sha256": attr.string(),
        "rule_metadata": attr.string_dict(),
        "rule_load": attr.string(),
        "rule_info": attr.string_dict(),
        "deps": attr.string_list(),
        "runtime_deps": attr.string_list(),
        "exports": attr.string_list(),
        "neverlink": attr.bool(),
        "tags": attr.string_list(),
        "testonly_": attr.bool(),
        "generated_rule_name": attr.string(),
        "generated_linkable_rule_name": attr.string(),
        "default_visibility": attr.string_list(),
        "extra_build_file_content": attr.string(),
    },
)

def jvm_maven_import_external(artifact, server_urls, **kwargs):
    """A jar of a Maven repository."""
    kwargs.pop("fetch_sources", None)
    kwargs.pop("artifact_sha256", None)
    jvm_import_external(artifact_urls = [server + "/" + artifact for server in server_urls], **kwargs)
