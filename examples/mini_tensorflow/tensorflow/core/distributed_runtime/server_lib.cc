// Mirrors tensorflow/core/distributed_runtime/server_lib.cc.
