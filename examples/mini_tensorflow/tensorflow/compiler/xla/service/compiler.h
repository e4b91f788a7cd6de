// Mirrors tensorflow/compiler/xla/service/compiler.h.
