// Mirrors tensorflow/compiler/xla/service/compiler.cc.
