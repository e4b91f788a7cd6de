// Mirrors tensorflow/compiler/xla/service/gpu_plugin.cc.
