// Mirrors tensorflow/compiler/xla/service/cpu_plugin.cc.
