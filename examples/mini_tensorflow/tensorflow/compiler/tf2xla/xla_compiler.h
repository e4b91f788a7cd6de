// Mirrors tensorflow/compiler/tf2xla/xla_compiler.h.
