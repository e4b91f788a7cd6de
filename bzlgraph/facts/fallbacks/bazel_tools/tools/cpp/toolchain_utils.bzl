"""Finding the C++ toolchain, in the analysis phase."""

CPP_TOOLCHAIN_TYPE = Label("//tools/cpp:toolchain_type")

def find_cpp_toolchain(ctx, mandatory = True):
    pass

def find_cc_toolchain(ctx, mandatory = True):
    pass

def use_cpp_toolchain(mandatory = False):
    return [config_common.toolchain_type(CPP_TOOLCHAIN_TYPE, mandatory = mandatory)]

def use_cc_toolchain(mandatory = False):
    return use_cpp_toolchain(mandatory = mandatory)

find_cc_toolchain_attrs = {"_cc_toolchain": attr.label(default = Label("//tools/cpp:current_cc_toolchain"))}
