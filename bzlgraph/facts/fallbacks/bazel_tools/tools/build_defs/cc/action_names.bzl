"""The names of C++ actions."""

ASSEMBLE_ACTION_NAME = "assemble"
CC_FLAGS_MAKE_VARIABLE_ACTION_NAME = "cc-flags-make-variable"
CLIF_MATCH_ACTION_NAME = "clif-match"
CPP20_MODULE_CODEGEN_ACTION_NAME = "c++20-module-codegen"
CPP20_MODULE_COMPILE_ACTION_NAME = "c++20-module-compile"
CPP_COMPILE_ACTION_NAME = "c++-compile"
CPP_HEADER_ANALYSIS_ACTION_NAME = "c++-header-analysis"
CPP_HEADER_PARSING_ACTION_NAME = "c++-header-parsing"
CPP_LINK_DYNAMIC_LIBRARY_ACTION_NAME = "c++-link-dynamic-library"
CPP_LINK_EXECUTABLE_ACTION_NAME = "c++-link-executable"
CPP_LINK_NODEPS_DYNAMIC_LIBRARY_ACTION_NAME = "c++-link-nodeps-dynamic-library"
CPP_LINK_STATIC_LIBRARY_ACTION_NAME = "c++-link-static-library"
CPP_MODULE_CODEGEN_ACTION_NAME = "c++-module-codegen"
CPP_MODULE_COMPILE_ACTION_NAME = "c++-module-compile"
CPP_MODULE_DEPS_SCANNING_ACTION_NAME = "c++-module-deps-scanning"
C_COMPILE_ACTION_NAME = "c-compile"
LINKSTAMP_COMPILE_ACTION_NAME = "linkstamp-compile"
LLD_LTO_INDEX_ACTION_NAME = "lld-lto-index"
LLVM_COV = "llvm-cov"
LTO_BACKEND_ACTION_NAME = "lto-backend"
LTO_INDEX_DYNAMIC_LIBRARY_ACTION_NAME = "lto-index-for-dynamic-library"
LTO_INDEX_EXECUTABLE_ACTION_NAME = "lto-index-for-executable"
LTO_INDEX_NODEPS_DYNAMIC_LIBRARY_ACTION_NAME = "lto-index-for-nodeps-dynamic-library"
LTO_INDEXING_ACTION_NAME = "lto-indexing"
OBJCPP_COMPILE_ACTION_NAME = "objc++-compile"
OBJCPP_EXECUTABLE_ACTION_NAME = "objc++-executable"
OBJC_ARCHIVE_ACTION_NAME = "objc-archive"
OBJC_COMPILE_ACTION_NAME = "objc-compile"
OBJC_EXECUTABLE_ACTION_NAME = "objc-executable"
OBJC_FULLY_LINK_ACTION_NAME = "objc-fully-link"
OBJ_COPY_ACTION_NAME = "objcopy_embed_data"
PREPROCESS_ASSEMBLE_ACTION_NAME = "preprocess-assemble"
STRIP_ACTION_NAME = "strip"

ALL_CC_COMPILE_ACTION_NAMES = [
    C_COMPILE_ACTION_NAME,
    CPP_COMPILE_ACTION_NAME,
    LINKSTAMP_COMPILE_ACTION_NAME,
    ASSEMBLE_ACTION_NAME,
    PREPROCESS_ASSEMBLE_ACTION_NAME,
    CPP_HEADER_PARSING_ACTION_NAME,
    CPP_MODULE_COMPILE_ACTION_NAME,
    CPP_MODULE_CODEGEN_ACTION_NAME,
    CLIF_MATCH_ACTION_NAME,
    LTO_BACKEND_ACTION_NAME,
]

ALL_CC_LINK_ACTION_NAMES = [
    CPP_LINK_EXECUTABLE_ACTION_NAME,
    CPP_LINK_DYNAMIC_LIBRARY_ACTION_NAME,
    CPP_LINK_NODEPS_DYNAMIC_LIBRARY_ACTION_NAME,
]

ALL_CPP_COMPILE_ACTION_NAMES = [name for name in ALL_CC_COMPILE_ACTION_NAMES if name != C_COMPILE_ACTION_NAME]

ACTION_NAMES = struct(
    c_compile = C_COMPILE_ACTION_NAME,
    cpp_compile = CPP_COMPILE_ACTION_NAME,
    linkstamp_compile = LINKSTAMP_COMPILE_ACTION_NAME,
    cc_flags_make_variable = CC_FLAGS_MAKE_VARIABLE_ACTION_NAME,
    cpp_module_codegen = CPP_MODULE_CODEGEN_ACTION_NAME,
    cpp_header_analysis = CPP_HEADER_ANALYSIS_ACTION_NAME,
    cpp_header_parsing = CPP_HEADER_PARSING_ACTION_NAME,
    cpp_module_compile = CPP_MODULE_COMPILE_ACTION_NAME,
    cpp_module_deps_scanning = CPP_MODULE_DEPS_SCANNING_ACTION_NAME,
    cpp20_module_codegen = CPP20_MODULE_CODEGEN_ACTION_NAME,
    cpp20_module_compile = CPP20_MODULE_COMPILE_ACTION_NAME,
    assemble = ASSEMBLE_ACTION_NAME,
    preprocess_assemble = PREPROCESS_ASSEMBLE_ACTION_NAME,
    llvm_cov = LLVM_COV,
    lto_indexing = LTO_INDEXING_ACTION_NAME,
    lto_backend = LTO_BACKEND_ACTION_NAME,
    lto_index_for_executable = LTO_INDEX_EXECUTABLE_ACTION_NAME,
    lto_index_for_dynamic_library = LTO_INDEX_DYNAMIC_LIBRARY_ACTION_NAME,
    lto_index_for_nodeps_dynamic_library = LTO_INDEX_NODEPS_DYNAMIC_LIBRARY_ACTION_NAME,
    cpp_link_executable = CPP_LINK_EXECUTABLE_ACTION_NAME,
    cpp_link_dynamic_library = CPP_LINK_DYNAMIC_LIBRARY_ACTION_NAME,
    cpp_link_nodeps_dynamic_library = CPP_LINK_NODEPS_DYNAMIC_LIBRARY_ACTION_NAME,
    cpp_link_static_library = CPP_LINK_STATIC_LIBRARY_ACTION_NAME,
    strip = STRIP_ACTION_NAME,
    objc_archive = OBJC_ARCHIVE_ACTION_NAME,
    objc_compile = OBJC_COMPILE_ACTION_NAME,
    objc_executable = OBJC_EXECUTABLE_ACTION_NAME,
    objc_fully_link = OBJC_FULLY_LINK_ACTION_NAME,
    objcpp_compile = OBJCPP_COMPILE_ACTION_NAME,
    objcpp_executable = OBJCPP_EXECUTABLE_ACTION_NAME,
    clif_match = CLIF_MATCH_ACTION_NAME,
    objcopy_embed_data = OBJ_COPY_ACTION_NAME,
    all_cc_compile_actions = ALL_CC_COMPILE_ACTION_NAMES,
    all_cc_link_actions = ALL_CC_LINK_ACTION_NAMES,
    all_cpp_compile_actions = ALL_CPP_COMPILE_ACTION_NAMES,
)
