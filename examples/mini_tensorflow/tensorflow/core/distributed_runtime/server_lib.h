// Mirrors tensorflow/core/distributed_runtime/server_lib.h.
