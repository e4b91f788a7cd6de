"""Which fields the namespaces of Bazel have."""

ProtoLangToolchainInfo = proto_common_do_not_use.ProtoLangToolchainInfo
JavaRuntimeClasspathInfo = java_common.JavaRuntimeClasspathInfo
CcSharedLibraryHintInfo = cc_common.CcSharedLibraryHintInfo

_FIELDS = {
    "attr": (attr, ["label_list", "license", "string"]),
    "cc_common": (cc_common, ["create_compile_action", "ld_tool_path", "link", "objcopy", "unheard_of"]),
    "java_common": (java_common, ["default_javac_opts_depset", "merge", "unheard_of"]),
    "proto_common_do_not_use": (proto_common_do_not_use, ["check_collocated", "compile", "get_import_path", "unheard_of"]),
}

def names():
    for name, (namespace, fields) in _FIELDS.items():
        for field in fields:
            if hasattr(namespace, field):
                native.filegroup(name = "%s.%s" % (name, field))
