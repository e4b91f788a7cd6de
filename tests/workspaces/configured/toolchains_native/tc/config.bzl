def _config(ctx):
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        toolchain_identifier = "own",
        host_system_name = "local",
        target_system_name = "local",
        target_cpu = "k8",
        target_libc = "local",
        compiler = "own",
        abi_version = "local",
        abi_libc_version = "local",
    )

config = rule(_config, provides = [CcToolchainConfigInfo])
